/* SPDX-License-Identifier: MIT */
/*
 * catalog - the events that this machine has, by perf's names.
 *
 * The fixed ones (software, hardware, cache) are tables of the ABI; tracepoints
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

/* A software or hardware event by any of perf's names: true and the spec's kind, type, config, clock. */
bool catalog_symbolic(const char *name, struct event_spec *spec);

/*
 * A cache event, "L1-dcache-load-misses", by any of perf's names for cache, operation and result:
 * false when it is none.  *is_legal: whether the cache has such an operation (no stores to
 * instructions).
 */
bool catalog_cache(const char *name, uint64_t *config, bool *is_legal);

/* The i-th legal cache event, by perf's own name for it; false behind the last. */
bool catalog_cache_at(size_t i, char *out, size_t room);

/* Call `visit` with each name there is, one after the other, that matches the glob (NULL: all). */
void catalog_each(const struct catalog *catalog, const char *glob,
		  void (*visit)(void *ctx, const char *name, enum event_kind kind), void *ctx);

/* The name nearest to `typed`, into `out`; false when none is near. */
bool catalog_nearest(const struct catalog *catalog, const char *typed, char *out, size_t room);

/*
 * What an event is, in a line: fixed words, or what the kernel's files say of it.  For a tracepoint
 * that is its fields, for which its format file is read.
 */
void catalog_describe(const struct catalog *catalog, const char *name, enum event_kind kind,
		      struct strbuf *out);

/* What a run without -e watches: a set chosen from what this machine has. */
void catalog_default_set(const struct catalog *catalog, struct event_list *list);

#endif
