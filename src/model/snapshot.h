/* SPDX-License-Identifier: MIT */
/*
 * snapshot - all that can be shown at one tick, in one immutable value.
 *
 * The decoder builds one at each tick; screens, text, JSON and CSV are views of
 * it and see nothing else.  It holds no pointer to anything live: every string
 * and array is its own, in one arena, freed with it.
 *
 * It is counted: whoever keeps one beyond a call has a reference of its own, and
 * releases it.  So the screen, a file and a history may hold the same one.  Once
 * its builder has handed it on nobody writes to it, so any thread may read it.
 *
 * Most members are rows of model/figures.h.
 *
 * Units: times in ns unless the name says otherwise, sizes in bytes, rates per
 * second.  A rate that is not known (no interval yet, a failed event) is
 * RATE_UNKNOWN and is shown as "-", never as 0.
 *
 * Strings that come from tasks or files are raw bytes: every output passes them
 * through text_safe() (base/text.h) or its own escape (JSON).
 */
#ifndef MODEL_SNAPSHOT_H
#define MODEL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"

#define RATE_UNKNOWN   (-1.0)
#define SNAP_TREND_MAX 60 /* values of the trend: one a second, whatever the interval */

/* One event on one CPU; arrays of these are indexed by slot, as snapshot.cpus is. */
struct snap_event_cpu {
	EVENT_FIGURES(FIGURE_NO_MEMBER, FIGURE_MEMBER, FIGURE_COUNT_MEMBER)
	bool is_throttled; /* for some of this interval: count and rate are lower bounds */
	bool is_balanced; /* total == sampled + lost; meaningful when the event's is_balance_known */
};

struct snap_event {
	EVENT_FIGURES(FIGURE_MEMBER, FIGURE_MEMBER, FIGURE_COUNT_MEMBER)
	EVENT_SAVED_FIGURES(FIGURE_MEMBER)
	double whole_running;		   /* as running, over `whole_s` */
	const struct snap_event_cpu *cpus; /* [snapshot.ncpus]; NULL when never opened */
	const float *trend; /* [ntrend] rates, oldest first; negative where unknown */
	size_t ntrend;
};

/* Whether every one of its events since the start was a sample. */
static inline bool snap_event_is_whole(const struct snap_event *event)
{
	return event->sampled == event->weight && event->weight >= event->total;
}

/* Per CPU, all events together. */
struct snap_cpu {
	int id; /* the kernel's CPU number */
	CPU_SAVED_FIGURES(FIGURE_MEMBER)
	uint64_t voluntary;   /* switches since the start, from switch records */
	uint64_t involuntary; /* preempted; switches away from idle are in neither */
};

/* A task's share of one event; only events that it had. */
struct snap_task_event {
	uint32_t event; /* index into snapshot.events */
	double rate;
	uint64_t count;			       /* of this interval, from the weights of samples */
	uint64_t samples;		       /* of this interval */
	uint64_t total;			       /* since the start, from the weights of samples */
	bool is_estimated, is_total_estimated; /* not every event of it was a sample */
};

struct snap_task {
	TASK_FIGURES(FIGURE_MEMBER)
	TASK_SWITCH_FIGURES(FIGURE_MEMBER)
	double rate; /* all its events (clocks left out) */
	const struct snap_task_event *events;
	size_t nevents;
};

struct snap_symbol {
	const char *symbol; /* "do_syscall_64", or an address as text when unresolved */
	const char *module; /* "[kernel]", a module's name, or "[user]" */
	double share;	    /* of the sampled event's weight, 0..1 */
};

struct snap_throttle_now {
	uint32_t event, slot;
	double since_s; /* how long it has been */
};

struct snap_self {
	SELF_FIGURES(FIGURE_MEMBER)
	double cpu_s; /* CPU seconds of ours since we were started */
};

struct snapshot {
	HEAD_FIGURES(FIGURE_MEMBER)
	double whole_s;	 /* that the totals are of: since the start, or since zero */
	double target_s; /* the interval that was asked for (-d) */

	const struct snap_cpu *cpus;
	size_t ncpus;
	const struct snap_event *events;
	size_t nevents;
	const struct snap_task *tasks; /* the top ones by rate */
	size_t ntasks;
	const struct snap_symbol *symbols; /* the top ones by share */
	size_t nsymbols;
	const struct snap_throttle_now *throttled;
	size_t nthrottled;
	const char *const *notes; /* what the user should know: missing rights, tracefs, ... */
	size_t nnotes;

	bool is_balance_known; /* some event's */

	bool has_switches; /* switch records are collected */
	double switch_rate;
	uint64_t switch_count; /* of this interval */
	uint64_t voluntary, involuntary;

	long long max_sample_rate; /* the sysctls in force; -1 when unreadable */
	long long cpu_time_max_percent;

	struct snap_self self;

	struct snap_arena *arena; /* owns all of the above, this struct included */
};

/*
 * A new, zeroed snapshot with its arena, and one reference.  The builder fills it through snap_alloc
 * and snap_strdup.
 */
struct snapshot *snapshot_new(void);

/* Zeroed memory that lives as long as the snapshot. */
void *snap_alloc(struct snapshot *snap, size_t count, size_t size);
const char *snap_strdup(struct snapshot *snap, const char *text);

/* One more reference, from any thread that has one: returns `snap`. */
const struct snapshot *snapshot_hold(const struct snapshot *snap);

/* Give a reference back; the last one frees it.  From any thread; NULL is allowed. */
void snapshot_release(const struct snapshot *snap);

#endif
