/* SPDX-License-Identifier: MIT */
/*
 * fd-counts - how far the counts of events' fds grew since a file's last record of them.
 *
 * Some records of a file have counts as totals by fd: the samples of a group's leader those of all
 * members (perf record -e '{a,b}:S'), samples of an event that several tasks have on a CPU that of its fd
 * (perf record -i -p -e '{a}:S'), the records of perf stat record count and times.  One thread.
 */
#ifndef SOURCE_FD_COUNTS_H
#define SOURCE_FD_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "capture/count.h"

struct decoder;

struct fd_counts;

/* Without ids, for `width` values each; never NULL. */
struct fd_counts *fd_counts_new(size_t width);

/* NULL is allowed. */
void fd_counts_free(struct fd_counts *counts);

/*
 * Replace the values [width] of the fd with this id by their growth since the last call with it, or
 * leave all of them at the first one; memory grows with the number of different ids.
 */
void fd_counts_growth(struct fd_counts *counts, uint64_t id, uint64_t *values);

/*
 * Make the last sample's id, value and losses those of the fd with this id, and keep what they were for the other
 * fd: counts of width 2.  An id that the decoder does not know is left alone.
 */
void fd_counts_turn(struct fd_counts *counts, struct decoder *decoder, struct sample_count *last,
		    uint64_t id);

#endif
