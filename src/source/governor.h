/* SPDX-License-Identifier: MIT */
/*
 * governor - limits the samples per second of each event, so that what we cost stays within a budget.
 *
 *     cost = our own CPU time + the kernel's for counting, for switch records and for samples
 *
 * The kernel's are estimates (capture/cost.h).  Only samples can be lessened: they may cost what the
 * rest leaves of the budget, and always a quarter of it, even if the rest alone exceeds it.  Above
 * that for some seconds the limit is lowered, which affects the busiest events alone; far below it for
 * some seconds it is doubled.  A doubling that was too much makes the next one wait longer.
 */
#ifndef SOURCE_GOVERNOR_H
#define SOURCE_GOVERNOR_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/evset.h"
#include "model/snapshot.h"

#define GOVERNOR_NO_LIMIT EVSET_NO_LIMIT

struct governor {
	double budget;		/* CPU seconds per second; 0: no budget */
	uint32_t limit;		/* 0: none are sampled */
	double over_s, under_s; /* for how long the samples cost too much, or little */
	double patience_s;	/* how long they must cost little */
	double raised_s;	/* since the limit was last doubled */
};

/* The samples of an interval that a limit could lessen, per second and CPU of an event. */
struct governor_samples {
	uint32_t asked; /* the most that an event should have without a limit; 0: none can be lessened */
	double busiest; /* the most that one had */
};

/* No limit yet. */
void governor_init(struct governor *governor, double budget);

/* Take the costs of an interval and its samples: whether the limit has changed. */
bool governor_tick(struct governor *governor, const struct snap_self *self,
		   const struct governor_samples *samples, double interval_s);

#endif
