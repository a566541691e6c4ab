/* SPDX-License-Identifier: MIT */
/*
 * output - a file that grows: a head of PERFDATA_HEAD_BYTES, what was appended, and an end behind it.
 *
 * The end and the head are written anew from time to time, in an order in which the file on disk is
 * whole after each of them.  What goes where the last end stands is held in memory until the next end
 * is written behind it.  Disk space for an end is reserved before each write, so that a full disk
 * leaves a file that can be ended.
 *
 * One thread.
 */
#ifndef PERFDATA_OUTPUT_H
#define PERFDATA_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

struct output;

/* Create `path` with mode 0600, or open it to be truncated before the first byte is written.  NULL and errno. */
struct output *output_open(const char *path);

/*
 * Append bytes, and reserve disk space for an end of up to `end_bytes`: 0, or -1 and errno; then
 * nothing was appended.
 */
int output_append(struct output *output, const void *bytes, size_t len, uint64_t end_bytes);

/* Write an end behind what was appended, then the head: 0, or -1 and errno. */
int output_end(struct output *output, const void *head, const void *end, size_t end_len);

/* Where the next byte is appended, from the start of the file. */
uint64_t output_size(const struct output *output);

/*
 * Close the file; if the last call wrote an end, free what is reserved behind it.  One to which nothing was written is
 * as it was: removed, if it is new.  0, or -1 and errno.
 */
int output_close(struct output *output);

#endif
