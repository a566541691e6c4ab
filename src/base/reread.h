/* SPDX-License-Identifier: MIT */
/*
 * reread - a small file of /proc or /sys that is read again and again.
 *
 * It is opened at its first reading and then read from its beginning each time.  These files give their
 * whole text, as it is now, to one read(2) with room for it.
 */
#ifndef BASE_REREAD_H
#define BASE_REREAD_H

#include <stddef.h>

struct reread {
	const char *path; /* borrowed */
	int fd;		  /* -1: not open */
};

#define REREAD_OF(path) ((struct reread){ (path), -1 })

/* The first `room - 1` bytes, terminated: their number, or -1 and errno. */
long reread_text(struct reread *file, char *out, size_t room);

/* Of a file that holds one integer: 0 and *value, or -1 and errno. */
int reread_int(struct reread *file, long long *value);

/* Close it; it can be read again. */
void reread_fini(struct reread *file);

#endif
