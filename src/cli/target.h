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
	bool is_own;	   /* of this user, as all tasks may not be watched */
	size_t nforbidden; /* tasks left out, as this user may not watch them */
};

/*
 * Fill in from the options; `workload` is the pid of the command, or 0.  Without `has_root` (see
 * struct access), tasks that may not be watched are left out; and where no scope is chosen and the
 * whole machine may not be watched, the user's own tasks are (not with --strict).  0, or the
 * exit status and the error: one line, allocated.  target_fini() in either case.
 */
int target_init(struct target *target, const struct options *options, bool has_root, pid_t workload,
		char **error);

/* What the user has to know about the scope: one line, allocated, or NULL. */
char *target_note(const struct target *target, const struct options *options);

/* Whether these are tasks of which this process may watch none with its own rights. */
bool target_is_forbidden(const struct target *target);

/* How many events (side-band included) fit into RLIMIT_NOFILE, each on every CPU for each task. */
size_t target_events_fit(const struct target *target);

/* Why not all of `events` do, with the limit that they need: one line, allocated. */
char *target_files_text(const struct target *target, size_t events);

/* Whether the files of both, with so many events each, fit into RLIMIT_NOFILE together. */
bool target_fits_beside(const struct target *target, size_t events, const struct target *other,
			size_t other_events);

/* Free what it holds; may be all zero with cgroup_fd -1. */
void target_fini(struct target *target);

#endif
