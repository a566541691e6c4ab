/* SPDX-License-Identifier: MIT */
/*
 * Columns: which of a view's columns are shown, and in which order.  What is chosen applies at once.
 */
#include "ui/view.h"

#include "base/xalloc.h"
#include "ui/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With so many lines for the view, those below the table for the keys. */
#define HIGH_LEAST 8
#define HIGH_TEXT  3
#define ROW_FIRST  0 /* of the column that is always first */
#define RESET	   "as at first"

struct columns_view {
	struct view view;
	struct view *of; /* borrowed: one with a tab, which outlives this */
	size_t *places;	 /* [count] its columns after the first, by place in its ops, in order */
	bool *is_shown;	 /* [count] */
	size_t count;
	int width; /* of the screen */
	char crumb[VIEW_CRUMB_MAX];
};

static const struct table_ops *ops_of(const struct columns_view *self)
{
	return self->of->ops->table;
}

/* --- rows: the first column, the others, and one that brings back the view's own choice --------- */

static bool is_reset(const struct columns_view *self, size_t row)
{
	return row == self->count + 1;
}

static size_t rows(const void *data)
{
	return ((const struct columns_view *)data)->count + 2;
}

/* NULL: the row is no column's. */
static const struct column *column_at(const struct columns_view *self, size_t row)
{
	if (is_reset(self, row))
		return NULL;
	return &ops_of(self)->columns[row == ROW_FIRST ? 0 : self->places[row - 1]];
}

static uint64_t id(const void *data, size_t row)
{
	const struct columns_view *self = data;

	return row == ROW_FIRST || is_reset(self, row) ? row : self->places[row - 1];
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct columns_view *self = data;
	const struct column *column = column_at(self, row);

	if (column != NULL)
		snprintf(out, room, "%s %s", column->name, table_title(&self->of->table, column));
	else
		snprintf(out, room, "%s", RESET);
}

/* --- columns ------------------------------------------------------------------------------------ */

static void draw_title(const void *data, size_t row, const struct pen *pen)
{
	const struct columns_view *self = data;
	const struct column *column = column_at(self, row);

	draw_left(pen, column != NULL ? table_title(&self->of->table, column) : RESET);
}

static bool has_room(const struct columns_view *self, const struct column *column)
{
	return table_cells(&self->of->table, column->name, self->width) > 0;
}

static void draw_state(const void *data, size_t row, const struct pen *pen)
{
	const struct columns_view *self = data;
	const struct column *column = column_at(self, row);
	struct pen copy = draw_in_role(pen, ROLE_DIM);

	if (row == ROW_FIRST) {
		draw_left(&copy, "always");
	} else if (column != NULL && !self->is_shown[row - 1]) {
		draw_left(&copy, "hidden");
	} else if (column != NULL && has_room(self, column)) {
		copy.role = ROLE_GOOD;
		draw_left(&copy, "shown");
	} else if (column != NULL) {
		copy.role = ROLE_WARN;
		draw_left(&copy, "no room");
	}
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	const struct column *column = column_at(data, row);

	if (column != NULL)
		draw_left(pen, column->name);
}

/* What the view's selected row has there. */
static void draw_now(const void *data, size_t row, const struct pen *pen)
{
	const struct columns_view *self = data;
	const struct table *table = &self->of->table;
	const struct column *column = column_at(self, row);
	size_t selected = table_row(table);

	if (column != NULL && selected != TABLE_NO_ROW)
		table_draw_cell(table, selected, column, pen);
}

static const struct column columns[] = {
	{ "column", "COLUMN", 8, 14, .most = 20, .draw = draw_title },
	{ "state", "STATE", 7, 7, .draw = draw_state },
	{ "name", "NAME", 8, 14, .most = 20, .drop = 1, .draw = draw_name },
	{ "now", "IN THE SELECTED ROW", 19, 19, .most = 40, .drop = 2, .draw = draw_now },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
};

/* --- choosing ----------------------------------------------------------------------------------- */

static void apply(struct columns_view *self)
{
	size_t *chosen = xcalloc(self->count + 1, sizeof(*chosen));
	size_t count = 0;

	for (size_t i = 0; i < self->count; i++) {
		if (self->is_shown[i])
			chosen[count++] = self->places[i];
	}
	table_choose_these(&self->of->table, chosen, count);
	free(chosen);
}

static bool is_among(const size_t *list, size_t count, size_t value)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] == value)
			return true;
	}
	return false;
}

/* Those that are shown in their order, then the others in the view's own. */
static void load(struct columns_view *self)
{
	size_t count = table_chosen(&self->of->table, self->places);
	size_t shown = count;

	for (size_t place = 1; place <= self->count; place++) {
		if (!is_among(self->places, shown, place))
			self->places[count++] = place;
	}
	for (size_t i = 0; i < self->count; i++)
		self->is_shown[i] = i < shown;
}

/* All of them, in the view's own order. */
static void reset(struct columns_view *self)
{
	for (size_t i = 0; i < self->count; i++) {
		self->places[i] = i + 1;
		self->is_shown[i] = true;
	}
	apply(self);
	table_update(&self->view.table);
}

static void enter(struct columns_view *self, size_t row)
{
	if (is_reset(self, row)) {
		reset(self);
	} else if (row != ROW_FIRST) {
		self->is_shown[row - 1] = !self->is_shown[row - 1];
		apply(self);
	}
}

/* Swap the columns of two rows; the cursor stays on the first one's. */
static void move(struct columns_view *self, size_t row, size_t to)
{
	size_t place = self->places[row - 1];
	bool is_shown = self->is_shown[row - 1];

	self->places[row - 1] = self->places[to - 1];
	self->is_shown[row - 1] = self->is_shown[to - 1];
	self->places[to - 1] = place;
	self->is_shown[to - 1] = is_shown;
	apply(self);
	table_select(&self->view.table, place);
}

static bool is_movable(const struct columns_view *self, size_t row)
{
	return row != ROW_FIRST && !is_reset(self, row);
}

static bool act(struct view *view, enum action action)
{
	struct columns_view *self = (struct columns_view *)view;
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW ||
	    (action != ACTION_ENTER && action != ACTION_LEFT && action != ACTION_RIGHT))
		return false;
	if (action == ACTION_ENTER)
		enter(self, row);
	else if (action == ACTION_LEFT && is_movable(self, row) && is_movable(self, row - 1))
		move(self, row, row - 1);
	else if (action == ACTION_RIGHT && is_movable(self, row) && is_movable(self, row + 1))
		move(self, row, row + 1);
	return true;
}

/* --- drawing ------------------------------------------------------------------------------------ */

/* "Enter shows or hides the column; Left moves it to the left; ..." */
static void draw_keys(const struct canvas *canvas, const struct pen *pen, int lines)
{
	static const struct {
		enum action action;
		const char *does;
	} keys[] = {
		{ ACTION_ENTER, "shows or hides the column" },
		{ ACTION_LEFT, "moves it to the left" },
		{ ACTION_RIGHT, "to the right" },
		{ ACTION_WRITE, "writes it to the configuration" },
		{ ACTION_BACK, "goes back" },
	};
	char words[512], key[KEY_NAME_MAX];
	size_t len = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && len < sizeof(words); i++) {
		if (keys_first_name(canvas->keys, keys[i].action, key)[0] == '\0')
			continue;
		len += (size_t)snprintf(words + len, sizeof(words) - len, "%s%s %s",
					len > 0 ? "; " : "", key, keys[i].does);
	}
	if (len > 0)
		draw_wrapped(pen, lines, words);
}

static void draw(struct view *view, struct canvas *canvas, struct rect at)
{
	struct columns_view *self = (struct columns_view *)view;

	self->width = at.width;
	struct rect below =
		view_draw_table(view, canvas, at, at.height >= HIGH_LEAST ? HIGH_TEXT : 0);
	struct pen pen = { .canvas = canvas,
			   .x = below.x,
			   .y = below.y + 1,
			   .width = below.width,
			   .role = ROLE_DIM,
			   .is_ascii = view->is_ascii };

	if (below.height > 1)
		draw_keys(canvas, &pen, below.height - 1);
}

static int lines(struct view *view, int width)
{
	(void)width;
	return table_lines(&view->table) + HIGH_TEXT;
}

/* --- life --------------------------------------------------------------------------------------- */

static const char *crumb(const struct view *view)
{
	return ((const struct columns_view *)view)->crumb;
}

static void fini(struct view *view)
{
	struct columns_view *self = (struct columns_view *)view;

	free(self->places);
	free(self->is_shown);
}

static const enum action hints[] = { ACTION_ENTER, ACTION_FILTER, ACTION_WRITE, ACTION_NONE };

const struct view_ops *view_columns(void)
{
	static const struct view_ops ops = {
		.name = "columns",
		.title = "Columns",
		.size = sizeof(struct columns_view),
		.table = &table,
		.hints = hints,
		.enter = "show/hide",
		.draw = draw,
		.lines = lines,
		.action = act,
		.crumb = crumb,
		.fini = fini,
	};

	return &ops;
}

struct view *view_columns_new(struct view *of, bool is_ascii)
{
	struct view *view = view_new(view_columns(), is_ascii);
	struct columns_view *self = (struct columns_view *)view;

	self->of = of;
	self->count = ops_of(self)->ncolumns - 1;
	self->places = xcalloc(self->count + 1, sizeof(*self->places));
	self->is_shown = xcalloc(self->count + 1, sizeof(*self->is_shown));
	snprintf(self->crumb, sizeof(self->crumb), "Columns of %s", of->ops->title);
	load(self);
	table_update(&view->table);
	return view;
}
