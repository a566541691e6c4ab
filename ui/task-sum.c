/* SPDX-License-Identifier: MIT */
#include "ui/task-sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void task_sum_begin(struct task_sum *self, const struct snapshot *snap,
		    const struct snap_task *task)
{
	self->task = *task;
	self->events =
		xreallocarray(self->events, snap->nevents + 1, sizeof(struct snap_task_event));
	memset(self->events, 0, (snap->nevents + 1) * sizeof(struct snap_task_event));
	for (uint32_t i = 0; i < snap->nevents; i++)
		self->events[i].event = i;
	for (size_t i = 0; i < task->nevents; i++)
		self->events[task->events[i].event] = task->events[i];
	self->task.events = self->events;
	self->task.nevents = snap->nevents;
}

static void add_number(double *sum, double part)
{
	if (part >= 0)
		*sum = fmax(*sum, 0) + part;
}

void task_event_add(struct snap_task_event *sum, const struct snap_task_event *part)
{
	sum->count += part->count;
	sum->samples += part->samples;
	sum->total += part->total;
	sum->is_estimated |= part->is_estimated;
	sum->is_total_estimated |= part->is_total_estimated;
	add_number(&sum->rate, part->rate);
}

void task_sum_add(struct task_sum *self, const struct snap_task *task)
{
	struct snap_task *sum = &self->task;

	sum->ntasks += task->ntasks;
	sum->voluntary += task->voluntary;
	sum->involuntary += task->involuntary;
	add_number(&sum->on_cpu, task->on_cpu);
	add_number(&sum->switch_rate, task->switch_rate);
	add_number(&sum->preempt_rate, task->preempt_rate);
	for (size_t i = 0; i < task->nevents; i++) {
		const struct snap_task_event *of = &task->events[i];

		task_event_add(&self->events[of->event], of);
	}
}

void task_sum_end(struct task_sum *self, const struct snapshot *snap)
{
	self->task.nevents = 0;
	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_task_event *event = &self->events[i];

		if (event->count > 0 || event->rate > 0 || event->total > 0)
			self->events[self->task.nevents++] = *event;
	}
}

/* Of two with times only the number and the longest of both are known. */
static void add_span(struct snap_span *sum, const struct snap_span *part)
{
	uint64_t count = sum->count + part->count;

	if (part->count == 0)
		return;
	if (sum->count == 0)
		*sum = *part;
	else
		*sum = (struct snap_span){ .count = count,
					   .p50 = RATE_UNKNOWN,
					   .p99 = RATE_UNKNOWN,
					   .max = fmax(sum->max, part->max) };
}

/* Nothing that tells one task from another. */
static void be_nobody(struct snap_task *task)
{
	task->pid = task->tid = -1;
	task->ppid = 0;
	task->comm = task->parent = task->command = task->cgroup = "";
	task->is_self = task->is_process = false;
	task->born = RATE_UNKNOWN;
	task->preempters = NULL;
	task->npreempters = 0;
}

void task_sum_of(struct task_sum *self, const struct snapshot *snap,
		 const struct snap_task *const *tasks, size_t count)
{
	task_sum_begin(self, snap, tasks[0]);
	for (size_t i = 1; i < count; i++) {
		task_sum_add(self, tasks[i]);
		add_span(&self->task.slice, &tasks[i]->slice);
		add_span(&self->task.wait, &tasks[i]->wait);
	}
	task_sum_end(self, snap);
	be_nobody(&self->task);
}

void task_sum_fini(struct task_sum *self)
{
	free(self->events);
	*self = (struct task_sum){ 0 };
}
