/* SPDX-License-Identifier: MIT */
/*
 * snapshot - everything that can be shown at one tick, immutable.
 *
 * The decoder thread builds one at each tick; the screen, text, JSON and CSV show only what it
 * contains.  It has no pointer to data outside, but to pages of records, which it holds: all strings
 * and arrays are in its arena and are freed with it.
 *
 * It is reference-counted: a caller that keeps it beyond a call takes a reference and releases it
 * later.  So the screen, a file and a history can hold the same one.  Once published it is never
 * written to, so any thread may read it.
 *
 * Most members are rows of model/figures.h.
 *
 * Units: times in ns unless the name says otherwise, sizes in bytes, rates per second.  An unknown
 * rate (no interval yet, a failed event) is RATE_UNKNOWN and is shown as "-", never as 0.
 *
 * Strings that come from tasks or files are raw bytes: every output passes them through text_safe()
 * (base/text.h) or its own escape (JSON).
 */
#ifndef MODEL_SNAPSHOT_H
#define MODEL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/tempfile.h"
#include "model/figures.h"
#include "model/histogram.h"
#include "model/page.h"

#define RATE_UNKNOWN   (-1.0)
#define SAMPLES_ENOUGH 30 /* the standard error of a share is then below a fifth of it */
#define SNAP_TREND_MAX 60 /* values of the trend: one per second, at any interval */

/* One event on one CPU; arrays of these are indexed by slot, as snapshot.cpus is. */
struct snap_event_cpu {
	EVENT_FIGURES(FIGURE_NO_MEMBER, FIGURE_MEMBER, FIGURE_COUNT_MEMBER)
	bool is_throttled; /* for some of this interval: count and rate are lower bounds */
	/* total == sampled + lost; meaningful only if the event's is_balance_known is set */
	bool is_balanced;
	const float *trend; /* [SNAP_TREND_MAX] rates, as snap_cpu.trends; or NULL */
};

struct snap_event {
	EVENT_FIGURES(FIGURE_MEMBER, FIGURE_MEMBER, FIGURE_COUNT_MEMBER)
	EVENT_SAVED_FIGURES(FIGURE_MEMBER)
	uint32_t id;			   /* for source_toggle(), source_remove() */
	double whole_running;		   /* like `running`, over `whole_s` */
	const struct snap_event_cpu *cpus; /* [snapshot.ncpus]; NULL when never opened */
	const float *trend; /* [ntrend] rates, oldest first; negative where unknown */
	size_t ntrend;
	bool has_code;			   /* its samples say where they were */
	bool is_symbol_event;		   /* snapshot.symbols are its; of at most one */
	const struct snap_symbol *symbols; /* then the top ones by share */
	size_t nsymbols;
};

/* Whether it counts time (ns) and not occurrences. */
static inline bool snap_event_is_clock(const struct snap_event *event)
{
	return strcmp(event->unit, "ns") == 0;
}

/* Whether every event counted since the start, or since zero, was sampled. */
static inline bool snap_event_is_whole(const struct snap_event *event)
{
	return event->sampled == event->weight && event->weight >= event->total;
}

/* Whether the books of the event, or of it on one CPU, were checked and do not balance. */
static inline bool snap_event_is_wrong(const struct snap_event *event)
{
	return event->is_balance_known && !event->is_balanced;
}

static inline bool snap_event_is_wrong_on(const struct snap_event *event,
					  const struct snap_event_cpu *cpu)
{
	return event->is_balance_known && !cpu->is_balanced;
}

/* Whether every event of this interval was a sample. */
static inline bool snap_event_is_all_sampled(const struct snap_event *event)
{
	return event->unseen == 0 && event->sampled_count >= event->count;
}

/*
 * How many events a sample stood for on average, in this interval or, with `is_whole`, since the start:
 * 1 when every event was a sample, 0 when there was no sample.
 */
static inline double snap_event_stride(const struct snap_event *event, bool is_whole)
{
	uint64_t sampled = is_whole ? event->sampled : event->sampled_count;
	uint64_t unseen = event->unseen < event->count ? event->unseen : event->count;
	/* Of a short-lived task the kernel's periods can be far too long; a total of 0 can mean not known yet. */
	uint64_t whole = event->weight < event->total || event->total == 0 ? event->weight :
									     event->total;
	uint64_t weight = is_whole ? whole : event->count - unseen;
	bool is_all = is_whole ? snap_event_is_whole(event) : snap_event_is_all_sampled(event);

	if (sampled == 0)
		return 0;
	return is_all ? 1 : (double)weight / (double)sampled;
}

/* Below this, "one in" would be rounded to all: what was sampled is shown as a share. */
#define SNAP_STRIDE_SHARE 1.5

/* A task that was on a CPU, or all short-lived ones of one name. */
struct snap_runner {
	const char *comm; /* "" when unknown */
	int32_t tid;	  /* or -1 */
};

/* Who was on a CPU most in a short slot of time. */
struct snap_slot {
	uint16_t runner; /* one of these, or SNAP_RUNNER_FIRST + index into snapshot.runners */
	uint8_t percent; /* of the slot */
};
#define SNAP_RUNNER_UNKNOWN 0
#define SNAP_RUNNER_IDLE    1 /* no task was on it */
#define SNAP_RUNNER_FIRST   2
#define SNAP_SLOTS	    200

/* The number of a CPU that a file's records do not say. */
#define CPU_UNKNOWN (-1)

/* A CPU's number as text, "?" of CPU_UNKNOWN: `out`. */
#define CPU_TEXT_MAX 12
const char *snap_cpu_text(int id, char out[CPU_TEXT_MAX]);

/* Of a CPU's figures, those with a trend. */
enum cpu_trend { CPU_BUSY, CPU_SWITCHES, CPU_PREEMPTIONS, CPU_TRENDS };

/* One CPU, over all events. */
struct snap_cpu {
	int id; /* the kernel's CPU number, or CPU_UNKNOWN */
	CPU_SAVED_FIGURES(FIGURE_MEMBER)
	double busy, idle;	       /* shares of this interval; unknown without switch records */
	double preempt_rate;	       /* preemptions per second, in this interval; or unknown */
	uint64_t voluntary;	       /* switches since the start or zero, from switch records */
	uint64_t involuntary;	       /* preempted; switches away from idle are in neither */
	const struct snap_slot *slots; /* [SNAP_SLOTS] the newest last; NULL without switch records */
	const float *trends[CPU_TRENDS]; /* [SNAP_TREND_MAX] each, one per second, the newest last;
					    negative where unknown; or NULL */
};

/* Less of an interval than this without switch records is an error of the clocks. */
#define BUSY_UNKNOWN 0.02

/* Whether its busy share is a lower bound: who was on it is unknown for a part of the interval. */
static inline bool snap_cpu_is_busy_at_least(const struct snap_cpu *cpu)
{
	return 1 - cpu->busy - cpu->idle > BUSY_UNKNOWN;
}

/* Whether switch records of this interval are missing: lost, or not decoded yet. */
static inline bool snap_cpu_lacks_switches(const struct snap_cpu *cpu)
{
	return cpu->answer != CPU_ANSWERED || cpu->side_lost_count > 0;
}

/* A task's part of one event; only events with samples of the task. */
struct snap_task_event {
	uint32_t event; /* index into snapshot.events */
	double rate;
	uint64_t count;	  /* of this interval, from the weights of samples */
	uint64_t samples; /* of this interval */
	uint64_t total;	  /* since the start or zero, from the weights of samples */
	bool is_estimated, is_total_estimated; /* not every event was sampled */
};

/* How long something took, of many times. */
struct snap_span {
	SPAN_FIGURES(FIGURE_MEMBER)
	const uint64_t
		*octaves; /* [HISTOGRAM_OCTAVES] as of histogram_octaves(); NULL when count is 0 */
};

/* Tasks of one name that preempted a task, as often as `count`, in the time of spans. */
struct snap_preempter {
	const char *comm; /* "" when unknown */
	int32_t tid;	  /* the latest of them */
	uint64_t count;
};

struct snap_task {
	TASK_FIGURES(FIGURE_MEMBER)
	TASK_SWITCH_FIGURES(FIGURE_MEMBER)
	bool is_process; /* the sum of a process's tasks: one of snapshot.processes */
	double rate;	 /* sum over its events, without clocks */
	double recent_cpu; /* share of one CPU, of several tasks the sum, in the last seconds; or unknown */
	const struct snap_task_event *events;
	size_t nevents;
	struct snap_span slice, wait;		 /* on a CPU at a time; ready, until it is on one */
	const struct snap_preempter *preempters; /* the most frequent ones, these first */
	size_t npreempters;
};

/* A process that has no row; tasks that have one descend from it. */
struct snap_parent {
	PARENT_FIGURES(FIGURE_MEMBER)
};

/* A function that was on the way to a symbol: with call chains (-g) only. */
struct snap_caller {
	const char *symbol, *module; /* as in snap_symbol */
	double share; /* of its event's sampled weight: those samples in the symbol that came so */
	uint32_t depth; /* 1: it called the symbol; n: it called the last one before it of n - 1 */
};

struct snap_symbol {
	/* "do_syscall_64", a kernel address without a symbol, "[unknown]" in a file, or a task's name */
	const char *symbol;
	const char *module; /* "[kernel]", the name of a module or file, or "[user]" */
	bool is_user;	    /* user code */
	double share;	    /* of its event's sampled weight, 0..1 */
	/* Its callers as a tree, each before its own callers; without those below 0.5 % of it. */
	const struct snap_caller *callers;
	size_t ncallers;
};

struct snap_throttle_now {
	uint32_t event, slot;
	double since_s; /* how long it has been throttled */
};

struct snap_self {
	SELF_FIGURES(FIGURE_MEMBER)
	double cpu_s; /* our CPU time since the start, in seconds */
};

/* The sample that broke its event's sequence. */
struct snap_violation {
	VIOLATION_FIGURES(FIGURE_MEMBER)
};

struct snap_verify {
	VERIFY_FIGURES(FIGURE_MEMBER)
	const struct snap_violation *first; /* NULL: none */
	const char *text;		    /* the same in words, also in a note; or NULL */
};

struct snapshot {
	HEAD_FIGURES(FIGURE_MEMBER)
	double whole_s;	 /* seconds covered by the totals: since the start, or since zero */
	double target_s; /* the requested interval (-d) */

	const struct snap_cpu *cpus;
	size_t ncpus;
	const struct snap_event *events; /* by id, ascending */
	size_t nevents;
	const struct snap_task *tasks; /* the top ones by rate */
	size_t ntasks;
	/* The sums of processes of which several tasks are known, the top ones by rate: tid -1. */
	const struct snap_task *processes;
	size_t nprocesses;
	const struct snap_parent *parents; /* by pid */
	size_t nparents;
	struct snap_task rest; /* all others, and our own threads: what the rows lack of the sums */
	const struct snap_symbol *symbols; /* those of the symbol event */
	size_t nsymbols;
	const struct snap_throttle_now *throttled;
	size_t nthrottled;
	const char *const *notes; /* what the user should know: missing rights, tracefs, ... */
	size_t nnotes;

	bool is_balance_known; /* of some event */

	bool has_switches; /* switch records are collected */
	double switch_rate;
	uint64_t switch_count; /* of this interval */
	uint64_t voluntary, involuntary;
	struct snap_span slice, wait;	   /* of all tasks */
	const struct snap_runner *runners; /* in the slots of CPUs */
	size_t nrunners;
	double slot_s;	  /* length of a slot */
	bool has_wakeups; /* waits after wakeups are known, else only those after preemption */

	long long max_sample_rate; /* the sysctls in force; -1 when unreadable */
	long long cpu_time_max_percent;

	struct snap_self self;

	bool is_verified; /* with --verify */
	struct snap_verify verify;

	const struct snap_page *const *pages; /* of records, the oldest first, once they are kept */
	size_t npages;

	struct arena *arena; /* owns all of the above, this struct included */
};

/* How many CPUs are online. */
static inline size_t snap_online(const struct snapshot *snap)
{
	size_t count = 0;

	for (size_t i = 0; i < snap->ncpus; i++)
		count += snap->cpus[i].is_online;
	return count;
}

/* Whether switch records of some CPU are missing: tasks' switches are lower bounds. */
static inline bool snap_switches_are_at_least(const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->ncpus; i++) {
		if (snap_cpu_lacks_switches(&snap->cpus[i]))
			return true;
	}
	return false;
}

/* Whether tasks' shares of a CPU are lower bounds: who was on some CPU is unknown for a part. */
static inline bool snap_on_cpu_is_at_least(const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->ncpus; i++) {
		const struct snap_cpu *cpu = &snap->cpus[i];

		if (cpu->is_online && cpu->busy >= 0 && snap_cpu_is_busy_at_least(cpu))
			return true;
	}
	return snap_switches_are_at_least(snap);
}

/* Sums of no CPU yet, and one CPU's figures added to them. */
struct snap_event_cpu snap_event_no_cpu(void);
void snap_event_add_cpu(struct snap_event_cpu *sums, const struct snap_event_cpu *cpu);

/* The first event of its {}, which it can be itself; NULL: it is in none. */
const struct snap_event *snap_first_of_group(const struct snapshot *snap,
					     const struct snap_event *event);

/*
 * A new, zeroed snapshot with its arena, and one reference, for about so many bytes; 0: not known.
 * The builder fills it with snap_alloc() and snap_strdup().
 */
struct snapshot *snapshot_new(size_t bytes);

/* What the builder took, for the next one. */
size_t snapshot_used(const struct snapshot *snap);

/* Zeroed memory that lives as long as the snapshot. */
void *snap_alloc(struct snapshot *snap, size_t count, size_t size);
const char *snap_strdup(struct snapshot *snap, const char *text);

/* Set its pages, and take a reference of each. */
void snapshot_add_pages(struct snapshot *snap, const struct snap_page *const *pages, size_t npages);

/* Memory that it takes, without the pages that `before`, an earlier one or NULL, has too. */
size_t snapshot_bytes(const struct snapshot *snap, const struct snapshot *before);

/* Take one more reference; the caller already has one.  Any thread.  Returns `snap`. */
const struct snapshot *snapshot_hold(const struct snapshot *snap);

/* Release a reference; the last one frees the snapshot.  Any thread; NULL is allowed. */
void snapshot_release(const struct snapshot *snap);

/*
 * Put it aside in less memory, as arena_pack() does: until it is unpacked its members can be read,
 * but not what they point to.  For the only holder; false: it is as before, as one with pages is.
 */
bool snapshot_pack(const struct snapshot *snap);

/*
 * Of one that is packed: put it into a file, at *end, which moves behind it, to stay there until it is
 * unpacked or freed.  For the only holder.  false when it is as before.
 */
bool snapshot_put_away(const struct snapshot *snap, struct tempfile *file, uint64_t *end);

/*
 * All of it can be read again; false: it was put away, and cannot be read.  For the only holder, or of
 * one that is not packed.
 */
bool snapshot_unpack(const struct snapshot *snap);

#endif
