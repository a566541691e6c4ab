/* SPDX-License-Identifier: MIT */
/*
 * machine-events - the events that this machine has, for the browser: main reads them.
 */
#ifndef UI_MACHINE_EVENTS_H
#define UI_MACHINE_EVENTS_H

#include <stddef.h>

#include "base/strbuf.h"

/* All strings are borrowed, and valid as long as the list. */
struct machine_event {
	const char *name;   /* as -e takes it: "sched:sched_switch" */
	const char *group;  /* "sched", "software": those of a group are next to each other */
	const char *text;   /* what it counts; NULL: only describe() knows */
	const char *reason; /* why it does not open here; NULL: it does, or it was not tried */
};

struct machine_events {
	const struct machine_event *all; /* [count] */
	size_t count;
	void *ctx;
	/* What event number `at` counts, or which fields it has; "" when unknown.  Reads files. */
	const char *(*describe)(void *ctx, size_t at);
	/* Append its fields, a declaration a line: "pid_t pid".  Reads files. */
	void (*declare)(void *ctx, size_t at, struct strbuf *out);
};

#endif
