/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include "base/xalloc.h"
#include "model/switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cpu_answer build_answer(const struct model *model, uint32_t slot)
{
	return model->cpus[slot].is_online ? model->cpus[slot].answer : CPU_ANSWERED;
}

/* The number of the event that counts switches while it is on; nrows for none. */
static uint32_t switch_event(const struct model *model)
{
	uint32_t number = model->config.first;

	while (number < model->nrows && (model->rows[number].state != EVENT_STATE_ON ||
					 strcmp(model->rows[number].name, "context-switches") != 0))
		number++;
	return number;
}

/* From the count of that event, else from switch records. */
static double switch_rate(const struct build *build, uint32_t number, uint32_t slot)
{
	const struct model *model = build->model;
	const struct model_cpu *cpu = &model->cpus[slot];

	if (number < model->nrows)
		return cell_rate(model_cell(model, number, slot));
	if (!model->config.has_switches || build->snap->interval_s <= 0)
		return RATE_UNKNOWN;
	return (double)(cpu->now.out - cpu->tick.out) / build->snap->interval_s;
}

/* Shares of this interval. */
static void build_busy(const struct build *build, const struct model_cpu *cpu, struct snap_cpu *out)
{
	double interval_ns = build->snap->interval_s * 1e9;

	out->busy = out->idle = RATE_UNKNOWN;
	if (!build->model->config.has_switches || interval_ns <= 0)
		return;
	/* The interval's ends and the records' times are of two clock readings. */
	out->busy = fmin(1, (double)(cpu->now.busy_ns - cpu->tick.busy_ns) / interval_ns);
	out->idle =
		fmin(1 - out->busy, (double)(cpu->now.idle_ns - cpu->tick.idle_ns) / interval_ns);
}

/* Preemptions per second. */
static double preempt_rate(const struct build *build, const struct model_cpu *cpu)
{
	if (!build->model->config.has_switches || build->snap->interval_s <= 0)
		return RATE_UNKNOWN;
	return (double)(cpu->now.involuntary - cpu->tick.involuntary) / build->snap->interval_s;
}

/* Add this interval to the trends, and copy these. */
static void build_trends(const struct build *build, struct model_cpu *cpu, struct snap_cpu *out)
{
	const double values[CPU_TRENDS] = {
		[CPU_BUSY] = out->busy,
		[CPU_SWITCHES] = out->switch_rate,
		[CPU_PREEMPTIONS] = out->preempt_rate,
	};

	for (int i = 0; i < CPU_TRENDS; i++) {
		trend_add(&cpu->trends[i], out->is_online ? values[i] : RATE_UNKNOWN,
			  build->snap->interval_s);
		out->trends[i] = build_trend(build, &cpu->trends[i]);
	}
}

/* Of this interval, of one of the events that only collect names and switches. */
static uint64_t side_lost(const struct model *model, uint32_t number, uint32_t slot)
{
	const struct cell *cell = model_cell(model, number, slot);

	return cell->now.lost - cell->tick.lost;
}

static void build_cpu(const struct build *build, uint32_t switches, uint32_t slot,
		      struct snap_cpu *out)
{
	const struct model *model = build->model;
	struct model_cpu *cpu = &build->model->cpus[slot];

	out->id = model->cpu_ids[slot];
	out->is_online = cpu->is_online;
	out->answer = build_answer(model, slot);
	out->rate = RATE_UNKNOWN;
	for (uint32_t i = 0; i < build->snap->nevents; i++) {
		const struct snap_event *event = &build->snap->events[i];

		if (event->cpus == NULL)
			continue;

		const struct snap_event_cpu *here = &event->cpus[slot];

		out->is_throttled |= here->is_throttled;
		if (event->state == EVENT_STATE_ON && event->unit[0] == '\0' && here->rate >= 0)
			out->rate = (out->rate >= 0 ? out->rate : 0) + here->rate;
	}
	out->switch_rate = switch_rate(build, switches, slot);
	build_busy(build, cpu, out);
	out->preempt_rate = preempt_rate(build, cpu);
	out->voluntary = cpu->now.voluntary - cpu->zero.voluntary;
	out->involuntary = cpu->now.involuntary - cpu->zero.involuntary;
	out->ring_bytes = cpu->ring_bytes;
	out->corrupt = cpu->corrupt;
	out->side_lost_count = side_lost(model, model->config.owner, slot) +
			       side_lost(model, model->config.switches, slot);
	out->is_switch_rate_at_least = out->side_lost_count > 0 && switches == model->nrows;
	build_trends(build, cpu, out);
	out->core = cpu->place.core;
	out->cache = cpu->place.cache;
	out->node = cpu->place.node;
	out->package = cpu->place.package;
	out->type = cpu->place.type;
}

/* Ask where the CPUs are, at the first tick and after some came or went. */
static void place_cpus(struct model *model)
{
	struct cpu_place *places;

	if (model->are_placed || model->resolver.places == NULL)
		return;
	places = xcalloc(model->ncpus, sizeof(*places));
	model->resolver.places(model->resolver.ctx, model->cpu_ids, model->ncpus, places);
	for (size_t i = 0; i < model->ncpus; i++)
		model->cpus[i].place = places[i];
	free(places);
	model->are_placed = true;
}

void build_cpus(const struct build *build)
{
	struct model *model = build->model;
	struct snapshot *snap = build->snap;
	struct snap_cpu *cpus = snap_alloc(snap, model->ncpus, sizeof(*cpus));
	uint32_t switches = switch_event(model);

	snap->has_switches = model->config.has_switches;
	snap->switch_rate = RATE_UNKNOWN;
	place_cpus(model);
	for (uint32_t slot = 0; slot < model->ncpus; slot++) {
		const struct model_cpu *cpu = &model->cpus[slot];

		build_cpu(build, switches, slot, &cpus[slot]);
		snap->voluntary += cpus[slot].voluntary;
		snap->involuntary += cpus[slot].involuntary;
		snap->switch_count += cpu->now.voluntary + cpu->now.involuntary -
				      cpu->tick.voluntary - cpu->tick.involuntary;
		snap->corrupt += cpu->corrupt;
		snap->side_lost_count += cpus[slot].side_lost_count;
		if (cpus[slot].switch_rate >= 0)
			snap->switch_rate = (snap->switch_rate >= 0 ? snap->switch_rate : 0) +
					    cpus[slot].switch_rate;
	}
	if (snap->has_switches)
		build_timeline(build, cpus);
	snap->cpus = cpus;
	snap->ncpus = model->ncpus;
}

void build_settle_running(const struct build *build)
{
	for (uint32_t slot = 0; slot < build->model->ncpus; slot++)
		switches_settle(build->model, slot, build->tick->now_ns);
}
