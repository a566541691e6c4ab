/* SPDX-License-Identifier: MIT */
/*
 * event - an event as requested: what to open, before any CPU or fd.
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"

/*
 * The kinds, in the order of --list and --doctor: ID, and the word of the JSON output.
 * WORD is kind_WORD() of kind-WORD.c: see kind.h.
 */
#define EVENT_KINDS(EACH)            \
	EACH(HARDWARE, hardware)     \
	EACH(SOFTWARE, software)     \
	EACH(CACHE, cache)           \
	EACH(RAW, raw)               \
	EACH(PMU, pmu)               \
	EACH(BREAKPOINT, breakpoint) \
	EACH(KPROBE, kprobe)         \
	EACH(UPROBE, uprobe)         \
	EACH(TRACEPOINT, tracepoint)

enum event_kind {
#define EVENT_KIND_ID(id, word) EVENT_##id,
	EVENT_KINDS(EVENT_KIND_ID)
#undef EVENT_KIND_ID
		EVENT_KINDS_COUNT
};

/* "tracepoint", "software" ...: the words of the JSON output. */
const char *event_kind_name(enum event_kind kind);

/* perf's modifiers, "cycles:upp".  Any of u, k, h given excludes the levels not given. */
struct event_modifiers {
	bool exclude_user, exclude_kernel, exclude_hv;
	bool exclude_guest, exclude_host, exclude_idle;
	bool is_pinned, is_exclusive;
	bool is_leader_sampled; /* S: the first of its group samples for all */
	bool is_precise_max;	/* P: as precise as the PMU allows, starting from `precise` */
	unsigned int precise;	/* 0 to 3 */
	char text[32];		/* as typed, without the colon; the event's own, then its group's */
};

/* perf_event_attr.type of a PMU that this kernel lacks: ENOENT on open, explained by the kind. */
#define EVENT_TYPE_NONE UINT32_MAX

struct event_spec {
	char *name;    /* perf's name, modifiers included: "sched:sched_switch", "cycles:u" */
	char *origin;  /* a tracepoint's own name where `name` differs (owned): event_origin() */
	bool is_named; /* the user named it, name= */
	enum event_kind kind;
	uint32_t type; /* perf_event_attr.type */
	uint64_t config;
	/* Breakpoint: address and length.  Probe: config2 is the offset, or a kprobe's address. */
	uint64_t config1, config2, config3;
	uint32_t bp_type; /* HW_BREAKPOINT_R, _W, _X of a breakpoint */
	char *path; /* uprobe: the file; kprobe: the symbol, or NULL (owned); config1 points there */
	struct event_modifiers modifiers;
	uint64_t period;     /* the term period=, for this event only; 0: not given */
	uint64_t freq;	     /* the term freq=, Hz; 0: not given */
	uint32_t group;	     /* number of its {}, from 1; 0: none */
	struct cpulist cpus; /* the only CPUs it may be opened on; none: all (owned) */
	bool is_uncore;	     /* counts for the machine, not a CPU or task: open it on `cpus` */
	double scale;	     /* a count times this is in `unit`; 1 when there is none */
	char *unit;	     /* "Joules", "MiB", or NULL (owned) */
	bool is_clock;	     /* counts ns, not occurrences: cpu-clock, task-clock */
	bool is_count_only;  /* the PMU cannot sample it: found out by opening, or known before */
	bool is_off;	     /* listed, but not opened until it is switched on */
	bool may_be_clock;   /* default cycles: may fall back to a clock, also with --strict */
	char *fault;  /* not NULL: why it cannot be opened at all (owned, freed with the spec) */
	char *note;   /* what the user should know, or NULL (owned) */
	char *filter; /* over its fields, for the kernel (fieldfilter.h), or NULL (owned) */
};

struct event_list {
	struct event_spec *specs;
	size_t count;
};

/* Add an otherwise zeroed spec (scale 1) at the end; the pointer is valid until the next call. */
struct event_spec *event_list_add(struct event_list *list, enum event_kind kind, const char *name);

/* Free all specs and what they hold. */
void event_list_fini(struct event_list *list);

/* Free what a spec holds, not the spec. */
void event_spec_fini(struct event_spec *spec);

/* A deep copy; the caller owns it. */
struct event_spec event_spec_copy(const struct event_spec *spec);

/* Restrict it to these CPUs (copied); an empty list is all. */
void event_spec_bind(struct event_spec *spec, const struct cpulist *cpus);

/* Add to the note, after "; " when there is one already. */
void event_spec_note(struct event_spec *spec, const char *text);

/*
 * Whether it can happen in user mode too.  False for the kernel's own tracepoints, switches,
 * migrations and kprobes: they would always count 0 with the kernel excluded.
 */
bool event_fires_in_user_mode(const struct event_spec *spec);

/* Whether its records have fields described by a format file in tracefs. */
bool event_has_format(const struct event_spec *spec);

/*
 * Whether it uses a hardware counter of a PMU, which the kernel multiplexes when there are not
 * enough.  Software events, tracepoints, breakpoints and probes always count (kernel:
 * perf_sw_context, where all events can be scheduled).
 */
bool event_takes_counter(const struct event_spec *spec);

/*
 * Whether its samples may have the id of another perf event, which counts the same software event
 * (decode/decoder.c): the kernel has one perf_sample_data for all of these.  Clocks have their own timers.
 */
bool event_shares_samples(const struct event_spec *spec);

/* Whether it is the start or end of a task or program, which costs far more than a sample of it. */
bool event_is_lifetime(const struct event_spec *spec);

/* Whether the tracepoint of this name is a wakeup: the task in its field `pid` becomes ready to run. */
bool event_is_wakeup(const char *origin);
#define EVENT_WOKEN_FIELD "pid"

/* Whether its count is a time: clocks, and tracepoints that add up what they measure. */
bool event_counts_ns(const struct event_spec *spec);

#define EVENT_UNIT_MAX 64

/* The unit of one count: "" for occurrences, "ns", "MiB", or with a scale "2.328e-10 Joules". */
const char *event_unit(const struct event_spec *spec, char out[EVENT_UNIT_MAX]);

/* Its name in the kernel, "sched:sched_switch", possibly followed by modifiers. */
const char *event_origin(const struct event_spec *spec);

/* The length of a tracepoint's system, "sched" in "sched:sched_switch:u". */
size_t event_system_length(const char *name);

#endif
