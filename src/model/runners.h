/* SPDX-License-Identifier: MIT */
/*
 * runners - the names of the tasks in timelines, which outlive the tasks.
 *
 * A number stands for a task, or for all short-lived tasks of one name.  It is given to another
 * one when it was not used for as long as timelines are.
 *
 * Decoder thread only.
 */
#ifndef MODEL_RUNNERS_H
#define MODEL_RUNNERS_H

#include <stdint.h>

#include "model/tasks.h"

#define RUNNERS_MOST	   1024
#define RUNNER_OTHERS	   0 /* all for which there is no number */
#define RUNNER_SHORT_LIVED (-1)

struct runner {
	char comm[TASK_COMM_BYTES]; /* terminated */
	int32_t tid;		    /* or RUNNER_SHORT_LIVED */
	uint64_t last_slot;
};

struct runners;

/* Only RUNNER_OTHERS; never NULL. */
struct runners *runners_new(void);
void runners_free(struct runners *runners);

/* The number of a task that was on a CPU in this slot. */
uint16_t runners_number(struct runners *runners, int32_t tid, const char *comm, uint64_t slot);

/* The runner of a number. */
const struct runner *runners_at(const struct runners *runners, uint16_t number);

#endif
