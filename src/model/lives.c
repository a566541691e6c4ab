/* SPDX-License-Identifier: MIT */
/*
 * The names, births and ends of tasks, from their records.
 */
#include <string.h>

#include "base/abi.h"
#include "model/tables.h"

static bool is_hidden(const struct model *model, int32_t pid, int32_t tid)
{
	return model_has_exited(pid, tid) || model_is_own(model, pid);
}

static void saw(struct task *task, uint64_t time_ns)
{
	if (time_ns > task->last_ns)
		task->last_ns = time_ns;
}

struct task *model_visible_task(struct model *model, int32_t pid, int32_t tid, uint64_t time_ns)
{
	if (is_hidden(model, pid, tid)) {
		if (pid == model->config.self_pid)
			model_know_own(model, tid);
		return NULL;
	}

	struct task *task = tasks_get(model->tasks, pid, tid);
	saw(task, time_ns);
	return task;
}

/* Whether it is the row shared by threads beyond TASKS_ROOM: it has no name, fork or exit. */
static bool is_others(const struct task *task)
{
	return task->tid == TASK_OTHERS;
}

static bool has_history(const struct model *model, const struct task *task)
{
	return model->config.keeps_names &&
	       (task->nevents > 0 || task->voluntary > 0 || task->involuntary > 0);
}

void lives_comm(struct model *model, const struct record *record)
{
	int32_t pid = (int32_t)record->comm.pid, tid = (int32_t)record->comm.tid;

	if (is_hidden(model, pid, tid))
		return;
	if (record->misc & ABI_MISC_COMM_EXEC)
		maps_exec(model->maps, pid, record->time_ns);

	struct task *task = tasks_get(model->tasks, pid, tid);
	/* An older name: the record is of another CPU, and decoded late. */
	if (is_others(task) || record->time_ns < task->comm_ns)
		return;
	if (has_history(model, task) &&
	    (strnlen(task->comm, sizeof(task->comm)) != record->comm.name_len ||
	     memcmp(task->comm, record->comm.name, record->comm.name_len) != 0))
		task = tasks_renew(model->tasks, task);
	saw(task, record->time_ns);
	task->comm_ns = record->time_ns;
	task_set_comm(task, record->comm.name, record->comm.name_len);
}

/* Clear the child's row: its tid can be one that was used before. */
static struct task *begin_anew(const struct model *model, struct task *task)
{
	if (has_history(model, task))
		task = tasks_renew(model->tasks, task);
	task->is_exited = false;
	task_clear_events(task);
	task->voluntary = task->involuntary = 0;
	task->comm_ns = 0;
	task->on_since_ns = task->ready_since_ns = 0;
	task_set_comm(task, "", 0);
	return task;
}

/* That of its parent, until it executes a program.  A parent without a record so far gets no row by this. */
static void inherit_comm(struct model *model, struct task *child, int32_t ptid)
{
	const struct model_resolver *resolver = &model->resolver;
	struct task *parent = tasks_find(model->tasks, ptid);
	char name[TASK_COMM_BYTES];

	if (parent != NULL) {
		model_seek_comm(model, parent);
		task_set_comm(child, parent->comm, strlen(parent->comm));
	} else if (resolver->comm != NULL &&
		   resolver->comm(resolver->ctx, ptid, name, sizeof(name))) {
		task_set_comm(child, name, strlen(name));
	}
}

void lives_fork(struct model *model, const struct record *record)
{
	int32_t pid = (int32_t)record->task.pid, tid = (int32_t)record->task.tid;

	if (is_hidden(model, pid, tid))
		return;
	/* After a FORK that was made from /proc the process's own mappings follow. */
	if (!(record->misc & ABI_MISC_FORK_EXEC))
		maps_fork(model->maps, pid, (int32_t)record->task.ppid, record->task.time_ns);

	struct task *child = tasks_get(model->tasks, pid, tid);
	bool is_late = record->task.time_ns < child->last_ns;

	if (is_others(child))
		return;
	/* Late: records of the child from another CPU came first.  Only its name can be missing. */
	if (!is_late)
		child = begin_anew(model, child);
	child->pid = pid;
	child->ppid = (int32_t)record->task.ppid;
	child->born_ns = record->task.time_ns;
	child->is_new = true;
	if (child->comm[0] == '\0')
		inherit_comm(model, child, (int32_t)record->task.ptid);
	child->is_sought = child->comm[0] != '\0';
}

void lives_exit(struct model *model, const struct record *record)
{
	int32_t pid = (int32_t)record->task.pid, tid = (int32_t)record->task.tid;

	if (is_hidden(model, pid, tid))
		return;
	if (tid == pid)
		maps_exit(model->maps, pid);

	/* An unknown thread gets a row too: its FORK can still come, from another CPU. */
	struct task *task = tasks_get(model->tasks, pid, tid);
	saw(task, record->task.time_ns);
	task->is_exited = !is_others(task);
	if (task->ppid == 0)
		task->ppid = (int32_t)record->task.ppid;
}
