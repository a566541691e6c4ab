/* SPDX-License-Identifier: MIT */
/*
 * Tasks: who causes the events, and which of them most.
 */
#include "ui/view.h"

#include "ui/event-cells.h"

#include <stdio.h>
#include <string.h>

enum { TASK, PID, TID, RATE, TOP, SWITCHES, VOLUNTARY, PREEMPTED, ON_CPU };

static const struct column columns[] = {
	[TASK] = { .name = "task", .title = "TASK", .least = 3, .width = 16, .most = 28 },
	[PID] = { .name = "pid",
		  .title = "PID",
		  .least = 7,
		  .width = 7,
		  .drop = 5,
		  .is_number = true },
	[TID] = { .name = "tid",
		  .title = "TID",
		  .least = 7,
		  .width = 7,
		  .drop = 1,
		  .is_number = true },
	[RATE] = { .name = "rate", .title = "RATE/s", .least = 6, .width = 7, .is_number = true },
	[TOP] = { .name = "top",
		  .title = "MOST OF",
		  .least = 16,
		  .width = 22,
		  .most = 40,
		  .drop = 4 },
	[SWITCHES] = { .name = "switches",
		       .title = "SWITCH/s",
		       .least = 8,
		       .width = 8,
		       .drop = 3,
		       .is_number = true },
	[VOLUNTARY] = { .name = "voluntary",
			.title = "VOL",
			.least = 6,
			.width = 6,
			.drop = 7,
			.is_number = true },
	[PREEMPTED] = { .name = "preempted",
			.title = "PREEMPT",
			.least = 7,
			.width = 7,
			.drop = 6,
			.is_number = true },
	[ON_CPU] = { .name = "on-cpu",
		     .title = "ON CPU",
		     .least = 6,
		     .width = 6,
		     .drop = 2,
		     .is_number = true },
};

static const struct snap_task *task_at(const void *data, size_t row)
{
	return &((const struct view *)data)->snap->tasks[row];
}

static size_t rows(const void *data)
{
	const struct view *view = data;

	return view->snap ? view->snap->ntasks : 0;
}

static uint64_t id(const void *data, size_t row)
{
	const struct snap_task *task = task_at(data, row);

	return (uint64_t)(uint32_t)task->pid << 32 | (uint32_t)task->tid;
}

/* What it causes most of: now, or else since the start.  Clocks count nothing that happened. */
static const char *top_event(const struct snapshot *snap, const struct snap_task *task)
{
	const struct snap_task_event *best = NULL;

	for (size_t i = 0; i < task->nevents; i++) {
		const struct snap_task_event *of = &task->events[i];

		if (event_is_clock(&snap->events[of->event]))
			continue;
		if (!best || of->rate > best->rate ||
		    (of->rate == best->rate && of->total > best->total))
			best = of;
	}
	return best ? snap->events[best->event].name : "";
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_task *task = task_at(data, row);

	snprintf(out, room, "%s %d %d %s", task->comm, task->pid, task->tid,
		 top_event(((const struct view *)data)->snap, task));
}

static double number(const struct snap_task *task, size_t column)
{
	switch (column) {
	case PID:
		return task->pid;
	case TID:
		return task->tid;
	case SWITCHES:
		return task->switch_rate;
	case VOLUNTARY:
		return (double)task->voluntary;
	case PREEMPTED:
		return (double)task->involuntary;
	case ON_CPU:
		return task->on_cpu;
	default:
		return task->rate;
	}
}

static struct sort_key key(const void *data, size_t row, size_t column)
{
	const struct snap_task *task = task_at(data, row);

	if (column == TASK)
		return (struct sort_key){ .text = task->comm };
	if (column == TOP)
		return (struct sort_key){ .text = top_event(((const struct view *)data)->snap,
							    task) };
	return (struct sort_key){ .number = number(task, column) };
}

static void draw_name(const struct snap_task *task, const struct pen *pen)
{
	char text_of[256];
	struct pen copy = *pen;

	copy.role = task->is_self ? ROLE_DIM : pen->role;
	snprintf(text_of, sizeof(text_of), "%s%s", task->comm[0] ? task->comm : "?",
		 task->is_self ? " (self)" : "");
	draw_left(&copy, text_of);
}

static void draw_id(const struct pen *pen, int pid)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", pid);
	draw_right(pen, digits);
}

/* Without switch records their counts mean nothing. */
static void draw_switches(const struct view *view, uint64_t count, const struct pen *pen)
{
	if (view->snap->has_switches)
		draw_count(pen, count, MARK_NONE);
	else
		draw_unknown(pen);
}

static void draw(const void *data, size_t row, size_t column, const struct pen *pen)
{
	const struct view *view = data;
	const struct snap_task *task = task_at(data, row);

	switch (column) {
	case TASK:
		draw_name(task, pen);
		break;
	case PID:
		draw_id(pen, task->pid);
		break;
	case TID:
		draw_id(pen, task->tid);
		break;
	case RATE:
		draw_rate(pen, task->rate, task->is_estimated ? MARK_ESTIMATE : MARK_NONE);
		break;
	case TOP:
		draw_left(pen, top_event(view->snap, task));
		break;
	case SWITCHES:
		draw_rate(pen, task->switch_rate, MARK_NONE);
		break;
	case VOLUNTARY:
		draw_switches(view, task->voluntary, pen);
		break;
	case PREEMPTED:
		draw_switches(view, task->involuntary, pen);
		break;
	case ON_CPU:
		draw_share(pen, task->on_cpu, MARK_NONE);
		break;
	}
}

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.key = key,
	.draw = draw,
	.empty = "no task was seen yet",
};

static const enum action hints[] = {
	ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT, ACTION_FREEZE, ACTION_SAVE, ACTION_NONE,
};

const struct view_ops *view_tasks(void)
{
	static const struct view_ops ops = {
		.name = "tasks",
		.title = "Tasks",
		.size = sizeof(struct view),
		.table = &table,
		.sort = "rate",
		.hints = hints,
	};

	return &ops;
}
