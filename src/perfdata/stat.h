/* SPDX-License-Identifier: MIT */
/*
 * stat - the records of perf stat record: counts by fd, and the rounds in which they were read.
 *
 * A round is a STAT record for each fd, then a STAT_ROUND with the time.  Counts and times are totals
 * since the start.  Layout: tools/lib/perf/include/perf/event.h.
 */
#ifndef PERFDATA_STAT_H
#define PERFDATA_STAT_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/layout.h"

enum { STAT_VALUE, STAT_ENABLED_NS, STAT_RUNNING_NS, STAT_VALUES };

struct stat_count {
	uint64_t id;
	uint32_t cpu; /* UINT32_MAX: of a task, on any */
	uint64_t values[STAT_VALUES];
};

/* The least size of a STAT's or STAT_ROUND's content; the reader passes no shorter ones on. */
size_t stat_bytes(enum perfdata_record type);

/* The content of a STAT. */
struct stat_count stat_count_of(const struct perf_event_header *header);

/* The time of a STAT_ROUND, in ns since the start. */
uint64_t stat_round_ns(const struct perf_event_header *header);

#endif
