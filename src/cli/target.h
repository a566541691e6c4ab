/* SPDX-License-Identifier: MIT */
/*
 * target - what a run watches: which CPUs, and on them everything, some tasks or a cgroup.
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/cpulist.h"
#include "cli/options.h"

struct target {
	struct cpulist cpus; /* the slots */
	pid_t *pids;	     /* tasks, or NULL for all that runs on the CPUs */
	size_t npids;
	int cgroup_fd;	   /* the folder of the cgroup to watch (owned), or -1 */
	bool is_inherited; /* future children of the tasks too */
};

/*
 * Fill in from the options; `workload` is the pid of the command, or 0.  0, or the exit
 * status after the error was printed to stderr.
 */
int target_init(struct target *target, const struct options *options, pid_t workload);

/* How many events (side-band included) fit into RLIMIT_NOFILE, each on every CPU for each task. */
size_t target_events_fit(const struct target *target);

/* Why not all of `events` do, with the limit that they need: one line, allocated. */
char *target_files_text(const struct target *target, size_t events);

/* Free what it holds; may be all zero with cgroup_fd -1. */
void target_fini(struct target *target);

#endif
