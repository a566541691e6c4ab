/* SPDX-License-Identifier: MIT */
#include "ui/screen-cells.h"

#include "base/text.h"

#include <string.h>
#include <wchar.h>

void screen_cells_look(struct screen_cells *cells, enum role role, attr_t attributes, short pair)
{
	wchar_t wide[2] = L"";

	cells->attributes[role] = attributes;
	cells->pairs[role] = pair;
	for (int i = 0; i < PLAIN_COUNT; i++) {
		wide[0] = PLAIN_FIRST + i;
		setcchar(&cells->plain[role][i], wide, attributes, pair, NULL);
	}
}

/* --- cells ------------------------------------------------------------------------------------ */

/* The character and the marks that curses accepts; false when the terminal cannot show it. */
static bool widen(const struct screen_cells *cells, const char *text, int width, wchar_t *wide)
{
	size_t len = strlen(text), count = 0;

	for (size_t at = 0; at < len && count < CCHARW_MAX - 1;) {
		int32_t code;

		at += text_decode(text + at, len - at, &code);
		if (count && wcwidth((wchar_t)code) != 0)
			break;
		wide[count++] = (wchar_t)code;
	}
	wide[count] = L'\0';
	/*
	 * Its width must be the canvas's, or the line would shift: the C library's
	 * tables may have a character that ours do not.
	 */
	return cells->is_utf8 && wcwidth(wide[0]) == width;
}

static bool is_plain(const struct canvas_cell *cell)
{
	return cell->text[0] >= PLAIN_FIRST && cell->text[0] < PLAIN_FIRST + PLAIN_COUNT &&
	       cell->text[1] == '\0';
}

/* Curses takes one cell for a wide character; "?" and a blank replace it if not shown. How many. */
static int make_cells(const struct screen_cells *cells, const struct canvas_cell *cell, int width,
		      cchar_t out[2])
{
	wchar_t wide[CCHARW_MAX + 1];
	const cchar_t *plain = cells->plain[cell->role];

	if (is_plain(cell)) {
		out[0] = plain[cell->text[0] - PLAIN_FIRST];
		return 1;
	}
	if (widen(cells, cell->text, width, wide) &&
	    setcchar(&out[0], wide, cells->attributes[cell->role], cells->pairs[cell->role],
		     NULL) == OK)
		return 1;
	out[0] = plain['?' - PLAIN_FIRST];
	out[1] = plain[' ' - PLAIN_FIRST];
	return width;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool is_same(const struct canvas_cell *a, const struct canvas_cell *b)
{
	if (a->role != b->role || a->text[0] != b->text[0])
		return false;
	/* The quick path: one byte each. */
	if (a->text[0] == '\0' || (a->text[1] == '\0' && b->text[1] == '\0'))
		return true;
	return strcmp(a->text, b->text) == 0;
}

static bool is_right_half(const struct canvas_cell *cell)
{
	return cell->text[0] == '\0';
}

/* The cells [*from, *end) that differ, widened: half of a wide character cannot be replaced. */
static bool find_change(const struct canvas_cell *line, const struct canvas_cell *shown,
			int columns, int *from, int *end)
{
	int first = 0, last = columns;

	while (first < columns && is_same(&line[first], &shown[first]))
		first++;
	if (first == columns)
		return false;
	while (is_same(&line[last - 1], &shown[last - 1]))
		last--;
	while (first > 0 && (is_right_half(&line[first]) || is_right_half(&shown[first])))
		first--;
	while (last < columns && (is_right_half(&line[last]) || is_right_half(&shown[last])))
		last++;
	*from = first;
	*end = last;
	return true;
}

static void put_part(const struct screen_cells *cells, const struct canvas_cell *line, int y,
		     int from, int end)
{
	cchar_t part[CANVAS_MAX + 2];
	int count = 0;

	for (int x = from; x < end; x++) {
		bool is_wide = x + 1 < end && is_right_half(&line[x + 1]);

		count += make_cells(cells, &line[x], is_wide ? 2 : 1, &part[count]);
		x += is_wide;
	}
	mvadd_wchnstr(y, from, part, count);
}

bool screen_cells_put(const struct screen_cells *cells, const struct canvas *canvas,
		      struct canvas *shown, bool is_all)
{
	int lines = canvas->lines < LINES ? canvas->lines : LINES;
	int columns = canvas->columns < COLS ? canvas->columns : COLS;
	bool has_changed = false;

	for (int y = 0; y < lines; y++) {
		const struct canvas_cell *line = canvas_line(canvas, y);
		struct canvas_cell *before = shown->cells + (line - canvas->cells);
		int from = 0, end = columns;

		if (!is_all && !find_change(line, before, columns, &from, &end))
			continue;
		put_part(cells, line, y, from, end);
		memcpy(before, line, sizeof(*line) * (size_t)canvas->columns);
		has_changed = true;
	}
	return has_changed;
}
