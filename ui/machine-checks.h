/* SPDX-License-Identifier: MIT */
/*
 * machine-checks - what the doctor found on this machine, for its view: main runs it.
 */
#ifndef UI_MACHINE_CHECKS_H
#define UI_MACHINE_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

/* All strings are borrowed, and valid as long as the list. */
struct machine_check {
	const char *name; /* "tracepoint" */
	bool is_ok;
	const char *what; /* what was found, or why it is missing */
	const char *fix;  /* a line to paste into a shell, or NULL */
};

struct machine_checks {
	const struct machine_check *all; /* [count] */
	size_t count;
};

#endif
