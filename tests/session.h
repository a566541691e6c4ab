/* SPDX-License-Identifier: MIT */
/*
 * session - a whole run in a child, batch or on a terminal, with the scripted engine.
 *
 * Included by the one file of a test.
 */
#ifndef SESSION_H
#define SESSION_H

#include "base/sys.h"
#include "fake-engine.h"
#include "run/app.h"
#include "run/batch.h"
#include "run/live.h"
#include "tap.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MSEC 20000

struct run {
	pid_t pid;
	FILE *out, *err;
	int tty;	   /* the terminal's side, or -1 */
	char shown[65536]; /* what came to the terminal */
	size_t nshown;
};

/* As main() does, with a set in which nothing is open; a command is made as app_init() makes it. */
static inline int run_app(const struct options *options)
{
	struct app app = {
		.options = options,
		.interval_s = 1,
		.target.cgroup_fd = -1,
		.command_status = -1,
		.deadline = -1,
	};

	if (config_read(&app.config, options) != 0)
		return EXIT_FAILURE;
	if (options->command != NULL) {
		app.workload = workload_new(options->command, WORKLOAD_DROPPED);
		if (app.workload == NULL)
			return EXIT_FAILURE;
	}
	app.set = empty_set();
	app.source = make_engine();

	int status = options->mode == MODE_SCREEN ? live_run(&app) : batch_run(&app);
	status = app_result(&app, status);
	evset_free(app.set);
	app.set = NULL; /* or there would be a perftop-closer */
	app_fini(&app);
	return status;
}

static inline struct run begin(const struct options *options)
{
	struct winsize size = { .ws_col = 100, .ws_row = 24 };
	bool is_screen = options->mode == MODE_SCREEN;
	struct run run = { .out = tmpfile(), .err = tmpfile(), .tty = -1 };

	if (run.out == NULL || run.err == NULL)
		bail("tmpfile: %s", strerror(errno));
	fflush(stdout);
	run.pid = is_screen ? forkpty(&run.tty, NULL, NULL, &size) : fork();
	if (run.pid < 0)
		bail("fork: %s", strerror(errno));
	if (run.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when the test is ended in the middle */
		dup2(fileno(run.err), STDERR_FILENO);
		if (!is_screen)
			dup2(fileno(run.out), STDOUT_FILENO);
		setenv("TERM", "xterm", 1);
		setenv("XDG_CONFIG_HOME", "/dev/null", 1); /* the user's is not read */
		int status = run_app(options);
		fflush(NULL);
		_exit(status);
	}
	return run;
}

static inline void listen_for(struct run *run, int milliseconds)
{
	struct pollfd tty = { .fd = run->tty, .events = POLLIN };

	if (poll(&tty, 1, milliseconds) > 0 && run->nshown + 1 < sizeof(run->shown)) {
		ssize_t got = read(run->tty, run->shown + run->nshown,
				   sizeof(run->shown) - 1 - run->nshown);

		if (got > 0)
			run->nshown += (size_t)got;
		else
			poll(NULL, 0, milliseconds); /* the other side is closed */
	}
}

static inline bool until_is(struct run *run, const _Atomic unsigned int *count, unsigned int want)
{
	for (int i = 0; i < PATIENCE_MSEC && *count < want; i++)
		listen_for(run, 1);
	return *count >= want;
}

static inline bool shows(struct run *run, const char *text)
{
	for (int i = 0; i < PATIENCE_MSEC && strstr(run->shown, text) == NULL; i++)
		listen_for(run, 1);
	return strstr(run->shown, text) != NULL;
}

/* A run that has taken its first snapshot, and shown it where it has a screen. */
static inline struct run begin_running(const struct options *options, const char *what)
{
	struct run run = begin(options);

	send_one();
	if (options->mode == MODE_SCREEN)
		ok(shows(&run, "sched_switch"), "%s: it runs", what);
	else
		ok(until_is(&run, &script->taken, 1), "%s: it runs", what);
	return run;
}

static inline void press(const struct run *run, const char *keys)
{
	if (write(run->tty, keys, strlen(keys)) < 0)
		bail("write to the terminal: %s", strerror(errno));
}

/* The exit status, 128 and the signal when one ended it, or NONE when it had to be ended here. */
static inline int status_of(struct run *run)
{
	int status, waited = 0;

	for (int i = 0; i < PATIENCE_MSEC && waited == 0; i++) {
		listen_for(run, 1);
		waited = waitpid(run->pid, &status, WNOHANG);
	}
	if (waited == 0) {
		kill(run->pid, SIGKILL);
		waitpid(run->pid, &status, 0);
		return NONE;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNALED + WTERMSIG(status);
}

/* The number of lines in a file, and of those that contain `words`. */
static inline unsigned int lines_of(FILE *file, const char *words, unsigned int *with)
{
	unsigned int lines = 0;
	char *line = NULL;
	size_t room = 0;

	*with = 0;
	rewind(file);
	while (getline(&line, &room, file) > 0) {
		lines++;
		*with += strstr(line, words) != NULL;
	}
	free(line);
	return lines;
}

static inline void has_lines(const struct run *run, unsigned int out, unsigned int finals,
			     unsigned int errors, const char *what)
{
	unsigned int ours, with;

	is_int(lines_of(run->out, "\"final\":true", &with), out, "%s: lines written", what);
	is_int(with, finals, "%s: final ones", what);
	is_int(lines_of(run->err, "perftop-ng: ", &ours), errors, "%s: lines of error", what);
	is_int(ours, errors, "%s: each of them begins with the program's name", what);
}

static inline void end(struct run *run)
{
	fclose(run->out);
	fclose(run->err);
	if (run->tty >= 0)
		close(run->tty);
}

#endif
