/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* The tasks that have a row. */
struct tids {
	int32_t *all; /* [count] in order */
	size_t count;
};

static int compare_tids(const void *a, const void *b)
{
	const int32_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static struct tids tids_new(const struct snapshot *snap)
{
	struct tids tids = { xcalloc(snap->ntasks + 1, sizeof(int32_t)), 0 };

	for (size_t i = 0; i < snap->ntasks; i++) {
		if (snap->tasks[i].tid > 0)
			tids.all[tids.count++] = snap->tasks[i].tid;
	}
	qsort(tids.all, tids.count, sizeof(int32_t), compare_tids);
	return tids;
}

static bool has_row(const struct tids *tids, int32_t tid)
{
	return bsearch(&tid, tids->all, tids->count, sizeof(tid), compare_tids) != NULL;
}

/* What its records and /proc tell.  It is found again after that, which can add others. */
static struct parent *learn(const struct build *build, int32_t pid)
{
	struct model *model = build->model;
	struct task *task = tasks_find(model->tasks, pid);
	struct parent *parent;

	if (task == NULL) {
		parent = parents_get(model->parents, pid);
		model_seek_parent(model, parent, build->tick->now_ns);
		return parent;
	}
	model_seek_comm(model, task);
	model_seek_facts(model, task, build->tick->now_ns);
	parent = parents_get(model->parents, pid);
	if (task->comm[0] != '\0')
		snprintf(parent->comm, sizeof(parent->comm), "%s", task->comm);
	parent->ppid = task->ppid;
	snprintf(parent->parent, sizeof(parent->parent), "%s", task->parent);
	return parent;
}

/*
 * Add a process, and all that it descends from, up to one that has a row or is there already.
 * `comm` is its name, "" where the child does not know it.
 */
static void add_line(const struct build *build, const struct tids *tids, int32_t pid,
		     const char *comm)
{
	char name[TASK_COMM_BYTES];

	snprintf(name, sizeof(name), "%s", comm);
	while (pid > 0 && !has_row(tids, pid)) {
		struct parent *parent = parents_get(build->model->parents, pid);

		if (parent == NULL || parent->is_needed)
			return;
		parent->is_needed = true;
		if (name[0] != '\0')
			snprintf(parent->comm, sizeof(parent->comm), "%s", name);
		parent = learn(build, pid);
		pid = parent->ppid;
		snprintf(name, sizeof(name), "%s", parent->parent);
	}
}

/* A thread's own process stands between it and what it descends from. */
static void add_of_task(const struct build *build, const struct tids *tids,
			const struct snap_task *task)
{
	bool is_thread = task->tid > 0 && task->pid > 0 && task->tid != task->pid;

	if (is_thread)
		add_line(build, tids, task->pid, "");
	if (task->ppid != task->pid)
		add_line(build, tids, task->ppid, task->parent);
}

void build_parents(const struct build *build)
{
	struct snapshot *snap = build->snap;
	struct tids tids = tids_new(snap);

	parents_begin(build->model->parents);
	/* First the processes, which know their names. */
	for (size_t i = 0; i < snap->nprocesses; i++) {
		add_line(build, &tids, snap->processes[i].pid, snap->processes[i].comm);
		add_line(build, &tids, snap->processes[i].ppid, snap->processes[i].parent);
	}
	for (size_t i = 0; i < snap->ntasks; i++)
		add_of_task(build, &tids, &snap->tasks[i]);
	parents_end(build->model->parents);
	free(tids.all);

	const struct parent *all = parents_all(build->model->parents, &snap->nparents);
	struct snap_parent *parents = snap_alloc(snap, snap->nparents, sizeof(*parents));

	for (size_t i = 0; i < snap->nparents; i++)
		parents[i] = (struct snap_parent){ .pid = all[i].pid,
						   .ppid = all[i].ppid,
						   .comm = snap_strdup(snap, all[i].comm) };
	snap->parents = parents;
}
