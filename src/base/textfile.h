/* SPDX-License-Identifier: MIT */
/*
 * textfile - small text files: read within limits, written whole or not at all.
 * Any thread.
 */
#ifndef BASE_TEXTFILE_H
#define BASE_TEXTFILE_H

#include <stddef.h>

#define TEXTFILE_MAX 65536 /* bytes of one that people write by hand */

/*
 * The whole file, ended by a 0 that `len` (which may be NULL) does not count; the caller frees it.
 * NULL and errno: EINVAL when it is not a regular file, EFBIG beyond TEXTFILE_MAX.  A FIFO of that
 * name does not block.
 */
char *textfile_read(const char *path, size_t *len);

/* What is wrong, of an errno of textfile_read(); static or strerror()'s. */
const char *textfile_why(int error);

/* Write all of it: 0, or -1 and errno. */
int textfile_write(int fd, const char *text, size_t len);

/*
 * Replace the file, or make it (mode 0600): written under a temporary name beside it, synced, then
 * renamed, so that it is always whole.  Behind a symbolic link the file it leads to is replaced, and
 * its mode stays.  0; or -1 and errno, and it is as it was, unless the last step failed, the sync of
 * its folder.
 */
int textfile_replace(const char *path, const char *text, size_t len);

#endif
