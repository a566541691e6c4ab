/* SPDX-License-Identifier: MIT */
/*
 * figures - all figures of a snapshot that are single values, one row each.
 *
 * A row defines the figure's member in its struct (model/snapshot.h), its key in JSON and in a
 * saved snapshot, how it is read back, and what its other columns say.  The rows of a list are in
 * the order of the JSON object's keys.  Keys are public: they are kept forever, and new ones are
 * added at the end of their list.
 *
 * A new figure that is counted per event and CPU needs a BOOKED row here and the line that counts
 * it (model/cells.c); it then appears in JSON, CSV, batch text, views and saved snapshots.
 */
#ifndef MODEL_FIGURES_H
#define MODEL_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct snap_event;
struct snap_event_cpu;
struct snapshot;

/* An event's state. */
enum event_state {
	EVENT_STATE_ON,
	EVENT_STATE_OFF,    /* not open: switched off, or not switched on; reason is a note */
	EVENT_STATE_FAILED, /* could not be opened; reason says why */
	EVENT_STATE_LATER,  /* not opened yet: the start left it for later; reason is a note */
};

/* "on", "off", "failed", "opening": in JSON, CSV and the list of events. */
const char *event_state_name(enum event_state state);

/* The state of that name; one that is not known counts as ON. */
enum event_state event_state_named(const char *name);

enum sampling {
	SAMPLING_NONE,	 /* counted only */
	SAMPLING_PERIOD, /* every `period`-th event into the ring */
	SAMPLING_FREQ,	 /* about `freq` samples a second, weighted: details can be estimates */
};

/* What is known of a CPU at a tick. */
enum cpu_answer {
	CPU_ANSWERED,
	CPU_BEHIND, /* counts are current, records are not: figures from samples are lower bounds */
	CPU_SILENT, /* no answer: every figure is as of its last answer */
};

/*
 * A member's type.  A negative NUMBER is unknown.  A PART has no member: it is a list or an object,
 * with its own code.
 */
enum figure_type {
	FIGURE_TEXT,
	FIGURE_FLAG,
	FIGURE_COUNT,
	FIGURE_NUMBER,
	FIGURE_ID,
	FIGURE_STATE,
	FIGURE_SAMPLING,
	FIGURE_ANSWER,
	FIGURE_PART,
};

/* When a figure is known; else it is null in JSON, and empty in CSV. */
enum figure_known {
	FIGURE_ALWAYS,
	FIGURE_IF_OPENED,      /* the event was open at some time */
	FIGURE_IF_PERIOD,      /* it is sampled by period */
	FIGURE_IF_FREQ,	       /* it is sampled by frequency */
	FIGURE_IF_CHECKED,     /* the event's balance was checked */
	FIGURE_IF_ANY_CHECKED, /* the balance of some event was checked */
	FIGURE_IF_SWITCHES,    /* switch records are collected */
	FIGURE_IF_TEXT,	       /* it is not "" */
	FIGURE_IF_MOST_BY_ONE, /* one task, not several, made most of the event */
	FIGURE_IF_ONE_TASK,    /* the row is of one task */
	FIGURE_IF_ONE_PROCESS, /* all tasks of the row are of one process */
	FIGURE_IF_POSITIVE,    /* the ID is above 0 */
	FIGURE_IF_GROUPED,     /* the event is in a group */
	FIGURE_IF_OTHER_CODE,  /* its samples say where they were, and it is not the symbol event */
	FIGURE_IF_VERIFIED,    /* the sequence of samples is checked */
	FIGURE_IF_VIOLATED,    /* and was broken */
};

enum figure_part {
	PART_NONE,
	PART_CPU_IDS,
	PART_EVENTS,
	PART_EVENT_CPUS,
	PART_EVENT_SYMBOLS,
	PART_TASKS,
	PART_TASK_EVENTS,
	PART_TASK_SWITCHES,
	PART_SWITCHES,
	PART_SYMBOLS,
	PART_THROTTLING,
	PART_SELF,
	PART_NOTES,
	PART_SILENT,
	PART_BEHIND,
	PART_REST,
	PART_SLICE,
	PART_WAIT,
	PART_PREEMPTED_BY,
	PART_PROCESSES,
	PART_PARENTS,
	PART_VERIFY,
	PART_VIOLATION,
	PARTS,
};

enum figure_place {
	NO_SUM,	    /* not per CPU */
	EVENT_ONLY, /* per CPU, but only the event's is in JSON and CSV */
	EVERYWHERE, /* per CPU, and in JSON and CSV */
};

/* The source of an event's figure; it decides when it is only a lower bound ("at least"). */
enum figure_source {
	FROM_COUNTER, /* the kernel's counter; at least when a CPU is silent */
	FROM_SAMPLES, /* decoded samples; at least when a CPU is behind or silent */
	FROM_LOSSES,  /* lost samples; at least when a CPU is silent or without PERF_FORMAT_LOST */
	FROM_RECORDS, /* records that come with and without sampling */
};

struct figure {
	const char *key;
	enum figure_type type;
	enum figure_part part;
	enum figure_known known;
	size_t at; /* offset of its member */
	/* Its value when it is not in a saved snapshot: of a TEXT, of any other type. */
	const char *otherwise_text;
	double otherwise;

	/* Of the sums of an event. */
	enum figure_place place;
	size_t at_cpu;	     /* offset in snap_event_cpu */
	const char *heading; /* of its column in batch text and views; NULL: no column */
	enum figure_source source;
};

struct figure_list {
	const struct figure *rows;
	size_t count;
};

/* clang-format off */

/*
 * The figures of an event.
 *
 *   ROW     of the event only
 *   EACH    also of each CPU, and the event's is the sum of the CPUs'; null when it was never open
 *   BOOKED  like EACH, and a member of struct books of a cell: counted there, zeroed by the user
 *
 * The last columns of EACH and BOOKED: where the CPUs' values are put (enum figure_place), the
 * heading in batch text and views (NULL: no column), the source.
 */
#define EVENT_FIGURES(ROW, EACH, BOOKED)                                                       \
	/*   type   member          key                 null unless  else */                   \
	/* perf's name for it */                                                               \
	ROW(TEXT,   name,           "name",             ALWAYS,      "?")                      \
	/* "tracepoint", "software", ... */                                                    \
	ROW(TEXT,   kind,           "kind",             ALWAYS,      "?")                      \
	ROW(STATE,  state,          "state",            ALWAYS,      0)                        \
	/* NULL, or why it is off or failed, or a note on how it was opened */                 \
	ROW(TEXT,   reason,         "reason",           ALWAYS,      NULL)                     \
	ROW(COUNT,  period,         "period",           IF_PERIOD,   0)                        \
	/* of this interval, from the kernel's counter */                                      \
	EACH(COUNT, count,          "count",            EVERYWHERE, NULL,     FROM_COUNTER)    \
	/* of this interval */                                                                 \
	EACH(NUMBER, rate,          "rate",             EVERYWHERE, "RATE/s", FROM_COUNTER)    \
	/* the kernel's count since the start or since zero */                                 \
	BOOKED(     total,          "total",            EVERYWHERE, "TOTAL",  FROM_COUNTER)    \
	/* sample records decoded since then */                                                \
	BOOKED(     sampled,        "sampled",          EVERYWHERE, NULL,     FROM_SAMPLES)    \
	/* samples the kernel could not write, by its own count, since then */                 \
	BOOKED(     lost,           "lost",             EVERYWHERE, "LOST",   FROM_LOSSES)     \
	/* false: no PERF_FORMAT_LOST here, `lost` is a lower bound */                         \
	ROW(FLAG,   is_lost_exact,  "lost_exact",       ALWAYS,      0)                        \
	/* total == sampled + lost on every CPU */                                             \
	ROW(FLAG,   is_balanced,    "balanced",         IF_CHECKED,  1)                        \
	/* share of the interval that it counted, 0..1; 1 when not multiplexed */              \
	ROW(NUMBER, running,        "running",          IF_OPENED,   1)                        \
	/* PERF_RECORD_THROTTLE records */                                                     \
	BOOKED(     throttles,      "throttles",        EVERYWHERE, "THR",    FROM_RECORDS)    \
	ROW(PART,   EVENT_CPUS,     "cpus",             ALWAYS,      0)                        \
	/* "" for occurrences, "ns" for clocks */                                              \
	ROW(TEXT,   unit,           "unit",             ALWAYS,      "")                       \
	/* Hz */                                                                               \
	ROW(COUNT,  freq,           "freq",             IF_FREQ,     0)                        \
	/* events that the decoded samples represent */                                        \
	BOOKED(     weight,         "weight",           EVENT_ONLY, NULL,     FROM_SAMPLES)    \
	/* its kernel filter (--filter): only matching events are counted; or NULL */          \
	ROW(TEXT,   filter,         "filter",           ALWAYS,      NULL)                     \
	/* some CPU is silent, or a file says only later what was lost: its figures are lower bounds */ \
	ROW(FLAG,   is_at_least,    "at_least",         ALWAYS,      0)                        \
	/* some CPU is behind or silent: figures from samples are lower bounds */              \
	ROW(FLAG,   is_behind,      "sampled_at_least", ALWAYS,      0)                        \
	/* the name as requested: cycles, if cpu-clock is used in its place */                 \
	ROW(TEXT,   asked,          "asked",            ALWAYS,      NULL)                     \
	/* events of this interval that were counted but not sampled: their tasks are unknown */ \
	EACH(COUNT, unseen,         "unseen",           EVERYWHERE, NULL,     FROM_SAMPLES)    \
	/* samples of this interval: decoded, lost */                                          \
	EACH(COUNT, sampled_count,  "sampled_count",    EVERYWHERE, NULL,     FROM_SAMPLES)    \
	EACH(COUNT, lost_count,     "lost_count",       EVERYWHERE, NULL,     FROM_LOSSES)     \
	/* the task or, if the tid is -1, the short-lived tasks of one name and parent that made */ \
	/* most of it in the last seconds (TASK_FADE_HALF_S), without idle; NULL: too few samples, */ \
	/* or less than 5 % */                                                                 \
	ROW(TEXT,   most_by,        "most_by",          ALWAYS,      NULL)                     \
	ROW(ID,     most_by_tid,    "most_by_tid",      IF_MOST_BY_ONE, -1)                    \
	/* of several: how many were forked per second in this interval */                      \
	ROW(NUMBER, most_by_born,   "most_by_born",     ALWAYS,      -1)                       \
	/* its share of that event in the last seconds, 0..1 */                                \
	ROW(NUMBER, most_share,     "most_share",       ALWAYS,      -1)                       \
	/* seconds throttled, since the start or since zero */                                 \
	EACH(NUMBER, throttled_s,   "throttled",        EVERYWHERE, NULL,     FROM_RECORDS)    \
	/* seconds of this interval that it was throttled */                                   \
	EACH(NUMBER, throttled_now_s, "throttled_now",  EVERYWHERE, NULL,     FROM_RECORDS)    \
	/* it has fewer samples than it was opened for, so that all keep the budget */         \
	ROW(FLAG,   is_limited,     "limited",          ALWAYS,      0)                        \
	/* the number of its {}, from 1 */                                                     \
	ROW(ID,     group,          "group",            IF_GROUPED,  0)                        \
	/* its rate for each one per second of the first event of its {} */                    \
	ROW(NUMBER, per_first,      "per_first",        IF_GROUPED,  -1)                         \
	/* those of the symbol event are in the head's */                                      \
	ROW(PART,   EVENT_SYMBOLS,  "symbols",          IF_OTHER_CODE, 0)

/* The lists below have only ROW(type, member, key, null unless, else). */

/* In saved snapshots only. */
#define EVENT_SAVED_FIGURES(ROW)                                                               \
	/* the mean of the ten seconds before; unknown in the first three */                   \
	ROW(NUMBER,   rate_before,      "rate_before",   ALWAYS, -1)                           \
	/* the rate is further from rate_before than chance explains */                        \
	ROW(FLAG,     has_changed,      "changed",       ALWAYS, 0)                            \
	/* on some CPU in this interval: its rate is a lower bound */                          \
	ROW(FLAG,     is_throttled,     "throttled",     ALWAYS, 0)                            \
	ROW(SAMPLING, sampling,         "sampling",      ALWAYS, 0)                            \
	/* is_balanced was checked: at the end, for period 1, without throttling */            \
	ROW(FLAG,     is_balance_known, "balance_known", ALWAYS, 0)                            \
	/* fields, as text, of the first sample of the newest interval with samples, or NULL */ \
	ROW(TEXT,     last,             "last",          ALWAYS, NULL)

/* In saved snapshots only. */
#define CPU_SAVED_FIGURES(ROW)                                                                 \
	ROW(FLAG,   is_online,    "online",      ALWAYS, 1)                                    \
	/* events per second over all events that are on and have no unit */                   \
	ROW(NUMBER, rate,         "rate",        ALWAYS, -1)                                   \
	/* context switches per second; unknown when not collected */                          \
	ROW(NUMBER, switch_rate,  "switch_rate", ALWAYS, -1)                                   \
	/* some event was throttled here in this interval */                                   \
	ROW(FLAG,   is_throttled, "throttled",   ALWAYS, 0)                                    \
	ROW(ANSWER, answer,       "answer",      ALWAYS, 0)                                    \
	ROW(COUNT,  ring_bytes,   "ring",        ALWAYS, 0)                                    \
	/* how often the ring's contents were corrupt, and skipped */                          \
	ROW(COUNT,  corrupt,      "corrupt",     ALWAYS, 0)                                    \
	/* side-band records (names, switches) lost in this interval */                        \
	ROW(COUNT,  side_lost_count, "side_lost_count", ALWAYS, 0)                             \
	/* switch_rate is from switch records, of which some were lost */                     \
	ROW(FLAG,   is_switch_rate_at_least, "switch_rate_at_least", ALWAYS, 0)                \
	/* the units that it is in, as of struct cpu_place */                                  \
	ROW(ID,     core,        "core",        ALWAYS, -1)                                    \
	ROW(ID,     cache,       "cache",       ALWAYS, -1)                                    \
	ROW(ID,     node,        "node",        ALWAYS, -1)                                    \
	ROW(ID,     package,     "package",     ALWAYS, -1)                                    \
	ROW(ID,     type,        "type",        ALWAYS, -1)

/* In all JSON.  These rows define no members: struct snap_cpu has them already. */
#define CPU_SWITCH_FIGURES(ROW)                                                                \
	ROW(ID,     id,          "cpu",         ALWAYS, 0)                                     \
	ROW(NUMBER, switch_rate, "rate",        ALWAYS, -1)                                    \
	ROW(COUNT,  voluntary,   "voluntary",   ALWAYS, 0)                                     \
	ROW(COUNT,  involuntary, "involuntary", ALWAYS, 0)                                     \
	/* share of this interval with a task on it, by switch records */                      \
	ROW(NUMBER, busy,        "busy",        ALWAYS, -1)                                    \
	/* share with none; the rest is unknown: before the first record, or records were lost */ \
	ROW(NUMBER, idle,        "idle",        ALWAYS, -1)                                    \
	/* preemptions per second in this interval */                                          \
	ROW(NUMBER, preempt_rate, "involuntary_rate", ALWAYS, -1)

#define TASK_FIGURES(ROW)                                                                      \
	/* of several processes or tasks in a row: -1, null in JSON */                         \
	ROW(ID,     pid,           "pid",       IF_ONE_PROCESS, -1)                            \
	ROW(ID,     tid,           "tid",       IF_ONE_TASK, -1)                               \
	/* "" when unknown */                                                                  \
	ROW(TEXT,   comm,          "comm",      IF_TEXT,     "")                               \
	/* one of its events was not fully sampled in this interval */                         \
	ROW(FLAG,   is_estimated,  "estimated", ALWAYS,      0)                                \
	ROW(PART,   TASK_EVENTS,   "events",    ALWAYS,      0)                                \
	ROW(PART,   TASK_SWITCHES, "switches",  ALWAYS,      0)                                \
	/* share of one CPU in this interval, of several tasks or of idle (tid 0) the sum; unknown */ \
	/* without switch records */                                                           \
	ROW(NUMBER, on_cpu,        "on_cpu",    IF_SWITCHES, -1)                               \
	/* one of perftop-ng's own threads */                                                  \
	ROW(FLAG,   is_self,       "self",      ALWAYS,      0)                                \
	/* short-lived tasks of one name and parent share a row: how many they are in this */  \
	/* interval, and how many of them were forked in it per second */                      \
	ROW(COUNT,  ntasks,        "tasks",     ALWAYS,      1)                                \
	ROW(NUMBER, born,          "born",      ALWAYS,      -1)                               \
	/* the parent process, as of the fork, the exit or /proc */                            \
	ROW(ID,     ppid,          "ppid",      IF_POSITIVE, 0)                                \
	ROW(TEXT,   parent,        "parent",    IF_TEXT,     "")                               \
	/* from /proc, live only, a moment after it first had a row; "": unknown, or none */   \
	ROW(TEXT,   command,       "command",   IF_TEXT,     "")                               \
	ROW(TEXT,   cgroup,        "cgroup",    IF_TEXT,     "")

#define TASK_SWITCH_FIGURES(ROW)                                                               \
	/* switches away from it per second; unknown without switch records */                 \
	ROW(NUMBER, switch_rate, "rate",        IF_SWITCHES, -1)                               \
	ROW(COUNT,  voluntary,   "voluntary",   IF_SWITCHES, 0)                                \
	ROW(COUNT,  involuntary, "involuntary", IF_SWITCHES, 0)                                \
	/* of the rate, those where it was preempted */                                        \
	ROW(NUMBER, preempt_rate, "involuntary_rate", IF_SWITCHES, -1)                         \
	/* how long it was on a CPU at a time, how long it waited for one, who preempted it */ \
	ROW(PART,   SLICE,        "slice",            ALWAYS,      0)                          \
	ROW(PART,   WAIT,         "wait",             ALWAYS,      0)                          \
	ROW(PART,   PREEMPTED_BY, "preempted_by",     ALWAYS,      0)

#define PARENT_FIGURES(ROW)                                                                    \
	ROW(ID,     pid,  "pid",  ALWAYS,      0)                                              \
	/* its own parent; 0: none, or unknown */                                              \
	ROW(ID,     ppid, "ppid", IF_POSITIVE, 0)                                              \
	/* "" when unknown */                                                                  \
	ROW(TEXT,   comm, "comm", IF_TEXT,     "")

/* Times of one sort, in seconds, of the last 10 to 20 seconds, or the last interval. */
#define SPAN_FIGURES(ROW)                                                                      \
	ROW(COUNT,  count, "count", ALWAYS, 0)                                                 \
	/* half of them were no longer, 99 % were no longer, the longest; unknown without any */ \
	ROW(NUMBER, p50,   "p50",   ALWAYS, -1)                                                \
	ROW(NUMBER, p99,   "p99",   ALWAYS, -1)                                                \
	ROW(NUMBER, max,   "max",   ALWAYS, -1)

#define SELF_FIGURES(ROW)                                                                      \
	/* our CPU seconds per second in this interval; unknown at first */                    \
	ROW(NUMBER, cpu,        "cpu",        ALWAYS, -1)                                      \
	/* resident bytes of the process, by /proc/self/statm */                               \
	ROW(COUNT,  rss,        "rss",        ALWAYS, 0)                                       \
	/* bytes of all rings */                                                               \
	ROW(COUNT,  rings,      "rings",      ALWAYS, 0)                                       \
	/* most blocks that were ever in the queue at once */                                  \
	ROW(COUNT,  queue_peak, "queue_peak", ALWAYS, 0)                                       \
	/* blocks of all readers */                                                            \
	ROW(COUNT,  blocks,     "blocks",     ALWAYS, 0)                                       \
	/* estimates of what the kernel spent on counting our events, on switch records and on */\
	/* samples, in the unit of `cpu`; unknown in a file */                                 \
	ROW(NUMBER, counting,   "counting",   ALWAYS, -1)                                      \
	ROW(NUMBER, switching,  "switching",  ALWAYS, -1)                                      \
	ROW(NUMBER, sampling,   "sampling",   ALWAYS, -1)                                      \
	/* what `cpu` and these three should not exceed (--max-overhead) */                    \
	ROW(NUMBER, budget,     "budget",     ALWAYS, -1)                                      \
	/* so that they do not: samples a second of an event and CPU; unknown: no limit */     \
	ROW(NUMBER, sample_limit, "sample_limit", ALWAYS, -1)

/* With --verify: whether each sample's count was samples + lost, since the start. */
#define VERIFY_FIGURES(ROW)                                                                    \
	/* events of which this is checked */                                                  \
	ROW(COUNT,  events,     "events",     ALWAYS, 0)                                       \
	ROW(COUNT,  checked,    "checked",    ALWAYS, 0)                                       \
	/* events that are neither sampled nor lost; samples and losses that are not counted */\
	ROW(COUNT,  missing,    "missing",    ALWAYS, 0)                                       \
	ROW(COUNT,  extra,      "extra",      ALWAYS, 0)                                       \
	ROW(PART,   VIOLATION,  "first",      IF_VIOLATED, 0)

/* The first sample where it was not. */
#define VIOLATION_FIGURES(ROW)                                                                 \
	ROW(TEXT,   event,      "event",      ALWAYS, "")                                      \
	ROW(ID,     cpu,        "cpu",        ALWAYS, -1)                                      \
	/* seconds since the start of counting */                                              \
	ROW(NUMBER, at_s,       "at",         ALWAYS, -1)                                      \
	ROW(TEXT,   comm,       "comm",       IF_TEXT, "")                                     \
	ROW(ID,     pid,        "pid",        ALWAYS, -1)                                      \
	ROW(ID,     tid,        "tid",        ALWAYS, -1)                                      \
	/* one sample for so many events */                                                    \
	ROW(COUNT,  period,     "period",     ALWAYS, 0)                                       \
	/* in the sample: count and losses of its event on that CPU */                         \
	ROW(COUNT,  count,      "count",      ALWAYS, 0)                                       \
	ROW(COUNT,  sampled,    "sampled",    ALWAYS, 0)                                       \
	ROW(COUNT,  lost,       "lost",       ALWAYS, 0)                                       \
	ROW(TEXT,   fields,     "fields",     IF_TEXT, NULL)

/* `rate` is the sum over events that are on, without clocks; other sums are over all events. */
#define HEAD_FIGURES(ROW)                                                                      \
	/* events are disabled, rings drained, counters read */                                \
	ROW(FLAG,   is_final,        "final",           ALWAYS,         0)                     \
	/* 1 for the first */                                                                  \
	ROW(COUNT,  seq,             "seq",             ALWAYS,         0)                     \
	/* wall clock, for display only */                                                     \
	ROW(NUMBER, time_s,          "time",            ALWAYS,         0)                     \
	/* seconds on the monotonic clock */                                                   \
	ROW(NUMBER, interval_s,      "interval",        ALWAYS,         0)                     \
	ROW(TEXT,   host,            "host",            ALWAYS,         "?")                   \
	ROW(TEXT,   kernel,          "kernel",          ALWAYS,         "?")                   \
	ROW(PART,   CPU_IDS,         "cpus",            ALWAYS,         0)                     \
	ROW(PART,   EVENTS,          "events",          ALWAYS,         0)                     \
	ROW(PART,   TASKS,           "tasks",           ALWAYS,         0)                     \
	ROW(PART,   SWITCHES,        "switches",        ALWAYS,         0)                     \
	ROW(PART,   SYMBOLS,         "symbols",         ALWAYS,         0)                     \
	ROW(PART,   THROTTLING,      "throttling",      ALWAYS,         0)                     \
	ROW(PART,   SELF,            "self",            ALWAYS,         0)                     \
	/* seconds since the start of counting */                                              \
	ROW(NUMBER, elapsed_s,       "elapsed",         ALWAYS,         0)                     \
	ROW(NUMBER, rate,            "rate",            ALWAYS,         -1)                    \
	ROW(COUNT,  lost,            "lost",            ALWAYS,         0)                     \
	ROW(COUNT,  throttles,       "throttles",       ALWAYS,         0)                     \
	/* no event is known to be out of balance */                                           \
	ROW(FLAG,   is_balanced,     "balanced",        IF_ANY_CHECKED, 1)                     \
	ROW(COUNT,  ntasks_known,    "tasks_known",     ALWAYS,         0)                     \
	/* the event with the samples for the symbols; NULL for none */                        \
	ROW(TEXT,   symbol_event,    "symbol_event",    ALWAYS,         NULL)                  \
	/* side-band records (names, switches) lost; these are no samples */                   \
	ROW(COUNT,  side_lost,       "side_lost",       ALWAYS,         0)                     \
	/* sum of PERF_RECORD_LOST; the kernel puts it on the next event that writes */        \
	ROW(COUNT,  lost_records,    "lost_records",    ALWAYS,         0)                     \
	/* of unknown type or event, or malformed: skipped */                                  \
	ROW(COUNT,  unknown_records, "unknown_records", ALWAYS,         0)                     \
	/* sum over all rings */                                                               \
	ROW(COUNT,  corrupt,         "corrupt",         ALWAYS,         0)                     \
	ROW(PART,   NOTES,           "notes",           ALWAYS,         0)                     \
	ROW(PART,   SILENT,          "silent",          ALWAYS,         0)                     \
	ROW(PART,   BEHIND,          "behind",          ALWAYS,         0)                     \
	/* samples lost in this interval */                                                    \
	ROW(COUNT,  lost_count,      "lost_count",      ALWAYS,         0)                     \
	ROW(PART,   REST,            "rest",            ALWAYS,         0)                     \
	/* side-band records lost in this interval: figures of switches are lower bounds */    \
	ROW(COUNT,  side_lost_count, "side_lost_count", ALWAYS,         0)                     \
	/* as tasks: sums of processes of which several tasks are known */                     \
	ROW(PART,   PROCESSES,       "processes",       ALWAYS,         0)                     \
	/* what they descend from, without those that have a row */                            \
	ROW(PART,   PARENTS,         "parents",         ALWAYS,         0)                     \
	/* with --verify */                                                                    \
	ROW(PART,   VERIFY,          "verify",          IF_VERIFIED,    0)

/* clang-format on */

/* EVENT_FIGURE_total, and so on. */
#define FIGURE_INDEX(type, member, ...) EVENT_FIGURE_##member,
#define FIGURE_COUNT_INDEX(member, ...) EVENT_FIGURE_##member,
enum event_figure { EVENT_FIGURES(FIGURE_INDEX, FIGURE_INDEX, FIGURE_COUNT_INDEX) };

/* The members that the rows define. */
#define FIGURE_NO_MEMBER(...)
#define FIGURE_COUNT_MEMBER(member, ...) uint64_t member;
#define FIGURE_MEMBER(type, member, ...) FIGURE_MEMBER_##type(member)
#define FIGURE_MEMBER_TEXT(member)	 const char *member; /* raw bytes */
#define FIGURE_MEMBER_FLAG(member)	 bool member;
#define FIGURE_MEMBER_COUNT(member)	 uint64_t member;
#define FIGURE_MEMBER_NUMBER(member)	 double member;
#define FIGURE_MEMBER_ID(member)	 int32_t member;
#define FIGURE_MEMBER_STATE(member)	 enum event_state member;
#define FIGURE_MEMBER_SAMPLING(member)	 enum sampling member;
#define FIGURE_MEMBER_ANSWER(member)	 enum cpu_answer member;
#define FIGURE_MEMBER_PART(member)

/*
 * Whether a figure of `record` is known.  `record` has the type of the figure's list: the snapshot
 * itself, one of its events or tasks, ...
 */
bool figure_is_known(const struct figure *figure, const struct snapshot *snap, const void *record);

/* Whether the figure applies to an event: without sampling there is no loss, not a loss of 0. */
bool figure_applies(const struct figure *figure, const struct snap_event *event);

/* Whether it is only a lower bound. */
bool figure_is_at_least(const struct figure *figure, const struct snap_event *event);

/* A row of EVENT_FIGURES. */
const struct figure *figure_of_event(enum event_figure which);

/* The value of a COUNT: of an event, or of one of its CPUs. */
uint64_t figure_count(const struct figure *figure, const struct snap_event *event);
uint64_t figure_count_of_cpu(const struct figure *figure, const struct snap_event_cpu *cpu);

/* The value of a NUMBER of one of its CPUs. */
double figure_number_of_cpu(const struct figure *figure, const struct snap_event_cpu *cpu);

/* The lists above; static. */
struct figure_list figures_head(void);
struct figure_list figures_events(void);
struct figure_list figures_events_saved(void);
struct figure_list figures_tasks(void);
struct figure_list figures_task_switches(void);
struct figure_list figures_parents(void);
struct figure_list figures_spans(void);
struct figure_list figures_cpus_saved(void);
struct figure_list figures_cpu_switches(void);
struct figure_list figures_self(void);
struct figure_list figures_verify(void);
struct figure_list figures_violation(void);

#endif
