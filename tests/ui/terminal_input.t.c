/* SPDX-License-Identifier: MIT */
/* Input from a terminal: keys, and a hang-up. */
#include "ui/child.h"

#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
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

struct typed {
	const char *bytes;
	int32_t key;
	const char *name;
};

/* After "ready". */
static void type_each(struct child *child, const struct typed *cases, size_t ncases)
{
	char expected[16];

	for (size_t i = 0; i < ncases; i++) {
		type(child, cases[i].bytes);
		/* The focus event is a key that some terminfo entries know. */
		snprintf(expected, sizeof(expected), "%x", (unsigned int)cases[i].key);
		is_str(hear(child), expected, "%s", cases[i].name);
	}
}

static void test_keys(void)
{
	static const struct typed cases[] = {
		{ "a", 'a', "a letter" },
		{ "\x1b[A", KEYS_UP, "up" },
		{ "\x1bOA", KEYS_UP, "up, application mode" },
		{ "\x1b[6~", KEYS_PAGE_DOWN, "page down" },
		{ "\x1bOS", KEYS_F4, "F4" },
		{ "\x1b[17~", KEYS_F6, "F6" },
		{ "\x1b[Z", KEYS_BACKTAB, "shift tab" },
		{ "\x1b[1;2D", KEYS_S_LEFT, "shift left" },
		{ "\x1b[1;3D", KEYS_S_LEFT, "alt left" },
		{ "\x1b[1;5C", KEYS_S_RIGHT, "control right" },
		{ "\x1b[1;8C", KEYS_S_RIGHT, "all three and right" },
		{ "\x1b[5;2~", KEYS_S_PAGE_UP, "shift page up" },
		{ "\x1b[6;5~", KEYS_S_PAGE_DOWN, "control page down" },
		{ "\x1b[1;2H", KEYS_S_HOME, "shift home" },
		{ "\x1b[1;3F", KEYS_S_END, "alt end" },
		{ "\x1b[1;6Bx", 'x', "down with them is skipped" },
		{ "\x1b[1;9Dx", 'x', "another modifier, too" },
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
	type_each(&child, cases, sizeof(cases) / sizeof(cases[0]));
	type(&child, "\x1bk");
	is_str(hear(&child), "1b", "Esc and a letter at once: Esc");
	is_str(hear(&child), "6b", "and the letter");
	type(&child, "\x1b\x1b[Ak");
	is_str(hear(&child), "1b", "Esc and a key with a sequence");
	snprintf(expected, sizeof(expected), "%x", (unsigned int)KEYS_UP);
	is_str(hear(&child), expected, "and the key");
	is_str(hear(&child), "6b", "and what follows");
	type(&child, "q");
	is_str(hear(&child), "71", "the last");
	finish(&child);
}

/* A terminal whose terminfo has none of these keys. */
static void test_unknown_keys(void)
{
	static const struct typed cases[] = {
		{ "\x1b[1;2D", KEYS_S_LEFT, "vt100: shift left" },
		{ "\x1b[1;5C", KEYS_S_RIGHT, "vt100: control right" },
		{ "\x1b[5;3~", KEYS_S_PAGE_UP, "vt100: alt page up" },
		{ "\x1b[6;2~", KEYS_S_PAGE_DOWN, "vt100: shift page down" },
		{ "\x1b[1;2H", KEYS_S_HOME, "vt100: shift home" },
		{ "\x1b[1;2F", KEYS_S_END, "vt100: shift end" },
		{ "\x1b[1;1Dx", 'x', "vt100: a modifier that is none" },
		{ "\x1b[1;2;2Dx", 'x', "vt100: three numbers" },
	};
	struct child child = start("vt100", 80, 24, read_keys);

	is_str(hear(&child), "ready", "vt100: keys are read");
	type_each(&child, cases, sizeof(cases) / sizeof(cases[0]));
	type(&child, "q");
	is_str(hear(&child), "71", "vt100: the last");
	finish(&child);
}

/* --- the terminal's background ---------------------------------------------------------------- */

/* How many bytes a shell would read after us. */
static int left_over(void)
{
	struct termios modes;
	int unread = -1;

	tcgetattr(STDIN_FILENO, &modes);
	cfmakeraw(&modes);
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	ioctl(STDIN_FILENO, FIONREAD, &unread);
	return unread;
}

static void ask(void)
{
	struct screen *screen = must_open();

	screen_ask_background(screen);
	tell("ready\n");
	for (;;) {
		int32_t key = next_key(screen);

		if (key == KEYS_LIGHT || key == KEYS_DARK)
			tell("%s\n", key == KEYS_LIGHT ? "light" : "dark");
		else
			tell("%x\n", (unsigned int)key);
		if (key == 'q' || key == KEYS_NONE || key == KEYS_HANGUP)
			break;
	}
	screen_close(screen);
	tell("%d left\n", left_over());
}

#define DA1 "\x1b[?62;1;6c"

static void answer_slowly(struct child *child, const char *bytes)
{
	for (; *bytes; bytes++) {
		type(child, (const char[]){ *bytes, '\0' });
		usleep(30000); /* longer than the wait for the rest of a key */
	}
}

static void test_answers(void)
{
	static const struct {
		const char *bytes, *heard;
	} cases[] = {
		{ "\x1b]11;rgb:ffff/ffff/ffff\x1b\\" DA1, "light" },
		{ "\x1b]11;rgb:fdfd/f6f6/e3e3\a" DA1, "light" },
		{ "\x1b]11;rgb:0000/2b2b/3636\x1b\\" DA1, "dark" },
		{ "\x1b]11;rgb:f/f/f\a" DA1, "light" },
		{ "\x1b]11;rgba:ffff/ffff/ffff/ffff\a" DA1, "light" },
		{ "\x1b]11;rgba:0000/0000/ffff/ffff\a" DA1, "dark" },
		{ "\x1b]11;rgb:/g\a" DA1, "1b" }, /* not an answer: keys */
		{ "\x1b]11;rgb:fffff/0/0\a" DA1 "y", "79" },
		{ DA1 "x", "78" }, /* no answer */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct child child = start("xterm-256color", 80, 24, ask);

		is_str(hear(&child), "ready", "a terminal");
		settle(&child);
		ok(was_sent(&child, "\x1b]11;?\a"), "is asked for its background");
		type(&child, cases[i].bytes);
		is_str(hear(&child), cases[i].heard, "and answers (%zu)", i);
		type(&child, "q");
		finish(&child);
	}
}

static void test_slow_answer(void)
{
	struct child child = start("xterm-256color", 80, 24, ask);

	is_str(hear(&child), "ready", "a terminal");
	answer_slowly(&child, "\x1b]11;rgb:ffff/ffff/ffff\x1b\\" DA1);
	is_str(hear(&child), "1b", "over a slow line the answer's Esc is a key");
	is_str(hear(&child), "light", "but nothing else of it is");
	is_str(hear(&child), "1b", "nor of the second answer");
	type(&child, "q");
	is_str(hear(&child), "71", "the next key is what was typed");
	is_str(hear(&child), "0 left", "nothing remains for a shell");
	finish(&child);
}

static void test_broken_answer(void)
{
	struct child child = start("xterm-256color", 80, 24, ask);
	char up[16];

	snprintf(up, sizeof(up), "%x", (unsigned int)KEYS_UP);
	is_str(hear(&child), "ready", "a terminal");
	type(&child, "\x1b]11;rgb:ff");
	usleep(60000);
	type(&child, "\x1bOA");
	is_str(hear(&child), up, "a key in an answer that does not go on is a key");
	type(&child, "q");
	is_str(hear(&child), "71", "and so is the next");
	finish(&child);
}

static void test_late_answer(void)
{
	struct child child = start("xterm-256color", 80, 24, ask);

	is_str(hear(&child), "ready", "a terminal");
	type(&child, "q");
	is_str(hear(&child), "71", "whose user leaves before it answers");
	type(&child, "\x1b]11;rgb:ffff/ffff/ffff\a" DA1);
	is_str(hear(&child), "0 left", "its answer is not left for the shell");
	finish(&child);

	child = start("xterm-256color", 80, 24, ask);
	is_str(hear(&child), "ready", "a terminal");
	type(&child, "q");
	is_str(hear(&child), "71", "that never answers");
	is_str(hear(&child), "0 left", "keeps nobody from leaving");
	finish(&child);
}

static void test_not_asked(void)
{
	static const char *const terms[] = { "linux", "vt100" };

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct child child = start(terms[i], 80, 24, ask);

		is_str(hear(&child), "ready", "%s", terms[i]);
		settle(&child);
		ok(!was_sent(&child, "\x1b]11") && !was_sent(&child, "\x1b[c"), "is not asked");
		type(&child, "q");
		finish(&child);
	}
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
	test_unknown_keys();
	test_answers();
	test_slow_answer();
	test_broken_answer();
	test_late_answer();
	test_not_asked();
	test_hang_up();
	return done();
}
