/* SPDX-License-Identifier: MIT */
/*
 * Symbols: where the samples of an event were.  At first those of the symbol event; Left and Right
 * go to the other events that have symbols.
 */
#include "ui/view.h"

#include "ui/event-ref.h"
#include "ui/keys.h"
#include "ui/symbol-table.h"

#include <stddef.h>
#include <stdio.h>

struct symbols_view {
	struct view view;
	struct symbol_list list; /* of view.table */
	struct event_ref chosen;
	const struct snap_event *event; /* in view.snap; NULL: none has symbols */
};

static struct symbols_view *self_of(struct view *view)
{
	return (struct symbols_view *)view;
}

/* --- the event -------------------------------------------------------------------------------- */

static const struct snap_event *symbol_event(const struct snapshot *snap)
{
	const struct snap_event *first = NULL;

	for (size_t i = 0; i < snap->nevents; i++) {
		if (snap->events[i].is_symbol_event)
			return &snap->events[i];
		if (first == NULL && snap->events[i].has_code)
			first = &snap->events[i];
	}
	return first;
}

static void take(struct view *view)
{
	struct symbols_view *self = self_of(view);
	const struct snapshot *snap = view->snap;

	self->event = event_ref_find(&self->chosen, snap);
	if (self->event == NULL || !self->event->has_code)
		self->event = symbol_event(snap);
	if (self->event != NULL)
		symbol_list_set(&self->list, self->event->symbols, self->event->nsymbols);
	else
		symbol_list_set(&self->list, NULL, 0);
	table_update(&view->table);
}

/* The next one that has symbols, or the one before; NULL: there is none. */
static const struct snap_event *neighbour(const struct symbols_view *self, bool is_next)
{
	const struct snapshot *snap = self->view.snap;
	size_t at = self->event != NULL ? (size_t)(self->event - snap->events) : 0;

	while (is_next ? ++at < snap->nevents : at-- > 0) {
		if (snap->events[at].has_code)
			return &snap->events[at];
	}
	return NULL;
}

static void choose(struct symbols_view *self, bool is_next)
{
	const struct snap_event *event = self->view.snap ? neighbour(self, is_next) : NULL;

	if (event == NULL)
		return;
	event_ref_set(&self->chosen, event->name, (uint32_t)(event - self->view.snap->events));
	take(&self->view);
}

/* --- what is hidden --------------------------------------------------------------------------- */

static bool is_on(const struct view *view, enum action toggle)
{
	return symbol_list_is_on(&((const struct symbols_view *)view)->list, toggle);
}

static bool act(struct view *view, enum action action)
{
	if (action == ACTION_LEFT || action == ACTION_RIGHT)
		choose(self_of(view), action == ACTION_RIGHT);
	else if (symbol_list_action(&self_of(view)->list, action))
		table_rehide(&view->table);
	else
		return false;
	return true;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* " (Left, Right: another event)", with the keys that lead to one. */
static void draw_others(const struct symbols_view *self, struct canvas *canvas, int x, int y)
{
	const enum action ways[] = { ACTION_LEFT, ACTION_RIGHT };
	const char *between = " (";

	for (int i = 0; i < 2; i++) {
		char key[KEY_NAME_MAX];

		keys_first_name(canvas->keys, ways[i], key);
		if (key[0] == '\0' || neighbour(self, ways[i] == ACTION_RIGHT) == NULL)
			continue;
		x = canvas_put(canvas, x, y, -1, ROLE_DIM, between);
		x = canvas_put(canvas, x, y, -1, ROLE_DIM, key);
		between = ", ";
	}
	if (between[0] == ',')
		canvas_put(canvas, x, y, -1, ROLE_DIM, ": another event)");
}

/* "samples of cpu-clock (Right: another event)" */
static void draw_head(const struct symbols_view *self, struct canvas *canvas, struct rect at)
{
	int x = canvas_put(canvas, at.x + TABLE_MARGIN, at.y, -1, ROLE_DIM, "samples of ");

	x = canvas_put(canvas, x, at.y, -1, ROLE_TEXT, self->event->name);
	draw_others(self, canvas, x, at.y);
}

/* The rows do not say which event the samples are of: a line above them does. */
static void draw_view(struct view *view, struct canvas *canvas, struct rect at)
{
	const struct symbols_view *self = self_of(view);

	if (at.height >= 5 && self->event != NULL) {
		draw_head(self, canvas, at);
		at.y++;
		at.height--;
	}
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static int lines(struct view *view, int width)
{
	int wanted = table_lines(&view->table) + 1;

	(void)width;
	return wanted > 5 ? wanted : 5;
}

/* --- the rest --------------------------------------------------------------------------------- */

static const struct snap_symbol *selected(const struct view *view)
{
	const struct symbols_view *self = (const struct symbols_view *)view;

	return symbol_list_at(&self->list, table_row(&view->table));
}

/* The outermost functions have no callers, and without -g nothing has. */
static bool can_enter(const struct view *view)
{
	return selected(view)->ncallers > 0;
}

static struct view *into(struct view *view)
{
	const struct snap_event *event = self_of(view)->event;

	return view_callers_new(event->name, (uint32_t)(event - view->snap->events), selected(view),
				view->is_ascii);
}

static uint32_t which_event(const struct view *view)
{
	const struct snap_event *event = ((const struct symbols_view *)view)->event;

	return event != NULL ? (uint32_t)(event - view->snap->events) : VIEW_NO_EVENT;
}

static void fini(struct view *view)
{
	event_ref_fini(&self_of(view)->chosen);
}

static const enum action hints[] = {
	ACTION_ENTER,	  ACTION_FILTER, ACTION_HIDE_KERNEL, ACTION_HIDE_USER, ACTION_SORT_PREV,
	ACTION_SORT_NEXT, ACTION_FREEZE, ACTION_SAVE,	     ACTION_NONE,
};

const struct view_ops *view_symbols(void)
{
	static struct view_ops ops = {
		.name = "symbols",
		.title = "Symbols",
		.size = sizeof(struct symbols_view),
		.data_at = offsetof(struct symbols_view, list),
		.sort = "share",
		.hints = hints,
		.enter = "callers",
		.take = take,
		.draw = draw_view,
		.lines = lines,
		.action = act,
		.is_on = is_on,
		.can_enter = can_enter,
		.into = into,
		.event = which_event,
		.fini = fini,
	};

	ops.table = symbol_table();
	ops.toggles = symbol_toggles();
	return &ops;
}
