/* SPDX-License-Identifier: MIT */
/*
 * cells - the books of one event on one CPU: counted, sampled, lost, throttled.
 *
 *     at rest, with every event sampled:  total == sampled + lost
 *
 * A sample represents `weight` events.  Where samples have the event's count, the weight is the
 * difference to the sample before, so that in each interval
 *
 *     weights of the samples + unseen == count
 *
 * where unseen is what was counted after the last sample, what lost samples represented, and what the
 * kernel did not sample.  A sample that is decoded in a later interval than the one that counted it has
 * weight in the total only.
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
	uint64_t late; /* the part of weight that was counted in an earlier interval */
	uint64_t throttled_ns;
	uint64_t enabled_ns, running_ns;
};

struct cell {
	struct books now;
	struct books tick; /* as they were at the last tick */
	struct books zero; /* as they were when the user said zero */

	uint64_t decoded, weighed, late; /* samples so far, and their weights */
	struct count sample;		 /* id, value and lost of the newest sample that has them */
	struct count closed;		 /* `last` when the last interval was closed */
	struct count last;		 /* what the fd said last, to add only what is new */
	uint64_t throttled_since_ns;	 /* 0: not throttled */
	uint64_t read_ns;		 /* when `last` was read */
	uint64_t tick_read_ns;		 /* when it was at the last tick */
};

/* Add what a counter says: the difference to what it said before, or all of it after a reopening. */
void cell_count(struct cell *cell, const struct count *count, uint64_t read_ns);

/*
 * Call when all records that the counter included at its last reading are decoded (or lost): makes total,
 * sampled and weight consistent.  A sample with a higher count than that reading is used as a newer one.
 */
void cell_settle(struct cell *cell);

/* The same for weights only, when there is no reading or not all its records are decoded. */
void cell_settle_weight(struct cell *cell);

/* The weight of a sample, in the total and in this interval. */
struct weight {
	uint64_t total, interval;
};

/* The growth of the event's count since the last sample; all of it if that was of another fd. */
uint64_t cell_growth(const struct cell *cell, const struct count *sample);

/*
 * The weight of the next sample that has its event's count: the growth of that count, at most the period.
 * A period of 0 is unknown.
 */
struct weight cell_weigh(struct cell *cell, const struct count *sample, uint64_t period);

/* Add a sample. */
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

/* Of this interval: the count, the weight of the samples, the number of samples. */
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
