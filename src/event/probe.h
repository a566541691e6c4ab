/* SPDX-License-Identifier: MIT */
/*
 * probe - whether an event of each class opens here: tried, and closed again.
 *
 * Every probe only counts and is never enabled.  A uprobe is put on a function
 * of ours that nobody calls, a breakpoint on a word that nobody writes.
 */
#ifndef EVENT_PROBE_H
#define EVENT_PROBE_H

#include <stdbool.h>

#include "event/event.h"

enum probe_class {
	PROBE_SOFTWARE,
	PROBE_HARDWARE,
	PROBE_CACHE,
	PROBE_TRACEPOINT,
	PROBE_KPROBE,
	PROBE_UPROBE,
	PROBE_BREAKPOINT,
	PROBE_MSR,
	PROBE_CLASSES,
};

struct probe {
	const char *name;  /* of the class */
	const char *event; /* what stood for it */
	enum event_kind kind;
	/* 0, or the errno of opening it: */
	int machine_error; /* on a CPU, for all tasks */
	int task_error;	   /* for our own task */
	int user_error;	   /* for our own task, leaving the kernel out */
	bool is_known;	   /* there is a type or id to ask for; else all are ENOENT or EACCES */
};

/* Open and close what stands for the class, on `cpu` and for our own task: *probe. */
void probe_class(enum probe_class class, int cpu, struct probe *probe);

#endif
