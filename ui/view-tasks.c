/* SPDX-License-Identifier: MIT */
/*
 * Tasks: time on a CPU, switches, and the main event of each.
 *
 *       TASK                ▾ON CPU  SWITCH/s  PREEMPT/s  MOST OF           RATE/s
 *     ▸ getppid 31749         98.1%       151        150  context-switches     151
 *       bash 31747            10.4%       634          2  minor-faults      17.20k
 *       └ true ×757/s         61.0%       757         40  sched:sched_pro…     757
 *       other 38 tasks         0.7%        88          4
 *       idle                   9.9%
 *
 * Sorted by time on a CPU, short-lived tasks stand below their parent, and both where the sum of both
 * belongs.  The rows add up to all CPUs.
 */
#include "ui/view.h"

#include "base/xalloc.h"
#include "ui/event-cells.h"
#include "ui/task-cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_ON_CPU 1

struct task_row {
	const struct snap_task *task;
	double family; /* smoothed time on a CPU, with the short-lived tasks below it or its parent's */
	bool is_quiet; /* with all of its family, if it is a parent */
	bool is_child; /* it is below its parent */
	bool is_last;
};

struct tasks_view {
	struct view view;
	struct task_row *rows;
	size_t nrows;
	const struct snap_task *
		*folds; /* [nfolds] rows of short-lived tasks: few, among many tasks */
	size_t nfolds;
	struct snap_task idle, unknown;	   /* of all CPUs */
	const struct snap_task *idle_task; /* with the events of idle; or NULL */
	enum mark switches_mark, on_cpu_mark;
};

static const struct tasks_view *self_of(const void *data)
{
	return data;
}

static const struct snap_task *task_at(const void *data, size_t row)
{
	return self_of(data)->rows[row].task;
}

static size_t rows(const void *data)
{
	return self_of(data)->nrows;
}

static uint64_t id(const void *data, size_t row)
{
	return task_row_id(task_at(data, row));
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

static bool is_last(const void *data, size_t row)
{
	return self_of(data)->rows[row].is_last;
}

static bool is_quiet(const void *data, size_t row)
{
	return self_of(data)->rows[row].is_quiet;
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

static void draw_comm(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = self_of(data);
	const struct snap_task *task = task_at(data, row);
	struct pen copy = *pen;

	copy.role = task->is_self || self->rows[row].is_last ? ROLE_DIM : pen->role;
	if (self->rows[row].is_child && is_by_family(&self->view)) {
		struct pen branch = copy;

		branch.role = ROLE_DIM;
		draw_left(&branch, pen->is_ascii ? "`" : "└");
		copy.x += 2;
		copy.width -= 2;
	}
	if (task == &self->unknown)
		draw_left(&copy, "unknown");
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

	return of ? event_in_units(&self_of(data)->view.snap->events[of->event], of->rate) :
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
	const struct tasks_view *self = self_of(data);
	const struct snap_task *task = task_at(data, row);

	if (task != &self->idle && task != &self->unknown)
		draw_rate(pen, task->switch_rate, self->switches_mark);
}

static double preempted(const void *data, size_t row)
{
	return task_at(data, row)->preempt_rate;
}

static void draw_preempted(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = self_of(data);
	const struct snap_task *task = task_at(data, row);

	if (task != &self->idle && task != &self->unknown)
		draw_rate(pen, task->preempt_rate, self->switches_mark);
}

/* Smoothed, or near equals would change places in each interval. */
static double on_cpu(const void *data, size_t row)
{
	return self_of(data)->rows[row].family;
}

static double on_cpu_now(const void *data, size_t row)
{
	return task_at(data, row)->on_cpu;
}

static void draw_on_cpu(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = self_of(data);
	const struct snap_task *task = task_at(data, row);

	draw_share(pen, task->on_cpu, task == &self->unknown ? MARK_NONE : self->on_cpu_mark);
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

	task_name(((const struct view *)data)->snap, task, name, sizeof(name));
	snprintf(out, room, "%s %d %d %s %s %s %s", name, task->pid, task->tid, top(data, row),
		 parent(data, row), cgroup(data, row), command(data, row));
}

static const struct column columns[] = {
	{ "task", "TASK", 3, 22, .most = 30, .draw = draw_comm, .text = comm },
	[COLUMN_ON_CPU] = { "on-cpu", "ON CPU", 6, 6, .draw = draw_on_cpu, .number = on_cpu,
			    .value = on_cpu_now, .is_share = true },
	{ "switches", "SWITCH/s", 8, 8, .drop = 2, .draw = draw_switch_rate,
	  .number = switch_rate },
	{ "preempted", "PREEMPT/s", 9, 9, .drop = 3, .draw = draw_preempted, .number = preempted },
	{ "top", "MOST OF", 16, 16, .most = 30, .drop = 4, .draw = draw_top, .text = top },
	{ "rate", "RATE/s", 6, 7, .drop = 1, .draw = draw_rate_of, .number = rate },
	{ "parent", "PARENT", 16, 16, .most = 24, .drop = 6, .draw = draw_parent, .text = parent },
	{ "pid", "PID", 7, 7, .drop = 7, .draw = draw_pid, .number = pid },
	{ "tid", "TID", 7, 7, .drop = 8, .draw = draw_tid, .number = tid },
	{ "cgroup", "CGROUP", 12, 20, .most = 40, .drop = 9, .draw = draw_cgroup, .text = cgroup },
	{ "command", "COMMAND", 10, 20, .most = 400, .drop = 5, .draw = draw_command,
	  .text = command },
};

/* --- rows ------------------------------------------------------------------------------------- */

static struct task_row *add_row(struct tasks_view *self, const struct snap_task *task)
{
	struct task_row *row = &self->rows[self->nrows++];

	*row = (struct task_row){ .task = task,
				  .family = task->recent_cpu,
				  .is_quiet = task_row_is_quiet(task) };
	return row;
}

static void add_last_row(struct tasks_view *self, const struct snap_task *task)
{
	struct task_row *row = add_row(self, task);

	row->is_last = true;
	row->is_quiet = false;
}

/* A task, and below it the short-lived ones that it has forked, which are then taken off the folds. */
static void add_family(struct tasks_view *self, const struct snap_task *task)
{
	struct task_row *first = add_row(self, task);
	size_t left = 0;

	for (size_t i = 0; i < self->nfolds; i++) {
		if (!task_is_child_of(self->folds[i], task)) {
			self->folds[left++] = self->folds[i];
			continue;
		}
		struct task_row *child = add_row(self, self->folds[i]);
		child->is_child = true;
		first->is_quiet &= child->is_quiet;
		first->family += fmax(child->family, 0);
	}
	self->nfolds = left;
	for (struct task_row *row = first + 1; row < self->rows + self->nrows; row++)
		row->family = first->family;
}

/* What is left of all CPUs: other tasks, idle, and what no record told. */
static void add_last_rows(struct tasks_view *self)
{
	const struct snapshot *snap = self->view.snap;
	double idle = 0, unknown = 0;

	if (snap->rest.ntasks > 0 || snap->rest.on_cpu > 0 || snap->rest.switch_rate > 0)
		add_last_row(self, &snap->rest);
	for (size_t i = 0; i < snap->ncpus; i++) {
		const struct snap_cpu *cpu = &snap->cpus[i];

		if (!cpu->is_online || cpu->busy < 0)
			continue;
		idle += cpu->idle;
		if (snap_cpu_is_busy_at_least(cpu))
			unknown += 1 - cpu->busy - cpu->idle;
	}
	self->idle.on_cpu = idle;
	self->unknown.on_cpu = unknown;
	if (snap->has_switches)
		add_last_row(self, &self->idle);
	if (unknown > 0)
		add_last_row(self, &self->unknown);
}

static void take(struct view *view)
{
	struct tasks_view *self = (struct tasks_view *)view;
	const struct snapshot *snap = view->snap;

	self->nrows = self->nfolds = 0;
	self->rows = xreallocarray(self->rows, snap->ntasks + 3, sizeof(*self->rows));
	self->folds =
		xreallocarray(self->folds, snap->ntasks + 1, sizeof(const struct snap_task *));
	self->idle = self->unknown = (struct snap_task){ .comm = "", .parent = "" };
	self->unknown.pid = self->unknown.tid = -1;
	self->idle_task = NULL;
	self->switches_mark = snap_switches_are_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	self->on_cpu_mark = snap_on_cpu_is_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	for (size_t i = 0; i < snap->ntasks; i++) {
		if (snap->tasks[i].tid < 0)
			self->folds[self->nfolds++] = &snap->tasks[i];
	}
	for (size_t i = 0; i < snap->ntasks; i++) {
		const struct snap_task *task = &snap->tasks[i];

		if (task->tid == 0 && snap->has_switches) {
			self->idle.events = task->events;
			self->idle.nevents = task->nevents;
			self->idle_task = task;
		} else if (task->tid >= 0) {
			add_family(self, task);
		}
	}
	for (size_t i = 0; i < self->nfolds; i++)
		add_row(self, self->folds[i]);
	add_last_rows(self);
	table_update(&view->table);
}

static void fini(struct view *view)
{
	struct tasks_view *self = (struct tasks_view *)view;

	free(self->rows);
	free(self->folds);
}

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.is_last = is_last,
	.is_quiet = is_quiet,
	.quiet = "tasks at 0",
	.empty = "no task was seen yet",
};

/* The selected task; of idle the task 0.  NULL: none, or there is nothing to say of it. */
static const struct snap_task *selected_task(const struct view *view)
{
	const struct tasks_view *self = self_of(view);
	size_t row = table_row(&view->table);
	const struct snap_task *task = row == TABLE_NO_ROW ? NULL : self->rows[row].task;

	if (task == &self->unknown)
		return NULL;
	return task == &self->idle ? self->idle_task : task;
}

static bool can_enter(const struct view *view)
{
	return selected_task(view) != NULL;
}

static struct view *into(struct view *view)
{
	return view_task_new(view->snap, selected_task(view), view->is_ascii);
}

static const enum action hints[] = {
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_NONE,
};

const struct view_ops *view_tasks(void)
{
	static const struct view_ops ops = {
		.name = "tasks",
		.title = "Tasks",
		.size = sizeof(struct tasks_view),
		.table = &table,
		.sort = "on-cpu",
		.hints = hints,
		.enter = "into task",
		.take = take,
		.can_enter = can_enter,
		.into = into,
		.fini = fini,
	};

	return &ops;
}
