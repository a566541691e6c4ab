/* SPDX-License-Identifier: MIT */
/*
 * group-counts - how far the counts of a group's members grew from sample to sample.
 *
 * With leader sampling (perf record -e '{a,b}:S') only the leader makes samples; each has the counts of
 * all members, which are totals by fd.  One thread.
 */
#ifndef SOURCE_GROUP_COUNTS_H
#define SOURCE_GROUP_COUNTS_H

#include <stdint.h>

struct group_counts;

/* Without ids; never NULL. */
struct group_counts *group_counts_new(void);
void group_counts_free(struct group_counts *groups);

/*
 * The growth of the count of the fd with this id since its last sample, or all of it at the first one;
 * memory grows with the number of different ids.
 */
uint64_t group_counts_growth(struct group_counts *groups, uint64_t id, uint64_t value);

#endif
