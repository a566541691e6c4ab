/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include "base/xalloc.h"
#include "model/runners.h"
#include "model/timeline.h"

#include <stdlib.h>
#include <string.h>

/* Tasks that were on a CPU in this interval still have their rows, and names. */
static uint16_t runner_of(struct model *model, int32_t tid, uint64_t slot)
{
	const struct task *task = tasks_find(model->tasks, tid);
	const char *comm = model_who(model, &tid);

	if (task != NULL && (task->is_folded || task->is_new || task->is_exited))
		tid = RUNNER_SHORT_LIVED;
	return runners_number(model->runners, tid, comm, slot);
}

static void name_slots(struct model *model, uint32_t cpu, uint64_t from, uint64_t to)
{
	for (uint64_t at = from; at < to; at++) {
		struct timeline_slot *slot = timeline_slot(&model->cpus[cpu].timeline, at);

		if (slot != NULL && slot->tid > 0)
			slot->runner = runner_of(model, slot->tid, at);
	}
}

/* Numbers of a snapshot's runners, by number in the model; 0: not in the snapshot. */
struct numbers {
	uint16_t of[RUNNERS_MOST];
	struct snap_runner runners[RUNNERS_MOST]; /* [count] */
	size_t count;
};

static uint16_t number_of(const struct build *build, struct numbers *numbers, uint16_t runner)
{
	const struct runner *from = runners_at(build->model->runners, runner);

	if (numbers->of[runner] == 0) {
		numbers->runners[numbers->count] =
			(struct snap_runner){ .comm = snap_strdup(build->snap, from->comm),
					      .tid = from->tid };
		numbers->of[runner] = (uint16_t)++numbers->count;
	}
	return (uint16_t)(numbers->of[runner] - 1 + SNAP_RUNNER_FIRST);
}

static const struct snap_slot *build_slots(const struct build *build, struct numbers *numbers,
					   uint32_t cpu, uint64_t end)
{
	struct snap_slot *slots = snap_alloc(build->snap, SNAP_SLOTS, sizeof(*slots));

	for (size_t i = 0; i < SNAP_SLOTS && end >= SNAP_SLOTS; i++) {
		const struct timeline_slot *from =
			timeline_slot(&build->model->cpus[cpu].timeline, end - SNAP_SLOTS + i);

		if (from == NULL || from->tid < 0)
			continue; /* SNAP_RUNNER_UNKNOWN is 0 */
		slots[i].percent = from->percent;
		slots[i].runner = from->tid == 0 ? SNAP_RUNNER_IDLE :
						   number_of(build, numbers, from->runner);
	}
	return slots;
}

void build_timeline(const struct build *build, struct snap_cpu *cpus)
{
	struct model *model = build->model;
	uint64_t from = timeline_slot_of(model->tick_ns);
	uint64_t end = timeline_slot_of(build->tick->now_ns);
	struct numbers *numbers = xcalloc(1, sizeof(*numbers));

	if (end - from > TIMELINE_SLOTS)
		from = end - TIMELINE_SLOTS;
	for (uint32_t cpu = 0; cpu < model->ncpus; cpu++) {
		timeline_finish(&model->cpus[cpu].timeline, build->tick->now_ns);
		name_slots(model, cpu, from, end);
	}
	for (uint32_t cpu = 0; cpu < model->ncpus; cpu++)
		cpus[cpu].slots = build_slots(build, numbers, cpu, end);

	struct snap_runner *runners = snap_alloc(build->snap, numbers->count, sizeof(*runners));
	memcpy(runners, numbers->runners, numbers->count * sizeof(*runners));
	build->snap->runners = runners;
	build->snap->nrunners = numbers->count;
	build->snap->slot_s = TIMELINE_NS / 1e9;
	free(numbers);
}
