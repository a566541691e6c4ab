/* SPDX-License-Identifier: MIT */
/*
 * Which columns fit, and drawing them.
 *
 * The layout depends only on the width and on the machine's number of CPUs, not
 * on anything that changes from one snapshot to the next: columns never jump.
 */
#include "ui/table-inside.h"

#include "base/text.h"
#include "base/xalloc.h"
#include "ui/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACROSS_MAX 1024

/* Rows at the bottom are kept there if so many lines are left for the others. */
#define LINES_LEAST 3

/* Cells for the lines of a tree: that it wants, and that it can use. */
#define TREE_CELLS	8
#define TREE_CELLS_MOST 12

struct layout {
	int *x, *width; /* [table.ncolumns]; width 0: not shown */
	size_t *places; /* [count] of the columns, from left to right */
	size_t count;
	int margin, gap;
};

/* --- layout ----------------------------------------------------------------------------------- */

static int total_width(const struct table *table, const struct layout *layout)
{
	int total = layout->margin, shown = 0;

	for (size_t i = 0; i < table->ncolumns; i++) {
		total += layout->width[i];
		shown += layout->width[i] > 0;
	}
	return total + (shown > 1 ? (shown - 1) * layout->gap : 0);
}

/* The last that is shown, but for the first. */
static size_t last_shown(const struct layout *layout)
{
	size_t at = layout->count - 1;

	while (at > 0 && !layout->width[layout->places[at]])
		at--;
	return layout->places[at];
}

/* The one with the highest `drop`; 0 when only those with 0 are left. */
static size_t least_wanted(const struct table *table, const struct layout *layout)
{
	size_t victim = 0;

	for (size_t i = 1; i < table->ncolumns; i++)
		if (layout->width[i] && table->columns[i].drop > table->columns[victim].drop)
			victim = i;
	return victim;
}

/* Hide one: false when no more can be. */
static bool drop_one(const struct table *table, struct layout *layout)
{
	size_t victim = table_is_reordered(table) ? last_shown(layout) :
						    least_wanted(table, layout);

	if (victim == 0)
		return false;
	layout->width[victim] = 0;
	return true;
}

/* Very narrow: no margin, least widths, trailing columns hidden; the first takes the rest. */
static void squeeze(const struct table *table, struct layout *layout, int width)
{
	layout->margin = 0;
	layout->gap = 1;
	for (size_t i = 0; i < table->ncolumns; i++)
		if (layout->width[i])
			layout->width[i] = table->columns[i].least;
	for (size_t i = layout->count; i-- > 1;)
		if (total_width(table, layout) > width)
			layout->width[layout->places[i]] = 0;
	layout->width[0] += width - total_width(table, layout);
}

static int most(const struct table *table, const struct column *column)
{
	if (column == table->columns && table->is_tree)
		return column->most + TREE_CELLS_MOST;
	return column->most_now != NULL ? column->most_now(table->data) : column->most;
}

/* Share out spare cells in turn, one to each column that can use it. */
static void grow(const struct table *table, struct layout *layout, int width)
{
	int spare = width - total_width(table, layout);
	bool has_grown = true;

	/* In a tree a name is deep in its cell. */
	for (; table->is_tree && spare > 0 && layout->width[0] < most(table, table->columns);
	     spare--)
		layout->width[0]++;
	while (spare > 0 && has_grown) {
		has_grown = false;
		for (size_t i = 0; i < table->ncolumns && spare > 0; i++) {
			if (!layout->width[i] ||
			    layout->width[i] >= most(table, &table->columns[i]))
				continue;
			layout->width[i]++;
			spare--;
			has_grown = true;
		}
	}
}

/* To be given to layout_fini(). */
static struct layout lay_out(const struct table *table, int width)
{
	struct layout layout = { .margin = TABLE_MARGIN, .gap = TABLE_GAP };

	layout.x = xcalloc(table->ncolumns, sizeof(*layout.x));
	layout.width = xcalloc(table->ncolumns, sizeof(*layout.width));
	layout.places = xcalloc(table->ncolumns, sizeof(*layout.places));
	layout.count = table_places(table, layout.places);

	for (size_t i = 0; i < layout.count; i++)
		layout.width[layout.places[i]] = table->columns[layout.places[i]].width;
	layout.width[0] += table->is_tree ? TREE_CELLS : 0;
	while (total_width(table, &layout) > width && drop_one(table, &layout))
		;
	if (total_width(table, &layout) > width)
		squeeze(table, &layout, width);
	else
		grow(table, &layout, width);

	int x = layout.margin;
	for (size_t i = 0; i < layout.count; i++) {
		size_t place = layout.places[i];

		layout.x[place] = x;
		x += layout.width[place] ? layout.width[place] + layout.gap : 0;
	}
	return layout;
}

static void layout_fini(struct layout *layout)
{
	free(layout->x);
	free(layout->width);
	free(layout->places);
}

int table_cells(const struct table *table, const char *column, int width)
{
	struct layout layout = lay_out(table, width);
	int cells = 0;

	for (size_t i = 0; i < table->ncolumns; i++)
		if (strcmp(table->columns[i].name, column) == 0)
			cells = layout.width[i];
	layout_fini(&layout);
	return cells;
}

size_t table_shown(const struct table *table, size_t from, size_t to, int width)
{
	struct layout layout = lay_out(table, width);
	size_t shown = 0;

	for (size_t i = from; i < to; i++)
		shown += layout.width[i] > 0;
	layout_fini(&layout);
	return shown;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* What all parts of one drawing need. */
struct drawing {
	struct table *table;
	struct canvas *canvas;
	struct rect at;
	struct layout layout;
	bool is_ascii;
};

static struct pen column_pen(const struct drawing *d, size_t column, int y, enum role role)
{
	return (struct pen){ .canvas = d->canvas,
			     .x = d->at.x + d->layout.x[column],
			     .y = y,
			     .width = d->layout.width[column],
			     .role = role,
			     .is_ascii = d->is_ascii };
}

/* The arrow is drawn in the gap beside the title, so titles do not move. */
static void draw_arrow(const struct drawing *d, const struct pen *pen, const struct column *column)
{
	bool is_falling = column_is_number(column) != d->table->is_reversed;
	const char *arrow = draw_glyph(is_falling ? GLYPH_DOWN : GLYPH_UP, d->is_ascii);
	int wanted = (int)text_width(table_title(d->table, column));
	int cells = wanted < pen->width ? wanted : pen->width;
	int x = column_is_number(column) ? pen->x + pen->width - cells - 1 : pen->x + cells;

	if (cells < pen->width + d->layout.gap && x >= 0)
		canvas_put(d->canvas, x, pen->y, 1, ROLE_KEY, arrow);
}

static void mark(const struct drawing *d, struct rect at, enum spot_kind kind, long value)
{
	spots_mark(&d->canvas->spots, &(struct spot){ at, kind, value, d->table });
}

static void draw_titles(const struct drawing *d)
{
	const struct table *table = d->table;

	for (size_t i = 0; i < table->ncolumns; i++) {
		const struct column *column = &table->columns[i];
		bool is_sorted = table->sort == (int)i;
		struct pen pen = column_pen(d, i, d->at.y, is_sorted ? ROLE_KEY : ROLE_HEAD);

		if (!pen.width)
			continue;
		if (table_is_sortable(table, i))
			mark(d, (struct rect){ pen.x, pen.y, pen.width, 1 }, SPOT_TITLE, (long)i);
		if (column->head != NULL)
			column->head(table->data, &pen);
		else if (column_is_number(column) &&
			 text_width(table_title(table, column)) <= (size_t)pen.width)
			draw_right(&pen, table_title(table, column));
		else if (column_is_number(column))
			draw_middle(&pen, table_title(table, column));
		else
			draw_left(&pen, table_title(table, column));
		if (is_sorted)
			draw_arrow(d, &pen, column);
	}
}

void table_draw_cell(const struct table *table, size_t row, const struct column *column,
		     const struct pen *pen)
{
	if (column->draw != NULL)
		column->draw(table->data, row, pen);
	else
		table->ops->draw_alike(table->data, row, column, pen);
}

/* In place of all columns but the first. */
static void draw_beside_first(const struct drawing *d, int y, const char *words)
{
	struct pen pen = column_pen(d, 0, y, ROLE_DIM);

	pen.x += pen.width + d->layout.gap;
	pen.width = d->at.x + d->at.width - pen.x;
	draw_left(&pen, words);
}

/* Of the columns that are shown, those from `first`. */
static void draw_cells(const struct drawing *d, size_t row, size_t first, int y, enum role role)
{
	for (size_t i = first; i < d->table->ncolumns; i++) {
		struct pen pen = column_pen(d, i, y, role);

		if (pen.width)
			table_draw_cell(d->table, row, &d->table->columns[i], &pen);
	}
}

static void draw_across(const struct drawing *d, size_t row, int y, const char *words)
{
	struct pen first = column_pen(d, 0, y, ROLE_DIM);

	table_draw_cell(d->table, row, &d->table->columns[0], &first);
	draw_beside_first(d, y, words);
}

/* In the margin, and where there is none by its role only. */
static void draw_row_mark(const struct drawing *d, int y)
{
	if (d->layout.margin)
		canvas_put(d->canvas, d->at.x + 1, y, 1, ROLE_KEY,
			   draw_glyph(GLYPH_MARK, d->is_ascii));
	canvas_paint(d->canvas, d->at.x + d->layout.x[0], y, d->layout.width[0], ROLE_STRONG);
}

/* Cells in ROLE_BAD keep it in the selected row. */
static void paint_selected(const struct drawing *d, int y)
{
	const struct canvas_cell *line = canvas_line(d->canvas, y);

	for (int x = d->at.x; x < d->at.x + d->at.width && x < d->canvas->columns; x++)
		if (x >= 0 && line[x].role != ROLE_BAD)
			canvas_paint(d->canvas, x, y, 1, ROLE_SELECTED);
}

static void draw_row(const struct drawing *d, size_t index, int y)
{
	const struct table *table = d->table;
	size_t row = table->order[index];
	char words[ACROSS_MAX];

	if (y < 0 || y >= d->canvas->lines)
		return;
	if (table->ops->across && table->ops->across(table->data, row, words, sizeof(words)))
		draw_across(d, row, y, words);
	else
		draw_cells(d, row, 0, y, ROLE_TEXT);
	mark(d, (struct rect){ d->at.x, y, d->at.width, 1 }, SPOT_ROW, (long)index);
	if (table_is_marked(table, row))
		draw_row_mark(d, y);
	if (index != table->cursor || !table->has_focus)
		return;
	if (d->layout.margin)
		canvas_put(d->canvas, d->at.x, y, 1, ROLE_KEY,
			   draw_glyph(GLYPH_CURSOR, d->is_ascii));
	paint_selected(d, y);
}

/* `count` rows scroll, on `page` lines. */
static void scroll_to_cursor(struct table *table, size_t page, size_t count)
{
	table->page = page;
	table->nscroll = count;
	if (table->top + page > count)
		table->top = count > page ? count - page : 0;
	if (table->cursor < table->top)
		table->top = table->cursor;
	if (table->cursor >= table->top + page && table->cursor < count)
		table->top = table->cursor - page + 1;
}

/* For words in place of rows. */
static struct pen words_pen(const struct drawing *d, int y)
{
	return (struct pen){ .canvas = d->canvas,
			     .x = d->at.x + d->layout.margin,
			     .y = y,
			     .width = d->at.width - d->layout.margin,
			     .role = ROLE_DIM,
			     .is_ascii = d->is_ascii };
}

static void draw_empty(const struct drawing *d, int y)
{
	char drop[ACROSS_MAX], key[KEY_NAME_MAX];
	const struct table_ops *ops = d->table->ops;
	bool is_hidden = ops->all_hidden != NULL && ops->rows(d->table->data) > 0;
	const char *words = is_hidden ? ops->all_hidden : ops->empty;
	struct pen pen = words_pen(d, y);

	if (d->table->filter) {
		keys_first_name(d->canvas->keys, ACTION_BACK, key);
		snprintf(drop, sizeof(drop),
			 key[0] ? "no row matches the filter (%s drops it)" :
				  "no row matches the filter",
			 key);
		words = drop;
	}
	draw_left(&pen, words != NULL ? words : "nothing here");
}

/* "(6 events at 0: a shows them)" */
static void draw_quiet(const struct drawing *d, int y)
{
	char words[ACROSS_MAX], key[KEY_NAME_MAX];
	struct pen pen = words_pen(d, y);

	keys_first_name(d->canvas->keys, ACTION_ALL, key);
	snprintf(words, sizeof(words), key[0] ? "(%zu %s: %s shows them)" : "(%zu %s)",
		 d->table->nquiet, d->table->ops->quiet, key);
	draw_left(&pen, words);
	mark(d, (struct rect){ d->at.x, y, d->at.width, 1 }, SPOT_KEY,
	     keys_first(d->canvas->keys, ACTION_ALL));
}

/* What the marked rows add up to, in the columns of the rows. */
static void draw_sum(const struct drawing *d, int y)
{
	const struct table *table = d->table;
	size_t sum = table->ops->rows(table->data);
	char words[ACROSS_MAX];
	struct pen first = column_pen(d, 0, y, ROLE_KEY);

	table_marks_text(table, words, sizeof(words));
	draw_left(&first, words);
	if (table->ops->across && table->ops->across(table->data, sum, words, sizeof(words)))
		draw_beside_first(d, y, words);
	else
		draw_cells(d, sum, 1, y, ROLE_STRONG);
}

void table_draw(struct table *table, struct canvas *canvas, struct rect at, bool is_ascii)
{
	if (at.width <= 0 || at.height <= 0)
		return;
	struct drawing d = { .table = table, .canvas = canvas, .at = at, .is_ascii = is_ascii };
	bool has_titles = at.height > 1;

	d.layout = lay_out(table, at.width);
	mark(&d, at, SPOT_TABLE, 0);
	if (has_titles)
		draw_titles(&d);
	bool has_quiet = table->nquiet > 0 && at.height > 3;
	bool has_sum = table->nmarked > 0 && at.height > 3 + has_quiet;
	size_t page = (size_t)(at.height - has_titles - has_quiet - has_sum);
	size_t last = table->nlast + LINES_LEAST <= page ? table->nlast : 0;
	size_t count = table->norder - last;

	scroll_to_cursor(table, page - last, count);
	if (table->norder == 0)
		draw_empty(&d, at.y + has_titles);
	int y = at.y + has_titles;
	for (size_t i = 0; i < page - last && table->top + i < count; i++)
		draw_row(&d, table->top + i, y++);
	for (size_t i = 0; i < last; i++)
		draw_row(&d, count + i, y++);
	if (has_sum)
		draw_sum(&d, y++);
	if (has_quiet)
		draw_quiet(&d, y);
	layout_fini(&d.layout);
}
