/* SPDX-License-Identifier: MIT */
/*
 * file-clock - the times of a file's records.
 */
#ifndef SOURCE_FILE_CLOCK_H
#define SOURCE_FILE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "perfdata/reader.h"

/* Later times are invalid: 146 years, so that the sum or difference of two fits into int64 ns. */
#define FILE_TIME_MAX_NS ((uint64_t)INT64_MAX / 2)

/* The start of perf stat, from which it counts the time of its rounds: 0 would be no time. */
#define FILE_STAT_START_NS 1

/* Whether it can be a record's time. */
bool file_clock_is_time(uint64_t ns);

struct file_clock {
	int64_t offset_ns;	    /* the wall clock minus the file's clock */
	uint64_t first_ns, last_ns; /* of the records, by the file's clock; 0: unknown */
	bool has_range;		    /* the head has the times of the first and the last sample */
	bool is_range_tried;	    /* by the first sample */
};

/*
 * From the times in its head, or of the rounds of perf stat, which are read for this; the wall clock, if
 * the head has none, from the time at which `fd` was modified, else as on this machine.
 */
struct file_clock file_clock_of(struct perfdata *data, int fd);

/*
 * Whether a sample can have this time: it is within some seconds of the times in the head.  When the first
 * sample that is asked for is not, the head is wrong, and every time will do.
 */
bool file_clock_fits(struct file_clock *clock, uint64_t ns);

#endif
