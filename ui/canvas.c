/* SPDX-License-Identifier: MIT */
/*
 * A cell holds one character, so its text never has to be decoded again.  A wide
 * character takes two cells: its text is in the left one and the right one is "".
 * Writing over either half blanks the other, else half a character would remain
 * and the terminal would shift the line.
 */
#include "ui/canvas.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest text of one put: 400 columns of four bytes, and some marks. */
#define PUT_BYTES 2048

void canvas_init(struct canvas *canvas, int columns, int lines)
{
	*canvas = (struct canvas){ 0 };
	canvas_reset(canvas, columns, lines);
}

void canvas_fini(struct canvas *canvas)
{
	free(canvas->cells);
	spots_fini(&canvas->spots);
	*canvas = (struct canvas){ 0 };
}

static void blank(struct canvas_cell *cell)
{
	cell->text[0] = ' ';
	cell->text[1] = '\0';
}

void canvas_reset(struct canvas *canvas, int columns, int lines)
{
	columns = columns < 1 ? 1 : columns > CANVAS_MAX ? CANVAS_MAX : columns;
	lines = lines < 1 ? 1 : lines > CANVAS_MAX_LINES ? CANVAS_MAX_LINES : lines;
	size_t count = (size_t)columns * (size_t)lines;

	if (columns != canvas->columns || lines != canvas->lines) {
		free(canvas->cells);
		canvas->cells = xcalloc(count, sizeof(*canvas->cells));
	}
	canvas->columns = columns;
	canvas->lines = lines;
	canvas->cursor_x = canvas->cursor_y = -1;
	spots_clear(&canvas->spots);
	for (size_t i = 0; i < count; i++) {
		blank(&canvas->cells[i]);
		canvas->cells[i].role = ROLE_TEXT;
	}
}

const struct canvas_cell *canvas_line(const struct canvas *canvas, int y)
{
	return canvas->cells + (size_t)y * (size_t)canvas->columns;
}

static struct canvas_cell *line_at(struct canvas *canvas, int y)
{
	return canvas->cells + (size_t)y * (size_t)canvas->columns;
}

/* Before x is overwritten: blank the other half of a wide character there. */
static void unpair(struct canvas_cell *line, int columns, int x)
{
	if (line[x].text[0] == '\0' && x > 0)
		blank(&line[x - 1]);
	if (x + 1 < columns && line[x + 1].text[0] == '\0')
		blank(&line[x + 1]);
}

static void set_cell(struct canvas *canvas, int x, int y, enum role role, const char *text,
		     size_t len)
{
	struct canvas_cell *line = line_at(canvas, y);

	unpair(line, canvas->columns, x);
	memcpy(line[x].text, text, len);
	line[x].text[len] = '\0';
	line[x].role = role;
}

/* The right half first: writing it may blank the cell to its left. */
static void set_char(struct canvas *canvas, int x, int y, enum role role, const char *text,
		     size_t len, int width)
{
	if (width == 2)
		set_cell(canvas, x + 1, y, role, " ", 1);
	set_cell(canvas, x, y, role, text, len);
	if (width == 2)
		line_at(canvas, y)[x + 1].text[0] = '\0';
}

/* A combining mark joins the character before it, as long as there is room. */
static void add_mark(struct canvas *canvas, int x, int y, const char *text, size_t len)
{
	struct canvas_cell *cell = &line_at(canvas, y)[x];
	size_t have = strlen(cell->text);

	if (have + len >= CELL_BYTES)
		return;
	memcpy(cell->text + have, text, len);
	cell->text[have + len] = '\0';
}

/* The position of one put on its line. */
struct cursor {
	int x, end, y;
	int last; /* the cell that marks join, -1: none yet */
};

/* False when the character does not fit any more. */
static bool put_char(struct canvas *canvas, struct cursor *at, enum role role, const char *text,
		     size_t len, int width)
{
	if (width == 0) {
		if (at->last >= 0)
			add_mark(canvas, at->last, at->y, text, len);
		return true;
	}
	if (at->x + width > at->end)
		return false;
	at->last = at->x >= 0 ? at->x : -1;
	if (at->x >= 0)
		set_char(canvas, at->x, at->y, role, text, len, width);
	else if (at->x + width > 0)
		set_char(canvas, 0, at->y, role, " ", 1, 1);
	at->x += width;
	return true;
}

/* The character at `text`, which is safe: its bytes, and its cells. */
static size_t take_char(const char *text, size_t len, int *cells)
{
	int32_t code;

	*cells = 1;
	if ((unsigned char)text[0] < 0x80)
		return 1;
	size_t bytes = text_decode(text, len, &code);
	*cells = text_char_width(code);
	return bytes;
}

int canvas_put(struct canvas *canvas, int x, int y, int width, enum role role, const char *text)
{
	char safe[PUT_BYTES];
	int end = width < 0 || width > canvas->columns - x ? canvas->columns : x + width;
	struct cursor at = { .x = x, .end = end, .y = y, .last = -1 };

	if (y < 0 || y >= canvas->lines || x >= end)
		return x;
	size_t len = text_safe(safe, sizeof(safe), text, strlen(text));

	for (size_t i = 0; i < len;) {
		int cells;
		size_t bytes = take_char(safe + i, len - i, &cells);

		if (!put_char(canvas, &at, role, safe + i, bytes, cells))
			break;
		i += bytes;
	}
	return at.x;
}

int canvas_printf(struct canvas *canvas, int x, int y, int width, enum role role,
		  const char *format, ...)
{
	char text[PUT_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return canvas_put(canvas, x, y, width, role, text);
}

void canvas_put_right(struct canvas *canvas, int x, int y, int width, enum role role,
		      const char *text)
{
	char safe[PUT_BYTES];

	text_safe(safe, sizeof(safe), text, strlen(text));
	int cells = (int)text_width(safe);
	int indent = cells < width ? width - cells : 0;
	canvas_put(canvas, x + indent, y, width - indent, role, safe);
}

void canvas_paint(struct canvas *canvas, int x, int y, int width, enum role role)
{
	if (y < 0 || y >= canvas->lines)
		return;
	int end = width > canvas->columns - x ? canvas->columns : x + width;
	for (int i = x < 0 ? 0 : x; i < end; i++)
		line_at(canvas, y)[i].role = role;
}

static void line_text(const struct canvas *canvas, int y, struct strbuf *out)
{
	const struct canvas_cell *line = canvas_line(canvas, y);
	int end = canvas->columns;

	while (end > 0 && strcmp(line[end - 1].text, " ") == 0)
		end--;
	for (int x = 0; x < end; x++)
		strbuf_puts(out, line[x].text);
	strbuf_putc(out, '\n');
}

void canvas_text(const struct canvas *canvas, struct strbuf *out)
{
	for (int y = 0; y < canvas->lines; y++)
		line_text(canvas, y, out);
}
