/* SPDX-License-Identifier: MIT */
/* The mouse of a terminal: asking for it and giving it back, and its reports. */
#include "ui/child.h"

#include "tap.h"

#include <string.h>

#define ON  "\x1b[?1000h\x1b[?1006h"
#define OFF "\x1b[?1006l\x1b[?1000l"

static void report(struct screen *screen)
{
	for (;;) {
		int32_t key = next_key(screen);

		if (key_is_mouse(key))
			tell("%d at %d %d\n", (int)key_mouse(key), key_x(key), key_y(key));
		else
			tell("%x\n", (unsigned int)key);
		if (key == 'q' || key == KEYS_NONE || key == KEYS_HANGUP)
			return;
	}
}

static void read_mouse(void)
{
	struct screen *screen = must_open();

	tell("%s\n", screen_set_mouse(screen, true) ? "mouse" : "no mouse");
	report(screen);
	screen_close(screen);
}

static void suspend(void)
{
	struct screen *screen = must_open();

	screen_set_mouse(screen, true);
	screen_suspend(screen);
	screen_resume(screen);
	tell("resumed\n");
	report(screen);
	screen_set_mouse(screen, false);
	tell("given back\n");
	report(screen);
	screen_close(screen);
}

static void die(void)
{
	screen_set_mouse(must_open(), true);
	screen_restore_raw();
	_exit(0);
}

static void test_reports(void)
{
	static const struct {
		const char *bytes, *heard, *name;
	} cases[] = {
		{ "\x1b[<0;1;1M\x1b[<0;1;1m", "0 at 0 0", "a click" },
		{ "\x1b[<0;1000;1000M\x1b[<0;1000;1000m", "0 at 999 999", "in the last corner" },
		{ "\x1b[<16;7;3M\x1b[<16;7;3m", "0 at 6 2", "with Ctrl" },
		{ "\x1b[<64;10;5M", "1 at 9 4", "the wheel, up" },
		{ "\x1b[<65;10;5M", "2 at 9 4", "and down" },
		{ "\x1b[<0;1;1Mx", "78", "a press is nothing yet" },
		{ "\x1b[<0;2;1mx", "78", "nor is a release elsewhere: a drag" },
		{ "\x1b[<0;2;1mx", "78", "or one without a press" },
		{ "\x1b[<2;1;1M\x1b[<2;1;1mx", "78", "other buttons" },
		{ "\x1b[<128;1;1M\x1b[<128;1;1mx", "78", "more of them" },
		{ "\x1b[<66;1;1Mx", "78", "a wheel sideways" },
		{ "\x1b[<32;1;1M\x1b[<35;1;1Mx", "78", "motion" },
		{ "\x1b[<0;0;1M\x1b[<0;0;1mx", "78", "column 0" },
		{ "\x1b[<0;1001;1M\x1b[<0;1001;1mx", "78", "column 1001" },
		{ "\x1b[<0;99999999999999999999;1Mx", "78", "a column of 20 digits" },
		{ "\x1b[<-1;1;1Mx", "78", "a negative button" },
		{ "\x1b[<0;1Mx", "78", "too few numbers" },
		{ "\x1b[<0;1;1;1Mx", "78", "too many" },
		{ "\x1b[<Mx", "78", "none" },
		{ "\x1b[M !!x", "78", "the old form is skipped" },
		{ "\x1b[Mq!!x", "78", "whatever it has" },
	};
	static const char *const terms[] = { "xterm-256color", "screen-256color", "tmux-256color",
					     "rxvt" };

	for (size_t t = 0; t < sizeof(terms) / sizeof(terms[0]); t++) {
		struct child child = start(terms[t], 80, 24, read_mouse);

		is_str(hear(&child), "mouse", "%s has a mouse", terms[t]);
		settle(&child);
		ok(was_sent(&child, ON), "which is asked for");
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			type(&child, cases[i].bytes);
			is_str(hear(&child), cases[i].heard, "%s", cases[i].name);
		}
		type(&child, "\x1b\x1b[<64;10;5M");
		is_str(hear(&child), "1b", "Esc and a report at once: Esc");
		is_str(hear(&child), "1 at 9 4", "and the report");
		child.sent_len = 0;
		type(&child, "q");
		finish(&child);
		ok(was_sent(&child, OFF), "and given back at the end");
	}
}

/* A slow line breaks a report anywhere: nothing of it may be taken for a key. */
static void test_parts(void)
{
	struct child child = start("tmux-256color", 80, 24, read_mouse);

	hear(&child);
	type(&child, "\x1b[<0;4;2M\x1b[<0;");
	usleep(60000);
	type(&child, "4;2");
	usleep(60000);
	type(&child, "m");
	is_str(hear(&child), "0 at 3 1", "a report in parts is one");
	type(&child, "q");
	is_str(hear(&child), "71", "and no part of it is a key");
	finish(&child);
}

static void test_giving_back(void)
{
	struct child child = start("xterm", 80, 24, suspend);

	is_str(hear(&child), "resumed", "^Z and fg");
	settle(&child);
	const char *off = strstr(child.sent, OFF);
	ok(off, "^Z gives the mouse back");
	ok(off && strstr(off, ON), "fg takes it again");
	child.sent_len = 0;
	type(&child, "q");
	is_str(hear(&child), "71", "a key");
	is_str(hear(&child), "given back", "can give it back, too");
	settle(&child);
	ok(was_sent(&child, OFF), "by the same bytes");
	type(&child, "\x1b[<0;1;1M\x1b[<0;1;1mq");
	is_str(hear(&child), "71", "reports on their way are skipped then");
	finish(&child);
	child = start("xterm", 80, 24, die);
	finish(&child);
	ok(was_sent(&child, OFF), "the handler of a fatal signal gives it back");
}

static void test_none(void)
{
	static const char *const terms[] = { "linux", "vt100" };

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct child child = start(terms[i], 80, 24, read_mouse);

		is_str(hear(&child), "no mouse", "%s has none", terms[i]);
		type(&child, "q");
		is_str(hear(&child), "71", "keys work");
		finish(&child);
		ok(!was_sent(&child, "\x1b[?1000"), "and nothing is asked for");
	}
}

int main(void)
{
	plan_lazy();
	test_reports();
	test_parts();
	test_giving_back();
	test_none();
	return done();
}
