/* SPDX-License-Identifier: MIT */
/*
 * The screen on a pseudo-terminal: the test plays the terminal and the user, a
 * child has the screen and tells through a pipe what it sees.
 */
#include "ui/key.h"
#include "ui/screen.h"

#include "messages.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

struct child {
	pid_t pid;
	int tty;	  /* the terminal's side */
	int report;	  /* what the child tells */
	char sent[65536]; /* what came to the terminal until it was cleared */
	size_t sent_len;
};

static int report_fd;

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vdprintf(report_fd, format, args);
	va_end(args);
}

/* Start `body` on a terminal of that kind. */
static struct child start(const char *term, int columns, int lines, void (*body)(void))
{
	struct winsize size = { .ws_col = (unsigned short)columns,
				.ws_row = (unsigned short)lines };
	struct child child = { 0 };
	int pipes[2];

	if (pipe(pipes) < 0)
		bail("pipe: %s", strerror(errno));
	fflush(stdout);
	child.pid = forkpty(&child.tty, NULL, NULL, &size);
	if (child.pid < 0)
		skip_all("no pseudo-terminals here: %s", strerror(errno));
	if (child.pid == 0) {
		report_fd = pipes[1];
		close(pipes[0]);
		setenv("LC_ALL", "C.UTF-8", 1);
		if (term)
			setenv("TERM", term, 1);
		else
			unsetenv("TERM");
		signal(SIGHUP, SIG_IGN);
		body();
		_exit(0);
	}
	close(pipes[1]);
	child.report = pipes[0];
	return child;
}

static void take_output(struct child *child)
{
	ssize_t got = read(child->tty, child->sent + child->sent_len,
			   sizeof(child->sent) - 1 - child->sent_len);

	if (got > 0)
		child->sent_len += (size_t)got;
	child->sent[child->sent_len] = '\0';
}

/* The child's next line, while its output is read; "" when it ended or said nothing for 5 s. */
static const char *hear(struct child *child)
{
	static char line[512];
	size_t len = 0;

	for (;;) {
		struct pollfd fds[2] = { { .fd = child->report, .events = POLLIN },
					 { .fd = child->tty, .events = POLLIN } };

		if (poll(fds, 2, 5000) <= 0)
			break;
		if (fds[1].revents & POLLIN)
			take_output(child);
		else if (fds[1].revents && !fds[0].revents)
			poll(NULL, 0, 10);
		if (!fds[0].revents)
			continue;
		if (read(child->report, line + len, 1) != 1 || line[len] == '\n' ||
		    len + 2 == sizeof(line))
			break;
		len++;
	}
	line[len] = '\0';
	return line;
}

/* All that comes until the terminal is quiet. */
static void settle(struct child *child)
{
	struct pollfd tty = { .fd = child->tty, .events = POLLIN };

	while (poll(&tty, 1, 150) > 0 && tty.revents & POLLIN)
		take_output(child);
}

static void type(struct child *child, const char *keys)
{
	if (write(child->tty, keys, strlen(keys)) < 0)
		bail("write to the terminal: %s", strerror(errno));
}

static int finish(struct child *child)
{
	int status = -1;

	while (hear(child)[0])
		;
	waitpid(child->pid, &status, 0);
	close(child->tty);
	close(child->report);
	return status;
}

static void show_sent(struct child *child)
{
	for (size_t i = 0; i < child->sent_len; i++)
		if ((unsigned char)child->sent[i] < ' ')
			child->sent[i] = '^';
	diag("sent: %.600s", child->sent);
}

static bool was_sent(const struct child *child, const char *bytes)
{
	return memmem(child->sent, child->sent_len, bytes, strlen(bytes)) != NULL;
}

/* --- what children do -------------------------------------------------------------------------- */

static struct screen *must_open(void)
{
	char error[256];
	struct screen *screen = screen_open(error, sizeof(error));

	if (!screen) {
		tell("refused %d %s\n", errno, error);
		_exit(1);
	}
	return screen;
}

/* Wait up to 5 s for a key. */
static int32_t next_key(struct screen *screen)
{
	int32_t key = screen_key(screen);

	for (int i = 0; key == KEYS_NONE && i < 500; i++) {
		struct pollfd tty = { .fd = STDIN_FILENO, .events = POLLIN };

		poll(&tty, 1, 10);
		key = screen_key(screen);
	}
	return key;
}

static bool has_modes_of(const struct termios *before)
{
	struct termios now;

	tcgetattr(STDIN_FILENO, &now);
	return now.c_iflag == before->c_iflag && now.c_oflag == before->c_oflag &&
	       now.c_lflag == before->c_lflag && now.c_cflag == before->c_cflag;
}

static void open_and_close(void)
{
	struct termios before;
	char error[256];

	tcgetattr(STDIN_FILENO, &before);
	struct screen *screen = screen_open(error, sizeof(error));
	if (!screen) {
		tell("refused %d %s\n", errno, error);
		tell("modes %s\n", has_modes_of(&before) ? "kept" : "lost");
		return;
	}
	tell("%s\n", screen_is_utf8(screen) ? "utf8" : "ascii");
	screen_close(screen);
	tell("modes %s\n", has_modes_of(&before) ? "kept" : "lost");
	screen_restore_raw();
}

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

static void restore_raw(void)
{
	struct termios before;

	tcgetattr(STDIN_FILENO, &before);
	struct screen *screen = must_open();
	struct canvas canvas;
	canvas_init(&canvas, 80, 24);
	screen_blit(screen, &canvas);
	tell("modes %s\n", has_modes_of(&before) ? "kept" : "changed");
	screen_restore_raw();
	tell("modes %s\n", has_modes_of(&before) ? "kept" : "lost");
	_exit(0);
}

static void suspend(void)
{
	struct termios before;

	tcgetattr(STDIN_FILENO, &before);
	struct screen *screen = must_open();
	struct canvas canvas;
	canvas_init(&canvas, 80, 24);
	canvas_put(&canvas, 0, 0, -1, ROLE_TEXT, "visible");
	screen_blit(screen, &canvas);
	screen_suspend(screen);
	tell("modes %s\n", has_modes_of(&before) ? "kept" : "lost");
	screen_blit(screen, &canvas);
	screen_resume(screen);
	tell("modes %s\n", has_modes_of(&before) ? "kept" : "changed");
	screen_blit(screen, &canvas);
	tell("key %x\n", (unsigned int)next_key(screen));
	screen_close(screen);
	canvas_fini(&canvas);
}

static void show_theme(void)
{
	struct screen *screen = must_open();
	struct canvas canvas;
	struct theme theme;
	char error[256];

	theme_parse("t", "bad = #ff8700/#0000d7 bold\n", &theme, error, sizeof(error));
	screen_theme(screen, &theme);
	canvas_init(&canvas, 80, 24);
	canvas_put(&canvas, 0, 0, -1, ROLE_BAD, "bad");
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

/* --- tests ------------------------------------------------------------------------------------- */

static void test_refusals(void)
{
	static const char *const terms[] = { "dumb", "no-such-thing", "", NULL, "x\x1b[2J" };
	char start_of[32];

	snprintf(start_of, sizeof(start_of), "refused %d ", ENOTSUP);

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct child child = start(terms[i], 80, 24, open_and_close);
		const char *heard = hear(&child);
		bool is_refused = strncmp(heard, start_of, strlen(start_of)) == 0;

		ok(is_refused, "refused: %s", heard);
		is_message(is_refused ? heard + strlen(start_of) : heard, "TERM=%s",
			   terms[i] != NULL ? terms[i] : "(unset)");
		is_str(hear(&child), "modes kept", "and nothing was changed");
		finish(&child);
		is_u64(child.sent_len, 0, "nor sent");
	}
}

static void test_no_tty(void)
{
	char error[256] = "";
	int null = open("/dev/null", O_RDWR), in = dup(STDIN_FILENO);

	dup2(null, STDIN_FILENO);
	ok(!screen_open(error, sizeof(error)), "no screen without a terminal");
	is_int(errno, ENOTTY, "errno says why");
	is_message(error, "screen: no terminal");
	screen_restore_raw();
	dup2(in, STDIN_FILENO);
	close(in);
	close(null);
}

static void test_closing(void)
{
	static const struct {
		const char *term, *kind;
	} cases[] = { { "xterm-256color", "utf8" },
		      { "xterm", "utf8" },
		      { "vt100", "utf8" },
		      { "linux", "ascii" },
		      { "screen", "utf8" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct child child = start(cases[i].term, 80, 24, open_and_close);

		is_str(hear(&child), cases[i].kind, "%s opens", cases[i].term);
		is_str(hear(&child), "modes kept", "and is given back as it was");
		is_int(finish(&child), 0, "its program ends well");
	}
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
		{ "\x1c", 3, "^\\ leaves" },
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
	is_str(line, expected, "is gone, and that is told");
	ok(end.tv_sec - begin.tv_sec < 2, "at once");
	close(child.tty);
	close(child.report);
	int status;
	waitpid(child.pid, &status, 0);
	is_int(status, 0, "closing a dead terminal is harmless");
}

static void test_raw(void)
{
	struct child child = start("xterm", 80, 24, restore_raw);

	is_str(hear(&child), "modes changed", "a screen is open");
	is_str(hear(&child), "modes kept", "a signal handler gives the terminal back");
	settle(&child);
	ok(was_sent(&child, "\x1b[?1049l"), "the first screen is back");
	ok(was_sent(&child, "\x1b[?12l\x1b[?25h") || was_sent(&child, "\x1b[?25h"),
	   "with its cursor");
	finish(&child);
}

static void test_suspending(void)
{
	struct child child = start("xterm", 80, 24, suspend);

	is_str(hear(&child), "modes kept", "^Z gives the terminal back");
	is_str(hear(&child), "modes changed", "fg takes it again");
	settle(&child);
	char *second = memmem(child.sent, child.sent_len, "visible", 7);
	ok(second && strstr(second + 1, "visible"), "and draws all of it");
	type(&child, "k");
	is_str(hear(&child), "key 6b", "keys arrive again");
	is_int(finish(&child), 0, "it ends well");
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
	test_no_tty();
	test_refusals();
	test_closing();
	test_keys();
	test_differences();
	test_sizes();
	test_hang_up();
	test_raw();
	test_suspending();
	test_colours();
	return done();
}
