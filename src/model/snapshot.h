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

#define RATE_UNKNOWN   (-1.0)
#define SNAP_TREND_MAX 60 /* values of the trend: one a second, whatever the interval */

enum event_state {
	EVENT_STATE_ON,
	EVENT_STATE_OFF,    /* switched off here; reason says what it would cost */
	EVENT_STATE_FAILED, /* could not be opened; reason says why */
};

enum sampling {
	SAMPLING_NONE,	 /* counted only */
	SAMPLING_PERIOD, /* every `period`-th event into the ring */
	SAMPLING_FREQ,	 /* so many samples a second, weighed: details are estimates */
};

/* What is known of a CPU at a tick. */
enum cpu_answer {
	CPU_ANSWERED,
	CPU_BEHIND, /* counts are of now, records are not: all that comes from samples is "at least" */
	CPU_SILENT, /* nothing came: every figure is as of its last answer */
};

/* One event on one CPU; arrays of these are indexed by slot, as snapshot.cpus is. */
struct snap_event_cpu {
	double rate;	    /* of this interval */
	uint64_t count;	    /* of this interval, from the kernel's counter */
	uint64_t total;	    /* since the start, or since zero */
	uint64_t sampled;   /* sample records decoded since then */
	uint64_t lost;	    /* samples that the kernel could not write, by its own count */
	uint64_t throttles; /* PERF_RECORD_THROTTLE seen */
	bool is_throttled;  /* for some of this interval: count and rate are lower bounds */
	bool is_balanced; /* total == sampled + lost; meaningful when the event's is_balance_known */
};

struct snap_event {
	const char *name;  /* perf's name for it */
	const char *asked; /* the name as it was asked for: cycles where cpu-clock stands in */
	const char *kind;  /* "tracepoint", "software", ... as in interface.md */
	const char *unit;  /* "" for occurrences, "ns" for clocks */
	enum event_state state;
	const char *reason; /* NULL, or why it is off or failed, or what stands in for what */
	const char *filter; /* what the kernel counts of it only (--filter), or NULL */
	enum sampling sampling;
	uint64_t period; /* of SAMPLING_PERIOD; else what SAMPLING_FREQ asked for, in Hz */

	double rate;
	double rate_before; /* of the interval before; RATE_UNKNOWN at first */
	uint64_t count;
	uint64_t total;
	uint64_t sampled;
	uint64_t weight; /* events that the decoded samples stand for */
	uint64_t lost;
	bool is_lost_exact; /* false: no PERF_FORMAT_LOST here, lost is "at least" */
	bool is_balance_known; /* the books were checked: of period 1, at the end, or broken before it */
	bool is_balanced;      /* on every CPU */
	bool has_silent_cpu; /* all its figures are lower bounds */
	bool is_behind;	     /* some CPU is behind or silent: what was sampled is a lower bound */
	double running; /* share of the time that it was scheduled, 0..1; 1 when not multiplexed */
	double whole_running; /* the same over `whole_s` */
	uint64_t throttles;
	double throttled_s; /* time spent throttled, all CPUs */
	bool is_throttled;  /* on some CPU in this interval: its rate is a lower bound */

	const struct snap_event_cpu *cpus; /* [snapshot.ncpus]; NULL when never opened */
	const float *trend; /* [ntrend] rates, oldest first; negative where unknown */
	size_t ntrend;
	const char *last; /* the newest sample's fields as text, or NULL */
};

/* Per CPU, all events together. */
struct snap_cpu {
	int id; /* the kernel's CPU number */
	bool is_online;
	enum cpu_answer answer;
	double rate;	      /* occurrences a second over all events (clocks left out) */
	double switch_rate;   /* context switches a second; RATE_UNKNOWN when not watched */
	uint64_t voluntary;   /* switches since the start, from switch records */
	uint64_t involuntary; /* preempted; switches away from idle are in neither */
	bool is_throttled;    /* some event was throttled here in this interval */
	uint64_t ring_bytes;
	uint64_t corrupt; /* times this ring made no sense and was resynchronised */
};

/* A task's share of one event; only events that it had. */
struct snap_task_event {
	uint32_t event; /* index into snapshot.events */
	double rate;	/* weighed */
	uint64_t total; /* weighed: what the samples stand for, since the start */
};

struct snap_task {
	int32_t pid, tid;
	const char *comm;  /* raw bytes, "" when unknown */
	bool is_estimated; /* some of its events are sampled by frequency */
	bool is_self;	   /* one of perftop-ng's own threads */
	double rate;	   /* all its events (clocks left out) */
	const struct snap_task_event *events;
	size_t nevents;
	double switch_rate; /* switches away from it; RATE_UNKNOWN without switch records */
	uint64_t voluntary, involuntary;
	double on_cpu; /* share of one CPU in this interval, 0..1; RATE_UNKNOWN likewise */
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
	double cpu;	/* CPU seconds a second of ours in this interval; RATE_UNKNOWN at first */
	double cpu_s;	/* CPU seconds of ours since we were started */
	uint64_t rss;	/* resident bytes without the rings */
	uint64_t rings; /* bytes of all rings */
	uint64_t queue_peak; /* most blocks that were ever on their way at once */
	uint64_t blocks;     /* blocks that there are */
};

struct snapshot {
	uint64_t seq;	   /* 1 for the first */
	bool is_final;	   /* events disabled, rings drained, counters read last */
	double time_s;	   /* wall clock, for showing only */
	double interval_s; /* measured on the monotonic clock; 0 for the first */
	double elapsed_s;  /* since the start of counting */
	double whole_s;	   /* that the totals are of: since the start, or since zero */
	double target_s;   /* the interval that was asked for (-d) */
	const char *host, *kernel;

	const struct snap_cpu *cpus;
	size_t ncpus;
	const struct snap_event *events;
	size_t nevents;
	const struct snap_task *tasks; /* the top ones by rate */
	size_t ntasks;
	size_t ntasks_known;
	const struct snap_symbol *symbols; /* the top ones by share */
	size_t nsymbols;
	const char *symbol_event; /* whose samples the symbols come from; NULL for none */
	const struct snap_throttle_now *throttled;
	size_t nthrottled;
	const char *const *notes; /* what the user should know: missing rights, tracefs, ... */
	size_t nnotes;

	/* Sums over the events that are on (clocks left out of rate). */
	double rate;
	uint64_t lost;
	uint64_t throttles;
	bool is_balance_known; /* some event's */
	bool is_balanced;      /* no event is known to be out of balance */

	uint64_t side_lost; /* side-band records (names, switches) lost: detail, no event */
	uint64_t lost_records; /* sum of PERF_RECORD_LOST: charged to the next writer, so a time mark only */
	uint64_t unknown_records; /* types that this version skips */
	uint64_t corrupt;	  /* over all rings */

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
