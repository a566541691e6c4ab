/* SPDX-License-Identifier: MIT */
/*
 * spans - how long a task was on a CPU at a time, how long it waited for one, and who preempted it.
 *
 *     slice  from a switch to the task until the next switch away from it, on one CPU
 *     wait   from a wakeup of the task, or its preemption, until the next switch to it, on any CPU
 *
 * From switch records, and from samples of sched:sched_wakeup and sched:sched_wakeup_new; where
 * these are sampled, a wait stands for as many as its wakeup.  A slice or wait during which records
 * were lost is left out.
 *
 * Kept for the last SPANS_NS to twice that, at least for the last interval.
 *
 * Decoder thread only.
 */
#ifndef MODEL_SPANS_H
#define MODEL_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/histogram.h"
#include "model/tasks.h"

#define SPANS_NS	  (10 * 1000000000ull)
#define SPANS_GENERATIONS 2 /* the present one is the first */
#define SPANS_PREEMPTERS  6 /* of one task; the rarest makes room for a new one */

/* Who preempted it: all tasks of one name. */
struct preempter {
	char comm[TASK_COMM_BYTES]; /* terminated */
	int32_t tid;		    /* the latest of them */
	uint32_t times[SPANS_GENERATIONS];
};

struct spans {
	struct histogram slices[SPANS_GENERATIONS], waits[SPANS_GENERATIONS];
	struct preempter preempters[SPANS_PREEMPTERS]; /* times 0: none */
};

/* Begin a generation, and forget the oldest; frees those with nothing left, and sets them to NULL. */
void spans_age(struct spans **spans);

/* Add those of a task to a sum of several. */
void spans_add(struct spans *sum, const struct spans *spans);

/* Times of all generations. */
uint64_t preempter_times(const struct preempter *preempter);

struct model;

/*
 * Measure all spans up to `until_ns`: the entries of the switch log until then must be complete.
 * Before the rows of tasks are built.
 */
void spans_measure(struct model *model, uint64_t until_ns);

/*
 * The log of a CPU is full, or a CPU is late: measure what there is.  A slice is of one CPU, so
 * slices are complete.  A wait could have ended on a CPU with entries to come, so those up to the
 * newest entry are left out.
 */
void spans_measure_early(struct model *model);

/* At the end of an interval: forget what is too old. */
void spans_tick(struct model *model, uint64_t now_ns);

#endif
