/* SPDX-License-Identifier: MIT */
/*
 * sink - the destination of batch output: stdout, or the file of -o.
 *
 * Every write is checked and completed: short writes and EINTR are retried.  The
 * first failure (ENOSPC, EPIPE, EBADF ...) is returned with errno, so that a
 * full disk or a closed pipe ends the program with 1 and a line on stderr.
 */
#ifndef OUTPUT_SINK_H
#define OUTPUT_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct sink;

/*
 * Open `path` for writing (created 0666 & ~umask like a shell redirection,
 * truncated unless `append`; symbolic links are followed, as the user chose the
 * path), or stdout when path is NULL.  NULL and errno.
 */
struct sink *sink_open(const char *path, bool append);

/* Write all of it: 0, or -1 and errno. */
int sink_write(struct sink *sink, const char *text, size_t len);

/*
 * Whether it was empty (the CSV header is written once): false for appending to a
 * non-empty file.
 */
bool sink_is_fresh(const struct sink *sink);

/* Close and free: 0, or -1 and errno of a late error (NFS, quota).  NULL is allowed. */
int sink_close(struct sink *sink);

#endif
