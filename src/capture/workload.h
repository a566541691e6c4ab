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

/*
 * Fork it, before any thread is made: NULL and errno.  With `is_quiet` its
 * standard files are /dev/null: a screen is ours alone.
 */
struct workload *workload_new(char *const argv[], bool is_quiet);

pid_t workload_pid(const struct workload *workload);

/* A pidfd that becomes readable when it ends. */
int workload_fd(const struct workload *workload);

/* Let it exec: 0, or -1 and the errno of its execvp. */
int workload_start(struct workload *workload);

/* Reap it, if it has ended: 1 and its wait status, 0 while it runs. */
int workload_reap(struct workload *workload, int *status);

/* Somebody with more rights than we have left has told it to end. */
void workload_told(struct workload *workload);

/*
 * Free; a child that still runs is told to end (SIGTERM, a second later SIGKILL) and reaped.  One that we
 * may not signal, and nobody has told, is left alone.  NULL is allowed.
 */
void workload_free(struct workload *workload);

#endif
