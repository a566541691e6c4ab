/* SPDX-License-Identifier: MIT */
/*
 * task-tree - which row of the view Tasks stands below which: a process below the one that forked it,
 * a thread below the first of its process.
 */
#ifndef UI_TASK_TREE_H
#define UI_TASK_TREE_H

#include <stddef.h>

#include "model/snapshot.h"

struct task_row;

struct task_tree {
	struct snap_task *parents; /* [nparents] those of the snapshot without a row, as rows */
	size_t nparents;
	struct place {
		int32_t pid;
		size_t row;
	} * places; /* [nplaces] the rows of processes, by pid */
	size_t nplaces;
	size_t *seen; /* [nrows] by which walk up a row was reached */
};

/*
 * Add the rows of parents to rows [*nrows], which has room for snap->nparents more, and set what
 * each stands below (task_row.above).  A row is not quiet if one below it is not.  Zeroed before the
 * first call.
 */
void task_tree_take(struct task_tree *self, const struct snapshot *snap, bool is_by_process,
		    struct task_row *rows, size_t *nrows);

/*
 * Whether a row stands for its process: the process's own, its first thread's, or, with a row for
 * each process, its only one.
 */
bool task_stands_for_process(const struct snap_task *task, bool is_by_process);

/* Free what it has. */
void task_tree_fini(struct task_tree *self);

#endif
