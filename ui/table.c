/* SPDX-License-Identifier: MIT */
#include "ui/table-inside.h"

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void table_init(struct table *table, const struct table_ops *ops, void *data)
{
	*table = (struct table){ .ops = ops,
				 .data = data,
				 .columns = ops->columns,
				 .ncolumns = ops->ncolumns,
				 .sort = TABLE_SORT_NONE,
				 .has_focus = true,
				 .page = 1 };
}

void table_fini(struct table *table)
{
	filter_free(table->filter);
	free(table->order);
	free(table->levels);
	free(table->branches);
	free(table->marks);
	free(table->chosen);
	*table = (struct table){ 0 };
}

size_t table_row(const struct table *table)
{
	return table->cursor < table->norder ? table->order[table->cursor] : TABLE_NO_ROW;
}

/* --- cursor ----------------------------------------------------------------------------------- */

static void set_cursor(struct table *table, size_t index)
{
	table->cursor = index < table->norder ? index : table->norder ? table->norder - 1 : 0;
	if (table->norder)
		table->cursor_id = table->ops->id(table->data, table->order[table->cursor]);
}

/* The index of the cursor's row; of several with its identity, the nearest to its last place. */
static size_t find_cursor(const struct table *table)
{
	size_t found = TABLE_NO_ROW, best = SIZE_MAX;

	for (size_t i = 0; i < table->norder; i++) {
		size_t away = i > table->cursor ? i - table->cursor : table->cursor - i;

		if (away < best &&
		    table->ops->id(table->data, table->order[i]) == table->cursor_id) {
			best = away;
			found = i;
		}
	}
	return found;
}

/* Move order[from] to order[to] and shift those in between. */
static void shift_row(struct table *table, size_t from, size_t to)
{
	size_t row = table->order[from];
	size_t *order = table->order;

	if (from < to)
		memmove(order + from, order + from + 1, (to - from) * sizeof(*order));
	else
		memmove(order + to + 1, order + to, (from - to) * sizeof(*order));
	order[to] = row;
}

static bool is_in_order_given(const struct table *table)
{
	return table->sort == TABLE_SORT_NONE && table->ops->interest == NULL;
}

bool table_is_plain(const struct table *table)
{
	return table->filter == NULL && is_in_order_given(table) && !table->is_reversed;
}

static bool is_at_end(const struct table *table)
{
	return table->ops->is_log && is_in_order_given(table) && !table->is_reversed;
}

/* Where the cursor is until the user moves it. */
static size_t first_place(const struct table *table)
{
	return is_at_end(table) && table->norder ? table->norder - 1 : 0;
}

/* A row in a tree has its place among others, so it stays on its line only by scrolling. */
static bool scrolls_to_keep(const struct table *table)
{
	return table->is_tree || is_in_order_given(table);
}

/* `is_pinned`: the cursor's row keeps its place and the others are sorted around it. */
static void rebuild(struct table *table, bool is_pinned)
{
	table_order(table);

	size_t at = table->is_placed ? find_cursor(table) : first_place(table);
	if (at == TABLE_NO_ROW) {
		set_cursor(table, table->cursor);
		return;
	}
	/* Rows came or went above it: it stays on its line. */
	if (table->is_placed && scrolls_to_keep(table))
		table->top = table->top + at > table->cursor ? table->top + at - table->cursor : 0;
	if (is_pinned && table->is_placed && !scrolls_to_keep(table)) {
		size_t place = table->cursor < table->norder ? table->cursor : table->norder - 1;

		shift_row(table, at, place);
		at = place;
	}
	set_cursor(table, at);
}

void table_update(struct table *table)
{
	rebuild(table, true);
}

void table_rehide(struct table *table)
{
	rebuild(table, false);
}

void table_select(struct table *table, uint64_t id)
{
	table->cursor_id = id;
	table->is_placed = true;
	rebuild(table, false);
}

void table_stay(struct table *table)
{
	table->is_placed = table->norder > 0;
}

/* --- actions ---------------------------------------------------------------------------------- */

static void move(struct table *table, long by)
{
	long to = (long)table->cursor + by;

	set_cursor(table, to < 0 ? 0 : (size_t)to);
	table->is_placed = true;
}

const char *table_title(const struct table *table, const struct column *column)
{
	return column->title_now != NULL ? column->title_now(table->data) : column->title;
}

bool table_is_sortable(const struct table *table, size_t column)
{
	return table->columns[column].text != NULL || column_is_number(&table->columns[column]);
}

/* Those that are not shown at any width are for those who name them. */
static bool can_step_to(const struct table *table, size_t column)
{
	return table_is_sortable(table, column) && table->columns[column].width > 0;
}

/* Wraps around; TABLE_SORT_NONE comes before the first column, as does one that is not chosen. */
static void step_sort(struct table *table, int by)
{
	size_t *places = xcalloc(table->ncolumns, sizeof(*places));
	int count = (int)table_places(table, places) + 1;
	int at = count - 1;

	while (at > 0 && places[at - 1] != (size_t)table->sort)
		at--;
	do
		at = (at + by + count) % count;
	while (at > 0 && !can_step_to(table, places[at - 1]));
	table->sort = at > 0 ? (int)places[at - 1] : TABLE_SORT_NONE;
	table->is_reversed = false;
	free(places);
	rebuild(table, false);
}

bool table_action(struct table *table, enum action action)
{
	long page = table->page > 1 ? (long)table->page - 1 : 1;

	switch (action) {
	case ACTION_UP:
		move(table, -1);
		return true;
	case ACTION_DOWN:
		move(table, 1);
		return true;
	case ACTION_PAGE_UP:
		move(table, -page);
		return true;
	case ACTION_PAGE_DOWN:
		move(table, page);
		return true;
	case ACTION_HOME:
		set_cursor(table, 0);
		table->is_placed = is_at_end(table);
		return true;
	case ACTION_END:
		move(table, (long)table->norder);
		table->is_placed = !is_at_end(table);
		return true;
	case ACTION_SORT_PREV:
		step_sort(table, -1);
		return true;
	case ACTION_SORT_NEXT:
		step_sort(table, 1);
		return true;
	case ACTION_MARK:
		if (!table_mark(table))
			return false;
		move(table, 1);
		return true;
	case ACTION_ALL:
		if (table->ops->is_quiet == NULL)
			return false;
		table->shows_quiet = !table->shows_quiet;
		rebuild(table, false);
		return true;
	case ACTION_REVERSE:
		table->is_reversed = !table->is_reversed;
		rebuild(table, false);
		return true;
	default:
		return false;
	}
}

bool table_click_row(struct table *table, size_t index)
{
	bool was_there = table->is_placed && index == table->cursor;

	set_cursor(table, index);
	table->is_placed = true;
	return was_there;
}

void table_click_title(struct table *table, size_t column)
{
	table->is_reversed = table->sort == (int)column && !table->is_reversed;
	table->sort = (int)column;
	rebuild(table, false);
}

static int find_column(const struct table *table, const char *name)
{
	for (size_t i = 0; i < table->ncolumns; i++)
		if (strcmp(table->columns[i].name, name) == 0 && table_is_sortable(table, i))
			return (int)i;
	return TABLE_SORT_NONE;
}

static void say_no_column(const struct table *table, const char *name, char *error, size_t room)
{
	struct strbuf text;
	const char *between = "";

	strbuf_init(&text);
	strbuf_puts(&text, "no column '");
	text_add_safe(&text, name);
	strbuf_puts(&text, "'; there are:");
	for (size_t i = 0; i < table->ncolumns; i++) {
		if (!can_step_to(table, i))
			continue;
		strbuf_printf(&text, "%s %s", between, table->columns[i].name);
		between = ",";
	}
	snprintf(error, room, "%s", text.text);
	strbuf_fini(&text);
}

int table_sort_by(struct table *table, const char *name, char *error, size_t room)
{
	bool is_reversed = name[0] == '-';
	int column = find_column(table, name + is_reversed);

	if (column == TABLE_SORT_NONE && strcmp(name + is_reversed, "none") != 0) {
		say_no_column(table, name + is_reversed, error, room);
		return -1;
	}
	table->sort = column;
	table->is_reversed = is_reversed;
	rebuild(table, false);
	return 0;
}

char *table_sort_text(const struct table *table, char *out, size_t room)
{
	const char *name = table->is_reversed ? "none" : "";

	if (table->sort != TABLE_SORT_NONE)
		name = table->columns[table->sort].name;
	snprintf(out, room, "%s%s", table->is_reversed ? "-" : "", name);
	return out;
}

/* --- other columns ---------------------------------------------------------------------------- */

static bool has_names_of(const struct table *table, const struct column *columns, size_t count)
{
	bool is_same = count == table->ncolumns;

	for (size_t i = 0; is_same && i < count; i++)
		is_same = strcmp(columns[i].name, table->columns[i].name) == 0;
	return is_same;
}

/* The filter knows its columns by their places. */
static void renew_filter(struct table *table)
{
	char ignored[128];
	struct filter_rows rows = table_filter_rows(table);
	struct filter *old = table->filter;

	if (old == NULL)
		return;
	table->filter = filter_new(filter_text(old), &rows, ignored, sizeof(ignored));
	filter_free(old);
}

void table_set_columns(struct table *table, const struct column *columns, size_t count)
{
	bool is_same = has_names_of(table, columns, count);
	const char *by = table->sort != TABLE_SORT_NONE ? table->columns[table->sort].name : NULL;

	table->columns = columns;
	table->ncolumns = count;
	if (is_same)
		return;
	if (by != NULL) {
		table->sort = find_column(table, by);
		table->is_reversed &= table->sort != TABLE_SORT_NONE;
	}
	renew_filter(table);
}

/* --- filter ----------------------------------------------------------------------------------- */

int table_filter(struct table *table, const char *text, char *error, size_t room)
{
	struct filter *filter = NULL;

	if (text[0]) {
		struct filter_rows rows = table_filter_rows(table);

		filter = filter_new(text, &rows, error, room);
		if (!filter)
			return -1;
	}
	filter_free(table->filter);
	table->filter = filter;
	rebuild(table, false);
	return 0;
}

const char *table_filter_text(const struct table *table)
{
	return table->filter ? filter_text(table->filter) : "";
}

int table_lines(const struct table *table)
{
	return (int)(table->norder ? table->norder : 1) + 1 + (table->nquiet > 0) +
	       (table->nmarked > 0);
}
