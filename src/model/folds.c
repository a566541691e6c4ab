/* SPDX-License-Identifier: MIT */
#include "model/folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/spans.h"

/* An open-addressed hash of process, name and parent, at most a quarter full. */
#define INDEX_SIZE (FOLDS_MAX * 4)

/* Folds to keep when quiet ones are merged into "others". */
#define FOLDS_CROWDED (FOLDS_MAX / 4 * 3)

/* Seconds on a CPU and events of the last seconds, below which a fold is quiet. */
#define QUIET 0.01

/* Rows live in `all`; the first is "others". */
struct folds {
	struct fold *all[FOLDS_MAX];
	size_t count;
	uint16_t index[INDEX_SIZE]; /* position in `all` plus one; 0: empty */
};

/* The process whose threads it is of, or -1: a process.  The same of a fold's sum as of its tasks. */
static int32_t process_of(const struct task *task)
{
	return task->pid != task->tid ? task->pid : -1;
}

static void append(struct folds *folds, int32_t pid, int32_t ppid, const char *comm)
{
	struct fold *fold = xcalloc(1, sizeof(*fold));

	fold->sum.pid = pid;
	fold->sum.ppid = ppid;
	fold->sum.tid = -1;
	fold->sum.is_sought = true;
	task_set_comm(&fold->sum, comm, strlen(comm));
	folds->all[folds->count++] = fold;
}

static void fold_free(struct fold *fold)
{
	task_free_events(&fold->sum);
	task_free_events(&fold->kept);
	free(fold->spans);
	free(fold);
}

void folds_free(struct folds *folds)
{
	if (folds == NULL)
		return;

	for (size_t i = 0; i < folds->count; i++)
		fold_free(folds->all[i]);
	free(folds);
}

/* FNV-1a. */
static size_t place(const struct task *like)
{
	uint32_t hash = (2166136261u ^ (uint32_t)process_of(like)) * 16777619u;

	hash ^= (uint32_t)like->ppid;
	for (const char *comm = like->comm; *comm != '\0'; comm++)
		hash = (hash ^ (unsigned char)*comm) * 16777619u;
	return (hash ^ hash >> 15) % INDEX_SIZE;
}

/* Where the fold of such a task is in the index, or the empty place where it belongs. */
static size_t locate(const struct folds *folds, const struct task *like)
{
	size_t at = place(like);

	for (; folds->index[at] != 0; at = (at + 1) % INDEX_SIZE) {
		const struct task *found = &folds->all[folds->index[at] - 1]->sum;

		if (process_of(found) == process_of(like) && found->ppid == like->ppid &&
		    strcmp(found->comm, like->comm) == 0)
			break;
	}
	return at;
}

/* Put all[position] into the index. */
static void enter(struct folds *folds, size_t position)
{
	folds->index[locate(folds, &folds->all[position]->sum)] = (uint16_t)(position + 1);
}

struct folds *folds_new(void)
{
	struct folds *folds = xcalloc(1, sizeof(*folds));

	append(folds, -1, 0, "others");
	enter(folds, 0);
	return folds;
}

static struct fold *fold_of(struct folds *folds, const struct task *task)
{
	size_t at = locate(folds, task);

	if (folds->index[at] != 0)
		return folds->all[folds->index[at] - 1];
	if (folds->count == FOLDS_MAX)
		return folds->all[0];

	append(folds, process_of(task), task->ppid, task->comm);
	folds->index[at] = (uint16_t)folds->count;
	return folds->all[folds->count - 1];
}

/* --- intervals -------------------------------------------------------------------------------- */

/* Add a task's totals, which are what remains of it. */
static void keep(struct fold *fold, const struct task *task)
{
	for (uint32_t i = 0; i < task->nevents; i++)
		task_event_of(&fold->kept, task->events[i].event)->total += task->events[i].total;
	fold->kept.voluntary += task->voluntary;
	fold->kept.involuntary += task->involuntary;
	fold->has_ended = true;
}

bool fold_is_quiet(const struct fold *fold)
{
	if (fold->ntasks > 0 || fold->kept.recent_cpu > QUIET)
		return false;
	for (uint32_t i = 0; i < fold->kept.nevents; i++) {
		if (fold->kept.events[i].recent > QUIET)
			return false;
	}
	return true;
}

static void merge_quiet(struct folds *folds)
{
	size_t kept = 1;

	for (size_t i = 1; i < folds->count; i++) {
		struct fold *fold = folds->all[i];

		if (!fold_is_quiet(fold)) {
			folds->all[kept++] = fold;
			continue;
		}
		keep(folds->all[0], &fold->kept);
		fold_free(fold);
	}
	folds->count = kept;
	memset(folds->index, 0, sizeof(folds->index));
	for (size_t i = 0; i < kept; i++)
		enter(folds, i);
}

static void begin(struct fold *fold)
{
	struct task *sum = &fold->sum;
	const struct task *kept = &fold->kept;

	fold->ntasks = fold->nactive = fold->nborn = 0;
	sum->switches = sum->preempted = sum->on_cpu_ns = 0;
	sum->voluntary = kept->voluntary;
	sum->involuntary = kept->involuntary;
	sum->recent_cpu = kept->recent_cpu;
	task_clear_events(sum);
	for (uint32_t i = 0; i < kept->nevents; i++)
		*task_event_of(sum, kept->events[i].event) = kept->events[i];
}

void folds_begin(struct folds *folds)
{
	if (folds->count > FOLDS_CROWDED)
		merge_quiet(folds);
	for (size_t i = 0; i < folds->count; i++)
		begin(folds->all[i]);
}

void folds_add(struct folds *folds, const struct task *task)
{
	struct fold *fold = fold_of(folds, task);

	fold->ntasks++;
	fold->nactive += !task_is_quiet(task);
	fold->nborn += task->is_new;
	task_add(&fold->sum, task);
}

void folds_end(struct folds *folds, double fade)
{
	for (size_t i = 0; i < folds->count; i++) {
		struct task *sum = &folds->all[i]->sum, *kept = &folds->all[i]->kept;

		task_fade(sum, fade);
		kept->recent_cpu = sum->recent_cpu;
		for (uint32_t k = 0; k < sum->nevents; k++) {
			struct task_event *event = task_event_of(kept, sum->events[k].event);

			event->recent = sum->events[k].recent;
			event->recent_samples = sum->events[k].recent_samples;
		}
	}
}

/* --- coming and going ------------------------------------------------------------------------- */

void folds_keep(struct folds *folds, const struct task *task)
{
	if (task->nevents > 0 || task->voluntary > 0 || task->involuntary > 0)
		keep(fold_of(folds, task), task);
}

static void subtract(double *from, double part)
{
	*from = part < *from ? *from - part : 0;
}

void folds_leave(struct folds *folds, struct task *task)
{
	struct fold *fold = fold_of(folds, task);
	struct task *kept = &fold->kept;

	if (fold->ntasks == 1 && !fold->has_ended && task->spans == NULL) {
		task->spans = fold->spans;
		fold->spans = NULL;
	}
	subtract(&kept->recent_cpu, task->recent_cpu);
	for (uint32_t i = 0; i < task->nevents; i++) {
		struct task_event *event = task_event_of(kept, task->events[i].event);

		subtract(&event->recent, task->events[i].recent);
		subtract(&event->recent_samples, task->events[i].recent_samples);
	}
}

const struct fold *folds_find(const struct folds *folds, const struct task *task)
{
	size_t at = locate(folds, task);

	return folds->all[folds->index[at] != 0 ? folds->index[at] - 1 : 0];
}

struct spans **folds_spans(struct folds *folds, const struct task *task)
{
	return &fold_of(folds, task)->spans;
}

void folds_age(struct folds *folds)
{
	for (size_t i = 0; i < folds->count; i++)
		spans_age(&folds->all[i]->spans);
}

struct fold *const *folds_all(const struct folds *folds, size_t *count)
{
	*count = folds->count;
	return folds->all;
}

void folds_zero(struct folds *folds)
{
	for (size_t i = 0; i < folds->count; i++) {
		struct task *kept = &folds->all[i]->kept;

		for (uint32_t k = 0; k < kept->nevents; k++)
			kept->events[k].total = 0;
		kept->voluntary = kept->involuntary = 0;
		free(folds->all[i]->spans);
		folds->all[i]->spans = NULL;
	}
}
