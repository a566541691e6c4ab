/* SPDX-License-Identifier: MIT */
/*
 * merge - which of several streams of records is read next: the one that is furthest behind in time.
 *
 * So none gets further ahead of another than by one record, and who sorts them has little to hold.  One
 * thread.
 */
#ifndef SOURCE_MERGE_H
#define SOURCE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct merge;

/* Of so many streams, at least 1. */
struct merge *merge_new(size_t count);

/* NULL is allowed. */
void merge_free(struct merge *merge);

/* All are at their start again. */
void merge_again(struct merge *merge);

/* The stream to read: false when all have ended. */
bool merge_choose(struct merge *merge, size_t *stream);

/* A record of the stream has this time; 0: none. */
void merge_reach(struct merge *merge, size_t stream, uint64_t time_ns);

/* Whether the stream that merge_choose() gave is not ahead of the others yet. */
bool merge_is_next(const struct merge *merge, size_t stream);

/* The stream has ended. */
void merge_end(struct merge *merge, size_t stream);

#endif
