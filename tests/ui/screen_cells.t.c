/* SPDX-License-Identifier: MIT */
/*
 * What curses holds after parts of lines were put over each other, wide characters cut by them
 * included, is the canvas.
 */
#include "ui/screen-cells.h"

#include "base/strbuf.h"

#include "tap.h"

#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

/* term.h has these as macros, like every capability of terminfo. */
#undef columns
#undef lines

#define WIDTH  12
#define HEIGHT 3
#define FRAMES 3000

static const char *const pieces[] = { "a",	   "bcd",	 "中文", "x中", " ",
				      "e\xcc\x81", "文\xcc\x81", "é",	 "中",	"          " };

/* xorshift64: the same on every machine. */
static unsigned int random_below(unsigned int limit)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state % limit);
}

static void edit(struct canvas *canvas)
{
	for (unsigned int i = random_below(4); i > 0; i--) {
		int x = (int)random_below(WIDTH), y = (int)random_below(HEIGHT);
		enum role role = random_below(2) ? ROLE_TEXT : ROLE_BAD;

		canvas_put(canvas, x, y, -1, role,
			   pieces[random_below(sizeof(pieces) / sizeof(pieces[0]))]);
		if (random_below(4) == 0)
			canvas_paint(canvas, (int)random_below(WIDTH), y, 2, role);
	}
}

static attr_t attributes_at(int x, int y)
{
	wchar_t wide[CCHARW_MAX + 1];
	attr_t attributes = A_NORMAL;
	cchar_t cell;
	short pair;

	mvin_wch(y, x, &cell);
	getcchar(&cell, wide, &attributes, &pair, NULL);
	return attributes & A_REVERSE;
}

/* Text and looks of stdscr's line. */
static bool is_line(const struct canvas *canvas, int y)
{
	const struct canvas_cell *line = canvas_line(canvas, y);
	char expected[WIDTH * CELL_BYTES] = "", bytes[WIDTH * CELL_BYTES] = "";
	wchar_t held[WIDTH * CCHARW_MAX + 1];
	bool is_alike = true;

	for (int x = 0; x < WIDTH; x++) {
		strcat(expected, line[x].text);
		if (line[x].text[0] != '\0')
			is_alike &= attributes_at(x, y) ==
				    (line[x].role == ROLE_BAD ? A_REVERSE : A_NORMAL);
	}
	mvinnwstr(y, 0, held, sizeof(held) / sizeof(held[0]) - 1);
	wcstombs(bytes, held, sizeof(bytes) - 1);
	is_alike &= strcmp(bytes, expected) == 0;
	if (!is_alike)
		diag("line %d is '%s' and not '%s'", y, bytes, expected);
	return is_alike;
}

static bool is_held(const struct canvas *canvas)
{
	bool is_whole = true;

	for (int y = 0; y < HEIGHT; y++)
		is_whole &= is_line(canvas, y);
	return is_whole;
}

static void run(void)
{
	struct screen_cells cells = { .is_utf8 = true };
	struct canvas canvas, shown;
	int wrong = 0, quiet = 0;

	for (enum role role = 0; role < ROLE_COUNT; role++)
		screen_cells_look(&cells, role, role == ROLE_BAD ? A_REVERSE : A_NORMAL, 0);
	canvas_init(&canvas, WIDTH, HEIGHT);
	canvas_init(&shown, WIDTH, HEIGHT);
	screen_cells_put(&cells, &canvas, &shown, true);
	for (int i = 0; i < FRAMES && wrong < 5; i++) {
		edit(&canvas);
		quiet += !screen_cells_put(&cells, &canvas, &shown, false);
		wrong += !is_held(&canvas);
	}
	is_int(wrong, 0, "%d frames are what their canvas is", FRAMES);
	ok(quiet > FRAMES / 8, "%d frames had nothing to put", quiet);
	ok(!screen_cells_put(&cells, &canvas, &shown, false), "the same frame again neither");
	ok(screen_cells_put(&cells, &canvas, &shown, true), "all is put when asked for");
	canvas_fini(&shown);
	canvas_fini(&canvas);
}

int main(void)
{
	FILE *nothing = fopen("/dev/null", "r+");

	plan_lazy();
	if (setlocale(LC_ALL, "C.UTF-8") == NULL)
		bail("no locale C.UTF-8");
	setenv("LINES", "3", 1);
	setenv("COLUMNS", "12", 1);
	SCREEN *curses = newterm("xterm", nothing, nothing);
	if (curses == NULL)
		bail("no terminfo of xterm");
	run();
	endwin();
	delscreen(curses);
	fclose(nothing);
	return done();
}
