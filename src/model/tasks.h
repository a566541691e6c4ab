/* SPDX-License-Identifier: MIT */
/*
 * tasks - a row per thread: its events and its switches.
 *
 * Bounded: exited threads are dropped after an interval without activity, and other threads too
 * while there are more than TASKS_MAX rows.  A thread is identified by its tid; a FORK record of a
 * tid starts a new thread.
 */
#ifndef MODEL_TASKS_H
#define MODEL_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cells.h"

#define TASK_COMM_BYTES 16     /* with the terminator: TASK_COMM_LEN of the kernel */
#define TASKS_MAX	16384  /* above this, inactive rows are dropped */
#define TASKS_ROOM	131072 /* most rows; further threads share one, TASK_OTHERS */
#define TASK_OTHERS	INT32_MIN

/* Samples and their weight. */
struct task_share {
	uint64_t weight;
	uint64_t samples;
};

/* What fades: after each interval, what was before it counts less, by half in TASK_FADE_HALF_S. */
#define TASK_FADE_HALF_S 1.5

struct task_event {
	uint32_t event;
	double recent, recent_samples; /* weight and samples, faded: of the last seconds */
	uint64_t total;		       /* weight from the start */
	struct task_share interval;    /* of this interval */
	struct task_share next;	       /* of the next one, which starts at each CPU's mark */
};

/* Seconds after which what /proc says of a task is read again. */
#define TASK_FACTS_S 10

struct spans;

struct task {
	int32_t pid, tid;
	int32_t ppid;	  /* by its FORK or EXIT record; 0: unknown */
	uint64_t born_ns; /* by its FORK record; 0: before the start */
	bool is_new;	  /* forked in this interval */
	bool is_folded;	  /* short-lived so far: part of a fold (model/folds.h) */
	char comm[TASK_COMM_BYTES];
	bool is_exited;
	bool is_busy; /* it has a sample of this interval, or of the next one */
	bool is_next_busy;
	bool is_sought;		       /* no look-up of its name is needed any more */
	char process[TASK_COMM_BYTES]; /* the name of pid, where that has no row; "": not looked up */
	struct task_event *events;     /* [nevents], in the order of their first samples */
	uint32_t nevents;
	uint32_t last;	     /* index of the last sample's event: most often also the next one's */
	uint32_t *positions; /* hash table by event: index in `events` plus one; NULL: few events */
	uint32_t positions_mask;
	uint64_t voluntary, involuntary;
	uint64_t switches;  /* of this interval */
	uint64_t preempted; /* of these, the involuntary ones */
	uint64_t on_cpu_ns; /* of this interval */
	double recent_cpu;  /* seconds on a CPU, faded */
	uint64_t last_ns;   /* time of its newest record */
	uint64_t comm_ns;   /* time of the COMM record with its name */

	/* From /proc (model_seek_facts()): */
	uint64_t facts_ns;	      /* when they were last read; 0: not yet */
	char *command, *cgroup;	      /* owned; NULL or "": unknown, or none */
	char parent[TASK_COMM_BYTES]; /* the name of ppid; "" when unknown */

	/* For spans_measure(): in time order, so later than the sums above. */
	uint64_t on_since_ns, ready_since_ns; /* 0: it is not, or it is not known since when */
	uint32_t on_slot;		      /* the CPU it is on */
	uint32_t ready_weight;
	struct spans *spans; /* NULL: none, or its fold has them */
};

struct tasks;

/* An empty table; never NULL.  Decoder thread only, as all below. */
struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);

/* The thread's row, added if it is new (or TASK_OTHERS when full); valid until tasks_sweep(). */
struct task *tasks_get(struct tasks *tasks, int32_t pid, int32_t tid);

/*
 * Add a new row for the same tid, after a change of name or for a new thread: the old row keeps its
 * sums, and counts as exited.  Returns the new row, or `task` when there is no room.
 */
struct task *tasks_renew(struct tasks *tasks, struct task *task);

/* The thread's row, or NULL when there is none. */
struct task *tasks_find(const struct tasks *tasks, int32_t tid);

/*
 * Set the name: `len` raw bytes, cut to TASK_COMM_BYTES - 1.  Most tasks get a new one by an exec,
 * so what /proc said before is forgotten.
 */
void task_set_comm(struct task *task, const char *name, size_t len);

/* For task_event_of(): of another event than the one of the last call. */
struct task_event *task_find_event(struct task *task, uint32_t event);

/* Its figures of an event, made when they are new; valid until the next new one. */
static inline struct task_event *task_event_of(struct task *task, uint32_t event)
{
	if (task->last < task->nevents && task->events[task->last].event == event)
		return &task->events[task->last];
	return task_find_event(task, event);
}

/* Drop the figures of all events; their memory is kept for others. */
void task_clear_events(struct task *task);

/* Free what it has of events; for the task's own end. */
void task_free_events(struct task *task);

/* Whether it had no sample, no switch and no time on a CPU in this interval. */
bool task_is_quiet(const struct task *task);

/* At the end of an interval: take it into what fades, `fade` being what remains of the rest. */
void task_fade(struct task *task, double fade);

/* Add a task's interval and totals to a sum of several; not what fades. */
void task_add(struct task *sum, const struct task *task);

/* Add a sample of an event, to this interval or, with `is_next`, to the next one. */
static inline void task_sample(struct task *task, uint32_t event, struct weight weight,
			       bool is_next)
{
	struct task_event *counted = task_event_of(task, event);
	struct task_share *share = is_next ? &counted->next : &counted->interval;

	counted->total += weight.total;
	share->weight += weight.interval;
	share->samples++;
	task->is_busy = true;
	task->is_next_busy |= is_next;
}

/* The interval goes on: samples of the next one are of this one. */
void tasks_go_on(struct tasks *tasks);

/* The number of rows of tasks_all(). */
size_t tasks_count(const struct tasks *tasks);

/* All rows, unsorted; valid until the next tasks_get(), tasks_renew() or tasks_sweep(). */
struct task *const *tasks_all(const struct tasks *tasks);

/*
 * End the interval: clear its sums; drop inactive rows, if exited or above TASKS_MAX.  `forget` is
 * called for each of these before.
 */
void tasks_sweep(struct tasks *tasks, void (*forget)(void *ctx, const struct task *task),
		 void *ctx);

/* spans_age() for each of them. */
void tasks_age(struct tasks *tasks);

/* Clear all totals: "zero". */
void tasks_zero(struct tasks *tasks);

#endif
