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
	int error;	 /* what the kernel said */
	size_t fds_need; /* file descriptors that the whole run needs */
	bool has_root;	 /* it was opened with root's rights, whoever we are */
	bool is_cgroup;	 /* for the tasks of a cgroup */
};

/* What an errno means: a text, or one that is made, allocated; NULL made: not this cause. */
struct why_cause {
	int error; /* 0: the end of the table */
	const char *text;
	char *(*make)(const struct event_spec *spec, const struct why_place *place);
};

/* For the kinds that need one: there is no PMU, or not with this event. */
char *why_no_pmu(const struct event_spec *spec, const struct why_place *place);

/* One line, allocated: "EACCES: perf_event_paranoid is 2 ...; run as root or setcap ...". */
char *why_open(int error, const struct event_spec *spec, const struct why_place *place);

/* The same for the ring of a CPU. */
char *why_mmap(int error, size_t pages);

/* kernel.perf_event_paranoid, or -1. */
int why_paranoid(void);

/* The name of an errno, "EACCES". */
const char *why_name(int error);

#endif
