/* SPDX-License-Identifier: MIT */
/*
 * One task, a process, or the short-lived tasks of one name and parent: its figures, and what it makes
 * of each event.
 *
 *     61.0% of a CPU   757 switches/s   40 preempted/s
 *     757 tasks in this interval   forked by bash 31747
 *     command make -j8   cgroup /user.slice   (of one task, a line each)
 *
 *       EVENT                     RATE/s    TOTAL   SHARE
 *     ▸ sched:sched_process_exec     757    1.51k     99%
 *       minor-faults              17.20k   34.41k     88%
 *
 * Sorted by the work behind each event, as the events are.
 */
#include "ui/view.h"

#include "base/fmt.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ui/event-cells.h"
#include "ui/task-cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct task_view {
	struct view view;
	int32_t pid, tid, ppid;	    /* tid -1: short-lived tasks named `comm` of the parent ppid */
	bool is_process;	    /* all threads of pid */
	bool is_rest;		    /* all tasks without a row of their own */
	char *comm;		    /* when it was opened */
	char crumb[VIEW_CRUMB_MAX]; /* in the last snapshot that had it */
	const struct snap_task *task; /* in view.snap; NULL: no longer there */
};

static const struct task_view *self_of(const void *data)
{
	return data;
}

/* --- its events ------------------------------------------------------------------------------- */

static const struct snap_task_event *of_at(const void *data, size_t row)
{
	return &self_of(data)->task->events[row];
}

static const struct snap_event *event_at(const void *data, size_t row)
{
	return &self_of(data)->view.snap->events[of_at(data, row)->event];
}

static size_t rows(const void *data)
{
	return self_of(data)->task ? self_of(data)->task->nevents : 0;
}

static uint64_t id(const void *data, size_t row)
{
	return event_id(event_at(data, row)->name);
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	snprintf(out, room, "%s", event_at(data, row)->name);
}

static double interest(const void *data, size_t row)
{
	return task_event_work(self_of(data)->view.snap, of_at(data, row));
}

static const char *name(const void *data, size_t row)
{
	return event_at(data, row)->name;
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	draw_middle(pen, name(data, row));
}

static double rate(const void *data, size_t row)
{
	return event_in_units(event_at(data, row), of_at(data, row)->rate);
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	task_draw_rate(self_of(data)->view.snap, of_at(data, row), pen);
}

static double total(const void *data, size_t row)
{
	return event_in_units(event_at(data, row), (double)of_at(data, row)->total);
}

static void draw_total_of(const void *data, size_t row, const struct pen *pen)
{
	task_draw_total(self_of(data)->view.snap, of_at(data, row), pen);
}

static double share(const void *data, size_t row)
{
	return task_share(self_of(data)->view.snap, of_at(data, row));
}

static void draw_share_of(const void *data, size_t row, const struct pen *pen)
{
	task_draw_share(self_of(data)->view.snap, of_at(data, row), pen);
}

static const struct column columns[] = {
	{ "event", "EVENT", 8, 24, .most = 40, .draw = draw_name, .text = name },
	{ "rate", "RATE/s", 6, 7, .draw = draw_rate_of, .number = rate },
	{ "total", "TOTAL", 7, 7, .drop = 2, .draw = draw_total_of, .number = total },
	{ "share", "SHARE", 6, 6, .drop = 1, .draw = draw_share_of, .number = share,
	  .is_share = true },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.interest = interest,
	.empty = "no event of it was sampled",
};

/* --- taking a snapshot ------------------------------------------------------------------------ */

static bool is_it(const struct task_view *self, const struct snap_task *task)
{
	if (self->is_process)
		return task->pid == self->pid;
	if (self->tid < 0)
		return task->tid < 0 && task->ppid == self->ppid && task->pid == self->pid &&
		       strcmp(task->comm, self->comm) == 0;
	return task->tid == self->tid && task->pid == self->pid;
}

/* Of a process its sum, or the only thread that is known. */
static const struct snap_task *find_task(const struct task_view *self)
{
	const struct snapshot *snap = self->view.snap;

	if (self->is_rest)
		return &snap->rest;
	for (size_t i = 0; i < snap->nprocesses && self->is_process; i++) {
		if (snap->processes[i].pid == self->pid)
			return &snap->processes[i];
	}
	for (size_t i = 0; i < snap->ntasks; i++) {
		if (is_it(self, &snap->tasks[i]))
			return &snap->tasks[i];
	}
	return NULL;
}

/* A task can change its name, and the rest its number. */
static void name_crumb(struct task_view *self)
{
	task_name(self->view.snap, self->task, self->crumb, sizeof(self->crumb));
	size_t len = strlen(self->crumb);
	int32_t number = self->task->is_process ? self->task->pid : self->task->tid;

	if (number > 0)
		snprintf(self->crumb + len, sizeof(self->crumb) - len, " %d", number);
}

static void take(struct view *view)
{
	struct task_view *self = (struct task_view *)view;

	self->task = find_task(self);
	if (self->task)
		name_crumb(self);
	table_update(&view->table);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Text, and the pen behind it. */
static void add(struct pen *pen, enum role role, const char *words)
{
	int cells = (int)text_width(words);

	pen->role = role;
	draw_left(pen, words);
	pen->x += cells;
	pen->width -= cells;
}

static void add_rate(struct pen *pen, enum mark mark, double rate, const char *words)
{
	char figure[FMT_MAX];

	if (!(rate >= 0))
		return;
	add(pen, ROLE_TEXT, draw_mark(mark, pen->is_ascii));
	add(pen, ROLE_TEXT, fmt_rate(figure, rate));
	add(pen, ROLE_DIM, words);
}

static void draw_times(const struct task_view *self, struct pen pen)
{
	const struct snapshot *snap = self->view.snap;
	const struct snap_task *task = self->task;
	enum mark mark = snap_switches_are_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	enum mark on_cpu = snap_on_cpu_is_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	char share[FMT_MAX + 8];

	if (task->on_cpu >= 0) {
		add(&pen, ROLE_TEXT, draw_mark(on_cpu, pen.is_ascii));
		snprintf(share, sizeof(share), "%.1f%%", fmin(task->on_cpu, 1e6) * 100);
		add(&pen, ROLE_TEXT, share);
		add(&pen, ROLE_DIM, " of a CPU   ");
	}
	if (task->tid != 0) {
		add_rate(&pen, mark, task->switch_rate, " switches/s   ");
		add_rate(&pen, mark, task->preempt_rate, " preempted/s");
	}
}

static void draw_origin(const struct task_view *self, struct pen pen)
{
	const struct snap_task *task = self->task;
	char number[FMT_MAX + 16];

	if (task->tid > 0 && task->tid != task->pid) {
		snprintf(number, sizeof(number), "%d", task->pid);
		add(&pen, ROLE_DIM, "thread of process ");
		add(&pen, ROLE_TEXT, number);
		add(&pen, ROLE_DIM, "   ");
	} else if (task->tid < 0 && !self->is_rest) {
		add(&pen, ROLE_TEXT, fmt_count(number, task->ntasks));
		add(&pen, ROLE_DIM,
		    task->is_process ? " threads   " : " tasks in this interval   ");
	}
	if (task->ppid > 0) {
		add(&pen, ROLE_DIM, "forked by ");
		pen.role = ROLE_TEXT;
		task_draw_who(task->parent ? task->parent : "", task->ppid, RATE_UNKNOWN, &pen);
	}
}

/* The short-lived tasks that it forks: "forks true ×757/s, grep ×3.0/s". */
static void draw_children(const struct task_view *self, struct pen pen)
{
	const struct snapshot *snap = self->view.snap;
	const char *words = "forks ";

	for (size_t i = 0; i < snap->ntasks; i++) {
		if (!task_is_child_of(&snap->tasks[i], self->task))
			continue;
		add(&pen, ROLE_DIM, words);
		pen.role = ROLE_TEXT;
		int cells = task_draw_name(snap, &snap->tasks[i], &pen);
		pen.x += cells;
		pen.width -= cells;
		words = ", ";
	}
}

static void draw_command(const struct task_view *self, struct pen pen)
{
	add(&pen, ROLE_DIM, "command ");
	pen.role = ROLE_TEXT;
	draw_left(&pen, self->task->command);
}

static void draw_cgroup(const struct task_view *self, struct pen pen)
{
	add(&pen, ROLE_DIM, "cgroup ");
	pen.role = ROLE_TEXT;
	draw_middle(&pen, self->task->cgroup);
}

static bool has_command(const struct task_view *self)
{
	return self->task->command && self->task->command[0];
}

static bool has_cgroup(const struct task_view *self)
{
	return self->task->cgroup && self->task->cgroup[0];
}

static bool has_origin(const struct task_view *self)
{
	const struct snap_task *task = self->task;

	return task->ppid > 0 || task->tid != task->pid || (task->tid < 0 && !self->is_rest);
}

static bool has_children(const struct task_view *self)
{
	const struct snapshot *snap = self->view.snap;

	for (size_t i = 0; i < snap->ntasks; i++) {
		if (task_is_child_of(&snap->tasks[i], self->task))
			return true;
	}
	return false;
}

/* The lines below its times: each is there only where there is something to say. */
static const struct {
	bool (*is_there)(const struct task_view *self);
	void (*draw)(const struct task_view *self, struct pen pen);
} summary[] = {
	{ has_origin, draw_origin },
	{ has_command, draw_command },
	{ has_cgroup, draw_cgroup },
	{ has_children, draw_children },
};

#define SUMMARY_COUNT (sizeof(summary) / sizeof(summary[0]))

static int summary_lines(const struct task_view *self, int height)
{
	int count = 1;

	if (height < 4)
		return 0;
	for (size_t i = 0; i < SUMMARY_COUNT && self->task; i++)
		count += summary[i].is_there(self);
	return height < 8 ? 1 : count <= height / 2 ? count : height / 2;
}

static void draw_summary(const struct task_view *self, struct pen pen, int lines)
{
	if (lines == 0)
		return;
	if (!self->task) {
		pen.role = ROLE_DIM;
		draw_left(&pen, "nothing of this task was recorded in this interval");
		return;
	}
	draw_times(self, pen);
	lines--;
	for (size_t i = 0; i < SUMMARY_COUNT && lines > 0; i++) {
		if (!summary[i].is_there(self))
			continue;
		pen.y++;
		lines--;
		summary[i].draw(self, pen);
	}
}

static void draw(struct view *view, struct canvas *canvas, struct rect at)
{
	const struct task_view *self = self_of(view);
	int above = summary_lines(self, at.height);
	bool has_blank = at.height >= 14;
	struct pen pen = { .canvas = canvas,
			   .x = at.x,
			   .y = at.y,
			   .width = at.width,
			   .is_ascii = view->is_ascii };

	draw_summary(self, pen, above);
	at.y += above + has_blank;
	at.height -= above + has_blank;
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static int lines(struct view *view, int columns_there)
{
	int wanted = 1 + (int)SUMMARY_COUNT + 1 + table_lines(&view->table);

	(void)columns_there;
	return wanted < 14 ? 14 : wanted;
}

/* --- the rest --------------------------------------------------------------------------------- */

static const struct snap_task *its_task(const struct view *view)
{
	return ((const struct task_view *)view)->task;
}

static uint32_t selected_event(const struct view *view)
{
	size_t row = table_row(&view->table);

	return row == TABLE_NO_ROW ? VIEW_NO_EVENT : of_at(view, row)->event;
}

static struct view_subject subject(const struct view *view)
{
	const struct task_view *self = self_of(view);

	return (struct view_subject){ .task = { .pid = self->pid,
						.tid = self->tid,
						.ppid = self->ppid,
						.is_process = self->is_process,
						.comm = self->comm },
				      .is_rest = self->is_rest };
}

static const char *crumb(const struct view *view)
{
	return self_of(view)->crumb;
}

static void fini(struct view *view)
{
	free(((struct task_view *)view)->comm);
}

static const enum action hints[] = {
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_TOGGLE,	ACTION_NONE,
};

static const struct view_ops ops = {
	.name = "task",
	.title = "Task",
	.size = sizeof(struct task_view),
	.table = &table,
	.hints = hints,
	.enter = "into event",
	.take = take,
	.draw = draw,
	.lines = lines,
	.into = view_into_event,
	.event = selected_event,
	.task = its_task,
	.crumb = crumb,
	.subject = subject,
	.fini = fini,
};

struct view *view_task_new(const struct snapshot *snap, const struct snap_task *task, bool is_ascii)
{
	struct view *view = view_new(&ops, is_ascii);
	struct task_view *self = (struct task_view *)view;

	self->pid = task->pid;
	self->tid = task->tid;
	self->ppid = task->ppid;
	self->is_process = task->is_process;
	self->is_rest = task == &snap->rest;
	self->comm = xstrdup(task->comm);
	snprintf(self->crumb, sizeof(self->crumb), "%s", task->comm);
	return view;
}
