/* SPDX-License-Identifier: MIT */
/*
 * workload - the command after `--`: forked at once, started later.
 *
 * The child waits before its exec, so that events can be opened for it first.  It gets the signals,
 * the limits and the standard files with which we were started.
 */
#ifndef CAPTURE_WORKLOAD_H
#define CAPTURE_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

struct workload;

/* Where its output goes. */
enum workload_output {
	WORKLOAD_AS_OURS,
	WORKLOAD_STDERR,  /* its stdout goes to stderr: stdout has our own output */
	WORKLOAD_DROPPED, /* its standard files are /dev/null: we have the screen */
};

/* Fork the child, before any thread is started: NULL and errno. */
struct workload *workload_new(char *const argv[], enum workload_output output);

/* The child's pid, valid from workload_new() on. */
pid_t workload_pid(const struct workload *workload);

/* A pidfd, readable when the child ends. */
int workload_fd(const struct workload *workload);

/* Let the child exec: 0, or -1 and the errno of its execvp(). */
int workload_start(struct workload *workload);

/* Reap the child if it has ended: its status as in a shell (128 + signal), -1 while it runs. */
int workload_reap(struct workload *workload);

/*
 * End a command that still runs: SIGTERM, a second later SIGKILL.  `signal_by` sends the signals
 * (0, or -1 and errno), because this process may not have the right; NULL: kill(2).  A command that
 * cannot be signalled keeps running.  NULL is allowed.
 */
void workload_end(struct workload *workload, int (*signal_by)(void *ctx, int number), void *ctx);

/* Free; a child that was not started then exits.  NULL is allowed. */
void workload_free(struct workload *workload);

#endif
