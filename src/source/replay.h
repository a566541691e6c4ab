/* SPDX-License-Identifier: MIT */
/*
 * replay - a perf.data file or pipe in the place of the kernel: the same
 * decoder, model and snapshots as behind the rings, by the file's own clock.
 *
 *     file -> perfdata -> order -> decoder -> model -> snapshot each interval of its time
 *
 * A thread of its own reads; main sees what engine.h shows it.  A file has no
 * counters: an event's total is what its samples stand for and what its
 * LOST_SAMPLES records say.
 */
#ifndef SOURCE_REPLAY_H
#define SOURCE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

struct replay;

struct replay_config {
	int fd;		   /* borrowed */
	double interval_s; /* of the file's time */
	double first_tick_s;
	double speed;	     /* the file's seconds a second; 0: as fast as it goes */
	uint64_t iterations; /* the last tick of so many is the final one; 0: no end */
	size_t top;
	bool stays; /* at the end of the file wait for replay_finish(): a screen */
};

/* Read the head.  NULL with *error (the caller frees): there is nothing to be read. */
struct replay *replay_open(const struct replay_config *config, char **error);

/* Start the thread; `first_tick_s` after the file's first record comes the first snapshot. */
int replay_start(struct replay *replay, double first_tick_s);

/* As engine.h has them.  An event that is toggled off is not counted. */
int replay_fd(const struct replay *replay);
struct snapshot *replay_take(struct replay *replay);
void replay_toggle(struct replay *replay, uint32_t row);
void replay_zero(struct replay *replay);
void replay_interval(struct replay *replay, double seconds);
void replay_finish(struct replay *replay);

/* Once the final snapshot was taken: NULL, or what could not be read (the caller frees). */
char *replay_complaint(const struct replay *replay);

/* Finish if nobody did, join, free; NULL is allowed. */
void replay_free(struct replay *replay);

#endif
