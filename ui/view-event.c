/* SPDX-License-Identifier: MIT */
/*
 * One event: its figures, the tasks that cause it, its CPUs, where its samples were, and the newest.
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
 * Tasks are on the left, CPUs and symbols on the right, below each other or on a wide screen side by
 * side; on a narrow one all are below each other.  Left and Right choose which of them the keys move.
 */
#include "ui/view.h"

#include "base/xalloc.h"
#include "ui/event-cells.h"
#include "ui/task-cells.h"
#include "ui/view-event-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_BY_SIDE  92  /* columns from which two tables fit, */
#define THREE_WIDE    140 /* and from which all three do */
#define CPUS_WIDTH    48  /* of them for the CPUs */
#define SYMBOLS_WIDTH 46  /* and, if there is no more room, for the symbols */
#define TABLE_LEAST   3	  /* lines of one that is shown */
#define SUMMARY_LINES 3
#define TREND_LEAST   12

/* --- the tables ------------------------------------------------------------------------------- */

enum { TABLE_TASKS, TABLE_CPUS, TABLE_SYMBOLS, TABLES };

/* Without symbols the last one is left out. */
static bool has_symbols(const struct event_view *self)
{
	return self->event != NULL && self->event->has_code;
}

static int ntables(const struct event_view *self)
{
	return has_symbols(self) ? TABLES : TABLE_SYMBOLS;
}

static struct table *table_at(struct event_view *self, int at)
{
	struct table *const tables[TABLES] = { &self->view.table, &self->cpus, &self->symbols };

	return tables[at];
}

static void focus(struct view *view, const struct table *table)
{
	struct event_view *self = (struct event_view *)view;

	for (int i = 0; i < TABLES; i++)
		table_at(self, i)->has_focus = table_at(self, i) == table;
}

static int focused(struct event_view *self)
{
	int at = TABLES - 1;

	while (at > 0 && !table_at(self, at)->has_focus)
		at--;
	return at;
}

/* --- taking a snapshot ------------------------------------------------------------------------ */

static void add_part(struct event_view *self, const struct snap_task *task)
{
	for (size_t i = 0; i < task->nevents; i++)
		if (task->events[i].event == self->ref.at)
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
		.event = self->ref.at,
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

	self->event = event_ref_find(&self->ref, snap);
	self->nparts = 0;
	self->parts = xreallocarray(self->parts, snap->ntasks + 3, sizeof(*self->parts));
	for (size_t i = 0; self->event && i < snap->ntasks; i++)
		add_part(self, &snap->tasks[i]);
	if (self->event) {
		add_part(self, &snap->rest);
		add_unseen(self);
	}
	symbol_list_set(&self->list, self->event ? self->event->symbols : NULL,
			self->event ? self->event->nsymbols : 0);
	if (self->symbols.has_focus && !has_symbols(self))
		focus(view, &view->table);
	table_update(&view->table);
	table_update(&self->cpus);
	table_update(&self->symbols);
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
		draw_left(&pen, event->state == EVENT_STATE_OFF	  ? "switched off" :
				event->state == EVENT_STATE_LATER ? "not opened yet" :
								    "could not be opened");
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

/* --- the place of each table ------------------------------------------------------------------ */

struct place {
	struct table *table;
	struct rect at;
};

/*
 * Tables one above the other: the main one gets what the others leave, each of which gets at most
 * its part if not all rows fit.  Where there is no room for all, those without the keys are left
 * out, the last ones first.
 */
static void stack(struct place *places, int n, int main, struct rect at)
{
	int left = n, rest = at.height, all = 0;

	for (int i = n - 1; i >= 0; i--) {
		bool is_out = left > 1 && at.height < left * TABLE_LEAST &&
			      !places[i].table->has_focus;

		places[i].at = at;
		places[i].at.height = is_out ? 0 : 1;
		left -= is_out;
		all += is_out ? 0 : table_lines(places[i].table) + 1;
	}
	while (places[main].at.height == 0)
		main = (main + 1) % n;
	for (int i = 0; i < n; i++) {
		int wanted = table_lines(places[i].table) + 1;
		int most = all <= at.height ? wanted : at.height / left;

		if (i == main || places[i].at.height == 0)
			continue;
		places[i].at.height = wanted < most ? wanted : most;
		rest -= places[i].at.height;
	}
	places[main].at.height = rest;
	for (int i = 1; i < n; i++)
		places[i].at.y = places[i - 1].at.y + places[i - 1].at.height;
}

/* Side by side as far as they fit. */
static void place_tables(const struct event_view *self, struct place places[TABLES], struct rect at)
{
	int n = ntables(self), spare = at.width - THREE_WIDE;
	struct rect right = at;

	if (at.width < SIDE_BY_SIDE) {
		stack(places, n, TABLE_TASKS, at);
		return;
	}
	right.width = CPUS_WIDTH;
	if (n == TABLES && spare >= 0)
		right.width += SYMBOLS_WIDTH + 2 + spare / 2;
	right.x += at.width - right.width;
	at.width -= right.width + 2;
	places[TABLE_TASKS].at = at;
	if (n < TABLES || spare < 0) {
		stack(&places[TABLE_CPUS], n - 1, n - 2, right);
		return;
	}
	places[TABLE_CPUS].at = places[TABLE_SYMBOLS].at = right;
	places[TABLE_CPUS].at.width = CPUS_WIDTH;
	places[TABLE_SYMBOLS].at.x += CPUS_WIDTH + 2;
	places[TABLE_SYMBOLS].at.width -= CPUS_WIDTH + 2;
}

static void draw_tables(struct event_view *self, struct canvas *canvas, struct rect at)
{
	struct place places[TABLES] = { 0 };

	for (int i = 0; i < TABLES; i++)
		places[i].table = table_at(self, i);
	place_tables(self, places, at);
	for (int i = 0; i < ntables(self); i++)
		table_draw(places[i].table, canvas, places[i].at, self->view.is_ascii);
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
	int tasks = table_lines(&view->table) + 1, others = table_lines(&self->cpus) + 1, tables;
	int above = SUMMARY_LINES + 2;

	if (has_symbols(self))
		others += table_lines(&self->symbols) + 1;
	tables = columns < SIDE_BY_SIDE ? tasks + others : tasks > others ? tasks : others;
	/* Fields get a quarter of all: enough for eight lines. */
	return above + tables + 9 < 32 ? 32 : above + tables + 9;
}

/* --- the rest --------------------------------------------------------------------------------- */

static bool action(struct view *view, enum action what)
{
	struct event_view *self = (struct event_view *)view;
	int at = focused(self);

	if (what == ACTION_LEFT || what == ACTION_RIGHT) {
		at += what == ACTION_RIGHT ? 1 : -1;
		if (at >= 0 && at < ntables(self))
			focus(view, table_at(self, at));
		return true;
	}
	if (symbol_list_action(&self->list, what)) {
		table_rehide(&self->symbols);
		return true;
	}
	if (at == TABLE_TASKS)
		return false;
	if (what == ACTION_BACK)
		return table_unmark(table_at(self, at));
	return table_action(table_at(self, at), what);
}

static bool is_on(const struct view *view, enum action toggle)
{
	return symbol_list_is_on(&event_view_of(view)->list, toggle);
}

/* Into a task that is known, and to the callers of a symbol. */
static bool can_enter(const struct view *view)
{
	const struct event_view *self = event_view_of(view);
	size_t symbol = table_row(&self->symbols);

	if (self->symbols.has_focus)
		return symbol != TABLE_NO_ROW && symbol_list_at(&self->list, symbol)->ncallers > 0;
	return !self->cpus.has_focus && !event_is_unseen(self, table_row(&view->table));
}

static struct view *into(struct view *view)
{
	const struct event_view *self = event_view_of(view);

	if (self->symbols.has_focus)
		return view_callers_new(self->ref.name, self->ref.at,
					symbol_list_at(&self->list, table_row(&self->symbols)),
					view->is_ascii);
	return view_task_new(view->snap, self->parts[table_row(&view->table)].task, view->is_ascii);
}

static uint32_t which_event(const struct view *view)
{
	const struct event_view *self = (const struct event_view *)view;

	return self->event ? self->ref.at : VIEW_NO_EVENT;
}

static struct view_subject subject(const struct view *view)
{
	const struct event_view *self = event_view_of(view);

	return (struct view_subject){ .event = self->ref.name, .at = self->ref.at };
}

static const char *crumb(const struct view *view)
{
	return event_view_of(view)->ref.name;
}

static void fini(struct view *view)
{
	struct event_view *self = (struct event_view *)view;

	table_fini(&self->cpus);
	table_fini(&self->symbols);
	free(self->parts);
	event_ref_fini(&self->ref);
}

static const enum action hints[] = {
	ACTION_ENTER,	  ACTION_LEFT,	 ACTION_RIGHT, ACTION_FILTER, ACTION_SORT_PREV,
	ACTION_SORT_NEXT, ACTION_FREEZE, ACTION_SAVE,  ACTION_TOGGLE, ACTION_NONE,
};

static const struct view_ops *event_ops(void)
{
	static struct view_ops ops = {
		.name = "event",
		.title = "Event",
		.size = sizeof(struct event_view),
		.sort = "rate",
		.hints = hints,
		.enter = "details",
		.take = take,
		.draw = draw,
		.lines = lines,
		.action = action,
		.is_on = is_on,
		.focus = focus,
		.can_enter = can_enter,
		.into = into,
		.event = which_event,
		.crumb = crumb,
		.subject = subject,
		.fini = fini,
	};

	ops.table = event_task_table();
	ops.toggles = symbol_toggles();
	return &ops;
}

struct view *view_event_new(const char *name, uint32_t at, bool is_ascii)
{
	struct view *view = view_new(event_ops(), is_ascii);
	struct event_view *self = (struct event_view *)view;
	char ignored[128];

	event_ref_set(&self->ref, name, at);
	table_init(&self->cpus, event_cpu_table(), view);
	table_init(&self->symbols, symbol_table(), &self->list);
	table_sort_by(&self->symbols, "share", ignored, sizeof(ignored));
	focus(view, &view->table);
	return view;
}
