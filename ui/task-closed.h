/* SPDX-License-Identifier: MIT */
/*
 * task-closed - branches of the tree of tasks that the user has closed: one row for a process and all
 * below it, with their sum.
 */
#ifndef UI_TASK_CLOSED_H
#define UI_TASK_CLOSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "ui/task-sum.h"

struct task_row;

struct task_closed {
	int32_t *pids; /* [npids] the processes that are closed, also those without a row */
	size_t npids;
	struct task_sum *sums; /* [nsums] of the rows that are closed */
	size_t nsums, room;
	size_t *into; /* [nrows] the closed row that each is part of, or TABLE_NO_ROW */
};

/* Close the branch of a process, or open it again. */
void task_closed_toggle(struct task_closed *self, int32_t pid);

/*
 * Of the rows [*nrows] of a tree, leave out those below a closed one, and make that their sum.
 * Zeroed before the first call; the rows are valid until the next one.
 */
void task_closed_take(struct task_closed *self, const struct snapshot *snap, bool is_by_process,
		      struct task_row *rows, size_t *nrows);

/* Free what it has. */
void task_closed_fini(struct task_closed *self);

#endif
