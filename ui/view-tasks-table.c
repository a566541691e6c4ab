/* SPDX-License-Identifier: MIT */
#include "ui/view-tasks-inside.h"

#include "base/fmt.h"
#include "ui/event-cells.h"
#include "ui/task-cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMN_ON_CPU	 1
#define COLUMN_PREEMPTED 3

static const struct snap_task *task_at(const void *data, size_t row)
{
	return tasks_view_of(data)->list.rows[row].task;
}

static size_t rows(const void *data)
{
	return tasks_view_of(data)->list.nrows;
}

static uint64_t id(const void *data, size_t row)
{
	const struct snap_task *task = task_at(data, row);

	if (tasks_view_of(data)->list.is_by_process && task->pid > 0)
		return task_row_id_of_process(task->pid);
	return task_row_id(task);
}

static const struct snap_task_event *top_event(const void *data, size_t row)
{
	return task_top_event(((const struct view *)data)->snap, task_at(data, row));
}

static const char *top(const void *data, size_t row)
{
	const struct snap_task_event *of = top_event(data, row);

	return of ? ((const struct view *)data)->snap->events[of->event].name : "";
}

/* Of a parent without a record nothing but its name is known. */
static bool across(const void *data, size_t row, char *out, size_t room)
{
	const struct task_rows *list = &tasks_view_of(data)->list;

	snprintf(out, room, "%s", "");
	return row < list->nrows && list->rows[row].is_parent && !list->rows[row].is_closed;
}

static size_t above(const void *data, size_t row)
{
	return tasks_view_of(data)->list.rows[row].above;
}

static bool is_last(const void *data, size_t row)
{
	return tasks_view_of(data)->list.rows[row].is_last;
}

static bool is_quiet(const void *data, size_t row)
{
	return tasks_view_of(data)->list.rows[row].is_quiet;
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *comm(const void *data, size_t row)
{
	return task_at(data, row)->comm;
}

/* Rows stand below their parent in this order only. */
static bool is_by_family(const struct view *view)
{
	return view->table.sort == COLUMN_ON_CPU && !view->table.is_reversed && !view->table.filter;
}

static const char *title(const void *data)
{
	return tasks_view_of(data)->list.is_by_process ? "PROCESS" : "TASK";
}

/* "make 812 +14": 14 more tasks are part of it. */
static void draw_closed(const struct tasks_view *self, const struct task_row *row,
			const struct pen *pen)
{
	char number[FMT_MAX], more[FMT_MAX + 2];
	struct pen name = *pen, after = *pen;

	snprintf(more, sizeof(more), " +%s", fmt_count(number, row->nbelow));
	name.width -= (int)strlen(more);
	int cells = task_draw_name(self->view.snap, row->own, &name);
	after.x += cells;
	after.width -= cells;
	after.role = ROLE_KEY;
	draw_left(&after, more);
}

static void draw_comm(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = tasks_view_of(data);
	const struct snap_task *task = task_at(data, row);
	struct pen copy = *pen, branch = *pen;

	branch.role = ROLE_DIM;
	if (task->is_self || self->list.rows[row].is_last || self->list.rows[row].is_parent)
		copy.role = ROLE_DIM;
	if (self->view.table.is_tree) {
		int cells = table_draw_branch(&self->view.table, row, &branch);

		copy.x += cells;
		copy.width -= cells;
	} else if (self->list.rows[row].is_child && is_by_family(&self->view)) {
		draw_left(&branch, draw_glyph(GLYPH_ELBOW, pen->is_ascii));
		copy.x += 2;
		copy.width -= 2;
	}
	if (self->list.rows[row].is_closed)
		draw_closed(self, &self->list.rows[row], &copy);
	else if (task == &self->list.unknown)
		draw_left(&copy, "unknown");
	else if (task == self->list.rest)
		task_draw_rest_name(task, &copy);
	else
		task_draw_name(self->view.snap, task, &copy);
}

static double pid(const void *data, size_t row)
{
	return task_at(data, row)->pid;
}

static void draw_pid(const void *data, size_t row, const struct pen *pen)
{
	task_draw_id(pen, task_at(data, row)->pid);
}

static double tid(const void *data, size_t row)
{
	return task_at(data, row)->tid;
}

static void draw_tid(const void *data, size_t row, const struct pen *pen)
{
	task_draw_id(pen, task_at(data, row)->tid);
}

static double rate(const void *data, size_t row)
{
	const struct snap_task_event *of = top_event(data, row);

	return of ? event_in_units(&tasks_view_of(data)->view.snap->events[of->event], of->rate) :
		    -INFINITY;
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_task_event *of = top_event(data, row);

	if (of)
		task_draw_rate(((const struct view *)data)->snap, of, pen);
}

static void draw_top(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, top(data, row));
}

static double switch_rate(const void *data, size_t row)
{
	return task_at(data, row)->switch_rate;
}

/* Idle and unknown time have no switches. */
static void draw_switch_rate(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = tasks_view_of(data);
	const struct snap_task *task = task_at(data, row);

	if (task != &self->list.idle && task != &self->list.unknown)
		draw_rate(pen, task->switch_rate, self->switches_mark);
}

static double preempted(const void *data, size_t row)
{
	return task_at(data, row)->preempt_rate;
}

static void draw_preempted(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = tasks_view_of(data);
	const struct snap_task *task = task_at(data, row);

	if (task != &self->list.idle && task != &self->list.unknown)
		draw_rate(pen, task->preempt_rate, self->switches_mark);
}

/* Smoothed, or near equals would change places in each interval. */
static double on_cpu(const void *data, size_t row)
{
	return tasks_view_of(data)->list.rows[row].family;
}

static double on_cpu_now(const void *data, size_t row)
{
	return task_at(data, row)->on_cpu;
}

static void draw_on_cpu(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = tasks_view_of(data);
	const struct snap_task *task = task_at(data, row);

	draw_share(pen, task->on_cpu, task == &self->list.unknown ? MARK_NONE : self->on_cpu_mark);
}

static double rate_of(const void *data, size_t row, const struct column *column)
{
	const struct snapshot *snap = tasks_view_of(data)->view.snap;
	struct snap_task_event of = task_rates_of(snap, task_at(data, row), column->event);

	if (!task_rate_is_known(&of))
		return -INFINITY;
	return event_in_units(&snap->events[of.event], of.rate);
}

/* Nobody knows what happened in unknown time. */
static void draw_rate_of_event(const void *data, size_t row, const struct column *column,
			       const struct pen *pen)
{
	const struct tasks_view *self = tasks_view_of(data);
	const struct snap_task *task = task_at(data, row);
	struct snap_task_event of = task_rates_of(self->view.snap, task, column->event);

	if (task != &self->list.unknown)
		task_draw_rate(self->view.snap, &of, pen);
}

static const char *parent(const void *data, size_t row)
{
	const struct snap_task *task = task_at(data, row);

	return task->parent ? task->parent : "";
}

static void draw_parent(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_task *task = task_at(data, row);

	if (task->ppid > 0)
		task_draw_who(parent(data, row), task->ppid, RATE_UNKNOWN, pen);
}

static const char *command(const void *data, size_t row)
{
	const char *text = task_at(data, row)->command;

	return text ? text : "";
}

static void draw_command(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, command(data, row));
}

static const char *cgroup(const void *data, size_t row)
{
	const char *text = task_at(data, row)->cgroup;

	return text ? text : "";
}

/* The end tells most: /system.slice/docker-0123.scope. */
static void draw_cgroup(const void *data, size_t row, const struct pen *pen)
{
	draw_middle(pen, cgroup(data, row));
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_task *task = task_at(data, row);
	char name[128];

	if (task == tasks_view_of(data)->list.rest)
		task_rest_name(task, name, sizeof(name));
	else
		task_name(((const struct view *)data)->snap, task, name, sizeof(name));
	snprintf(out, room, "%s %d %d %s %s %s %s", name, task->pid, task->tid, top(data, row),
		 parent(data, row), cgroup(data, row), command(data, row));
}

static const struct column columns[] = {
	{ "task", "TASK", .title_now = title, .least = 3, .width = 22, .most = 30,
	  .draw = draw_comm, .text = comm },
	[COLUMN_ON_CPU] = { "on-cpu", "ON CPU", 6, 6, .draw = draw_on_cpu, .number = on_cpu,
			    .value = on_cpu_now, .is_share = true },
	{ "switches", "SWITCH/s", 8, 8, .drop = 2, .draw = draw_switch_rate,
	  .number = switch_rate },
	[COLUMN_PREEMPTED] = { "preempted", "PREEMPT/s", 9, 9, .drop = 3, .draw = draw_preempted,
			       .number = preempted },
	{ "top", "MOST OF", 16, 16, .most = 30, .drop = 4, .draw = draw_top, .text = top },
	{ "rate", "RATE/s", 6, 7, .drop = 1, .draw = draw_rate_of, .number = rate },
	{ "parent", "PARENT", 16, 16, .most = 24, .drop = 6, .draw = draw_parent, .text = parent },
	{ "pid", "PID", 7, 7, .drop = 7, .draw = draw_pid, .number = pid },
	{ "tid", "TID", 7, 7, .drop = 8, .draw = draw_tid, .number = tid },
	{ "cgroup", "CGROUP", 12, 20, .most = 40, .drop = 9, .draw = draw_cgroup, .text = cgroup },
	{ "command", "COMMAND", 10, 20, .most = 400, .drop = 5, .draw = draw_command,
	  .text = command },
};

/* What is most of a task's work is then in its own column. */
const struct task_columns *tasks_table_rates(void)
{
	static const char *const drop[] = { "top", "rate", NULL };
	static const struct task_columns with_rates = {
		.own = columns,
		.count = sizeof(columns) / sizeof(columns[0]),
		.at = COLUMN_PREEMPTED,
		.drop = drop,
	};

	return &with_rates;
}

static void sum(void *data, const size_t *marked, size_t count)
{
	task_rows_sum(&((struct tasks_view *)data)->list, marked, count);
}

const struct table_ops *tasks_table(void)
{
	static const struct table_ops table = {
		.columns = columns,
		.ncolumns = sizeof(columns) / sizeof(columns[0]),
		.rows = rows,
		.id = id,
		.text = text,
		.across = across,
		.above = above,
		.is_last = is_last,
		.draw_alike = draw_rate_of_event,
		.number_alike = rate_of,
		.is_quiet = is_quiet,
		.quiet = "tasks at 0",
		.sum = sum,
		.empty = "no task was seen yet",
	};

	return &table;
}
