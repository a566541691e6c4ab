/* SPDX-License-Identifier: MIT */
#include "ui/picture.h"

#include <string.h>

#include "base/text.h"
#include "ui/palette.h"

/* In the image's own units. */
#define CELL_WIDTH  9
#define CELL_HEIGHT 19
#define FONT_SIZE   15
#define BASELINE    14 /* below a line's upper edge */
#define MARGIN	    12

/* The colours of a role, where default and reversed have been resolved. */
struct paint {
	int32_t text, background; /* 0xrrggbb */
	bool has_background, is_bold, is_underlined;
};

struct drawing {
	const struct canvas *canvas;
	struct paint paints[ROLE_COUNT];
	struct strbuf *out;
};

/* --- colours ---------------------------------------------------------------------------------- */

/* What dim looks like in most terminals: two thirds of the text's colour. */
static int32_t dimmed(int32_t text, int32_t background)
{
	int32_t made = 0;

	for (int shift = 0; shift <= 16; shift += 8)
		made |= ((text >> shift & 255) * 2 + (background >> shift & 255)) / 3 << shift;
	return made;
}

static int32_t rgb(int32_t colour, int32_t otherwise)
{
	return palette_rgb(colour == COLOUR_DEFAULT ? otherwise : colour);
}

static struct paint paint_of(const struct look *look, const struct look *terminal)
{
	struct paint paint = {
		.text = rgb(look->text, terminal->text),
		.background = rgb(look->background, terminal->background),
		.has_background = look->is_reversed || look->background != COLOUR_DEFAULT,
		.is_bold = look->is_bold,
		.is_underlined = look->is_underlined,
	};

	if (look->is_dim)
		paint.text = dimmed(paint.text, paint.background);
	if (look->is_reversed) {
		int32_t text = paint.text;

		paint.text = paint.background;
		paint.background = text;
	}
	return paint;
}

/* --- one line --------------------------------------------------------------------------------- */

static void put_rect(struct strbuf *out, double x, double y, double width, double height,
		     int32_t colour)
{
	strbuf_printf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"/>\n",
		      x, y, width, height, (unsigned int)colour);
}

static int left_of(int column)
{
	return MARGIN + column * CELL_WIDTH;
}

static int top_of(int line)
{
	return MARGIN + line * CELL_HEIGHT;
}

/* The cells from x on that have the role of the first. */
static int run_length(const struct canvas_cell *line, int x, int columns)
{
	int end = x + 1;

	while (end < columns && line[end].role == line[x].role)
		end++;
	return end - x;
}

static bool is_ascii(const struct canvas_cell *cell)
{
	return cell->text[0] > ' ' && cell->text[1] == '\0';
}

/* A word of ASCII, or one other character, whose width differs between fonts. */
static int word_length(const struct canvas_cell *line, int x, int end)
{
	int at = x;

	while (at < end && is_ascii(&line[at]))
		at++;
	return at > x ? at - x : 1;
}

static void put_escaped(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			strbuf_puts(out, "&amp;");
		else if (*text == '<')
			strbuf_puts(out, "&lt;");
		else if (*text == '>')
			strbuf_puts(out, "&gt;");
		else
			strbuf_putc(out, *text);
	}
}

/* U+2581 to U+2588 fill a cell from below, U+2589 to U+258F from the left: by eighths. */
static bool put_block(struct strbuf *out, const char *text, int x, int y, int32_t colour)
{
	int32_t code;

	text_decode(text, strlen(text), &code);
	if (code < 0x2581 || code > 0x258f)
		return false;
	double height = code <= 0x2588 ? CELL_HEIGHT * (code - 0x2580) / 8.0 : CELL_HEIGHT;
	double width = code > 0x2588 ? CELL_WIDTH * (0x2590 - code) / 8.0 : CELL_WIDTH;
	put_rect(out, left_of(x), top_of(y + 1) - height, width, height, colour);
	return true;
}

static void put_word(const struct drawing *drawing, const struct canvas_cell *cells, int x, int y,
		     int len)
{
	struct strbuf *out = drawing->out;
	const struct paint *paint = &drawing->paints[cells[0].role];

	if (put_block(out, cells[0].text, x, y, paint->text))
		return;
	strbuf_printf(out, "<text x=\"%d\" y=\"%d\" fill=\"#%06x\"", left_of(x),
		      top_of(y) + BASELINE, (unsigned int)paint->text);
	if (paint->is_bold)
		strbuf_puts(out, " font-weight=\"bold\"");
	if (len > 1)
		strbuf_printf(out, " textLength=\"%d\"", len * CELL_WIDTH);
	strbuf_putc(out, '>');
	for (int i = 0; i < len; i++)
		put_escaped(out, cells[i].text);
	strbuf_puts(out, "</text>\n");
}

/* Cells of one role: background, underline, words. */
static void put_run(const struct drawing *drawing, const struct canvas_cell *line, int x, int y,
		    int len)
{
	const struct paint *paint = &drawing->paints[line[x].role];

	if (paint->has_background)
		put_rect(drawing->out, left_of(x), top_of(y), len * CELL_WIDTH, CELL_HEIGHT,
			 paint->background);
	if (paint->is_underlined)
		put_rect(drawing->out, left_of(x), top_of(y) + BASELINE + 2, len * CELL_WIDTH, 1,
			 paint->text);
	for (int at = x, word; at < x + len; at += word) {
		word = word_length(line, at, x + len);
		/* "" is the right half of a wide character. */
		if (strcmp(line[at].text, " ") != 0 && line[at].text[0] != '\0')
			put_word(drawing, line + at, at, y, word);
	}
}

static void put_line(const struct drawing *drawing, int y)
{
	const struct canvas_cell *line = canvas_line(drawing->canvas, y);

	for (int x = 0, len; x < drawing->canvas->columns; x += len) {
		len = run_length(line, x, drawing->canvas->columns);
		put_run(drawing, line, x, y, len);
	}
}

void picture_svg(const struct canvas *canvas, const struct theme *theme, struct strbuf *out)
{
	struct drawing drawing = { .canvas = canvas, .out = out };
	int width = 2 * MARGIN + canvas->columns * CELL_WIDTH;
	int height = 2 * MARGIN + canvas->lines * CELL_HEIGHT;

	for (int role = 0; role < ROLE_COUNT; role++)
		drawing.paints[role] = paint_of(&theme->looks[THEME_256][role], &theme->terminal);
	strbuf_printf(
		out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" "
		"font-size=\"%d\">\n<title>perftop-ng</title>\n",
		width, height, width, height, FONT_SIZE);
	strbuf_printf(out, "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"#%06x\"/>\n",
		      (unsigned int)palette_rgb(theme->terminal.background));
	for (int y = 0; y < canvas->lines; y++)
		put_line(&drawing, y);
	strbuf_puts(out, "</svg>\n");
}

bool picture_is_name(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && strcmp(name + len - 4, ".svg") == 0;
}

void picture_or_text(const char *name, const struct canvas *canvas, const struct theme *theme,
		     struct strbuf *out)
{
	if (picture_is_name(name))
		picture_svg(canvas, theme, out);
	else
		canvas_text(canvas, out);
}
