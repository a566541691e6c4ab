/* SPDX-License-Identifier: MIT */
#include "ui/task-tree.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "ui/table.h"
#include "ui/task-rows.h"

/* --- rows by process -------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
	const struct place *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid > other->pid ? 1 : -1;
	return (one->row > other->row) - (one->row < other->row);
}

static int compare_pid(const void *key, const void *element)
{
	int32_t pid = *(const int32_t *)key;
	const struct place *place = element;

	return (pid > place->pid) - (pid < place->pid);
}

bool task_stands_for_process(const struct snap_task *task, bool is_by_process)
{
	return task->pid > 0 &&
	       (task->is_process || task->tid == task->pid || (is_by_process && task->tid > 0));
}

static void list_places(struct task_tree *self, const struct task_row *rows, size_t nrows,
			bool is_by_process)
{
	self->places = xreallocarray(self->places, nrows + 1, sizeof(*self->places));
	self->nplaces = 0;
	for (size_t i = 0; i < nrows; i++) {
		if (task_stands_for_process(rows[i].task, is_by_process))
			self->places[self->nplaces++] = (struct place){ rows[i].task->pid, i };
	}
	qsort(self->places, self->nplaces, sizeof(*self->places), compare_places);
}

static size_t row_of(const struct task_tree *self, int32_t pid)
{
	const struct place *found =
		bsearch(&pid, self->places, self->nplaces, sizeof(*self->places), compare_pid);

	return found != NULL ? found->row : TABLE_NO_ROW;
}

/* --- parents without a record ----------------------------------------------------------------- */

static struct snap_task parent_task(const struct snap_parent *parent)
{
	return (struct snap_task){ .pid = parent->pid,
				   .tid = parent->pid,
				   .ppid = parent->ppid,
				   .comm = parent->comm,
				   .parent = "",
				   .command = "",
				   .cgroup = "",
				   .born = RATE_UNKNOWN,
				   .rate = RATE_UNKNOWN,
				   .on_cpu = RATE_UNKNOWN,
				   .recent_cpu = RATE_UNKNOWN,
				   .switch_rate = RATE_UNKNOWN,
				   .preempt_rate = RATE_UNKNOWN };
}

/* Of those that the places lack. */
static void add_parents(struct task_tree *self, const struct snapshot *snap, struct task_row *rows,
			size_t *nrows)
{
	self->parents = xreallocarray(self->parents, snap->nparents + 1, sizeof(*self->parents));
	self->nparents = 0;
	for (size_t i = 0; i < snap->nparents; i++) {
		if (row_of(self, snap->parents[i].pid) != TABLE_NO_ROW)
			continue;
		struct snap_task *task = &self->parents[self->nparents++];

		*task = parent_task(&snap->parents[i]);
		rows[(*nrows)++] = (struct task_row){ .task = task,
						      .own = task,
						      .is_quiet = true,
						      .is_parent = true,
						      .family = RATE_UNKNOWN };
	}
}

/* --- what each stands below ------------------------------------------------------------------- */

static int32_t parent_of(const struct snapshot *snap, int32_t pid)
{
	for (size_t i = 0; i < snap->nparents; i++) {
		if (snap->parents[i].pid == pid)
			return snap->parents[i].ppid;
	}
	return 0;
}

static size_t find_above(const struct task_tree *self, const struct snapshot *snap,
			 const struct task_row *rows, size_t row)
{
	const struct snap_task *task = rows[row].task;
	bool is_thread = task->tid > 0 && task->tid != task->pid;
	size_t process = is_thread ? row_of(self, task->pid) : TABLE_NO_ROW;
	int32_t ppid = task->ppid;

	if (process != TABLE_NO_ROW && process != row)
		return process;
	/* It stands for its process; the parent of a thread, as of its fork, is its own process. */
	if (is_thread && (ppid <= 0 || ppid == task->pid))
		ppid = parent_of(snap, task->pid);
	size_t above = ppid > 0 ? row_of(self, ppid) : TABLE_NO_ROW;
	return above == row ? TABLE_NO_ROW : above;
}

/* A snapshot that was read from a file can say that two are parents of each other. */
static void cut_rings(struct task_tree *self, struct task_row *rows, size_t nrows)
{
	self->seen = xreallocarray(self->seen, nrows + 1, sizeof(*self->seen));
	for (size_t i = 0; i < nrows; i++)
		self->seen[i] = nrows;
	for (size_t i = 0; i < nrows; i++) {
		size_t at = i;

		while (self->seen[at] == nrows) {
			self->seen[at] = i;
			if (rows[at].above == TABLE_NO_ROW)
				break;
			if (self->seen[rows[at].above] == i)
				rows[at].above = TABLE_NO_ROW;
			else
				at = rows[at].above;
		}
	}
}

static void wake_above(struct task_row *rows, size_t row)
{
	for (size_t at = rows[row].above; at != TABLE_NO_ROW && rows[at].is_quiet;
	     at = rows[at].above)
		rows[at].is_quiet = false;
}

void task_tree_take(struct task_tree *self, const struct snapshot *snap, bool is_by_process,
		    struct task_row *rows, size_t *nrows)
{
	list_places(self, rows, *nrows, is_by_process);
	add_parents(self, snap, rows, nrows);
	list_places(self, rows, *nrows, is_by_process);
	for (size_t i = 0; i < *nrows; i++)
		rows[i].above = find_above(self, snap, rows, i);
	cut_rings(self, rows, *nrows);
	for (size_t i = 0; i < *nrows; i++) {
		if (!rows[i].is_quiet)
			wake_above(rows, i);
	}
}

void task_tree_fini(struct task_tree *self)
{
	free(self->parents);
	free(self->places);
	free(self->seen);
	*self = (struct task_tree){ 0 };
}
