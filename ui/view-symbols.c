/* SPDX-License-Identifier: MIT */
/*
 * Symbols: where the sampled event happens.
 */
#include "ui/view.h"

#include "ui/event-cells.h"
#include "ui/keys.h"

#include <math.h>
#include <stdio.h>

struct symbols_view {
	struct view view;
	bool no_kernel, no_user; /* not both */
	struct snap_symbol sum;	 /* of those marked */
};

static const struct snap_symbol *symbol_at(const void *data, size_t row)
{
	const struct symbols_view *self = data;

	return row < self->view.snap->nsymbols ? &self->view.snap->symbols[row] : &self->sum;
}

static size_t rows(const void *data)
{
	const struct view *view = data;

	return view->snap ? view->snap->nsymbols : 0;
}

static uint64_t id(const void *data, size_t row)
{
	const struct snap_symbol *symbol = symbol_at(data, row);

	return event_id(symbol->symbol) * 31 + event_id(symbol->module);
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_symbol *symbol = symbol_at(data, row);

	snprintf(out, room, "%s %s", symbol->symbol, symbol->module);
}

static bool is_hidden(const void *data, size_t row)
{
	const struct symbols_view *self = data;

	return symbol_at(data, row)->is_user ? self->no_user : self->no_kernel;
}

/*
 * The longest bar is the largest share, also of those that are hidden: at 12 % of full length bars
 * could not be compared.
 */
static double largest(const struct snapshot *snap)
{
	double most = 0;

	for (size_t i = 0; i < snap->nsymbols; i++)
		most = fmax(most, snap->symbols[i].share);
	return most;
}

static const char *symbol_name(const void *data, size_t row)
{
	return symbol_at(data, row)->symbol;
}

static void draw_symbol(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, symbol_at(data, row)->symbol);
}

static double share(const void *data, size_t row)
{
	return symbol_at(data, row)->share;
}

static void draw_share_of(const void *data, size_t row, const struct pen *pen)
{
	draw_share(pen, symbol_at(data, row)->share, MARK_NONE);
}

static void draw_bar_of(const void *data, size_t row, const struct pen *pen)
{
	const struct view *view = data;
	struct pen bar = *pen;

	bar.role = ROLE_HEAT2;
	if (symbol_at(data, row)->share > 0)
		draw_bar(&bar, symbol_at(data, row)->share / largest(view->snap));
}

static const char *module(const void *data, size_t row)
{
	return symbol_at(data, row)->module;
}

static void draw_module(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, symbol_at(data, row)->module);
}

static const struct column columns[] = {
	{ "symbol", "SYMBOL", 3, 24, .most = 60, .draw = draw_symbol, .text = symbol_name },
	{ "share", "SHARE", 6, 6, .draw = draw_share_of, .number = share, .is_share = true },
	{ "bar", "", 10, 10, .most = 40, .drop = 2, .draw = draw_bar_of },
	{ "module", "MODULE", 10, 12, .most = 24, .drop = 1, .draw = draw_module, .text = module },
};

static void sum(void *data, const size_t *marked, size_t count)
{
	struct symbols_view *self = data;

	self->sum = (struct snap_symbol){ .symbol = "", .module = "" };
	for (size_t i = 0; i < count; i++)
		self->sum.share += symbol_at(data, marked[i])->share;
}

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.is_hidden = is_hidden,
	.sum = sum,
	.all_hidden = "no symbol of the kind that is shown",
	.empty = "no sample yet: symbols come from an event that is sampled",
};

void view_symbols_hide(struct view *view, bool kernel, bool user)
{
	struct symbols_view *self = (struct symbols_view *)view;

	self->no_kernel = kernel;
	self->no_user = user;
	table_rehide(&view->table);
}

/* Hiding one of them shows the other. */
static bool act(struct view *view, enum action action)
{
	const struct symbols_view *self = (const struct symbols_view *)view;

	if (action == ACTION_HIDE_KERNEL)
		view_symbols_hide(view, !self->no_kernel, false);
	else if (action == ACTION_HIDE_USER)
		view_symbols_hide(view, false, !self->no_user);
	else
		return false;
	return true;
}

static const enum action toggles[] = { ACTION_HIDE_KERNEL, ACTION_HIDE_USER, ACTION_NONE };

static bool is_on(const struct view *view, enum action toggle)
{
	const struct symbols_view *self = (const struct symbols_view *)view;

	return toggle == ACTION_HIDE_KERNEL ? self->no_kernel : self->no_user;
}

/* "samples of cpu-clock, the kernel hidden (K shows it)" */
static void draw_head(const struct symbols_view *self, struct canvas *canvas, struct rect at)
{
	enum action shows = self->no_kernel ? ACTION_HIDE_KERNEL : ACTION_HIDE_USER;
	char key[KEY_NAME_MAX], hidden[KEY_NAME_MAX + 48];
	int x = canvas_put(canvas, at.x + TABLE_MARGIN, at.y, -1, ROLE_DIM, "samples of ");

	x = canvas_put(canvas, x, at.y, -1, ROLE_TEXT, self->view.snap->symbol_event);
	if (!self->no_kernel && !self->no_user)
		return;
	keys_first_name(canvas->keys, shows, key);
	snprintf(hidden, sizeof(hidden), key[0] ? ", %s hidden (%s shows it)" : ", %s hidden",
		 self->no_kernel ? "the kernel" : "user code", key);
	canvas_put(canvas, x, at.y, -1, ROLE_DIM, hidden);
}

/* The rows do not say which event the samples are of: a line above them does. */
static void draw_view(struct view *view, struct canvas *canvas, struct rect at)
{
	bool has_line = at.height >= 5 && view->snap && view->snap->symbol_event;

	if (has_line) {
		draw_head((const struct symbols_view *)view, canvas, at);
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

/* User code and the outermost functions have no callers, and without -g nothing has. */
static bool can_enter(const struct view *view)
{
	return symbol_at(view, table_row(&view->table))->ncallers > 0;
}

static struct view *into(struct view *view)
{
	return view_callers_new(symbol_at(view, table_row(&view->table)), view->is_ascii);
}

static const enum action hints[] = {
	ACTION_ENTER,	  ACTION_FILTER, ACTION_HIDE_KERNEL, ACTION_HIDE_USER, ACTION_SORT_PREV,
	ACTION_SORT_NEXT, ACTION_FREEZE, ACTION_SAVE,	     ACTION_NONE,
};

const struct view_ops *view_symbols(void)
{
	static const struct view_ops ops = {
		.name = "symbols",
		.title = "Symbols",
		.size = sizeof(struct symbols_view),
		.table = &table,
		.sort = "share",
		.hints = hints,
		.enter = "callers",
		.draw = draw_view,
		.lines = lines,
		.action = act,
		.toggles = toggles,
		.is_on = is_on,
		.can_enter = can_enter,
		.into = into,
	};

	return &ops;
}
