/* SPDX-License-Identifier: MIT */
/*
 * child - a child that has the screen, on a pseudo-terminal.  The test acts as the terminal and the
 * user; the child reports through a pipe what it reads.
 *
 * Included by the one file of a test.
 */
#ifndef CHILD_H
#define CHILD_H

#include "tap.h"
#include "ui/key.h"
#include "ui/screen.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
	pid_t pid;
	int tty;	  /* the terminal's side */
	int report;	  /* the pipe of the child's reports */
	char sent[65536]; /* what came to the terminal until it was cleared */
	size_t sent_len;
};

static int report_fd;

__attribute__((format(printf, 1, 2))) static inline void tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vdprintf(report_fd, format, args);
	va_end(args);
}

/* Start `body` on a terminal of that kind. */
static inline struct child start(const char *term, int columns, int lines, void (*body)(void))
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

static inline void take_output(struct child *child)
{
	ssize_t got = read(child->tty, child->sent + child->sent_len,
			   sizeof(child->sent) - 1 - child->sent_len);

	if (got > 0)
		child->sent_len += (size_t)got;
	child->sent[child->sent_len] = '\0';
}

/* The child's next line, while its output is read; "" when it ended or sent none for 5 s. */
static inline const char *hear(struct child *child)
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
static inline void settle(struct child *child)
{
	struct pollfd tty = { .fd = child->tty, .events = POLLIN };

	while (poll(&tty, 1, 150) > 0 && tty.revents & POLLIN)
		take_output(child);
}

static inline void type(struct child *child, const char *keys)
{
	if (write(child->tty, keys, strlen(keys)) < 0)
		bail("write to the terminal: %s", strerror(errno));
}

static inline int finish(struct child *child)
{
	int status = -1;

	while (hear(child)[0])
		;
	waitpid(child->pid, &status, 0);
	close(child->tty);
	close(child->report);
	return status;
}

static inline void show_sent(struct child *child)
{
	for (size_t i = 0; i < child->sent_len; i++)
		if ((unsigned char)child->sent[i] < ' ')
			child->sent[i] = '^';
	diag("sent: %.600s", child->sent);
}

static inline bool was_sent(const struct child *child, const char *bytes)
{
	return memmem(child->sent, child->sent_len, bytes, strlen(bytes)) != NULL;
}

/* --- what children do -------------------------------------------------------------------------- */

static inline struct screen *must_open(void)
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
static inline int32_t next_key(struct screen *screen)
{
	int32_t key = screen_key(screen);

	for (int i = 0; key == KEYS_NONE && i < 500; i++) {
		struct pollfd tty = { .fd = STDIN_FILENO, .events = POLLIN };

		poll(&tty, 1, 10);
		key = screen_key(screen);
	}
	return key;
}

#endif
