/* SPDX-License-Identifier: MIT */
/*
 * tempfile - a file without a name, for what is seldom read and would take much memory.
 *
 * It is made by the first write, in $TMPDIR or else /var/tmp, which is on a disk where /tmp often
 * is not; its space is free again when the program ends, however it does.
 *
 * Any thread, one at a time.
 */
#ifndef BASE_TEMPFILE_H
#define BASE_TEMPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tempfile;

/* No longer than `most` bytes, nor than a quarter of what is free where it is made.  Never NULL. */
struct tempfile *tempfile_new(uint64_t most);

/* NULL is allowed. */
void tempfile_free(struct tempfile *file);

/*
 * Write `bytes` bytes at the offset.  false: there is no room for them, or no file can be made; once the
 * disk failed or is full, nothing more is written, but what was can be read.
 */
bool tempfile_write(struct tempfile *file, uint64_t at, const void *data, size_t bytes);

/* Read what was written there; false: the disk failed. */
bool tempfile_read(const struct tempfile *file, uint64_t at, void *data, size_t bytes);

#endif
