/* SPDX-License-Identifier: MIT */
/*
 * task-sum - what several tasks did together, as one struct snap_task.
 */
#ifndef UI_TASK_SUM_H
#define UI_TASK_SUM_H

#include "model/snapshot.h"

struct task_sum {
	struct snap_task task;
	struct snap_task_event *events; /* task.events, with room for all of the snapshot's */
};

/* Add a part to a sum of the same event's; a rate that is unknown of both stays unknown. */
void task_event_add(struct snap_task_event *sum, const struct snap_task_event *part);

/*
 * Begin with a copy of this task of the snapshot, or of its rest.  Between this and task_sum_end()
 * task.events has one for each event of the snapshot, by its index.  Zeroed before the first call.
 */
void task_sum_begin(struct task_sum *self, const struct snapshot *snap,
		    const struct snap_task *task);

/* Add another one.  What is unknown of some is the sum of the others; of all, it stays unknown. */
void task_sum_add(struct task_sum *self, const struct snap_task *task);

/* Keep of the events those of which there was any. */
void task_sum_end(struct task_sum *self, const struct snapshot *snap);

/* What several tasks of the snapshot, or its rest, did: a row of its own, without an identity. */
void task_sum_of(struct task_sum *self, const struct snapshot *snap,
		 const struct snap_task *const *tasks, size_t count);

/* Free what it has. */
void task_sum_fini(struct task_sum *self);

#endif
