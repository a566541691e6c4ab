/* SPDX-License-Identifier: MIT */
/*
 * Symbols: where the sampled event happens.
 */
#include "ui/view.h"

#include "ui/event-cells.h"

#include <math.h>
#include <stdio.h>

static const struct snap_symbol *symbol_at(const void *data, size_t row)
{
	return &((const struct view *)data)->snap->symbols[row];
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

/* The longest bar is the largest share: at 12 % of full length bars could not be compared. */
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

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.empty = "no sample yet: symbols come from an event that is sampled",
};

/* The rows do not say which event the samples are of: a line above them does. */
static void draw_view(struct view *view, struct canvas *canvas, struct rect at)
{
	bool has_line = at.height >= 5 && view->snap && view->snap->symbol_event;

	if (has_line) {
		int x = canvas_put(canvas, at.x + TABLE_MARGIN, at.y, -1, ROLE_DIM, "samples of ");

		canvas_put(canvas, x, at.y, -1, ROLE_TEXT, view->snap->symbol_event);
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
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_NONE,
};

const struct view_ops *view_symbols(void)
{
	static const struct view_ops ops = {
		.name = "symbols",
		.title = "Symbols",
		.size = sizeof(struct view),
		.table = &table,
		.sort = "share",
		.hints = hints,
		.enter = "callers",
		.draw = draw_view,
		.lines = lines,
		.can_enter = can_enter,
		.into = into,
	};

	return &ops;
}
