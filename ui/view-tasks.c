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
 * belongs.  As a tree, all stand below their parent, in any order.  The rows add up to all CPUs.
 */
#include "ui/view-tasks-inside.h"

#include "ui/task-cells.h"

#define LINES_LEAST 5 /* on fewer lines the table is alone */

static void take(struct view *view)
{
	struct tasks_view *self = (struct tasks_view *)view;
	const struct snapshot *snap = view->snap;

	self->switches_mark = snap_switches_are_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	self->on_cpu_mark = snap_on_cpu_is_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	self->list.is_tree = view->table.is_tree;
	task_rows_take(&self->list, snap);
	task_rates_take(&self->rates, &view->table, tasks_table_rates(), snap);
	table_update(&view->table);
}

static void fini(struct view *view)
{
	struct tasks_view *self = (struct tasks_view *)view;

	task_rows_fini(&self->list);
	task_rates_fini(&self->rates);
}

/* The selected row's task; of idle the task 0.  NULL: none, or there is nothing to say of it. */
static const struct snap_task *selected_task(const struct view *view)
{
	const struct tasks_view *self = tasks_view_of(view);
	size_t row = table_row(&view->table);
	const struct snap_task *task = row == TABLE_NO_ROW ? NULL : self->list.rows[row].own;

	if (task == &self->list.unknown || task == &self->list.processes.rest.task ||
	    (task && self->list.rows[row].is_parent))
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

/* Close or open what stands below the selected row: whether it did. */
static bool close_selected(struct view *view, bool to)
{
	struct tasks_view *self = (struct tasks_view *)view;
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW || !task_rows_close(&self->list, row, to))
		return false;
	take(view);
	table_rehide(&view->table); /* the cursor goes with its row */
	return true;
}

static bool act(struct view *view, enum action action)
{
	struct tasks_view *self = (struct tasks_view *)view;
	bool is_move = action == ACTION_LEFT || action == ACTION_RIGHT;

	if (action == ACTION_PROCESSES) {
		toggle_processes(view);
		return true;
	}
	if (is_move && close_selected(view, action == ACTION_LEFT))
		return true;
	if (action == ACTION_TREE)
		view->table.is_tree = !view->table.is_tree;
	else if (action == ACTION_RATES)
		self->rates.is_shown = !self->rates.is_shown;
	else if (!is_move || !task_rates_move(&self->rates, action == ACTION_RIGHT))
		/* From the end of a tree or of the rates, Left and Right do not lead to other times. */
		return is_move && (view->table.is_tree || self->rates.is_shown);
	if (view->snap)
		take(view);
	if (view->snap && action == ACTION_TREE)
		table_rehide(&view->table); /* the cursor goes with its row */
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

static const enum action toggles[] = { ACTION_PROCESSES, ACTION_TREE, ACTION_RATES, ACTION_NONE };

static bool is_on(const struct view *view, enum action toggle)
{
	const struct tasks_view *self = (const struct tasks_view *)view;

	if (toggle == ACTION_TREE)
		return view->table.is_tree;
	return toggle == ACTION_RATES ? self->rates.is_shown : self->list.is_by_process;
}

static const enum action hints[] = {
	ACTION_ENTER,	  ACTION_FILTER,    ACTION_PROCESSES, ACTION_TREE, ACTION_RATES,
	ACTION_SORT_PREV, ACTION_SORT_NEXT, ACTION_FREEZE,    ACTION_SAVE, ACTION_NONE,
};

const struct view_ops *view_tasks(void)
{
	static struct view_ops ops = {
		.name = "tasks",
		.title = "Tasks",
		.size = sizeof(struct tasks_view),
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

	ops.table = tasks_table();
	return &ops;
}
