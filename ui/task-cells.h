/* SPDX-License-Identifier: MIT */
/*
 * task-cells - cells about tasks that several views have.
 */
#ifndef UI_TASK_CELLS_H
#define UI_TASK_CELLS_H

#include "model/snapshot.h"
#include "ui/draw.h"

/*
 * Who: "bash 812"; "true ×757/s" for short-lived tasks of one name, a tid below zero, `born` of which
 * are forked per second.  Where it is too long the name is cut.  Returns the cells used.
 */
int task_draw_who(const char *comm, int32_t tid, double born, const struct pen *pen);

/* A row's task: who, or "idle", "other 38 tasks" for the rest; "java 812 ×34" for a process. */
int task_draw_name(const struct snapshot *snap, const struct snap_task *task,
		   const struct pen *pen);

/* The same as text, raw: without marks, for filters. */
void task_name(const struct snapshot *snap, const struct snap_task *task, char *out, size_t room);

/* The rest's name: of all tasks that have no row. */
void task_rest_name(const struct snap_task *rest, char *out, size_t room);
void task_draw_rest_name(const struct snap_task *rest, const struct pen *pen);

/* Its identity from one snapshot to the next; short-lived tasks by their name and parent. */
uint64_t task_row_id(const struct snap_task *task);

/* The same for a process, which keeps its row when its second thread begins. */
uint64_t task_row_id_of_process(int32_t pid);

/* Whether it is a row of short-lived tasks that this process, or its first thread, has forked. */
bool task_is_child_of(const struct snap_task *task, const struct snap_task *parent);

/* A pid or a tid, a dash for a row of several tasks. */
void task_draw_id(const struct pen *pen, int32_t id);

/* Whether its rate of an event is known: it had a sample, or every event was one. */
bool task_rate_is_known(const struct snap_task_event *of);

/* Its rate of an event of `snap`; a dash if it is unknown. */
void task_draw_rate(const struct snapshot *snap, const struct snap_task_event *of,
		    const struct pen *pen);

/* Its total of that event, since the start or zero. */
void task_draw_total(const struct snapshot *snap, const struct snap_task_event *of,
		     const struct pen *pen);

/* Its share of the event's rate, 0..1, or unknown; nothing is drawn for that of a few samples. */
double task_share(const struct snapshot *snap, const struct snap_task_event *of);
void task_draw_share(const struct snapshot *snap, const struct snap_task_event *of,
		     const struct pen *pen);

/* The work behind its part of an event, as of events (ui/event-interest.h). */
double task_event_work(const struct snapshot *snap, const struct snap_task_event *of);

/* The event that stands for the most of its work (ui/event-interest.h); NULL: none but clocks. */
const struct snap_task_event *task_top_event(const struct snapshot *snap,
					     const struct snap_task *task);

/* Whether it did nothing in this interval and hardly was on a CPU in the last seconds. */
bool task_row_is_quiet(const struct snap_task *task);

#endif
