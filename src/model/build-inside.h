/* SPDX-License-Identifier: MIT */
/*
 * build-inside - the tables of the model into a snapshot, once a tick: what the files of that share.
 *
 *     build.c         the head, the notes, our own cost; the order of all of it
 *     build-events.c  rates, totals, losses and throttling of events
 *     build-cpus.c    CPUs and switches
 *     build-tasks.c   tasks and symbols
 */
#ifndef MODEL_BUILD_INSIDE_H
#define MODEL_BUILD_INSIDE_H

#include "model/tables.h"

/* What one building needs at hand. */
struct build {
	struct model *model;
	struct snapshot *snap;
	const struct model_tick *tick;
};

/* All below fill parts of build->snap, and read those that were filled before, in this order. */
void build_events(const struct build *build);
void build_throttled(const struct build *build);
void build_cpus(const struct build *build);
void build_tasks(const struct build *build);
void build_symbols(const struct build *build);

/* Who is on a CPU now has been there for a part of this interval: before build_tasks(). */
void build_settle_running(const struct build *build);

/* How a CPU answered; one that is offline has nothing to answer. */
enum cpu_answer build_answer(const struct model *model, uint32_t slot);

#endif
