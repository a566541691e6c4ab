/* SPDX-License-Identifier: MIT */
#include "ui/process-rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

static int compare_pids(const void *a, const void *b)
{
	const struct snap_task *const *left = a, *const *right = b;

	return ((*left)->pid > (*right)->pid) - ((*left)->pid < (*right)->pid);
}

static bool has_sum(const struct process_rows *self, const struct snapshot *snap,
		    const struct snap_task *task)
{
	return bsearch(&task, self->by_pid, snap->nprocesses, sizeof(struct snap_task *),
		       compare_pids) != NULL;
}

/* --- the rest --------------------------------------------------------------------------------- */

static void take_count(uint64_t *from, uint64_t part)
{
	*from = part < *from ? *from - part : 0;
}

static void take_number(double *from, double part)
{
	if (*from >= 0 && part >= 0)
		*from = fmax(*from - part, 0);
}

/* What a sum has. */
static void take_from_rest(struct process_rows *self, const struct snap_task *process)
{
	struct snap_task *rest = &self->rest.task;

	take_count(&rest->ntasks, process->ntasks);
	take_count(&rest->voluntary, process->voluntary);
	take_count(&rest->involuntary, process->involuntary);
	take_number(&rest->on_cpu, process->on_cpu);
	take_number(&rest->switch_rate, process->switch_rate);
	take_number(&rest->preempt_rate, process->preempt_rate);
	for (size_t i = 0; i < process->nevents; i++) {
		const struct snap_task_event *of = &process->events[i];
		struct snap_task_event *event = &self->rest.events[of->event];

		take_count(&event->count, of->count);
		take_count(&event->samples, of->samples);
		take_count(&event->total, of->total);
		take_number(&event->rate, of->rate);
		if (event->count == 0)
			event->rate = fmin(event->rate, 0); /* not what rounding left of it */
	}
}

/* --- all -------------------------------------------------------------------------------------- */

void process_rows_take(struct process_rows *self, const struct snapshot *snap)
{
	self->rows = xreallocarray(self->rows, snap->ntasks + snap->nprocesses + 1,
				   sizeof(struct snap_task *));
	self->by_pid =
		xreallocarray(self->by_pid, snap->nprocesses + 1, sizeof(struct snap_task *));
	self->nrows = 0;
	for (size_t i = 0; i < snap->nprocesses; i++)
		self->by_pid[i] = self->rows[self->nrows++] = &snap->processes[i];
	qsort(self->by_pid, snap->nprocesses, sizeof(struct snap_task *), compare_pids);
	task_sum_begin(&self->rest, snap, &snap->rest);
	for (size_t i = 0; i < snap->ntasks; i++) {
		const struct snap_task *task = &snap->tasks[i];

		if (has_sum(self, snap, task))
			task_sum_add(&self->rest, task);
		else
			self->rows[self->nrows++] = task;
	}
	for (size_t i = 0; i < snap->nprocesses; i++)
		take_from_rest(self, &snap->processes[i]);
	task_sum_end(&self->rest, snap);
}

void process_rows_fini(struct process_rows *self)
{
	free(self->rows);
	free(self->by_pid);
	task_sum_fini(&self->rest);
	*self = (struct process_rows){ 0 };
}
