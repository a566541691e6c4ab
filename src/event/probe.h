/* SPDX-License-Identifier: MIT */
/*
 * probe - whether an event of each kind opens here: tried, and closed again.
 *
 * Every probe only counts and is never enabled.  What stands for a kind is in its struct kind_probe.
 */
#ifndef EVENT_PROBE_H
#define EVENT_PROBE_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "event/event.h"

struct probe {
	/* 0, or the errno of opening it: */
	int machine_error; /* on a CPU, for all tasks */
	int task_error;	   /* for our own task */
	int user_error;	   /* for our own task, leaving the kernel out */
	bool is_known;	   /* there is a type or id to ask for; else all are ENOENT or EACCES */
};

/* Open and close what stands for the kind, on `cpu` and for our own task: false when nothing does. */
bool probe_kind(enum event_kind kind, int cpu, struct probe *probe);

/* attr->type of a PMU in sysfs: 0, or an errno. */
int probe_device_type(const char *name, struct perf_event_attr *attr);

#endif
