/* SPDX-License-Identifier: MIT */
/*
 * Tasks: which ones cause the events, and the main event of each.
 */
#include "ui/view.h"

#include "ui/event-cells.h"

#include <stdio.h>
#include <string.h>

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

/* The event it causes most, by rate, then by total.  Clocks are left out: they count time. */
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

static void draw_id(const struct pen *pen, int id_of)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", id_of);
	draw_right(pen, digits);
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *comm(const void *data, size_t row)
{
	return task_at(data, row)->comm;
}

static void draw_comm(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_task *task = task_at(data, row);
	char name[256];
	struct pen copy = *pen;

	copy.role = task->is_self ? ROLE_DIM : pen->role;
	snprintf(name, sizeof(name), "%s%s", task->comm[0] ? task->comm : "?",
		 task->is_self ? " (self)" : "");
	draw_left(&copy, name);
}

static double pid(const void *data, size_t row)
{
	return task_at(data, row)->pid;
}

static void draw_pid(const void *data, size_t row, const struct pen *pen)
{
	draw_id(pen, task_at(data, row)->pid);
}

static double tid(const void *data, size_t row)
{
	return task_at(data, row)->tid;
}

static void draw_tid(const void *data, size_t row, const struct pen *pen)
{
	draw_id(pen, task_at(data, row)->tid);
}

static double rate(const void *data, size_t row)
{
	return task_at(data, row)->rate;
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_task *task = task_at(data, row);
	uint64_t samples = 0;

	for (size_t i = 0; i < task->nevents; i++)
		samples += task->events[i].samples;
	draw_rate(pen, task->rate, event_mark_samples(task->is_estimated, samples));
}

static const char *top(const void *data, size_t row)
{
	return top_event(((const struct view *)data)->snap, task_at(data, row));
}

static void draw_top(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, top(data, row));
}

static double switch_rate(const void *data, size_t row)
{
	return task_at(data, row)->switch_rate;
}

static void draw_switch_rate(const void *data, size_t row, const struct pen *pen)
{
	draw_rate(pen, task_at(data, row)->switch_rate, MARK_NONE);
}

/* Without switch records the counts are unknown. */
static void draw_switches(const void *data, uint64_t count, const struct pen *pen)
{
	if (((const struct view *)data)->snap->has_switches)
		draw_count(pen, count, MARK_NONE);
	else
		draw_unknown(pen);
}

static double voluntary(const void *data, size_t row)
{
	return (double)task_at(data, row)->voluntary;
}

static void draw_voluntary(const void *data, size_t row, const struct pen *pen)
{
	draw_switches(data, task_at(data, row)->voluntary, pen);
}

static double preempted(const void *data, size_t row)
{
	return (double)task_at(data, row)->involuntary;
}

static void draw_preempted(const void *data, size_t row, const struct pen *pen)
{
	draw_switches(data, task_at(data, row)->involuntary, pen);
}

static double on_cpu(const void *data, size_t row)
{
	return task_at(data, row)->on_cpu;
}

static void draw_on_cpu(const void *data, size_t row, const struct pen *pen)
{
	draw_share(pen, task_at(data, row)->on_cpu, MARK_NONE);
}

static const struct column columns[] = {
	{ "task", "TASK", 3, 16, .most = 28, .draw = draw_comm, .text = comm },
	{ "pid", "PID", 7, 7, .drop = 5, .draw = draw_pid, .number = pid },
	{ "tid", "TID", 7, 7, .drop = 1, .draw = draw_tid, .number = tid },
	{ "rate", "RATE/s", 6, 7, .draw = draw_rate_of, .number = rate },
	{ "top", "MOST OF", 16, 22, .most = 40, .drop = 4, .draw = draw_top, .text = top },
	{ "switches", "SWITCH/s", 8, 8, .drop = 3, .draw = draw_switch_rate,
	  .number = switch_rate },
	{ "voluntary", "VOL", 6, 6, .drop = 7, .draw = draw_voluntary, .number = voluntary },
	{ "preempted", "PREEMPT", 7, 7, .drop = 6, .draw = draw_preempted, .number = preempted },
	{ "on-cpu", "ON CPU", 6, 6, .drop = 2, .draw = draw_on_cpu, .number = on_cpu },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
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
