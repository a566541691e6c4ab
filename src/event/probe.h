/* SPDX-License-Identifier: MIT */
/*
 * probe - whether events open here: opened as a test, then closed.
 *
 * Every test event only counts and is never enabled.  Each kind has one in its struct kind_probe.
 */
#ifndef EVENT_PROBE_H
#define EVENT_PROBE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "event/catalog.h"
#include "event/event.h"

/* How the test events of kinds are opened. */
struct probe_way {
	const struct catalog *catalog; /* for their ids */
	/*
	 * Open an event, and close it now or later: 0, or the errno.  `text`, or NULL: what its
	 * config1 has to point to.
	 */
	int (*open)(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
		    int cpu);
	void *ctx;
};

struct probe {
	/* 0, or the errno of opening it: */
	int machine_error; /* on a CPU, for all tasks */
	int task_error;	   /* for our own task */
	int user_error;	   /* for our own task, leaving the kernel out */
	bool is_known;	   /* the event's type or id is known; else all are ENOENT or EACCES */
};

/* Open the kind's test event, on `cpu` and for our own task: false when it has none. */
bool probe_kind(enum event_kind kind, int cpu, const struct probe_way *way, struct probe *probe);

/*
 * Open and close the event, on `cpu` or its own: 0, also when only our own tasks may be watched with
 * it, or the errno.  Modifiers and config3 are left out.
 */
int probe_event(const struct event_spec *spec, int cpu);

/* The same for the kind's test event; 0 when it has none, and *is_known as in struct probe. */
int probe_test_event(enum event_kind kind, int cpu, const struct catalog *catalog, bool *is_known);

/* An event that counts nothing, in user mode: allowed at every perf_event_paranoid up to 2. */
struct perf_event_attr probe_dummy(void);

/* Open and close an event of task `pid` (-1: all, 0: ours) on `cpu` (-1: any): 0, or the errno. */
int probe_open(const struct perf_event_attr *attr, pid_t pid, int cpu);

/*
 * Whether this process may watch task `pid` (-1: all tasks) on `cpu` (-1: any), at least in user
 * mode: 0, or the errno.
 */
int probe_right(pid_t pid, int cpu);

/* Set attr->type from a PMU in sysfs: 0, or an errno. */
int probe_device_type(const char *name, struct perf_event_attr *attr);

#endif
