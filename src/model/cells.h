/* SPDX-License-Identifier: MIT */
/*
 * cells - the books of one event on one CPU: counted, sampled, lost, throttled.
 *
 *     at rest, with every event sampled:  total == sampled + lost
 *
 * A sample stands for `weight` events.  Where samples carry the event's count, that is what it grew by
 * since the sample before, so that
 *
 *     the samples' weights + what no sample stands for == count
 *
 * in each interval: what was counted behind the last sample, and what lost samples stood for, is in no
 * weight.  A sample that comes so late that its part was counted in an interval that is over stands for
 * nothing in this one.
 *
 * All sums grow from the start of the run, over every reopening of the event's
 * fd; what "zero" means on the screen is a second set of sums to subtract.
 */
#ifndef MODEL_CELLS_H
#define MODEL_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/count.h"
#include "model/figures.h"

/* What is zeroed and compared together. */
struct books {
	/* total, sampled and weight (as of the last cell_settle()), lost, throttles */
	EVENT_FIGURES(FIGURE_NO_MEMBER, FIGURE_NO_MEMBER, FIGURE_COUNT_MEMBER)
	uint64_t late; /* of the weight: what came when its interval was over */
	uint64_t throttled_ns;
	uint64_t enabled_ns, running_ns;
};

struct cell {
	struct books now;
	struct books tick; /* as they were at the last tick */
	struct books zero; /* as they were when the user said zero */

	uint64_t decoded, weighed, late; /* samples so far, and their weights */
	struct count sample;	     /* id, value and lost of the newest sample that carries them */
	struct count closed;	     /* id and value of `last` when the last interval was closed */
	struct count last;	     /* what the fd said last, to add only what is new */
	uint64_t throttled_since_ns; /* 0: not throttled */
	uint64_t read_ns;	     /* when `last` was read */
	uint64_t tick_read_ns;	     /* when it was at the last tick */
};

/* Add what a counter says: the difference to what it said before, or all of it after a reopening. */
void cell_count(struct cell *cell, const struct count *count, uint64_t read_ns);

/*
 * Every record that the counter knew of at its last reading, and that was written, has been decoded.
 * A sample that is newer than this reading is one itself: total, sampled and weight are of one moment.
 */
void cell_settle(struct cell *cell);

/* The weights alone, when the counter's reading has not come or the records are behind it. */
void cell_settle_weight(struct cell *cell);

/* What a sample stands for: in all, and in this interval. */
struct weight {
	uint64_t total, interval;
};

/*
 * What the next sample stands for that carries its event's count: what that grew by, but no more than
 * the period, unless that is not known (0).  The rest was counted and not sampled.
 */
struct weight cell_weigh(struct cell *cell, const struct count *sample, uint64_t period);

/* A sample. */
static inline void cell_sample(struct cell *cell, struct weight weight)
{
	cell->decoded++;
	cell->weighed += weight.total;
	cell->late += weight.total - weight.interval;
}

/* THROTTLE, and its end. */
void cell_throttle(struct cell *cell, uint64_t time_ns);
void cell_unthrottle(struct cell *cell, uint64_t time_ns);

/*
 * A sample of a throttled event.  The one that broke the limit comes right behind its THROTTLE; one
 * that comes much later shows that an UNTHROTTLE was lost.
 */
void cell_sample_throttled(struct cell *cell, uint64_t time_ns);

/* Throttled time up to `now_ns`, from the start. */
uint64_t cell_throttled_ns(const struct cell *cell, uint64_t now_ns);

/* Events of this interval: by the counter, those that its samples stand for, the samples. */
uint64_t cell_delta(const struct cell *cell);
uint64_t cell_weight(const struct cell *cell);
uint64_t cell_samples(const struct cell *cell);

/* Events a second of this interval, as counted; negative when unknown. */
double cell_rate(const struct cell *cell);

/* Seconds between the two readings that make the interval; 0 when there were no two. */
double cell_interval(const struct cell *cell);

/* The interval is over: the next one begins. */
void cell_close_interval(struct cell *cell);

#endif
