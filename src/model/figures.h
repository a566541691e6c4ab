/* SPDX-License-Identifier: MIT */
/*
 * figures - every figure of a snapshot that is a single value, one row each.
 *
 * A row makes the figure's place in its struct (model/snapshot.h), its key in JSON and in a saved
 * snapshot, how it is read back from there, and what else its columns say.  The rows of a list stand
 * in the order of the JSON object's keys: keys are public, they are kept for ever, and new ones go to
 * the end of their list.
 *
 * A new figure that is counted by event and CPU is a BOOKED row here and the line that counts it
 * (model/cells.c); it appears in JSON, CSV, batch text, views and saved snapshots.
 */
#ifndef MODEL_FIGURES_H
#define MODEL_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct snap_event;
struct snap_event_cpu;
struct snapshot;

/* How an event stands. */
enum event_state {
	EVENT_STATE_ON,
	EVENT_STATE_OFF,    /* switched off here; reason says what it would cost */
	EVENT_STATE_FAILED, /* could not be opened; reason says why */
};

enum sampling {
	SAMPLING_NONE,	 /* counted only */
	SAMPLING_PERIOD, /* every `period`-th event into the ring */
	SAMPLING_FREQ,	 /* about `freq` samples a second, weighed: details may be estimates */
};

/* What is known of a CPU at a tick. */
enum cpu_answer {
	CPU_ANSWERED,
	CPU_BEHIND, /* counts are of now, records are not: all that comes from samples is "at least" */
	CPU_SILENT, /* nothing came: every figure is as of its last answer */
};

/*
 * A member's type.  A NUMBER below zero is not known.  A PART has no member: it is a list or an object,
 * with code of its own.
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
	FIGURE_IF_ANY_CHECKED, /* some event's was */
	FIGURE_IF_SWITCHES,    /* switch records are collected */
	FIGURE_IF_TEXT,	       /* it is not "" */
};

enum figure_part {
	PART_NONE,
	PART_CPU_IDS,
	PART_EVENTS,
	PART_EVENT_CPUS,
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
	PARTS,
};

enum figure_place {
	NO_SUM,	    /* CPUs do not have it */
	EVENT_ONLY, /* CPUs have it, but not in JSON and CSV */
	EVERYWHERE,
};

/* What a figure of an event is derived from, and so when it is only a lower bound. */
enum figure_source {
	FROM_COUNTER, /* the kernel's counter: at least, when a CPU is silent */
	FROM_SAMPLES, /* decoded samples: at least, when a CPU is behind or silent; none without sampling */
	FROM_LOSSES,  /* the kernel's count of losses; at least without PERF_FORMAT_LOST, too */
	FROM_RECORDS, /* records that come whether it is sampled or not */
};

struct figure {
	const char *key;
	enum figure_type type;
	enum figure_part part;
	enum figure_known known;
	size_t at; /* offset of its member */
	/* When it is not in a saved snapshot: of a TEXT, of any other. */
	const char *otherwise_text;
	double otherwise;

	/* Of an event's sums. */
	enum figure_place place;
	size_t at_cpu;	     /* offset in snap_event_cpu */
	const char *heading; /* over its column in batch text and views; NULL: no column of its own */
	enum figure_source source;
};

struct figure_list {
	const struct figure *rows;
	size_t count;
};

/* clang-format off */

/*
 * An event's.
 *
 *   ROW     the event has it
 *   EACH    each of its CPUs has it, too, and the event's is their sum; null when it never was open
 *   BOOKED  the same, and it is a sum in the books of a cell: counted there, zeroed by the user
 *
 * Of the sums: where they are put (EVENT_ONLY: CPUs have it, but it is not in JSON and CSV); what is
 * over their column in batch text and views (NULL: they have no column of their own); what they come from.
 */
#define EVENT_FIGURES(ROW, EACH, BOOKED)                                                               \
	/*   type   member          key                 null unless  else */                           \
	ROW(TEXT,   name,           "name",             ALWAYS,      "?")  /* perf's name for it */ \
	ROW(TEXT,   kind,           "kind",             ALWAYS,      "?")  /* "tracepoint", "software", ... */ \
	ROW(STATE,  state,          "state",            ALWAYS,      0)    \
	ROW(TEXT,   reason,         "reason",           ALWAYS,      NULL) /* NULL, or why it is off or failed, or what stands in for what */ \
	ROW(COUNT,  period,         "period",           IF_PERIOD,   0)    \
	EACH(COUNT, count,          "count",            EVERYWHERE, NULL,     FROM_COUNTER) /* of this interval, from the kernel's counter */ \
	EACH(NUMBER, rate,          "rate",             EVERYWHERE, "RATE/s", FROM_COUNTER) /* of this interval */ \
	BOOKED(     total,          "total",            EVERYWHERE, "TOTAL",  FROM_COUNTER) /* the kernel's count, since the start or since zero */ \
	BOOKED(     sampled,        "sampled",          EVERYWHERE, NULL,     FROM_SAMPLES) /* sample records decoded since then */ \
	BOOKED(     lost,           "lost",             EVERYWHERE, "LOST",   FROM_LOSSES)  /* samples that the kernel had no room for, by its own count */ \
	ROW(FLAG,   is_lost_exact,  "lost_exact",       ALWAYS,      0)    /* false: no PERF_FORMAT_LOST here, lost is "at least" */ \
	ROW(FLAG,   is_balanced,    "balanced",         IF_CHECKED,  1)    /* on every CPU */ \
	ROW(NUMBER, running,        "running",          IF_OPENED,   1)    /* share of the time that it was scheduled, 0..1; 1 when not multiplexed */ \
	BOOKED(     throttles,      "throttles",        EVERYWHERE, "THR",    FROM_RECORDS) /* PERF_RECORD_THROTTLE seen */ \
	ROW(NUMBER, throttled_s,    "throttled",        IF_OPENED,   0)    /* time spent throttled, all CPUs */ \
	ROW(PART,   EVENT_CPUS,     "cpus",             ALWAYS,      0)    \
	ROW(TEXT,   unit,           "unit",             ALWAYS,      "")   /* "" for occurrences, "ns" for clocks */ \
	ROW(COUNT,  freq,           "freq",             IF_FREQ,     0)    /* Hz */ \
	BOOKED(     weight,         "weight",           EVENT_ONLY, NULL,     FROM_SAMPLES) /* events that the decoded samples stand for */ \
	ROW(TEXT,   filter,         "filter",           ALWAYS,      NULL) /* what the kernel counts of it only (--filter), or NULL */ \
	ROW(FLAG,   has_silent_cpu, "at_least",         ALWAYS,      0)    /* all its figures are lower bounds */ \
	ROW(FLAG,   is_behind,      "sampled_at_least", ALWAYS,      0)    /* some CPU is behind or silent: what was sampled is a lower bound */ \
	ROW(TEXT,   asked,          "asked",            ALWAYS,      NULL) /* the name as it was asked for: cycles where cpu-clock stands in */ \
	EACH(COUNT, unseen,         "unseen",           EVERYWHERE, NULL,     FROM_SAMPLES) /* events of this interval that were counted but not sampled, so of unknown tasks */

/* The lists below have ROW(type, member, key, null unless, else) only. */

/* In saved snapshots only. */
#define EVENT_SAVED_FIGURES(ROW)                                                                       \
	ROW(NUMBER,   rate_before,      "rate_before",   ALWAYS, -1)   /* of the interval before; unknown at first */ \
	ROW(FLAG,     is_throttled,     "throttled",     ALWAYS, 0)    /* on some CPU in this interval: its rate is a lower bound */ \
	ROW(SAMPLING, sampling,         "sampling",      ALWAYS, 0)    \
	ROW(FLAG,     is_balance_known, "balance_known", ALWAYS, 0)    /* the books were checked: of period 1, at the end, or broken before it */ \
	ROW(TEXT,     last,             "last",          ALWAYS, NULL) /* the newest sample's fields as text, or NULL */

/* In saved snapshots only. */
#define CPU_SAVED_FIGURES(ROW)                                                                         \
	ROW(FLAG,   is_online,    "online",      ALWAYS, 1)  \
	ROW(NUMBER, rate,         "rate",        ALWAYS, -1) /* occurrences a second over all events (clocks left out) */ \
	ROW(NUMBER, switch_rate,  "switch_rate", ALWAYS, -1) /* context switches a second; unknown when not watched */ \
	ROW(FLAG,   is_throttled, "throttled",   ALWAYS, 0)  /* some event was throttled here in this interval */ \
	ROW(ANSWER, answer,       "answer",      ALWAYS, 0)  \
	ROW(COUNT,  ring_bytes,   "ring",        ALWAYS, 0)  \
	ROW(COUNT,  corrupt,      "corrupt",     ALWAYS, 0)  /* times this ring made no sense and was resynchronised */

/* In all JSON.  These members are snap_cpu's own. */
#define CPU_SWITCH_FIGURES(ROW)                                                                        \
	ROW(ID,     id,          "cpu",         ALWAYS, 0)  \
	ROW(NUMBER, switch_rate, "rate",        ALWAYS, -1) \
	ROW(COUNT,  voluntary,   "voluntary",   ALWAYS, 0)  \
	ROW(COUNT,  involuntary, "involuntary", ALWAYS, 0)

#define TASK_FIGURES(ROW)                                                                              \
	ROW(ID,     pid,           "pid",       ALWAYS,      0)  \
	ROW(ID,     tid,           "tid",       ALWAYS,      0)  \
	ROW(TEXT,   comm,          "comm",      IF_TEXT,     "") /* "" when unknown */ \
	ROW(FLAG,   is_estimated,  "estimated", ALWAYS,      0)  /* some event of its was not sampled whole in this interval */ \
	ROW(PART,   TASK_EVENTS,   "events",    ALWAYS,      0)  \
	ROW(PART,   TASK_SWITCHES, "switches",  ALWAYS,      0)  \
	ROW(NUMBER, on_cpu,        "on_cpu",    IF_SWITCHES, -1) /* share of one CPU in this interval, 0..1; unknown without switch records */ \
	ROW(FLAG,   is_self,       "self",      ALWAYS,      0)  /* one of perftop-ng's own threads */

#define TASK_SWITCH_FIGURES(ROW)                                                                       \
	ROW(NUMBER, switch_rate, "rate",        IF_SWITCHES, -1) /* switches away from it; unknown without switch records */ \
	ROW(COUNT,  voluntary,   "voluntary",   IF_SWITCHES, 0)  \
	ROW(COUNT,  involuntary, "involuntary", IF_SWITCHES, 0)

#define SELF_FIGURES(ROW)                                                                              \
	ROW(NUMBER, cpu,        "cpu",        ALWAYS, -1) /* CPU seconds a second of ours in this interval; unknown at first */ \
	ROW(COUNT,  rss,        "rss",        ALWAYS, 0)  /* resident bytes without the rings */ \
	ROW(COUNT,  rings,      "rings",      ALWAYS, 0)  /* bytes of all rings */ \
	ROW(COUNT,  queue_peak, "queue_peak", ALWAYS, 0)  /* most blocks that were ever on their way at once */ \
	ROW(COUNT,  blocks,     "blocks",     ALWAYS, 0)  /* blocks that there are */

/* Sums over events are over those that are on, clocks left out of rate. */
#define HEAD_FIGURES(ROW)                                                                              \
	ROW(FLAG,   is_final,        "final",           ALWAYS,         0)   /* events disabled, rings drained, counters read last */ \
	ROW(COUNT,  seq,             "seq",             ALWAYS,         0)   /* 1 for the first */ \
	ROW(NUMBER, time_s,          "time",            ALWAYS,         0)   /* wall clock, for showing only */ \
	ROW(NUMBER, interval_s,      "interval",        ALWAYS,         0)   /* measured on the monotonic clock; 0 for the first */ \
	ROW(TEXT,   host,            "host",            ALWAYS,         "?") \
	ROW(TEXT,   kernel,          "kernel",          ALWAYS,         "?") \
	ROW(PART,   CPU_IDS,         "cpus",            ALWAYS,         0)   \
	ROW(PART,   EVENTS,          "events",          ALWAYS,         0)   \
	ROW(PART,   TASKS,           "tasks",           ALWAYS,         0)   \
	ROW(PART,   SWITCHES,        "switches",        ALWAYS,         0)   \
	ROW(PART,   SYMBOLS,         "symbols",         ALWAYS,         0)   \
	ROW(PART,   THROTTLING,      "throttling",      ALWAYS,         0)   \
	ROW(PART,   SELF,            "self",            ALWAYS,         0)   \
	ROW(NUMBER, elapsed_s,       "elapsed",         ALWAYS,         0)   /* since the start of counting */ \
	ROW(NUMBER, rate,            "rate",            ALWAYS,         -1)  \
	ROW(COUNT,  lost,            "lost",            ALWAYS,         0)   \
	ROW(COUNT,  throttles,       "throttles",       ALWAYS,         0)   \
	ROW(FLAG,   is_balanced,     "balanced",        IF_ANY_CHECKED, 1)   /* no event is known to be out of balance */ \
	ROW(COUNT,  ntasks_known,    "tasks_known",     ALWAYS,         0)   \
	ROW(TEXT,   symbol_event,    "symbol_event",    ALWAYS,         NULL) /* whose samples the symbols come from; NULL for none */ \
	ROW(COUNT,  side_lost,       "side_lost",       ALWAYS,         0)   /* side-band records (names, switches) lost: detail, no event */ \
	ROW(COUNT,  lost_records,    "lost_records",    ALWAYS,         0)   /* sum of PERF_RECORD_LOST: charged to the next writer, so a time mark only */ \
	ROW(COUNT,  unknown_records, "unknown_records", ALWAYS,         0)   /* types that this version skips */ \
	ROW(COUNT,  corrupt,         "corrupt",         ALWAYS,         0)   /* over all rings */ \
	ROW(PART,   NOTES,           "notes",           ALWAYS,         0)   \
	ROW(PART,   SILENT,          "silent",          ALWAYS,         0)   \
	ROW(PART,   BEHIND,          "behind",          ALWAYS,         0)

/* clang-format on */

/* EVENT_FIGURE_total, and so on. */
#define FIGURE_INDEX(type, member, ...) EVENT_FIGURE_##member,
#define FIGURE_COUNT_INDEX(member, ...) EVENT_FIGURE_##member,
enum event_figure { EVENT_FIGURES(FIGURE_INDEX, FIGURE_INDEX, FIGURE_COUNT_INDEX) };

/* The members that rows make. */
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
 * Whether a figure of `record`, which is of the list's kind (the snapshot itself, one of its events or
 * tasks, ...), is known.
 */
bool figure_is_known(const struct figure *figure, const struct snapshot *snap, const void *record);

/* Whether an event can have that figure at all: what is not sampled has no loss, not one of 0. */
bool figure_applies(const struct figure *figure, const struct snap_event *event);

/* Whether it is only a lower bound. */
bool figure_is_at_least(const struct figure *figure, const struct snap_event *event);

/* A row of EVENT_FIGURES. */
const struct figure *figure_of_event(enum event_figure which);

/* The value of a COUNT of an event, or of `cpu`, one of its CPUs. */
uint64_t figure_count(const struct figure *figure, const struct snap_event *event);
uint64_t figure_count_of_cpu(const struct figure *figure, const struct snap_event_cpu *cpu);

/* The value of a NUMBER of one of its CPUs. */
double figure_number_of_cpu(const struct figure *figure, const struct snap_event_cpu *cpu);

/* The lists above.  They belong to the program. */
struct figure_list figures_head(void);
struct figure_list figures_events(void);
struct figure_list figures_events_saved(void);
struct figure_list figures_tasks(void);
struct figure_list figures_task_switches(void);
struct figure_list figures_cpus_saved(void);
struct figure_list figures_cpu_switches(void);
struct figure_list figures_self(void);

#endif
