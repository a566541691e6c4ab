/* SPDX-License-Identifier: MIT */
/* Opening the screen and restoring the terminal: refusals, closing, a signal handler, ^Z. */
#include "ui/child.h"

#include "messages.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

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
	is_int(errno, ENOTTY, "with its errno");
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
		is_str(hear(&child), "modes kept", "and is restored as it was");
		is_int(finish(&child), 0, "its program ends with success");
	}
}

static void test_raw(void)
{
	struct child child = start("xterm", 80, 24, restore_raw);

	is_str(hear(&child), "modes changed", "a screen is open");
	is_str(hear(&child), "modes kept", "a signal handler restores the terminal");
	settle(&child);
	ok(was_sent(&child, "\x1b[?1049l"), "the first screen is back");
	ok(was_sent(&child, "\x1b[?12l\x1b[?25h") || was_sent(&child, "\x1b[?25h"),
	   "with its cursor");
	finish(&child);
}

static void test_suspending(void)
{
	struct child child = start("xterm", 80, 24, suspend);

	is_str(hear(&child), "modes kept", "^Z restores the terminal");
	is_str(hear(&child), "modes changed", "fg sets it up again");
	settle(&child);
	char *second = memmem(child.sent, child.sent_len, "visible", 7);
	ok(second && strstr(second + 1, "visible"), "and draws all of it");
	type(&child, "k");
	is_str(hear(&child), "key 6b", "keys arrive again");
	is_int(finish(&child), 0, "it ends with success");
}

int main(void)
{
	plan_lazy();
	test_no_tty();
	test_refusals();
	test_closing();
	test_raw();
	test_suspending();
	return done();
}
