/* SPDX-License-Identifier: MIT */
/*
 * replay - a perf.data file or pipe in the place of the kernel: the same
 * decoder, model and snapshots as behind the rings, by the file's own clock.
 *
 *     file -> perfdata -> order -> decoder -> model -> snapshot each interval of its time
 *
 * A thread of its own reads.  A file has no
 * counters: an event's total is what its samples stand for and what its
 * LOST_SAMPLES records say.
 */
#ifndef SOURCE_REPLAY_H
#define SOURCE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

struct replay_config {
	int fd;		     /* borrowed */
	double interval_s;   /* of the file's time */
	double speed;	     /* the file's seconds a second; 0: as fast as it goes */
	uint64_t iterations; /* the last tick of so many is the final one; 0: no end */
	size_t top;
	bool stays; /* at the end of the file wait for source_finish(): a screen */
};

/*
 * Read the head.  NULL with *error (the caller frees): there is nothing to be read.  An event that is
 * toggled off is not counted.
 */
struct source *replay_open(const struct replay_config *config, char **error);

#endif
