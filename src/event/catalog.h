/* SPDX-License-Identifier: MIT */
/*
 * catalog - the events that this machine has, by perf's names.
 *
 * The kinds know their names (kind.h): fixed ones are tables of the ABI, tracepoints
 * are asked of tracefs, PMUs and their events of sysfs.
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

/* Open what names come from: tracefs and the PMUs' folders.  What is not there is left out. */
void catalog_init(struct catalog *catalog);
void catalog_fini(struct catalog *catalog);

/* Told of a name that there is, and of perf's other name for it, or NULL. */
typedef void catalog_visit(void *ctx, const char *name, const char *alias);

/* The name nearest to `typed`, into `out`; false when none is near. */
bool catalog_nearest(const struct catalog *catalog, const char *typed, char *out, size_t room);

/* What a run without -e watches: a set chosen from what this machine has. */
void catalog_default_set(const struct catalog *catalog, struct event_list *list);

#endif
