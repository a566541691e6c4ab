/* SPDX-License-Identifier: MIT */
/*
 * build-inside - private to the files that build a snapshot of the model's tables at each tick:
 *
 *     build.c         the head, the notes, our own cost; calls the others
 *     build-events.c  rates, totals, losses and throttling of events
 *     build-cpus.c    CPUs and switches
 *     build-tasks.c   tasks, and which of them made most of each event
 *     build-symbols.c symbols
 */
#ifndef MODEL_BUILD_INSIDE_H
#define MODEL_BUILD_INSIDE_H

#include "model/tables.h"

/* The arguments of all build functions. */
struct build {
	struct model *model;
	struct snapshot *snap;
	struct snap_event *events; /* snap->events, to be filled */
	const struct model_tick *tick;
	double fade; /* what remains after this interval of the figures before it */
};

/* Each fills a part of build->snap and may read the parts filled before: keep this order. */
void build_events(const struct build *build);
void build_throttled(const struct build *build);
void build_cpus(const struct build *build);
void build_tasks(const struct build *build);
void build_symbols(const struct build *build);

/* Add the CPU time up to this tick to the running tasks; before build_cpus() and build_tasks(). */
void build_settle_running(const struct build *build);

/* How a CPU answered; an offline CPU counts as answered. */
enum cpu_answer build_answer(const struct model *model, uint32_t slot);

#endif
