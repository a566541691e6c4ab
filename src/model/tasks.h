/* SPDX-License-Identifier: MIT */
/*
 * tasks - who causes the events: a row per thread, its events and its switches.
 *
 * Bounded: threads that have ended or been quiet make room when there are many.
 * A thread is known by its tid; a FORK or EXIT record of the same tid makes it
 * a new one.
 */
#ifndef MODEL_TASKS_H
#define MODEL_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cells.h"

#define TASK_COMM_BYTES 16     /* with the terminator: TASK_COMM_LEN of the kernel */
#define TASKS_MAX	16384  /* then the quiet ones go */
#define TASKS_ROOM	131072 /* in one interval; further ones share a row, TASK_OTHERS */
#define TASK_OTHERS	INT32_MIN

/* Samples and their weight. */
struct task_share {
	uint64_t weight;
	uint64_t samples;
};

struct task_event {
	uint32_t event;
	struct task_share total;    /* from the start */
	struct task_share interval; /* of this interval */
	struct task_share next;	    /* of the next one, which starts at each CPU's mark */
};

struct task {
	int32_t pid, tid;
	char comm[TASK_COMM_BYTES];
	bool is_exited;
	bool is_busy; /* it had a sample in this interval, or in the next one */
	bool is_next_busy;
	bool is_sought; /* /proc was asked for its name */
	struct task_event *events;
	uint32_t nevents;
	uint32_t last; /* index of the event that came last: most often the next one, too */
	uint64_t voluntary, involuntary;
	uint64_t switches;  /* of this interval */
	uint64_t on_cpu_ns; /* of this interval */
	uint64_t last_ns;   /* when its newest record was written */
	uint64_t comm_ns;   /* when it got its name, by COMM */
};

struct tasks;

/* An empty table; never NULL.  Decoder thread only, as all below. */
struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);

/* The thread's row, made when it is new; valid until tasks_sweep(). */
struct task *tasks_get(struct tasks *tasks, int32_t pid, int32_t tid);

/*
 * A new row for the same thread, which has another name or is another one now:
 * what it did stays with the old row, which counts as ended.
 */
struct task *tasks_renew(struct tasks *tasks, struct task *task);

/* The thread's row, or NULL when there is none. */
struct task *tasks_find(const struct tasks *tasks, int32_t tid);

/* The name that the kernel gave it; `len` bytes, raw. */
void task_set_comm(struct task *task, const char *name, size_t len);

/* Add a sample of an event, to this interval or, with `is_next`, to the next one. */
void task_sample(struct task *task, uint32_t event, struct weight weight, bool is_next);

/* How many rows tasks_all() has. */
size_t tasks_count(const struct tasks *tasks);

/* All rows, in no order; valid until the next tasks_get() or tasks_sweep(). */
struct task *const *tasks_all(const struct tasks *tasks);

/* The interval is over: clear its sums, forget who ended, and who was quiet when there are too many. */
void tasks_sweep(struct tasks *tasks);

/* Forget all totals: "zero". */
void tasks_zero(struct tasks *tasks);

#endif
