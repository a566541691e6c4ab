/* SPDX-License-Identifier: MIT */
/*
 * workload - the command after `--`: made at once, started when told.
 *
 * The child waits before its exec, so that events can be bound to it first.  It
 * gets the signals, the limits and the standard files that we were started with.
 */
#ifndef CAPTURE_WORKLOAD_H
#define CAPTURE_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

struct workload;

/* What becomes of its output. */
enum workload_output {
	WORKLOAD_AS_OURS,
	WORKLOAD_STDERR,  /* standard output is for what we say ourselves: its own goes to stderr */
	WORKLOAD_DROPPED, /* its standard files are /dev/null: a screen is ours alone */
};

/* Fork it, before any thread is made: NULL and errno. */
struct workload *workload_new(char *const argv[], enum workload_output output);

/* Its process, which waits for workload_start() from workload_new() on. */
pid_t workload_pid(const struct workload *workload);

/* A pidfd that becomes readable when it ends. */
int workload_fd(const struct workload *workload);

/* Let it exec: 0, or -1 and the errno of its execvp. */
int workload_start(struct workload *workload);

/* Reap it, if it has ended: its exit status as a shell says it (128 and the signal), -1 while it runs. */
int workload_reap(struct workload *workload);

/*
 * End a command that still runs: SIGTERM, a second later SIGKILL, each by `signal_by` (0, or -1 and
 * errno), for we may not be allowed to ourselves; NULL: by kill(2).  One that cannot be signalled is
 * left alone.  NULL is allowed.
 */
void workload_end(struct workload *workload, int (*signal_by)(void *ctx, int number), void *ctx);

/* Free; one that was never started leaves by itself.  NULL is allowed. */
void workload_free(struct workload *workload);

#endif
