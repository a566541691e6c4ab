/* SPDX-License-Identifier: MIT */
/*
 * event - an event as it was asked for: what to open, before any CPU or fd.
 */
#ifndef CAPTURE_EVENT_H
#define CAPTURE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
	EVENT_HARDWARE,
	EVENT_SOFTWARE,
	EVENT_CACHE,
	EVENT_RAW,
	EVENT_PMU,
	EVENT_BREAKPOINT,
	EVENT_TRACEPOINT,
	EVENT_KPROBE,
	EVENT_UPROBE,
};

/* "tracepoint", "software" ...: the words of the JSON output. */
const char *event_kind_name(enum event_kind kind);

/* perf's modifiers, "cycles:upp".  Any of u, k, h given excludes the levels not given. */
struct event_modifiers {
	bool exclude_user, exclude_kernel, exclude_hv;
	bool exclude_guest, exclude_host, exclude_idle;
	bool is_pinned, is_exclusive;
	unsigned int precise; /* 0 to 3 */
	char text[16];        /* as typed, without the colon */
};

struct event_spec {
	char *name;        /* perf's name, modifiers included: "sched:sched_switch", "cycles:u" */
	enum event_kind kind;
	uint32_t type;     /* perf_event_attr.type */
	uint64_t config;
	struct event_modifiers modifiers;
	bool is_clock;     /* counts ns, not occurrences: cpu-clock, task-clock */
	bool is_off;       /* stands there unopened until it is switched on */
	char *fault;       /* not NULL: cannot be opened at all, and why (owned, freed with the spec) */
	char *note;        /* what the user should know, or NULL (owned) */
};

struct event_list {
	struct event_spec *specs;
	size_t count;
};

/* Add a zeroed spec at the end; valid until the next call. */
struct event_spec *event_list_add(struct event_list *list, enum event_kind kind, const char *name);

void event_list_fini(struct event_list *list);

/* Free what a spec holds, not the spec. */
void event_spec_fini(struct event_spec *spec);

/* A spec with its own copies of everything. */
struct event_spec event_spec_copy(const struct event_spec *spec);

/* A tracepoint's two parts: the length of "sched" in "sched:sched_switch:u". */
size_t event_system_length(const char *name);

#endif
