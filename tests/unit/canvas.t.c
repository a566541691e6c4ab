/* SPDX-License-Identifier: MIT */
#include "ui/canvas.h"

#include "tap.h"

#include <stdio.h>
#include <string.h>

static char *text_of(const struct canvas *canvas)
{
	static struct strbuf buf;

	if (!buf.text)
		strbuf_init(&buf);
	strbuf_clear(&buf);
	canvas_text(canvas, &buf);
	return buf.text;
}

/* What "put" gives on a line of ten cells. */
static const char *put(int x, int width, const char *text)
{
	static char line[256];
	struct canvas canvas;

	canvas_init(&canvas, 10, 1);
	canvas_put(&canvas, x, 0, width, ROLE_TEXT, text);
	snprintf(line, sizeof(line), "%s", text_of(&canvas));
	line[strcspn(line, "\n")] = '\0';
	canvas_fini(&canvas);
	return line;
}

static void test_put(void)
{
	is_str(put(0, -1, "hello"), "hello", "plain text");
	is_str(put(2, -1, "hello"), "  hello", "from a column");
	is_str(put(7, -1, "hello"), "       hel", "cut at the edge");
	is_str(put(0, 3, "hello"), "hel", "cut at its width");
	is_str(put(-2, -1, "hello"), "llo", "begun left of the canvas");
	is_str(put(10, -1, "hello"), "", "begun right of it");
	is_str(put(-9, -1, "hello"), "", "wholly left of it");
	is_str(put(0, 0, "hello"), "", "of no width");
	is_str(put(0, -1, "a\x1b[2Jb"), "a\\x1b[2Jb", "an escape is made visible");
	is_str(put(0, -1, "\xff"), "\xef\xbf\xbd", "an invalid byte is U+FFFD");
}

static void test_wide(void)
{
	is_str(put(0, -1, "中文"), "中文", "wide characters take two cells");
	is_str(put(7, -1, "中文"), "       中", "and are not halved at the edge");
	is_str(put(0, 3, "中文"), "中", "nor at the width");
	is_str(put(-1, -1, "中文"), " 文", "a half on the left is blank");
	is_str(put(0, -1, "e\xcc\x81x"), "e\xcc\x81x", "a mark joins its letter");
	is_str(put(0, 1, "e\xcc\x81x"), "e\xcc\x81", "and takes no cell");
}

static void test_overwriting(void)
{
	struct canvas canvas;

	canvas_init(&canvas, 6, 1);
	canvas_put(&canvas, 0, 0, -1, ROLE_TEXT, "中文字");
	canvas_put(&canvas, 1, 0, -1, ROLE_TEXT, "x");
	is_str(text_of(&canvas), " x文字\n", "over a right half: the left half goes");
	canvas_put(&canvas, 2, 0, -1, ROLE_TEXT, "y");
	is_str(text_of(&canvas), " xy 字\n", "over a left half: the right half goes");
	canvas_put(&canvas, 3, 0, -1, ROLE_TEXT, "国");
	is_str(text_of(&canvas), " xy国\n", "wide over blank and left half");
	canvas_put(&canvas, 2, 0, -1, ROLE_TEXT, "国");
	is_str(text_of(&canvas), " x国\n", "wide over another's left half");
	canvas_put(&canvas, 1, 0, -1, ROLE_TEXT, "国");
	is_str(text_of(&canvas), " 国\n", "wide over another's, shifted by one");
	canvas_fini(&canvas);
}

static void test_clipping(void)
{
	struct canvas canvas;

	canvas_init(&canvas, 4, 2);
	canvas_put(&canvas, 0, -1, -1, ROLE_TEXT, "up");
	canvas_put(&canvas, 0, 2, -1, ROLE_TEXT, "down");
	canvas_put_right(&canvas, -3, 0, 5, ROLE_TEXT, "ab");
	canvas_put_right(&canvas, 2, 1, 9, ROLE_TEXT, "cd");
	canvas_paint(&canvas, -5, 0, 99, ROLE_BAD);
	canvas_paint(&canvas, 0, 9, 1, ROLE_BAD);
	is_str(text_of(&canvas), "ab\n\n", "outside of the grid nothing is drawn");
	ok(canvas_line(&canvas, 0)[3].role == ROLE_BAD, "the visible part is painted");
	ok(canvas_line(&canvas, 1)[0].role == ROLE_TEXT, "the next line is not");
	canvas_fini(&canvas);
}

static void test_sizes(void)
{
	struct canvas canvas;

	canvas_init(&canvas, 0, -5);
	ok(canvas.columns == 1 && canvas.lines == 1, "at least one cell");
	canvas_reset(&canvas, 65535, 65535);
	ok(canvas.columns == CANVAS_MAX && canvas.lines == CANVAS_MAX_LINES, "and not too many");
	canvas_reset(&canvas, 3, 1);
	canvas_put(&canvas, 0, 0, -1, ROLE_BAD, "abc");
	canvas.cursor_x = 2;
	canvas_reset(&canvas, 3, 1);
	is_str(text_of(&canvas), "\n", "a reset blanks");
	ok(canvas.cursor_x == -1 && canvas_line(&canvas, 0)[0].role == ROLE_TEXT,
	   "cursor and roles too");
	canvas_fini(&canvas);
}

#define MARK "\xf0\x9d\x85\xa5" /* combining, of four bytes */

static void test_marks(void)
{
	struct canvas canvas;
	const char *text = "e" MARK MARK MARK MARK;

	canvas_init(&canvas, 4, 1);
	canvas_put(&canvas, 0, 0, -1, ROLE_TEXT, text);
	ok(strlen(canvas_line(&canvas, 0)[0].text) < CELL_BYTES,
	   "marks that do not fit are dropped");
	int end = canvas_printf(&canvas, 1, 0, -1, ROLE_TEXT, "%d", 42);
	is_int(end, 3, "the column after it is returned");
	canvas_fini(&canvas);
}

int main(void)
{
	plan_lazy();
	test_put();
	test_wide();
	test_overwriting();
	test_clipping();
	test_sizes();
	test_marks();
	return done();
}
