/* SPDX-License-Identifier: MIT */
/*
 * catalog - the events that this machine has, by perf's names.
 *
 * The fixed ones (software, hardware) are tables of the ABI; tracepoints are
 * asked of tracefs.
 */
#ifndef CAPTURE_CATALOG_H
#define CAPTURE_CATALOG_H

#include "capture/event.h"
#include "capture/tracefs.h"

struct catalog {
	struct tracefs *tracefs; /* owned; NULL when there is none */
	int tracefs_errno;       /* why there is none */
};

void catalog_init(struct catalog *catalog);
void catalog_fini(struct catalog *catalog);

/* A software or hardware event by any of perf's names: true and the spec's kind, type, config, clock. */
bool catalog_symbolic(const char *name, struct event_spec *spec);

/* Call `visit` with each name there is, one after the other, that matches the glob (NULL: all). */
void catalog_each(const struct catalog *catalog, const char *glob,
		  void (*visit)(void *ctx, const char *name, enum event_kind kind), void *ctx);

/* The name nearest to `typed`, into `out`; false when none is near. */
bool catalog_nearest(const struct catalog *catalog, const char *typed, char *out, size_t room);

/* What a run without -e watches: a set chosen from what this machine has. */
void catalog_default_set(const struct catalog *catalog, struct event_list *list);

#endif
