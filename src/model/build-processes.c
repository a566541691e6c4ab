/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/spans.h"

/* A process with several rows. */
struct process {
	struct build_row row; /* its task is the sum */
	struct task sum;
	const struct build_row **rows; /* [nrows] of it */
	size_t nrows;
};

static int by_pid(const void *a, const void *b)
{
	const struct build_row *const *left = a, *const *right = b;
	int32_t one = (*left)->task->pid, other = (*right)->task->pid;

	return (one > other) - (one < other);
}

/* Those that are of one process, by process; idle tasks are of none. */
static const struct build_row **sort_rows(const struct build_row *rows, size_t *count)
{
	const struct build_row **sorted = xcalloc(*count + 1, sizeof(struct build_row *));
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		if (rows[i].task->pid > 0)
			sorted[kept++] = &rows[i];
	}
	qsort(sorted, kept, sizeof(struct build_row *), by_pid);
	*count = kept;
	return sorted;
}

static size_t rows_of_same(const struct build_row **sorted, size_t count)
{
	size_t same = 1;

	while (same < count && sorted[same]->task->pid == sorted[0]->task->pid)
		same++;
	return same;
}

/* The process of these rows [nrows]. */
static struct process *process_new(const struct build_row **rows, size_t nrows)
{
	struct process *process = xcalloc(1, sizeof(*process));
	struct build_row *row = &process->row;

	process->rows = rows;
	process->nrows = nrows;
	row->task = &process->sum;
	process->sum.pid = process->rows[0]->task->pid;
	process->sum.tid = -1;
	for (size_t i = 0; i < process->nrows; i++) {
		const struct build_row *part = process->rows[i];

		task_add(&process->sum, part->task);
		process->sum.recent_cpu += part->task->recent_cpu;
		row->ntasks += part->ntasks;
		row->nborn += part->nborn;
		row->occurrences += part->occurrences;
		row->clock_ns += part->clock_ns;
		row->is_kept |= part->is_kept;
	}
	return process;
}

static void process_free(struct process *process)
{
	task_free_events(&process->sum);
	free(process);
}

static int by_rank(const void *a, const void *b)
{
	const struct process *const *left = a, *const *right = b;

	return build_by_rank(&(*left)->row, &(*right)->row);
}

/* Who stands for it: its first thread, or of those with a row the oldest that lives, or else any. */
static struct task *find_thread(const struct build *build, const struct process *process)
{
	struct task *oldest = NULL, *first = tasks_find(build->model->tasks, process->sum.pid);

	for (size_t i = 0; i < process->nrows; i++) {
		struct task *task = process->rows[i]->task;

		if (task->tid > 0 && !task->is_exited &&
		    (oldest == NULL || task->tid < oldest->tid))
			oldest = task;
	}
	if (oldest == NULL)
		oldest = process->rows[0]->task;
	return first != NULL ? first : oldest;
}

/* A first thread without a record gets no row by this: it may not be one of the watched. */
static void name_process(const struct build *build, struct process *process)
{
	struct task *sum = &process->sum, *thread = find_thread(build, process);

	model_seek_comm(build->model, thread);
	if (thread->tid != sum->pid)
		model_seek_process(build->model, thread);
	model_seek_facts(build->model, thread, build->tick->now_ns);
	memcpy(sum->comm, thread->process[0] != '\0' ? thread->process : thread->comm,
	       sizeof(sum->comm));
	sum->is_sought = true;
	sum->command = thread->command;
	sum->cgroup = thread->cgroup;
	/* A thread's own FORK record names the process that it is of. */
	if (thread->ppid == sum->pid)
		return;
	sum->ppid = thread->ppid;
	memcpy(sum->parent, thread->parent, sizeof(sum->parent));
}

static void build_process(const struct build *build, struct process *process, struct snap_task *out)
{
	struct spans *sum = NULL;

	name_process(build, process);
	for (size_t i = 0; i < process->nrows; i++) {
		const struct spans *part = build_spans_of(build, process->rows[i]->task);

		if (part == NULL)
			continue;
		if (sum == NULL)
			sum = xcalloc(1, sizeof(*sum));
		spans_add(sum, part);
	}
	build_row(build, &process->row, sum, out);
	out->is_process = true;
	free(sum);
}

void build_processes(const struct build *build, const struct build_row *rows, size_t count)
{
	struct snapshot *snap = build->snap;
	const struct build_row **sorted = sort_rows(rows, &count);
	struct process **processes = xcalloc(count / 2 + 1, sizeof(struct process *));
	size_t nprocesses = 0;

	for (size_t i = 0, same; i < count; i += same) {
		same = rows_of_same(sorted + i, count - i);
		if (same > 1)
			processes[nprocesses++] = process_new(sorted + i, same);
	}
	qsort(processes, nprocesses, sizeof(struct process *), by_rank);

	struct snap_task *out = snap_alloc(snap, nprocesses, sizeof(*out));
	for (size_t i = 0; i < nprocesses; i++) {
		if (build_is_kept(build, &processes[i]->row, i))
			build_process(build, processes[i], &out[snap->nprocesses++]);
		process_free(processes[i]);
	}
	snap->processes = out;
	free(processes);
	free(sorted);
}
