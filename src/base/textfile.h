/* SPDX-License-Identifier: MIT */
/*
 * textfile - small text files: read within limits, written whole or not at all.
 * Any thread.
 */
#ifndef BASE_TEXTFILE_H
#define BASE_TEXTFILE_H

#include <stdbool.h>
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

/*
 * The next line of a text of *len bytes, which are moved past it, without the blanks around it: false
 * when it does not fit into `out`, or has a NUL.
 */
bool textfile_line(const char **text, size_t *len, char *out, size_t room);

/* Write all of it, sync and close the file, in any case: 0, or -1 and errno. */
int textfile_finish(int fd, const char *text, size_t len);

/*
 * Sync a directory: without it a crash may leave a synced file without a name.  0, or -1 and errno;
 * a file system without this is no error.
 */
int textfile_sync_folder(int dir);

/*
 * Replace the file, or make it (mode 0600): written under a temporary name beside it, synced, then
 * renamed, so that it is always whole.  Behind a symbolic link the file it leads to is replaced, and
 * its mode stays.  0; or -1 and errno, and it is as it was, unless the last step failed, the sync of
 * its folder.
 */
int textfile_replace(const char *path, const char *text, size_t len);

#endif
