/* SPDX-License-Identifier: MIT */
#include "ui/view-event-inside.h"

#include <stdio.h>

#include "ui/event-cells.h"
#include "ui/task-cells.h"
#include "ui/task-sum.h"

static size_t task_rows(const void *data)
{
	return event_view_of(data)->nparts;
}

static uint64_t task_id(const void *data, size_t row)
{
	return task_row_id(event_view_of(data)->parts[row].task);
}

static void task_text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_task *task = event_view_of(data)->parts[row].task;

	char name[128];

	task_name(event_view_of(data)->view.snap, task, name, sizeof(name));
	snprintf(out, room, "%s %d %d", name, task->pid, task->tid);
}

/* After the last one is the sum: of no task. */
static const struct part *part_at(const void *data, size_t row)
{
	return &event_view_of(data)->parts[row];
}

static void sum(void *data, const size_t *marked, size_t count)
{
	struct event_view *self = data;
	struct snap_task_event *of = &self->marked_of;
	static const struct snap_task nobody = { .pid = -1, .tid = -1, .comm = "" };

	*of = (struct snap_task_event){ .event = self->ref.at, .rate = RATE_UNKNOWN };
	for (size_t i = 0; i < count; i++)
		task_event_add(of, part_at(self, marked[i])->of);
	self->parts[self->nparts] = (struct part){ &nobody, of };
}

static const char *comm(const void *data, size_t row)
{
	return part_at(data, row)->task->comm;
}

static bool is_last(const void *data, size_t row)
{
	const struct event_view *self = event_view_of(data);

	return event_is_unseen(self, row) || self->parts[row].task == &self->view.snap->rest;
}

static void draw_comm(const void *data, size_t row, const struct pen *pen)
{
	const struct event_view *self = event_view_of(data);
	struct pen dim = *pen;

	dim.role = ROLE_DIM;
	if (event_is_unseen(self, row))
		draw_left(&dim, "not sampled");
	else
		task_draw_name(self->view.snap, self->parts[row].task,
			       is_last(data, row) ? &dim : pen);
}

static double pid(const void *data, size_t row)
{
	return part_at(data, row)->task->pid;
}

static void draw_pid(const void *data, size_t row, const struct pen *pen)
{
	task_draw_id(pen, part_at(data, row)->task->pid);
}

static double tid(const void *data, size_t row)
{
	return part_at(data, row)->task->tid;
}

static void draw_tid(const void *data, size_t row, const struct pen *pen)
{
	task_draw_id(pen, part_at(data, row)->task->tid);
}

static double rate(const void *data, size_t row)
{
	return event_in_units(event_view_of(data)->event, part_at(data, row)->of->rate);
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	task_draw_rate(event_view_of(data)->view.snap, part_at(data, row)->of, pen);
}

static double total(const void *data, size_t row)
{
	return event_in_units(event_view_of(data)->event, (double)part_at(data, row)->of->total);
}

static void draw_total(const void *data, size_t row, const struct pen *pen)
{
	task_draw_total(event_view_of(data)->view.snap, part_at(data, row)->of, pen);
}

static double share(const void *data, size_t row)
{
	return task_share(event_view_of(data)->view.snap, part_at(data, row)->of);
}

static void draw_share_of(const void *data, size_t row, const struct pen *pen)
{
	task_draw_share(event_view_of(data)->view.snap, part_at(data, row)->of, pen);
}

/* A share is sorted by its rate. */
static const struct column columns[] = {
	{ "task", "TASK", 3, 22, .most = 30, .draw = draw_comm, .text = comm },
	{ "pid", "PID", 7, 7, .drop = 3, .draw = draw_pid, .number = pid },
	{ "tid", "TID", 7, 7, .drop = 5, .draw = draw_tid, .number = tid },
	{ "rate", "RATE/s", 6, 7, .draw = draw_rate_of, .number = rate },
	{ "total", "TOTAL", 7, 7, .drop = 4, .draw = draw_total, .number = total },
	{ "share", "SHARE", 6, 6, .drop = 1, .draw = draw_share_of, .number = rate, .value = share,
	  .is_share = true },
};

const struct table_ops *event_task_table(void)
{
	static const struct table_ops table = {
		.columns = columns,
		.ncolumns = sizeof(columns) / sizeof(columns[0]),
		.rows = task_rows,
		.id = task_id,
		.text = task_text,
		.is_last = is_last,
		.sum = sum,
		.empty = "no task was sampled with it",
	};

	return &table;
}
