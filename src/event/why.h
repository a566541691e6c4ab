/* SPDX-License-Identifier: MIT */
/*
 * why - what an errno of perf_event_open or mmap means here, and the smallest fix.
 */
#ifndef EVENT_WHY_H
#define EVENT_WHY_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

/* Where an event was opened, as far as the advice depends on it. */
struct why_place {
	int cpu;	 /* CPU, or -1 */
	int pid;	 /* task, or -1 for all */
	int error;	 /* the errno */
	size_t fds_need; /* file descriptors that the whole run needs */
	bool has_root;	 /* it was opened with root's rights, whatever our uid */
	/* with has_root: why_root_lacks() of the process that opened it, or NULL */
	const char *root_lacks;
	bool is_cgroup;	   /* for the tasks of a cgroup */
	bool is_user_mode; /* with the kernel's side left out */
};

/* What an errno means: a fixed text, or the allocated result of make(); NULL: not this cause. */
struct why_cause {
	int error; /* 0: the end of the table */
	const char *text;
	char *(*make)(const struct event_spec *spec, const struct why_place *place);
};

/* For kinds that need a PMU: there is none, or it lacks this event.  Allocated. */
char *why_no_pmu(const struct event_spec *spec, const struct why_place *place);

/*
 * For what kernel.perf_event_paranoid cannot allow: "WHAT are for root (CAP): sudo perftop-ng", allocated;
 * NULL with root's rights.
 */
char *why_for_root(const struct why_place *place, const char *what, const char *cap);

/* One line, allocated: "EACCES: kernel.perf_event_paranoid=2 keeps ... to root: sudo perftop-ng". */
char *why_open(int error, const struct event_spec *spec, const struct why_place *place);

/* The same for mmap of a CPU's ring buffer. */
char *why_mmap(int error, size_t pages);

/* kernel.perf_event_paranoid, or -1. */
int why_paranoid(void);

/* Whether kernel lockdown is at "confidentiality", as far as securityfs says. */
bool why_is_locked_down(void);

/*
 * For a process of uid 0: what it lacks of root's rights over perf events, and the fix, a fixed text; or NULL.
 * "root without CAP_PERFMON: start the container with --cap-add=PERFMON".
 */
const char *why_root_lacks(void);

/* The name of an errno, "EACCES". */
const char *why_name(int error);

#endif
