/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <string.h>

enum cpu_answer build_answer(const struct model *model, uint32_t slot)
{
	return model->cpus[slot].is_online ? model->cpus[slot].answer : CPU_ANSWERED;
}

/* From the count of the event context-switches while it is on, else from switch records. */
static double switch_rate(const struct build *build, uint32_t slot)
{
	const struct model *model = build->model;
	const struct model_cpu *cpu = &model->cpus[slot];

	for (uint32_t number = model->config.first; number < model->nrows; number++) {
		const struct model_row *row = &model->rows[number];

		if (row->state == EVENT_STATE_ON && strcmp(row->name, "context-switches") == 0)
			return cell_rate(model_cell(model, number, slot));
	}
	if (!model->config.has_switches || build->snap->interval_s <= 0)
		return RATE_UNKNOWN;
	return (double)(cpu->now.out - cpu->tick.out) / build->snap->interval_s;
}

static void build_cpu(const struct build *build, uint32_t slot, struct snap_cpu *out)
{
	const struct model *model = build->model;
	const struct model_cpu *cpu = &model->cpus[slot];

	out->id = model->cpu_ids[slot];
	out->is_online = cpu->is_online;
	out->answer = build_answer(model, slot);
	out->rate = RATE_UNKNOWN;
	for (uint32_t i = 0; i < build->snap->nevents; i++) {
		const struct snap_event *event = &build->snap->events[i];
		const struct snap_event_cpu *here = &event->cpus[slot];

		if (event->cpus == NULL)
			continue;
		out->is_throttled |= here->is_throttled;
		if (event->state == EVENT_STATE_ON && event->unit[0] == '\0' && here->rate >= 0)
			out->rate = (out->rate >= 0 ? out->rate : 0) + here->rate;
	}
	out->switch_rate = switch_rate(build, slot);
	out->voluntary = cpu->now.voluntary - cpu->zero.voluntary;
	out->involuntary = cpu->now.involuntary - cpu->zero.involuntary;
	out->ring_bytes = cpu->ring_bytes;
	out->corrupt = cpu->corrupt;
}

void build_cpus(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	struct snap_cpu *cpus = snap_alloc(snap, model->ncpus, sizeof(*cpus));

	snap->has_switches = model->config.has_switches;
	snap->switch_rate = RATE_UNKNOWN;
	for (uint32_t slot = 0; slot < model->ncpus; slot++) {
		const struct model_cpu *cpu = &model->cpus[slot];

		build_cpu(build, slot, &cpus[slot]);
		snap->voluntary += cpus[slot].voluntary;
		snap->involuntary += cpus[slot].involuntary;
		snap->switch_count += cpu->now.voluntary + cpu->now.involuntary -
				      cpu->tick.voluntary - cpu->tick.involuntary;
		snap->corrupt += cpu->corrupt;
		if (cpus[slot].switch_rate >= 0)
			snap->switch_rate = (snap->switch_rate >= 0 ? snap->switch_rate : 0) +
					    cpus[slot].switch_rate;
	}
	snap->cpus = cpus;
	snap->ncpus = model->ncpus;
}

/* Add the CPU time up to this tick to the task that runs on each CPU. */
void build_settle_running(const struct build *build)
{
	const struct model *model = build->model;
	uint64_t now_ns = build->tick->now_ns;

	for (size_t slot = 0; slot < model->ncpus; slot++) {
		struct model_cpu *cpu = &model->cpus[slot];
		struct task *task = cpu->running > 0 ? tasks_find(model->tasks, cpu->running) :
						       NULL;

		if (cpu->running == TID_NONE || now_ns <= cpu->running_since_ns)
			continue;
		if (task != NULL)
			task->on_cpu_ns += now_ns - cpu->running_since_ns;
		cpu->running_since_ns = now_ns;
	}
}
