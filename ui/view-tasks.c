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
 * A row for each thread, or for each process: that of several threads is their sum, "java 812 ×34".
 * In place of the main event there can be a column for each (ui/task-rates.h).
 *
 * Sorted by time on a CPU, short-lived tasks stand below their parent, and both where the sum of both
 * belongs.  The rows add up to all CPUs.
 */
#include "ui/view.h"

#include "ui/event-cells.h"
#include "ui/task-cells.h"
#include "ui/task-rates.h"
#include "ui/task-rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_ON_CPU	 1
#define COLUMN_PREEMPTED 3
#define LINES_LEAST	 5 /* on fewer lines the table is alone */

struct tasks_view {
	struct view view;
	struct task_rows list;
	struct task_rates rates;
	enum mark switches_mark, on_cpu_mark;
};

static const struct tasks_view *self_of(const void *data)
{
	return data;
}

static const struct snap_task *task_at(const void *data, size_t row)
{
	return self_of(data)->list.rows[row].task;
}

static size_t rows(const void *data)
{
	return self_of(data)->list.nrows;
}

static uint64_t id(const void *data, size_t row)
{
	const struct snap_task *task = task_at(data, row);

	if (self_of(data)->list.is_by_process && task->pid > 0)
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

static bool is_last(const void *data, size_t row)
{
	return self_of(data)->list.rows[row].is_last;
}

static bool is_quiet(const void *data, size_t row)
{
	return self_of(data)->list.rows[row].is_quiet;
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
	return self_of(data)->list.is_by_process ? "PROCESS" : "TASK";
}

static void draw_comm(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = self_of(data);
	const struct snap_task *task = task_at(data, row);
	struct pen copy = *pen;

	copy.role = task->is_self || self->list.rows[row].is_last ? ROLE_DIM : pen->role;
	if (self->list.rows[row].is_child && is_by_family(&self->view)) {
		struct pen branch = copy;

		branch.role = ROLE_DIM;
		draw_left(&branch, pen->is_ascii ? "`" : "└");
		copy.x += 2;
		copy.width -= 2;
	}
	if (task == &self->list.unknown)
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

	if (task != &self->list.idle && task != &self->list.unknown)
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

	if (task != &self->list.idle && task != &self->list.unknown)
		draw_rate(pen, task->preempt_rate, self->switches_mark);
}

/* Smoothed, or near equals would change places in each interval. */
static double on_cpu(const void *data, size_t row)
{
	return self_of(data)->list.rows[row].family;
}

static double on_cpu_now(const void *data, size_t row)
{
	return task_at(data, row)->on_cpu;
}

static void draw_on_cpu(const void *data, size_t row, const struct pen *pen)
{
	const struct tasks_view *self = self_of(data);
	const struct snap_task *task = task_at(data, row);

	draw_share(pen, task->on_cpu, task == &self->list.unknown ? MARK_NONE : self->on_cpu_mark);
}

static double rate_of(const void *data, size_t row, const struct column *column)
{
	const struct snapshot *snap = self_of(data)->view.snap;
	struct snap_task_event of = task_rates_of(snap, task_at(data, row), column->event);

	if (!task_rate_is_known(&of))
		return -INFINITY;
	return event_in_units(&snap->events[of.event], of.rate);
}

/* Nobody knows what happened in unknown time. */
static void draw_rate_of_event(const void *data, size_t row, const struct column *column,
			       const struct pen *pen)
{
	const struct tasks_view *self = self_of(data);
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

	if (task == self_of(data)->list.rest)
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
static const struct task_columns with_rates = {
	.own = columns,
	.count = sizeof(columns) / sizeof(columns[0]),
	.at = COLUMN_PREEMPTED,
	.drop = (const char *const[]){ "top", "rate", NULL },
};

/* --- the view --------------------------------------------------------------------------------- */

static void take(struct view *view)
{
	struct tasks_view *self = (struct tasks_view *)view;
	const struct snapshot *snap = view->snap;

	self->switches_mark = snap_switches_are_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	self->on_cpu_mark = snap_on_cpu_is_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	task_rows_take(&self->list, snap);
	task_rates_take(&self->rates, &view->table, &with_rates, snap);
	table_update(&view->table);
}

static void fini(struct view *view)
{
	struct tasks_view *self = (struct tasks_view *)view;

	task_rows_fini(&self->list);
	task_rates_fini(&self->rates);
}

static void sum(void *data, const size_t *marked, size_t count)
{
	task_rows_sum(&((struct tasks_view *)data)->list, marked, count);
}

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.is_last = is_last,
	.draw_alike = draw_rate_of_event,
	.number_alike = rate_of,
	.is_quiet = is_quiet,
	.quiet = "tasks at 0",
	.sum = sum,
	.empty = "no task was seen yet",
};

/* The selected row's task; of idle the task 0.  NULL: none, or there is nothing to say of it. */
static const struct snap_task *selected_task(const struct view *view)
{
	const struct tasks_view *self = self_of(view);
	size_t row = table_row(&view->table);
	const struct snap_task *task = row == TABLE_NO_ROW ? NULL : self->list.rows[row].task;

	if (task == &self->list.unknown || task == &self->list.processes.rest.task)
		return NULL;
	return task == &self->list.idle ? self->list.idle_task : task;
}

/* Where the cursor goes from this task: to its process, and from there to the first thread. */
static uint64_t counterpart(const struct tasks_view *self, const struct snap_task *task)
{
	struct snap_task first = { .pid = task->pid, .tid = task->pid };

	if (task->pid <= 0)
		return task_row_id(task);
	return self->list.is_by_process ? task_row_id(&first) : task_row_id_of_process(task->pid);
}

static void toggle_processes(struct view *view)
{
	struct tasks_view *self = (struct tasks_view *)view;
	const struct snap_task *task = selected_task(view);
	uint64_t to = task ? counterpart(self, task) : 0;
	bool is_placed = view->table.is_placed && task;

	self->list.is_by_process = !self->list.is_by_process;
	if (view->snap)
		take(view);
	if (is_placed)
		table_select(&view->table, to);
}

static bool act(struct view *view, enum action action)
{
	struct tasks_view *self = (struct tasks_view *)view;
	bool is_move = action == ACTION_LEFT || action == ACTION_RIGHT;

	if (action == ACTION_PROCESSES) {
		toggle_processes(view);
		return true;
	}
	if (action == ACTION_RATES)
		self->rates.is_shown = !self->rates.is_shown;
	else if (!is_move || !task_rates_move(&self->rates, action == ACTION_RIGHT))
		return false;
	if (view->snap)
		take(view);
	return true;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void draw(struct view *view, struct canvas *canvas, struct rect at)
{
	struct tasks_view *self = (struct tasks_view *)view;

	task_rates_fit(&self->rates, &view->table, at.width);
	bool has_line = at.height > LINES_LEAST && task_rates_are_cut(&self->rates);
	struct rect below = view_draw_table(view, canvas, at, has_line);

	if (has_line)
		task_rates_draw_which(&self->rates,
				      &(struct pen){ .canvas = canvas,
						     .x = below.x + TABLE_MARGIN,
						     .y = below.y,
						     .width = below.width - TABLE_MARGIN,
						     .role = ROLE_DIM,
						     .is_ascii = view->is_ascii });
}

static int lines(struct view *view, int width)
{
	struct tasks_view *self = (struct tasks_view *)view;

	task_rates_fit(&self->rates, &view->table, width);
	return table_lines(&view->table) + task_rates_are_cut(&self->rates);
}

static bool can_enter(const struct view *view)
{
	return selected_task(view) != NULL;
}

static struct view *into(struct view *view)
{
	return view_task_new(view->snap, selected_task(view), view->is_ascii);
}

static const enum action toggles[] = { ACTION_PROCESSES, ACTION_RATES, ACTION_NONE };

static bool is_on(const struct view *view, enum action toggle)
{
	const struct tasks_view *self = (const struct tasks_view *)view;

	return toggle == ACTION_RATES ? self->rates.is_shown : self->list.is_by_process;
}

static const enum action hints[] = {
	ACTION_ENTER,	  ACTION_FILTER, ACTION_PROCESSES, ACTION_RATES, ACTION_SORT_PREV,
	ACTION_SORT_NEXT, ACTION_FREEZE, ACTION_SAVE,	   ACTION_NONE,
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
		.draw = draw,
		.lines = lines,
		.action = act,
		.toggles = toggles,
		.is_on = is_on,
		.can_enter = can_enter,
		.into = into,
		.task = selected_task,
		.fini = fini,
	};

	return &ops;
}
