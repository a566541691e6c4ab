/* SPDX-License-Identifier: MIT */
#include "ui/picture.h"

#include "tap.h"

#include <stdlib.h>
#include <string.h>

static struct canvas canvas;
static struct theme theme;
static struct strbuf image;

static const char *drawn(void)
{
	strbuf_clear(&image);
	picture_svg(&canvas, &theme, &image);
	return image.text;
}

/* How many times `part` is in the image. */
static int count(const char *part)
{
	int times = 0;

	for (const char *at = drawn(); (at = strstr(at, part)); at++)
		times++;
	return times;
}

static void start(const char *looks)
{
	char error[256];

	canvas_reset(&canvas, 20, 3);
	if (theme_parse("t", looks, &theme, error, sizeof(error)) != 0)
		bail("%s", error);
}

static void test_words(void)
{
	start("terminal = #d0d0d0/#101010\nhead = #00ff00 bold\n");
	canvas_put(&canvas, 0, 0, -1, ROLE_TEXT, "a<b & c>d");
	canvas_put(&canvas, 12, 1, -1, ROLE_HEAD, "RATE/s");
	is_int(count(">a&lt;b<"), 1, "what XML gives a meaning is escaped");
	is_int(count(">&amp;<"), 1, "an ampersand too");
	is_int(count("x=\"120\" y=\"45\" fill=\"#00ff00\" font-weight=\"bold\" textLength=\"54\">RATE/s<"),
	       1, "a word has its place, its role's look, and its width in cells");
	is_int(count("<text "), 4, "blanks are not drawn");
	is_int(count("width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#101010\""), 1,
	       "the terminal's background");
	is_int(count("fill=\"#d0d0d0\""), 3, "and its text");
}

static void test_other_characters(void)
{
	start("terminal = 15/0\n");
	canvas_put(&canvas, 0, 0, -1, ROLE_TEXT, "gzip×1 漢e\xcc\x81");
	is_int(count(">gzip</text>") + count(">×</text>") + count(">1</text>"), 3,
	       "another character is placed by itself: its width differs between fonts");
	is_int(count("<text x=\"75\" y=\"26\" fill=\"#ffffff\">漢</text>"), 1,
	       "a wide one takes its two cells");
	is_int(count("<text x=\"93\" y=\"26\" fill=\"#ffffff\">e\xcc\x81</text>"), 1,
	       "a mark stays with its character");
}

static void test_bars(void)
{
	start("terminal = 15/0\nheat1 = #123456\n");
	canvas_put(&canvas, 0, 0, -1, ROLE_HEAT1, "▁▇█▏▉");
	is_int(count("<text "), 0, "blocks are not text");
	is_int(count("fill=\"#123456\""), 5, "but rectangles");
	is_int(count("x=\"12\" y=\"28.625\" width=\"9\" height=\"2.375\""), 1,
	       "an eighth, from below");
	is_int(count("x=\"21\" y=\"14.375\" width=\"9\" height=\"16.625\""), 1, "seven eighths");
	is_int(count("x=\"30\" y=\"12\" width=\"9\" height=\"19\""), 1, "a whole cell");
	is_int(count("x=\"39\" y=\"12\" width=\"1.125\" height=\"19\""), 1,
	       "an eighth, from the left");
}

static void test_attributes(void)
{
	start("terminal = #ffffff/#000000\nbad = #ff0000 reverse\nwarn = #ffff00 underline\n"
	      "dim = default dim\nselected = /#0000ff\n");
	canvas_put(&canvas, 0, 0, -1, ROLE_BAD, "lost 1");
	is_int(count("height=\"19\" fill=\"#ff0000\""), 1,
	       "reversed: the colour is the background");
	is_int(count("fill=\"#000000\" textLength=\"36\">lost<"), 1, "and the background the text");
	canvas_put(&canvas, 0, 1, -1, ROLE_WARN, "~9 k");
	is_int(count("width=\"36\" height=\"1\" fill=\"#ffff00\""), 1,
	       "underlined, blanks as well");
	canvas_put(&canvas, 0, 2, 5, ROLE_DIM, "off");
	is_int(count("fill=\"#aaaaaa\""), 1, "dim is nearer to the background");
	canvas_paint(&canvas, 0, 0, 20, ROLE_SELECTED);
	is_int(count("width=\"180\" height=\"19\" fill=\"#0000ff\""), 1,
	       "a row has one background");
}

int main(void)
{
	plan_lazy();
	canvas_init(&canvas, 20, 3);
	strbuf_init(&image);
	test_words();
	test_other_characters();
	test_bars();
	test_attributes();
	strbuf_fini(&image);
	canvas_fini(&canvas);
	return done();
}
