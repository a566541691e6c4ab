/* SPDX-License-Identifier: MIT */
/*
 * task-rows - the rows of the view Tasks: all tasks of a snapshot or a row for each process, short-lived
 * ones below their parent, and at the end the rest, idle and unknown time.  They add up to all CPUs.
 * As a tree all are below their parent.
 */
#ifndef UI_TASK_ROWS_H
#define UI_TASK_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"
#include "ui/process-rows.h"
#include "ui/task-closed.h"
#include "ui/task-tree.h"

struct task_row {
	const struct snap_task *task; /* what is shown: `own`, or of a closed row the sum */
	const struct snap_task *own;  /* the snapshot's, or what is made here */
	double family; /* smoothed time on a CPU, with the short-lived tasks below it or its parent's */
	bool is_quiet;	/* with all of its family, if it is a parent */
	bool is_child;	/* it is below its parent */
	bool is_parent; /* it stands here for those below it; nothing else is known of it */
	bool is_last;
	bool has_below, is_closed; /* in a tree: there are rows below it; these are part of it */
	uint64_t nbelow;	   /* of a closed one: how many tasks these are */
	size_t above;		   /* in a tree: the row that it stands below, or TABLE_NO_ROW */
};

struct task_rows {
	bool is_by_process;    /* set by the caller */
	bool is_tree;	       /* set by the caller */
	struct task_row *rows; /* [nrows + 1] the last one is that of task_rows_sum() */
	size_t nrows;
	struct snap_task idle, unknown;	   /* of all CPUs */
	const struct snap_task *idle_task; /* with the events of idle; or NULL */
	const struct snap_task *rest;	   /* all that have no row */
	/* Private: */
	struct task_sum sum;
	struct task_tree tree; /* while it is a tree */
	struct task_closed closed;
	const struct snapshot *snap;
	struct process_rows processes; /* while it is by process */
	const struct snap_task *
		*folds; /* [nfolds] rows of short-lived tasks: few, among many tasks */
	size_t nfolds;
};

/* Those of this snapshot, which is borrowed; zeroed before the first call. */
void task_rows_take(struct task_rows *self, const struct snapshot *snap);
/* Add these rows up in row nrows, until the next call of any of these functions. */
void task_rows_sum(struct task_rows *self, const size_t *rows, size_t count);

/* In a tree: close what is below a row, or open it; task_rows_take() must follow.  False: it cannot. */
bool task_rows_close(struct task_rows *self, size_t row, bool to);

/* Free what it has. */
void task_rows_fini(struct task_rows *self);

#endif
