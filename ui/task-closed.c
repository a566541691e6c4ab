/* SPDX-License-Identifier: MIT */
#include "ui/task-closed.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "ui/table.h"
#include "ui/task-rows.h"

static size_t find(const struct task_closed *self, int32_t pid)
{
	size_t at = 0;

	while (at < self->npids && self->pids[at] != pid)
		at++;
	return at;
}

void task_closed_toggle(struct task_closed *self, int32_t pid)
{
	size_t at = find(self, pid);

	if (at < self->npids) {
		self->pids[at] = self->pids[--self->npids];
		return;
	}
	self->pids = xreallocarray(self->pids, self->npids + 1, sizeof(*self->pids));
	self->pids[self->npids++] = pid;
}

/* --- which rows are part of which ------------------------------------------------------------- */

static bool is_closed(const struct task_closed *self, const struct task_row *row,
		      bool is_by_process)
{
	return row->has_below && task_stands_for_process(row->own, is_by_process) &&
	       find(self, row->own->pid) < self->npids;
}

static void find_closed(struct task_closed *self, bool is_by_process, struct task_row *rows,
			size_t nrows)
{
	for (size_t i = 0; i < nrows; i++) {
		if (rows[i].above != TABLE_NO_ROW)
			rows[rows[i].above].has_below = true;
	}
	for (size_t i = 0; i < nrows; i++)
		rows[i].is_closed = is_closed(self, &rows[i], is_by_process);
	self->into = xreallocarray(self->into, nrows + 1, sizeof(*self->into));
	for (size_t i = 0; i < nrows; i++) {
		self->into[i] = TABLE_NO_ROW;
		for (size_t at = rows[i].above; at != TABLE_NO_ROW; at = rows[at].above) {
			if (rows[at].is_closed)
				self->into[i] = at; /* the last is the uppermost */
		}
	}
}

/* --- their sums ------------------------------------------------------------------------------- */

/* What the row itself is, with what all of them did. */
static void be_sum_of(struct snap_task *sum, const struct snap_task *own)
{
	sum->pid = own->pid;
	sum->tid = own->tid;
	sum->ppid = own->ppid;
	sum->comm = own->comm;
	sum->parent = own->parent;
	sum->command = own->command;
	sum->cgroup = own->cgroup;
	sum->is_self = own->is_self;
	sum->is_process = own->is_process;
}

static void sum_up(struct task_closed *self, const struct snapshot *snap, struct task_row *rows,
		   size_t nrows, size_t closed)
{
	const struct snap_task **tasks = xcalloc(nrows, sizeof(struct snap_task *));
	struct task_row *row = &rows[closed];
	struct task_sum *sum = &self->sums[self->nsums++];
	size_t count = 0;

	tasks[count++] = row->own;
	for (size_t i = 0; i < nrows; i++) {
		if (self->into[i] != closed)
			continue;
		tasks[count++] = rows[i].own;
		row->nbelow += rows[i].own->ntasks > 0 ? rows[i].own->ntasks : 1;
		row->family = fmax(row->family, 0) + fmax(rows[i].family, 0);
	}
	task_sum_of(sum, snap, tasks, count);
	be_sum_of(&sum->task, row->own);
	row->task = &sum->task;
	free(tasks);
}

/* So that no sum moves while a row has it. */
static void make_room(struct task_closed *self, size_t count)
{
	if (count <= self->room)
		return;
	self->sums = xreallocarray(self->sums, count, sizeof(*self->sums));
	for (size_t i = self->room; i < count; i++)
		self->sums[i] = (struct task_sum){ 0 };
	self->room = count;
}

/* Rows that are part of none keep their order; `into` is then their new place. */
static void leave_out(struct task_closed *self, struct task_row *rows, size_t *nrows)
{
	size_t kept = 0;

	for (size_t i = 0; i < *nrows; i++) {
		if (self->into[i] != TABLE_NO_ROW)
			continue;
		self->into[i] = kept;
		rows[kept++] = rows[i];
	}
	*nrows = kept;
	for (size_t i = 0; i < kept; i++) {
		if (rows[i].above != TABLE_NO_ROW)
			rows[i].above = self->into[rows[i].above];
	}
}

void task_closed_take(struct task_closed *self, const struct snapshot *snap, bool is_by_process,
		      struct task_row *rows, size_t *nrows)
{
	size_t count = 0;

	find_closed(self, is_by_process, rows, *nrows);
	for (size_t i = 0; i < *nrows; i++)
		count += rows[i].is_closed;
	make_room(self, count);
	self->nsums = 0;
	for (size_t i = 0; i < *nrows; i++) {
		if (rows[i].is_closed && self->into[i] == TABLE_NO_ROW)
			sum_up(self, snap, rows, *nrows, i);
	}
	leave_out(self, rows, nrows);
}

void task_closed_fini(struct task_closed *self)
{
	for (size_t i = 0; i < self->room; i++)
		task_sum_fini(&self->sums[i]);
	free(self->sums);
	free(self->pids);
	free(self->into);
	*self = (struct task_closed){ 0 };
}
