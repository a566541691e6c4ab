/* SPDX-License-Identifier: MIT */
/* What the screen sends to a terminal: only what changed, at its size, in the colours that it has. */
#include "ui/child.h"

#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

static void draw_twice(void)
{
	struct screen *screen = must_open();
	struct canvas canvas;
	int columns, lines;

	screen_size(screen, &columns, &lines);
	canvas_init(&canvas, columns, lines);
	canvas_put(&canvas, 0, 0, -1, ROLE_BAD, "hello 中文 e\xcc\x81");
	screen_blit(screen, &canvas);
	tell("drawn\n");
	next_key(screen);
	screen_blit(screen, &canvas);
	tell("again\n");
	next_key(screen);
	canvas_put(&canvas, 0, 0, -1, ROLE_BAD, "hallo");
	screen_blit(screen, &canvas);
	tell("changed\n");
	next_key(screen);
	screen_repaint(screen);
	screen_blit(screen, &canvas);
	tell("repainted\n");
	next_key(screen);
	screen_close(screen);
	canvas_fini(&canvas);
}

/* What this process wrote until now, in calls; -1: not known. */
static long writes_so_far(void)
{
	FILE *io = fopen("/proc/self/io", "r");
	char line[64];
	long count = -1;

	while (io && fgets(line, sizeof(line), io))
		if (sscanf(line, "syscw: %ld", &count) == 1)
			break;
	if (io)
		fclose(io);
	return count;
}

static void draw_spots(void)
{
	struct screen *screen = must_open();
	struct canvas canvas;

	canvas_init(&canvas, 80, 24);
	screen_blit(screen, &canvas);
	for (int y = 1; y < 24; y += 2)
		canvas_put(&canvas, y, y, -1, ROLE_TEXT, "spot");
	long before = writes_so_far();
	screen_blit(screen, &canvas);
	tell("%ld\n", before < 0 ? -1 : writes_so_far() - before);
	screen_close(screen);
	canvas_fini(&canvas);
}

static void ask_size(void)
{
	int columns, lines;

	setenv("LINES", "5", 1);
	setenv("COLUMNS", "7", 1);
	struct screen *screen = must_open();
	do {
		screen_size(screen, &columns, &lines);
		tell("%dx%d\n", columns, lines);
	} while (next_key(screen) != 'q');
	screen_close(screen);
}

static void show_theme(void)
{
	struct screen *screen = must_open();
	struct canvas canvas;
	struct theme theme;
	char error[256];

	theme_parse("t", "bad = #ff8700/#0000d7 bold\ndim = 244\ndim@8 = dim\n", &theme, error,
		    sizeof(error));
	screen_theme(screen, &theme);
	canvas_init(&canvas, 80, 24);
	canvas_put(&canvas, 0, 0, -1, ROLE_BAD, "bad");
	canvas_put(&canvas, 0, 1, -1, ROLE_DIM, "dim");
	screen_blit(screen, &canvas);
	tell("drawn\n");
	screen_close(screen);
	canvas_fini(&canvas);
}

static void show_theme_no_colour(void)
{
	setenv("NO_COLOR", "1", 1);
	show_theme();
}

static void test_differences(void)
{
	struct child child = start("xterm-256color", 80, 24, draw_twice);

	is_str(hear(&child), "drawn", "a frame");
	settle(&child);
	ok(was_sent(&child, "hello 中文 e\xcc\x81"), "is sent");
	child.sent_len = 0;
	type(&child, "x");
	is_str(hear(&child), "again", "the same frame again");
	settle(&child);
	is_u64(child.sent_len, 0, "sends nothing");
	type(&child, "x");
	is_str(hear(&child), "changed", "one letter changes");
	settle(&child);
	if (!ok(child.sent_len > 0 && child.sent_len < 40, "%zu bytes are sent", child.sent_len))
		show_sent(&child);
	child.sent_len = 0;
	type(&child, "x");
	is_str(hear(&child), "repainted", "^L");
	settle(&child);
	ok(was_sent(&child, "hallo 中文"), "sends all");
	type(&child, "x");
	finish(&child);
}

/* Each call may be a packet of its own on a line, and a wakeup of the terminal. */
static void test_writes(void)
{
	struct child child = start("xterm-256color", 80, 24, draw_spots);
	const char *writes = hear(&child);

	if (strcmp(writes, "-1") == 0)
		skip(1, "this kernel does not count a process's calls");
	else
		is_str(writes, "1", "a frame with changes in 12 places is one write");
	finish(&child);
}

static void test_sizes(void)
{
	static const struct winsize sizes[] = {
		{ .ws_col = 100, .ws_row = 30 },  { .ws_col = 1, .ws_row = 1 },
		{ .ws_col = 400, .ws_row = 200 }, { .ws_col = 65535, .ws_row = 65535 },
		{ .ws_col = 0, .ws_row = 0 },
	};
	static const char *const expected[] = { "100x30", "1x1", "400x200", "1000x1000", "7x5" };
	struct child child = start("xterm", 80, 24, ask_size);

	is_str(hear(&child), "80x24", "the terminal's size and not the environment's");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ioctl(child.tty, TIOCSWINSZ, &sizes[i]);
		type(&child, "x");
		is_str(hear(&child), expected[i], "a new size");
	}
	type(&child, "q");
	is_int(finish(&child), 0, "and it ends");
}

static void test_colours(void)
{
	static const struct {
		const char *term;
		void (*body)(void);
		const char *sent, *name;
	} cases[] = {
		{ "xterm-256color", show_theme, "\x1b[38;5;208m\x1b[48;5;20m", "256: the nearest" },
		{ "xterm-16color", show_theme, "\x1b[93m", "16: a bright one" },
		{ "xterm", show_theme, "\x1b[33m\x1b[44m", "8: the nearest" },
		{ "xterm", show_theme, "\x1b[0;2mdim", "8: dim is the attribute" },
		{ "linux", show_theme, "\x1b[0;10;2m", "also where none goes with a colour" },
		{ "xterm-256color", show_theme, "\x1b[38;5;244mdim", "256: a grey" },
		{ "vt100", show_theme, "\x1b[0;1;7m", "none: as in mono" },
		{ "xterm-256color", show_theme_no_colour, "\x1b[0;1;7mbad",
		  "NO_COLOR: as in mono" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct child child = start(cases[i].term, 80, 24, cases[i].body);
		const char *line = hear(&child);

		if (strncmp(line, "refused", 7) == 0) {
			skip(1, "%s is not in this machine's terminfo", cases[i].term);
			finish(&child);
			continue;
		}
		finish(&child);
		if (!ok(was_sent(&child, cases[i].sent), "%s", cases[i].name))
			show_sent(&child);
	}
}

int main(void)
{
	plan_lazy();
	test_differences();
	test_writes();
	test_sizes();
	test_colours();
	return done();
}
