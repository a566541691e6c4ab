/* SPDX-License-Identifier: MIT */
/*
 * catalog - the events that this machine has, by perf's names.
 *
 * Each kind lists its names (kind.h): fixed ones come from tables of the ABI, tracepoints
 * from tracefs, PMUs and their events from sysfs.
 */
#ifndef EVENT_CATALOG_H
#define EVENT_CATALOG_H

#include "base/strbuf.h"
#include "event/event.h"
#include "event/pmu.h"
#include "event/tracefs.h"

struct catalog {
	struct tracefs *tracefs; /* owned; NULL when there is none */
	int tracefs_errno;	 /* why there is none */
	struct pmus *pmus;	 /* owned; NULL for none */
};

/* Open the sources of names, tracefs and the PMUs' folders; missing ones are left out. */
void catalog_init(struct catalog *catalog);
void catalog_fini(struct catalog *catalog);

/* Called with an existing name, and perf's other name for it, or NULL. */
typedef void catalog_visit(void *ctx, const char *name, const char *alias);

/* The name nearest to `typed`, into `out`; false when none is near. */
bool catalog_nearest(const struct catalog *catalog, const char *typed, char *out, size_t room);

/* Add the events of a run without -e: a fixed set, without those this machine lacks. */
void catalog_default_set(const struct catalog *catalog, struct event_list *list);

#endif
