/* SPDX-License-Identifier: MIT */
/*
 * The bytes that restore the terminal are prepared when it is opened, because
 * the handler of a fatal signal may not call terminfo.
 */
#include "ui/screen.h"

#include "ui/screen-inside.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#define RAW_MAX 256

/* What a signal handler needs: written before is_open is set, and never while it is set. */
static struct {
	volatile sig_atomic_t is_open;
	struct termios termios;
	char bytes[RAW_MAX];
	size_t len;
	bool has_rmcup; /* rmcup leaves the alternate screen and brings the first one back */
} restore;

void screen_restore_raw(void)
{
	if (!restore.is_open)
		return;
	restore.is_open = 0;
	int saved = errno;
	size_t done = 0;
	/* Bounded: a terminal that accepts nothing must not keep the process from exiting. */
	for (int tries = 0; done < restore.len && tries < 100; tries++) {
		ssize_t wrote = write(STDOUT_FILENO, restore.bytes + done, restore.len - done);
		if (wrote < 0 && errno != EINTR)
			break;
		done += wrote > 0 ? (size_t)wrote : 0;
	}
	tcsetattr(STDIN_FILENO, TCSANOW, &restore.termios);
	errno = saved;
}

/* Without rmcup our last frame stays on the screen: clear a line for the shell's prompt. */
void screen_restore(void)
{
	if (!restore.has_rmcup) {
		move(LINES - 1, 0);
		clrtoeol();
		refresh();
	}
	endwin();
	restore.is_open = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &restore.termios);
}

static int add_raw_byte(int byte)
{
	if (restore.len < sizeof(restore.bytes))
		restore.bytes[restore.len++] = (char)byte;
	return byte;
}

/* tputs() adds no padding, which would need a delay, on any current terminal. */
static void add_raw(const char *capability)
{
	char *text = tigetstr(capability);

	if (text && text != (char *)-1)
		tputs(text, 1, add_raw_byte);
}

bool screen_has_capability(const char *name)
{
	char *text = tigetstr(name);

	return text && text != (char *)-1;
}

bool screen_is_numbered_mouse(void)
{
	char *text = tigetstr("kmous");

	return text && text != (char *)-1 && strcmp(text, "\033[<") == 0;
}

void screen_restore_prepare(void)
{
	restore.len = 0;
	add_raw("sgr0");
	add_raw("op");
	add_raw("rmkx");
	add_raw("cnorm");
	for (const char *byte = MOUSE_OFF; screen_may_have_mouse() && *byte; byte++)
		add_raw_byte(*byte);
	restore.has_rmcup = screen_has_capability("rmcup");
	if (restore.has_rmcup)
		add_raw("rmcup");
	else
		add_raw_byte('\n');
	add_raw_byte('\r');
}

int screen_restore_begin(void)
{
	if (tcgetattr(STDIN_FILENO, &restore.termios) < 0)
		return -1;
	restore.is_open = 1;
	return 0;
}

void screen_restore_cancel(void)
{
	restore.is_open = 0;
}
