/* SPDX-License-Identifier: MIT */
/*
 * task-rates - columns with the rate of each event, side by side, among those of the view Tasks.
 *
 *       TASK               ▾ON CPU  SWITCH/s  sched_switch  sys_enter  minor-faults
 *     ▸ getppid 31749        98.1%       151           151     1.203M             0
 *
 * Those of events that were sampled are shown, in the order of the list, as many as fit.  The others
 * have a width of 0, so that filters know the columns of all events and none moves when an event is
 * sampled first.
 */
#ifndef UI_TASK_RATES_H
#define UI_TASK_RATES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"
#include "ui/table.h"

/* The view's columns, in which those of the events are put. */
struct task_columns {
	const struct column *own; /* [count] */
	size_t count;
	size_t at; /* before this one of them */
	const char *const
		*drop; /* names of those that are not shown while the rates are; ends with NULL */
};

struct task_rates {
	bool is_shown; /* set by the caller */
	size_t count;  /* events that can be shown: those that were sampled */
	size_t first;  /* of these the first one that is shown */
	size_t fit;    /* and how many are, at the width that was last given to task_rates_fit() */
	/* Private: */
	struct column *columns;
	size_t at;	/* the first event's column */
	char **titles;	/* [ntitles] names of events, which outlive the snapshot */
	size_t ntitles; /* events of the snapshot */
};

/* Give the table the columns for this snapshot; zeroed before the first call.  table_update() must follow. */
void task_rates_take(struct task_rates *self, struct table *table,
		     const struct task_columns *columns, const struct snapshot *snap);
void task_rates_fini(struct task_rates *self);

/* Call when the table becomes so wide. */
void task_rates_fit(struct task_rates *self, const struct table *table, int width);

/* Show the event before the first one that is shown, or the one after the last: whether there is one. */
bool task_rates_move(struct task_rates *self, bool is_right);

/* Whether some are shown and others do not fit; and which: "events 1 to 3 of 12: Right shows the next". */
bool task_rates_are_cut(const struct task_rates *self);
void task_rates_draw_which(const struct task_rates *self, const struct pen *pen);

/* A task's part of an event: without a sample of it, one of none. */
struct snap_task_event task_rates_of(const struct snapshot *snap, const struct snap_task *task,
				     uint32_t event);

#endif
