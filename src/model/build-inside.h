/* SPDX-License-Identifier: MIT */
/*
 * build-inside - private to the files that build a snapshot of the model's tables at each tick:
 *
 *     build.c         the head, the notes, our own cost; calls the others
 *     build-events.c  rates, totals, losses and throttling of events
 *     build-cpus.c    CPUs and switches
 *     build-timeline.c who was on the CPUs in the last seconds
 *     build-spans.c   how long tasks ran and waited
 *     build-tasks.c   tasks, and which of them made most of each event
 *     build-processes.c tasks of one process, summed
 *     build-parents.c what those that have a row descend from
 *     build-code.c    where samples of user code are
 *     build-symbols.c symbols and their callers, with names.h and callers.h
 *     build-stream.c  records, one by one
 *     build-verify.c  whether the samples' sequences were whole
 */
#ifndef MODEL_BUILD_INSIDE_H
#define MODEL_BUILD_INSIDE_H

#include "model/tables.h"

#define NO_INDEX UINT32_MAX /* of an event that was removed */

/* The arguments of all build functions. */
struct build {
	struct model *model;
	struct snapshot *snap;
	struct snap_event *events; /* snap->events, to be filled */
	const uint32_t *numbers;   /* [snap->nevents] of these in the model */
	const uint32_t *indexes;   /* [model->nrows] of the model's events in these, or NO_INDEX */
	const struct model_tick *tick;
	const float **flat; /* [TREND_SECONDS + 1], by zeros: the minute of flat trends, or NULL */
	double fade;	    /* what remains after this interval of the figures before it */
};

struct spans;

/* A row of the snapshot to be: a task, or a sum of several. */
struct build_row {
	struct task *task;
	size_t ntasks, nborn;
	bool is_leader; /* of some event */
	bool is_kept;	/* it is in the snapshot */
	double occurrences, clock_ns;
};

/* Each fills a part of build->snap and may read the parts filled before: keep this order. */
void build_events(const struct build *build);
void build_throttled(const struct build *build);
void build_cpus(const struct build *build);
void build_tasks(const struct build *build);
void build_parents(const struct build *build);
void build_symbols(const struct build *build);
void build_stream(const struct build *build);
void build_verify(const struct build *build);

/* Of processes that have several of the rows [count], their sums. */
void build_processes(const struct build *build, const struct build_row *rows, size_t count);

/* Order rows by rank; it is that of the figures.  For qsort(). */
int build_by_rank(const void *a, const void *b);

/* Whether a row of this place by rank is kept; of a process's sum also if a row of it is. */
bool build_is_kept(const struct build *build, const struct build_row *row, size_t place);

/* The figures of a row; `spans` NULL: it has none. */
void build_row(const struct build *build, const struct build_row *row, const struct spans *spans,
	       struct snap_task *out);

/* The spans of a task, which can be the sum of a fold; NULL: none. */
const struct spans *build_spans_of(const struct build *build, const struct task *task);

/* The spans and the preempters of a row; NULL: none. */
void build_row_spans(const struct build *build, const struct spans *spans, struct snap_task *out);

/* Who was on each CPU; for the snapshot's CPUs [ncpus]. */
void build_timeline(const struct build *build, struct snap_cpu *cpus);

/* Of all tasks. */
void build_spans(const struct build *build);

/* Measure what the switch log has of this interval; after short-lived tasks are folded. */
void build_measure_spans(const struct build *build);

/* Add the CPU time up to this tick to the running tasks; before build_cpus() and build_tasks(). */
void build_settle_running(const struct build *build);

/*
 * The minute of a trend, oldest first, unknown where it has no values: [SNAP_TREND_MAX].  Flat trends,
 * as most of many events are, share one.
 */
const float *build_trend(const struct build *build, const struct trend *trend);

/* Place the samples of user code: their mappings can be decoded after them, or have to be read. */
void build_place_code(struct model *model);

/* How a CPU answered; an offline CPU counts as answered. */
enum cpu_answer build_answer(const struct model *model, uint32_t slot);

#endif
