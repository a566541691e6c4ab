/* SPDX-License-Identifier: MIT */
/*
 * view-event-inside - what view-event.c and view-event-cpus.c (its table of CPUs) share.
 */
#ifndef UI_VIEW_EVENT_INSIDE_H
#define UI_VIEW_EVENT_INSIDE_H

#include "ui/view.h"

/* A task's part in the event. */
struct part {
	const struct snap_task *task;
	const struct snap_task_event *of;
};

struct event_view {
	struct view view; /* its table: the tasks */
	char *name;
	uint32_t at; /* its last index; of several of that name the nearest is taken */
	const struct snap_event *event; /* in view.snap; NULL: no longer there */
	struct part *parts;		/* [nparts] the tasks that have it */
	size_t nparts;
	/* Events that nobody is known to have made: counted, not sampled. */
	struct snap_task unseen;
	struct snap_task_event unseen_of;
	struct table cpus; /* the keys move the table that has the focus */
};

/* What a table's callbacks get as their data. */
static inline const struct event_view *event_view_of(const void *data)
{
	return data;
}

/* The CPUs of the event; the table's data is the view. */
const struct table_ops *event_cpu_table(void);

#endif
