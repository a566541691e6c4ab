/* SPDX-License-Identifier: MIT */
/*
 * process-rows - the tasks of a snapshot with one row for each process.
 *
 * A process of which several tasks are known has its sum (snapshot.processes) in place of their rows.
 * All others keep theirs.  With the rest, the rows add up to what the tasks and their rest do.
 */
#ifndef UI_PROCESS_ROWS_H
#define UI_PROCESS_ROWS_H

#include <stddef.h>

#include "model/snapshot.h"
#include "ui/task-sum.h"

struct process_rows {
	const struct snap_task **rows; /* [nrows] in the snapshot */
	size_t nrows;
	struct task_sum rest; /* snapshot.rest without what the processes' sums have of it */
	const struct snap_task **by_pid; /* [snap->nprocesses] */
};

/* Those of this snapshot, which is borrowed; zeroed before the first call. */
void process_rows_take(struct process_rows *self, const struct snapshot *snap);
void process_rows_fini(struct process_rows *self);

#endif
