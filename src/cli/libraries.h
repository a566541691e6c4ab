/* SPDX-License-Identifier: MIT */
/*
 * libraries - the optional libraries: which of them this binary was built with.
 */
#ifndef CLI_LIBRARIES_H
#define CLI_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

struct library {
	const char *name;    /* pkg-config's name */
	bool is_built_in;    /* the binary uses it */
	const char *without; /* what a binary built without it lacks */
};

#define LIBRARIES 3u

/* The entry at `index`, below LIBRARIES. */
const struct library *library_at(size_t index);

#endif
