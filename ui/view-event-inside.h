/* SPDX-License-Identifier: MIT */
/*
 * view-event-inside - what view-event.c shares with its tables, view-event-tasks.c and -cpus.c.
 */
#ifndef UI_VIEW_EVENT_INSIDE_H
#define UI_VIEW_EVENT_INSIDE_H

#include "ui/event-ref.h"
#include "ui/symbol-table.h"
#include "ui/view.h"

/* A task's part in the event. */
struct part {
	const struct snap_task *task;
	const struct snap_task_event *of;
};

struct event_view {
	struct view view; /* its table: the tasks */
	struct event_ref ref;
	const struct snap_event *event; /* in view.snap; NULL: no longer there */
	struct part *parts;		/* [nparts] the tasks that have it */
	size_t nparts;
	/* Events that nobody is known to have made: counted, not sampled. */
	struct snap_task unseen;
	struct snap_task_event unseen_of;
	struct symbol_list list; /* its symbols */
	/* Sums of those marked: of tasks, of CPUs. */
	struct snap_task_event marked_of;
	struct snap_event_cpu marked_cpus;
	struct table cpus, symbols; /* the keys move the table that has the focus */
};

/* What a table's callbacks get as their data. */
static inline const struct event_view *event_view_of(const void *data)
{
	return data;
}

/* Whether a row of tasks is of those that nobody is known to have made. */
static inline bool event_is_unseen(const struct event_view *self, size_t row)
{
	return self->parts[row].task == &self->unseen;
}

/* The tasks and the CPUs of the event; the tables' data is the view. */
const struct table_ops *event_task_table(void);
const struct table_ops *event_cpu_table(void);

#endif
