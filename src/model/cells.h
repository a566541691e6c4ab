/* SPDX-License-Identifier: MIT */
/*
 * cells - the sums of one event on one CPU: counted, sampled, lost, throttled.
 *
 *     once disabled, with every event sampled:  total == sampled + lost
 *
 * A sample represents `weight` events.  Where samples have the event's count, the weight is the
 * difference to the sample before, so that in each interval
 *
 *     weights of the samples + unseen == count
 *
 * where unseen is the sum of three parts: events counted after the last sample, events that lost
 * samples represented, and events that the kernel did not sample.  A sample that is decoded in a
 * later interval than the one that counted it has weight in the total only.
 *
 * All sums grow from the start of the run, also across reopenings of the event's fd.  "Zero" on the
 * screen copies the sums; the copy is then subtracted.
 */
#ifndef MODEL_CELLS_H
#define MODEL_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/count.h"
#include "model/figures.h"

/* The sums that are copied and subtracted together. */
struct books {
	/* total, sampled and weight (as of the last cell_settle()), lost, throttles */
	EVENT_FIGURES(FIGURE_NO_MEMBER, FIGURE_NO_MEMBER, FIGURE_COUNT_MEMBER)
	uint64_t late; /* the part of weight that was counted in an earlier interval */
	uint64_t throttled_ns;
	uint64_t enabled_ns, running_ns;
};

struct cell {
	struct books now;
	struct books tick; /* `now` at the last tick */
	struct books zero; /* `now` at the user's last "zero" */

	uint64_t decoded, weighed, late;  /* samples so far, and their weights */
	uint64_t throttled_since_ns;	  /* 0: not throttled */
	struct sample_count sample;	  /* of the newest sample that has one */
	uint64_t closed_id, closed_value; /* of `last`, when the last interval was closed */
	struct count last;		  /* the last reading of the fd; its growth is added */
	uint64_t tick_throttled_ns;	  /* cell_throttled_ns() at the last tick */
	uint64_t read_ns;		  /* when `last` was read */
	uint64_t tick_read_ns;		  /* read_ns at the last tick, or time of reopening */
};

/*
 * Add a counter's reading at `read_ns`: its growth since the last one, or all of it after a
 * reopening.  A closed counter, and a reading older than the last one, are ignored; one that was not
 * read has grown by nothing so far, cell_settle() adds what its samples say.
 */
void cell_count(struct cell *cell, const struct count *count, uint64_t read_ns);

/*
 * Call when all records that the counter included at its last reading are decoded (or lost): makes
 * total, sampled and weight consistent.  If the newest sample has a higher count than that reading,
 * its count is used as the reading.
 */
void cell_settle(struct cell *cell);

/* The same for weights only, when there is no reading or not all its records are decoded. */
void cell_settle_weight(struct cell *cell);

/* The weight of a sample, in the total and in this interval. */
struct weight {
	uint64_t total, interval;
};

/* The growth of the event's count since the last sample; all of it if that has another fd. */
uint64_t cell_growth(const struct cell *cell, const struct sample_count *sample);

/*
 * The weight of the next sample that has its event's count: the growth of that count, divided by
 * 1 + the samples lost since the last one, and at most `period` (0: unknown).  `is_next`: the counter
 * was read for this interval already, so .interval is the weight in the next one.
 */
struct weight cell_weigh(struct cell *cell, const struct sample_count *sample, uint64_t period,
			 bool is_next);

/* Add a sample. */
static inline void cell_sample(struct cell *cell, struct weight weight)
{
	cell->decoded++;
	cell->weighed += weight.total;
	cell->late += weight.total - weight.interval;
}

/* Add a THROTTLE or UNTHROTTLE record. */
void cell_throttle(struct cell *cell, uint64_t time_ns);
void cell_unthrottle(struct cell *cell, uint64_t time_ns);

/*
 * Note a sample of a throttled event.  The sample that exceeded the limit directly follows the
 * THROTTLE; a sample much later shows that an UNTHROTTLE was lost, and ends the throttling.
 */
void cell_sample_throttled(struct cell *cell, uint64_t time_ns);

/* Throttled time from the start up to `now_ns`. */
uint64_t cell_throttled_ns(const struct cell *cell, uint64_t now_ns);

/* Throttled time of this interval up to `now_ns`. */
uint64_t cell_throttled_now_ns(const struct cell *cell, uint64_t now_ns);

/* Of this interval: the count, the weight of the samples, the number of samples. */
uint64_t cell_delta(const struct cell *cell);
uint64_t cell_weight(const struct cell *cell);
uint64_t cell_samples(const struct cell *cell);

/* Counted events per second in this interval; negative when unknown. */
double cell_rate(const struct cell *cell);

/* Seconds between the interval's first and last reading; 0 without two readings. */
double cell_interval(const struct cell *cell);

/* End the interval and begin the next one. */
void cell_close_interval(struct cell *cell, uint64_t now_ns);

#endif
