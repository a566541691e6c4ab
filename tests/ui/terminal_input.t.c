/* SPDX-License-Identifier: MIT */
/* Input from a terminal: keys, and a hang-up. */
#include "ui/child.h"

#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void read_keys(void)
{
	struct screen *screen = must_open();

	tell("ready\n");
	for (;;) {
		int32_t key = next_key(screen);

		tell("%x\n", (unsigned int)key);
		if (key == 'q' || key == KEYS_NONE || key == KEYS_HANGUP)
			break;
	}
	screen_close(screen);
}

static void test_keys(void)
{
	static const struct {
		const char *bytes;
		int32_t key;
		const char *name;
	} cases[] = {
		{ "a", 'a', "a letter" },
		{ "\x1b[A", KEYS_UP, "up" },
		{ "\x1bOA", KEYS_UP, "up, application mode" },
		{ "\x1b[6~", KEYS_PAGE_DOWN, "page down" },
		{ "\x1bOS", KEYS_F4, "F4" },
		{ "\x1b[17~", KEYS_F6, "F6" },
		{ "\x1b[Z", KEYS_BACKTAB, "shift tab" },
		{ "\t", KEYS_TAB, "tab" },
		{ "\r", KEYS_ENTER, "enter" },
		{ "\n", KEYS_ENTER, "^J" },
		{ "\x7f", KEYS_BACKSPACE, "backspace" },
		{ "\b", KEYS_BACKSPACE, "^H" },
		{ "\x03", 3, "^C is a key" },
		{ "\x1a", 26, "^Z too" },
		{ "\x13", 19, "^S does not stop the output" },
		{ "\x1c", 3, "^\\ is ^C" },
		{ "ä", 0xe4, "two bytes" },
		{ "中", 0x4e2d, "three bytes" },
		{ "\xf0\x9f\x98\x80", 0x1f600, "four bytes" },
		{ "\x1b[99;99~x", 'x', "an unknown sequence is skipped" },
		{ "\x1b[<0;1;1Mx", 'x', "a mouse's too" },
		{ "\x1b[Ix", 'x', "and a focus event" },
		{ "\x1b", KEYS_ESC, "Esc alone" },
	};
	struct child child = start("xterm-256color", 80, 24, read_keys);
	char expected[16];

	is_str(hear(&child), "ready", "keys are read");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		type(&child, cases[i].bytes);
		/* The focus event is a key that some terminfo entries know. */
		snprintf(expected, sizeof(expected), "%x", (unsigned int)cases[i].key);
		is_str(hear(&child), expected, "%s", cases[i].name);
	}
	type(&child, "\x1bk");
	is_str(hear(&child), "1b", "Esc and a letter at once: Esc");
	is_str(hear(&child), "6b", "and the letter");
	type(&child, "q");
	is_str(hear(&child), "71", "the last");
	finish(&child);
}

static void test_hang_up(void)
{
	struct child child = start("xterm", 80, 24, read_keys);
	struct timespec begin, end;

	is_str(hear(&child), "ready", "a terminal");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	int tty = child.tty;
	child.tty = open("/dev/null", O_RDONLY);
	close(tty);
	char line[64] = "";
	ssize_t len = read(child.report, line, sizeof(line) - 1);
	clock_gettime(CLOCK_MONOTONIC, &end);
	line[len > 0 ? len - 1 : 0] = '\0';
	char expected[16];
	snprintf(expected, sizeof(expected), "%x", (unsigned int)KEYS_HANGUP);
	is_str(line, expected, "has hung up, which is reported");
	ok(end.tv_sec - begin.tv_sec < 2, "at once");
	close(child.tty);
	close(child.report);
	int status;
	waitpid(child.pid, &status, 0);
	is_int(status, 0, "closing after a hang-up is harmless");
}

int main(void)
{
	plan_lazy();
	test_keys();
	test_hang_up();
	return done();
}
