/* SPDX-License-Identifier: MIT */
#include "model/spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/tables.h"

/* --- the spans of a task -------------------------------------------------------------------- */

uint64_t preempter_times(const struct preempter *preempter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < SPANS_GENERATIONS; i++)
		sum += preempter->times[i];
	return sum;
}

/* That of the name, or the rarest. */
static struct preempter *find_preempter(struct spans *spans, const char *comm)
{
	struct preempter *rarest = &spans->preempters[0];

	for (size_t i = 0; i < SPANS_PREEMPTERS; i++) {
		struct preempter *preempter = &spans->preempters[i];

		if (preempter_times(preempter) > 0 && strcmp(preempter->comm, comm) == 0)
			return preempter;
		if (preempter_times(preempter) < preempter_times(rarest))
			rarest = preempter;
	}
	*rarest = (struct preempter){ 0 };
	snprintf(rarest->comm, sizeof(rarest->comm), "%s", comm);
	return rarest;
}

void spans_add(struct spans *sum, const struct spans *spans)
{
	for (size_t i = 0; i < SPANS_GENERATIONS; i++) {
		histogram_sum(&sum->slices[i], &spans->slices[i]);
		histogram_sum(&sum->waits[i], &spans->waits[i]);
	}
	for (size_t i = 0; i < SPANS_PREEMPTERS; i++) {
		const struct preempter *from = &spans->preempters[i];

		if (preempter_times(from) == 0)
			continue;
		struct preempter *to = find_preempter(sum, from->comm);
		to->tid = from->tid;
		for (size_t k = 0; k < SPANS_GENERATIONS; k++)
			to->times[k] += from->times[k];
	}
}

static void age_histogram(struct histogram generations[SPANS_GENERATIONS])
{
	memmove(&generations[1], &generations[0], (SPANS_GENERATIONS - 1) * sizeof(generations[0]));
	memset(&generations[0], 0, sizeof(generations[0]));
}

static bool age(struct spans *spans)
{
	uint64_t left = 0;

	age_histogram(spans->slices);
	age_histogram(spans->waits);
	for (size_t i = 0; i < SPANS_GENERATIONS; i++)
		left += spans->slices[i].count + spans->waits[i].count;
	for (size_t i = 0; i < SPANS_PREEMPTERS; i++) {
		struct preempter *preempter = &spans->preempters[i];

		memmove(&preempter->times[1], &preempter->times[0],
			(SPANS_GENERATIONS - 1) * sizeof(preempter->times[0]));
		preempter->times[0] = 0;
		left += preempter_times(preempter);
	}
	return left > 0;
}

void spans_age(struct spans **spans)
{
	if (*spans == NULL || age(*spans))
		return;
	free(*spans);
	*spans = NULL;
}

/* --- measuring ------------------------------------------------------------------------------ */

/* Made when they are new. */
static struct spans *at_home(struct spans **home)
{
	if (*home == NULL)
		*home = xcalloc(1, sizeof(**home));
	return *home;
}

/* Those of a short-lived task are kept by its fold. */
static struct spans *spans_of(struct model *model, struct task *task)
{
	if (task->is_folded || task->is_new || task->is_exited)
		return at_home(folds_spans(model->folds, task));
	return at_home(&task->spans);
}

static void add_slice(struct model *model, struct task *task, uint64_t ns)
{
	histogram_add(&at_home(&model->spans)->slices[0], ns, 1);
	histogram_add(&spans_of(model, task)->slices[0], ns, 1);
}

static void add_wait(struct model *model, struct task *task, uint64_t ns, uint32_t weight)
{
	histogram_add(&at_home(&model->spans)->waits[0], ns, weight);
	histogram_add(&spans_of(model, task)->waits[0], ns, weight);
}

static void add_preemption(struct model *model, struct task *task, int32_t by)
{
	if (by <= 0)
		return;

	const char *comm = model_who(model, &by);
	struct preempter *preempter = find_preempter(spans_of(model, task), comm);
	preempter->tid = by;
	preempter->times[0]++;
}

static void leave(struct model *model, size_t slot, const struct switchlog_entry *entry)
{
	struct task *task = entry->out > 0 ? tasks_find(model->tasks, entry->out) : NULL;

	if (task == NULL)
		return;
	if (entry->kind != SWITCHLOG_CUT && task->on_slot == slot &&
	    task->on_since_ns > model->cpus[slot].spans_from_ns &&
	    entry->time_ns >= task->on_since_ns)
		add_slice(model, task, entry->time_ns - task->on_since_ns);
	task->on_since_ns = task->ready_since_ns = 0;
	if (entry->kind != SWITCHLOG_PREEMPTED)
		return;
	task->ready_since_ns = entry->time_ns;
	task->ready_weight = 1;
	add_preemption(model, task, entry->in);
}

static void arrive(struct model *model, size_t slot, const struct switchlog_entry *entry)
{
	struct task *task = entry->in > 0 ? tasks_find(model->tasks, entry->in) : NULL;

	if (task == NULL)
		return;
	if (task->ready_since_ns > model->waits_from_ns && entry->time_ns >= task->ready_since_ns)
		add_wait(model, task, entry->time_ns - task->ready_since_ns, task->ready_weight);
	task->ready_since_ns = 0;
	task->on_since_ns = entry->time_ns;
	task->on_slot = (uint32_t)slot;
}

/*
 * Of a task that is on a CPU, a wakeup changes nothing; nor of a preempted one, which was about to
 * block.
 */
static void wake(struct model *model, const struct switchlog_entry *entry)
{
	struct task *task = entry->in > 0 ? tasks_find(model->tasks, entry->in) : NULL;

	if (task == NULL || task->on_since_ns != 0 || task->ready_since_ns > model->waits_from_ns)
		return;
	task->ready_since_ns = entry->time_ns;
	task->ready_weight = entry->weight;
}

static void forget_waits(struct model *model, uint64_t until_ns)
{
	if (until_ns > model->waits_from_ns)
		model->waits_from_ns = until_ns;
}

static void measure(struct model *model, size_t slot, const struct switchlog_entry *entry)
{
	switch (entry->kind) {
	case SWITCHLOG_BLOCKED:
	case SWITCHLOG_PREEMPTED:
	case SWITCHLOG_CUT:
		leave(model, slot, entry);
		arrive(model, slot, entry);
		break;
	case SWITCHLOG_WOKEN:
		wake(model, entry);
		break;
	case SWITCHLOG_LOST:
		model->cpus[slot].spans_from_ns = entry->time_ns;
		forget_waits(model, entry->time_ns);
		break;
	}
}

void spans_measure(struct model *model, uint64_t until_ns)
{
	struct switchlog_entry entry;
	size_t slot;

	while (switchlog_take(model->switchlog, until_ns, &entry, &slot))
		measure(model, slot, &entry);
}

void spans_measure_early(struct model *model)
{
	struct switchlog_entry entry;
	uint64_t last_ns = 0;
	size_t slot;

	model->waits_from_ns = UINT64_MAX;
	while (switchlog_take(model->switchlog, UINT64_MAX, &entry, &slot)) {
		measure(model, slot, &entry);
		last_ns = entry.time_ns;
	}
	model->waits_from_ns = last_ns;
}

void spans_tick(struct model *model, uint64_t now_ns)
{
	if (now_ns - model->spans_aged_ns < SPANS_NS)
		return;
	model->spans_aged_ns = now_ns;
	spans_age(&model->spans);
	tasks_age(model->tasks);
	folds_age(model->folds);
}
