/* SPDX-License-Identifier: MIT */
/*
 * One event: its figures, the tasks that cause it, its CPUs, and its newest sample.
 *
 *     24.19k/s  ×3.1   total 55.23k            ▁▁▁▁▁▁▂▁▁▁▁▂▇▇▇▇▇▇▇▇▇
 *     tracepoint, every event sampled: 55,234 = 55,230 sampled + 4 lost
 *
 *       TASK        PID    TID   RATE/s  ...       CPU  RATE/s   TOTAL  ...
 *     ▸ nginx      1203   1203    7.90k              0  12.10k  27.62k
 *
 *     NEWEST SAMPLE
 *     prev_comm=nginx prev_pid=1203 ...
 *
 * Tasks are on the left and CPUs on the right; on a narrow screen, tasks above
 * CPUs.  Left and Right choose which of them the keys move.
 */
#include "ui/view.h"

#include "base/xalloc.h"
#include "ui/event-cells.h"
#include "ui/task-cells.h"
#include "ui/view-event-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_BY_SIDE  92 /* columns from which both tables fit */
#define CPUS_WIDTH    48 /* of them for the CPUs */
#define SUMMARY_LINES 3
#define TREND_LEAST   12

/* --- tasks ------------------------------------------------------------------------------------ */

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

static const struct part *part_at(const void *data, size_t row)
{
	return &event_view_of(data)->parts[row];
}

static const char *comm(const void *data, size_t row)
{
	return part_at(data, row)->task->comm;
}

static bool is_unseen(const struct event_view *self, size_t row)
{
	return self->parts[row].task == &self->unseen;
}

static bool is_last(const void *data, size_t row)
{
	const struct event_view *self = event_view_of(data);

	return is_unseen(self, row) || self->parts[row].task == &self->view.snap->rest;
}

static void draw_comm(const void *data, size_t row, const struct pen *pen)
{
	const struct event_view *self = event_view_of(data);
	struct pen dim = *pen;

	dim.role = ROLE_DIM;
	if (is_unseen(self, row))
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
static const struct column task_columns[] = {
	{ "task", "TASK", 3, 22, .most = 30, .draw = draw_comm, .text = comm },
	{ "pid", "PID", 7, 7, .drop = 3, .draw = draw_pid, .number = pid },
	{ "tid", "TID", 7, 7, .drop = 5, .draw = draw_tid, .number = tid },
	{ "rate", "RATE/s", 6, 7, .draw = draw_rate_of, .number = rate },
	{ "total", "TOTAL", 7, 7, .drop = 4, .draw = draw_total, .number = total },
	{ "share", "SHARE", 6, 6, .drop = 1, .draw = draw_share_of, .number = rate, .value = share,
	  .is_share = true },
};

static const struct table_ops task_table = {
	.columns = task_columns,
	.ncolumns = sizeof(task_columns) / sizeof(task_columns[0]),
	.rows = task_rows,
	.id = task_id,
	.text = task_text,
	.is_last = is_last,
	.empty = "no task was sampled with it",
};

/* --- taking a snapshot ------------------------------------------------------------------------ */

static const struct snap_event *find_event(struct event_view *self)
{
	const struct snapshot *snap = self->view.snap;
	const struct snap_event *found = NULL;
	uint32_t best = UINT32_MAX, from = self->at;

	for (uint32_t i = 0; i < snap->nevents; i++) {
		uint32_t away = i > from ? i - from : from - i;

		if (away < best && strcmp(snap->events[i].name, self->name) == 0) {
			best = away;
			found = &snap->events[i];
			self->at = i;
		}
	}
	return found;
}

static void add_part(struct event_view *self, const struct snap_task *task)
{
	for (size_t i = 0; i < task->nevents; i++)
		if (task->events[i].event == self->at)
			self->parts[self->nparts++] =
				(struct part){ .task = task, .of = &task->events[i] };
}

/* So that the tasks' rates add up to the event's. */
static void add_unseen(struct event_view *self)
{
	const struct snap_event *event = self->event;
	double seconds = self->view.snap->interval_s;

	if (event->unseen == 0 || event->sampling == SAMPLING_NONE || seconds <= 0)
		return;
	self->unseen = (struct snap_task){ .pid = -1, .tid = -1, .comm = "" };
	self->unseen_of = (struct snap_task_event){
		.event = self->at,
		.count = event->unseen,
		.rate = (double)event->unseen / seconds,
		.total = event->total > event->weight ? event->total - event->weight : 0,
	};
	self->parts[self->nparts++] = (struct part){ &self->unseen, &self->unseen_of };
}

static void take(struct view *view)
{
	struct event_view *self = (struct event_view *)view;
	const struct snapshot *snap = view->snap;

	self->event = find_event(self);
	self->nparts = 0;
	self->parts = xreallocarray(self->parts, snap->ntasks + 2, sizeof(*self->parts));
	for (size_t i = 0; self->event && i < snap->ntasks; i++)
		add_part(self, &snap->tasks[i]);
	if (self->event) {
		add_part(self, &snap->rest);
		add_unseen(self);
	}
	table_update(&view->table);
	table_update(&self->cpus);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static const char *sampling_words(const struct snap_event *event, char *out, size_t room)
{
	if (event->sampling == SAMPLING_NONE)
		return "counted only";
	if (event->sampling == SAMPLING_FREQ && event->freq == 0)
		return "sampled with the first of its {}";
	if (event->sampling == SAMPLING_FREQ) {
		snprintf(out, room, "%llu samples a second %s", (unsigned long long)event->freq,
			 event->is_limited ? "for the budget" : "wanted");
		return out;
	}
	if (event->period == 1)
		return "every event sampled";
	snprintf(out, room, "one in %llu events sampled", (unsigned long long)event->period);
	return out;
}

static void draw_books(const struct snap_event *event, struct pen pen)
{
	char words[64], total[DRAW_EXACT_MAX], sampled[DRAW_EXACT_MAX], lost[DRAW_EXACT_MAX];
	char text[320];
	int len = snprintf(text, sizeof(text), "%s, %s", event->kind,
			   sampling_words(event, words, sizeof(words)));

	draw_exact(total, event->total);
	draw_exact(sampled, event->sampled);
	draw_exact(lost, event->lost);
	if (event->is_balance_known) {
		const char *sign = event->is_balanced ? "=" : pen.is_ascii ? "!=" : "≠";

		pen.role = event->is_balanced ? ROLE_TEXT : ROLE_BAD;
		snprintf(text + len, sizeof(text) - (size_t)len, ": %s %s %s sampled + %s lost",
			 total, sign, sampled, lost);
	} else {
		snprintf(text + len, sizeof(text) - (size_t)len, ": total %s, %s samples, %s lost",
			 total, sampled, lost);
	}
	draw_left(&pen, text);
}

/* The same figures as in its row, and the trend if there is room for it. */
static void draw_figures(const struct event_view *self, struct pen pen)
{
	const struct snap_event *event = self->event;
	int end = pen.x + pen.width;

	pen.width = 8;
	event_draw_rate(event, &pen);
	canvas_put(pen.canvas, pen.x + 8, pen.y, 2, ROLE_DIM, "/s");
	pen.x += 12;
	pen.width = 6;
	event_draw_change(event, &pen);
	pen.x += 8;
	canvas_put(pen.canvas, pen.x, pen.y, 5, ROLE_DIM, "total");
	pen.x += 5;
	pen.width = 8;
	event_draw_total(event, &pen);
	pen.x += 12;
	pen.width = end - pen.x;
	if (pen.width >= TREND_LEAST)
		event_draw_trend(event, self->view.snap->elapsed_s, &pen);
}

static int summary_lines(const struct event_view *self, int height)
{
	const struct snap_event *event = self->event;
	int wanted = 1;

	if (event)
		wanted += event_is_on(event) + (event->reason != NULL);
	return height < 4 ? 0 : height < 10 ? 1 : wanted;
}

static void draw_summary(const struct event_view *self, struct pen pen, int lines)
{
	const struct snap_event *event = self->event;

	if (lines <= 0)
		return;
	if (!event) {
		pen.role = ROLE_DIM;
		draw_left(&pen, "this event is not watched any more");
		return;
	}
	bool is_on = event_is_on(event);
	if (is_on)
		draw_figures(self, pen);
	else
		draw_left(&pen,
			  event->state == EVENT_STATE_OFF ? "switched off" : "could not be opened");
	pen.y++;
	if (is_on && lines > 1)
		draw_books(event, pen);
	pen.y += is_on;
	pen.role = ROLE_WARN;
	if (event->reason && lines > 1 + is_on)
		draw_left(&pen, event->reason);
}

/* Its newest sample, at the bottom; how many lines that takes with the title. */
static int field_lines(const struct event_view *self, int width, int height)
{
	struct pen nowhere = { .width = width };
	int most = height < 8 ? 0 : height < 12 ? 1 : height / 4;

	if (!self->event || !self->event->last || most == 0)
		return 0;
	return 1 + draw_wrapped(&nowhere, most, self->event->last);
}

static void draw_fields(const struct event_view *self, struct pen pen, int lines)
{
	if (lines <= 0)
		return;
	pen.role = ROLE_HEAD;
	draw_left(&pen, "NEWEST SAMPLE");
	pen.role = ROLE_TEXT;
	pen.y++;
	draw_wrapped(&pen, lines - 1, self->event->last);
}

static bool has_sides(int width)
{
	return width >= SIDE_BY_SIDE;
}

static void draw_tables(struct event_view *self, struct canvas *canvas, struct rect at)
{
	struct rect tasks = at, cpus = at;

	if (has_sides(at.width)) {
		cpus.width = CPUS_WIDTH;
		cpus.x = at.x + at.width - CPUS_WIDTH;
		tasks.width = at.width - CPUS_WIDTH - 2;
	} else if (at.height < 6) {
		/* Room for one of them. */
		tasks.height = self->cpus.has_focus ? 0 : at.height;
		cpus.height = at.height - tasks.height;
	} else {
		int wanted = table_lines(&self->cpus) + 1;

		cpus.height = wanted < at.height / 2 ? wanted : at.height / 2;
		tasks.height = at.height - cpus.height;
		cpus.y = at.y + tasks.height;
	}
	table_draw(&self->view.table, canvas, tasks, self->view.is_ascii);
	table_draw(&self->cpus, canvas, cpus, self->view.is_ascii);
}

static void draw(struct view *view, struct canvas *canvas, struct rect at)
{
	struct event_view *self = (struct event_view *)view;
	struct pen pen = { .canvas = canvas,
			   .x = at.x,
			   .y = at.y,
			   .width = at.width,
			   .is_ascii = view->is_ascii };
	int summary = summary_lines(self, at.height);
	int fields = field_lines(self, at.width, at.height);
	bool has_blanks = at.height >= 14;

	draw_summary(self, pen, summary);
	pen.y = at.y + at.height - fields;
	draw_fields(self, pen, fields);
	at.y += summary + has_blanks;
	at.height -= summary + has_blanks + fields + (fields ? has_blanks : 0);
	draw_tables(self, canvas, at);
}

static int lines(struct view *view, int columns)
{
	struct event_view *self = (struct event_view *)view;
	int tasks = table_lines(&view->table), cpus = table_lines(&self->cpus);
	int tables = has_sides(columns) ? (tasks > cpus ? tasks : cpus) : 2 * (tasks + cpus + 1);
	int above = SUMMARY_LINES + 2;

	/* Fields get a quarter of all: enough for eight lines. */
	return above + tables + 9 < 32 ? 32 : above + tables + 9;
}

/* --- the rest --------------------------------------------------------------------------------- */

static void focus(struct view *view, const struct table *table)
{
	struct event_view *self = (struct event_view *)view;

	self->cpus.has_focus = table == &self->cpus;
	view->table.has_focus = !self->cpus.has_focus;
}

static bool action(struct view *view, enum action what)
{
	struct event_view *self = (struct event_view *)view;

	if (what == ACTION_LEFT || what == ACTION_RIGHT) {
		focus(view, what == ACTION_RIGHT ? &self->cpus : &view->table);
		return true;
	}
	return self->cpus.has_focus && table_action(&self->cpus, what);
}

/* Of the tasks, and not what nobody is known to have made. */
static bool can_enter(const struct view *view)
{
	const struct event_view *self = (const struct event_view *)view;

	return !self->cpus.has_focus && !is_unseen(self, table_row(&view->table));
}

static struct view *into(struct view *view)
{
	return view_task_new(view->snap, part_at(view, table_row(&view->table))->task,
			     view->is_ascii);
}

static uint32_t which_event(const struct view *view)
{
	const struct event_view *self = (const struct event_view *)view;

	return self->event ? self->at : VIEW_NO_EVENT;
}

static const char *crumb(const struct view *view)
{
	return ((const struct event_view *)view)->name;
}

static void fini(struct view *view)
{
	struct event_view *self = (struct event_view *)view;

	table_fini(&self->cpus);
	free(self->parts);
	free(self->name);
}

static const enum action hints[] = {
	ACTION_ENTER,	  ACTION_LEFT,	 ACTION_RIGHT, ACTION_FILTER, ACTION_SORT_PREV,
	ACTION_SORT_NEXT, ACTION_FREEZE, ACTION_SAVE,  ACTION_TOGGLE, ACTION_NONE,
};

static const struct view_ops ops = {
	.name = "event",
	.title = "Event",
	.size = sizeof(struct event_view),
	.table = &task_table,
	.sort = "rate",
	.hints = hints,
	.enter = "into task",
	.take = take,
	.draw = draw,
	.lines = lines,
	.action = action,
	.focus = focus,
	.can_enter = can_enter,
	.into = into,
	.event = which_event,
	.crumb = crumb,
	.fini = fini,
};

struct view *view_event_new(const char *name, uint32_t at, bool is_ascii)
{
	struct view *view = view_new(&ops, is_ascii);
	struct event_view *self = (struct event_view *)view;

	self->name = xstrdup(name);
	self->at = at;
	table_init(&self->cpus, event_cpu_table(), view);
	self->cpus.has_focus = false;
	return view;
}
