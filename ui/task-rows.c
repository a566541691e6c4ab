/* SPDX-License-Identifier: MIT */
#include "ui/task-rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "ui/table.h"
#include "ui/task-cells.h"

static struct task_row *add_row(struct task_rows *self, const struct snap_task *task)
{
	struct task_row *row = &self->rows[self->nrows++];

	*row = (struct task_row){ .task = task,
				  .own = task,
				  .family = task->recent_cpu,
				  .is_quiet = task_row_is_quiet(task),
				  .above = TABLE_NO_ROW };
	return row;
}

static void add_last_row(struct task_rows *self, const struct snap_task *task)
{
	struct task_row *row = add_row(self, task);

	row->is_last = true;
	row->is_quiet = false;
}

/* A task, and below it the short-lived ones that it has forked, which are then taken off the folds. */
static void add_family(struct task_rows *self, const struct snap_task *task)
{
	struct task_row *first = add_row(self, task);
	size_t left = 0;

	for (size_t i = 0; i < self->nfolds; i++) {
		if (!task_is_child_of(self->folds[i], task)) {
			self->folds[left++] = self->folds[i];
			continue;
		}
		struct task_row *child = add_row(self, self->folds[i]);
		child->is_child = true;
		first->is_quiet &= child->is_quiet;
		first->family += fmax(child->family, 0);
	}
	self->nfolds = left;
	for (struct task_row *row = first + 1; row < self->rows + self->nrows; row++)
		row->family = first->family;
}

/* What is left of all CPUs: other tasks, idle, and what no record told. */
static void add_last_rows(struct task_rows *self)
{
	const struct snapshot *snap = self->snap;
	double idle = 0, unknown = 0;

	if (self->rest->ntasks > 0 || self->rest->on_cpu > 0 || self->rest->switch_rate > 0)
		add_last_row(self, self->rest);
	for (size_t i = 0; i < snap->ncpus; i++) {
		const struct snap_cpu *cpu = &snap->cpus[i];

		if (!cpu->is_online || cpu->busy < 0)
			continue;
		idle += cpu->idle;
		if (snap_cpu_is_busy_at_least(cpu))
			unknown += 1 - cpu->busy - cpu->idle;
	}
	self->idle.on_cpu = idle;
	self->unknown.on_cpu = unknown;
	if (snap->has_switches)
		add_last_row(self, &self->idle);
	if (unknown > 0)
		add_last_row(self, &self->unknown);
}

/* Each task that is shown on its own, or as part of a family. */
static size_t listed(const struct task_rows *self)
{
	return self->is_by_process ? self->processes.nrows : self->snap->ntasks;
}

static const struct snap_task *listed_at(const struct task_rows *self, size_t i)
{
	return self->is_by_process ? self->processes.rows[i] : &self->snap->tasks[i];
}

/* Those that are short-lived. */
static void list_folds(struct task_rows *self)
{
	self->nfolds = 0;
	self->folds = xreallocarray(self->folds, listed(self) + 1, sizeof(struct snap_task *));
	for (size_t i = 0; i < listed(self); i++) {
		const struct snap_task *task = listed_at(self, i);

		if (task->tid < 0 && !task->is_process)
			self->folds[self->nfolds++] = task;
	}
}

static void take_tree(struct task_rows *self)
{
	task_tree_take(&self->tree, self->snap, self->is_by_process, self->rows, &self->nrows);
	task_closed_take(&self->closed, self->snap, self->is_by_process, self->rows, &self->nrows);
}

void task_rows_take(struct task_rows *self, const struct snapshot *snap)
{
	self->snap = snap;
	self->rest = &snap->rest;
	if (self->is_by_process) {
		process_rows_take(&self->processes, snap);
		self->rest = &self->processes.rest.task;
	}
	self->nrows = 0;
	self->rows =
		xreallocarray(self->rows, listed(self) + snap->nparents + 4, sizeof(*self->rows));
	self->idle = self->unknown = (struct snap_task){ .comm = "", .parent = "" };
	self->unknown.pid = -1;
	self->unknown.tid = -2; /* another identity than the rest's */
	self->idle_task = NULL;
	list_folds(self);
	for (size_t i = 0; i < listed(self); i++) {
		const struct snap_task *task = listed_at(self, i);

		if (task->tid == 0 && snap->has_switches) {
			self->idle.events = task->events;
			self->idle.nevents = task->nevents;
			self->idle_task = task;
		} else if (task->tid >= 0 || task->is_process) {
			if (self->is_tree)
				add_row(self, task);
			else
				add_family(self, task);
		}
	}
	for (size_t i = 0; i < self->nfolds; i++)
		add_row(self, self->folds[i]);
	if (self->is_tree)
		take_tree(self);
	add_last_rows(self);
}

void task_rows_sum(struct task_rows *self, const size_t *rows, size_t count)
{
	const struct snap_task **tasks = xcalloc(count, sizeof(struct snap_task *));

	for (size_t i = 0; i < count; i++)
		tasks[i] = self->rows[rows[i]].task;
	task_sum_of(&self->sum, self->snap, tasks, count);
	free(tasks);
	self->rows[self->nrows] = (struct task_row){ .task = &self->sum.task };
}

bool task_rows_close(struct task_rows *self, size_t row, bool to)
{
	const struct task_row *at = &self->rows[row];

	if (!self->is_tree || !at->has_below || at->is_closed == to ||
	    !task_stands_for_process(at->own, self->is_by_process))
		return false;
	task_closed_toggle(&self->closed, at->own->pid);
	return true;
}

void task_rows_fini(struct task_rows *self)
{
	task_sum_fini(&self->sum);
	task_tree_fini(&self->tree);
	task_closed_fini(&self->closed);
	process_rows_fini(&self->processes);
	free(self->rows);
	free(self->folds);
	*self = (struct task_rows){ 0 };
}
