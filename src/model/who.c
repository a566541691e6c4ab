/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "model/tables.h"

void model_seek_comm(struct model *model, struct task *task)
{
	const struct model_resolver *resolver = &model->resolver;
	char name[TASK_COMM_BYTES];

	if (task->comm[0] != '\0' || task->is_sought)
		return;
	task->is_sought = true;
	if (task->tid == 0)
		task_set_comm(task, "swapper", strlen("swapper"));
	else if (resolver->comm != NULL &&
		 resolver->comm(resolver->ctx, task->tid, name, sizeof(name)))
		task_set_comm(task, name, strlen(name));
}

void model_seek_process(struct model *model, struct task *task)
{
	const struct model_resolver *resolver = &model->resolver;
	char name[TASK_COMM_BYTES];

	if (task->process[0] != '\0' || task->tid <= 0 || task->is_exited)
		return;
	if (resolver->comm != NULL && resolver->comm(resolver->ctx, task->pid, name, sizeof(name)))
		snprintf(task->process, sizeof(task->process), "%s", name);
}

static void set_text(char **text, const char *to)
{
	if (*text != NULL && strcmp(*text, to) == 0)
		return;
	free(*text);
	*text = xstrdup(to);
}

/* Those that a task descends from, so that it need not be asked for each of them in turn. */
static void know_line(struct model *model, const struct task_facts *facts, uint64_t now_ns)
{
	struct task_above at = { .pid = facts->ppid };

	memcpy(at.comm, facts->parent, sizeof(at.comm));
	for (size_t i = 0; at.pid > 0; i++) {
		struct parent *parent = parents_get(model->parents, at.pid);

		if (parent == NULL)
			return;
		snprintf(parent->comm, sizeof(parent->comm), "%s", at.comm);
		if (i == facts->nabove && !facts->is_line_whole)
			return;
		at = i < facts->nabove ? facts->above[i] : (struct task_above){ 0 };
		parent->ppid = at.pid;
		memcpy(parent->parent, at.comm, sizeof(parent->parent));
		parent->facts_ns = now_ns;
	}
}

/* Short-lived tasks share rows, and would be gone before they are read. */
void model_seek_facts(struct model *model, struct task *task, uint64_t now_ns)
{
	const struct model_resolver *resolver = &model->resolver;
	struct task_facts facts;

	if (resolver->facts == NULL || task->tid <= 0 || task->is_folded ||
	    (task->facts_ns != 0 && now_ns - task->facts_ns < TASK_FACTS_S * NSEC_PER_SEC) ||
	    !resolver->facts(resolver->ctx, task->tid, task->comm, &facts))
		return;
	task->facts_ns = now_ns;
	set_text(&task->command, facts.command);
	set_text(&task->cgroup, facts.cgroup);
	snprintf(task->parent, sizeof(task->parent), "%s", facts.parent);
	if (facts.ppid > 0)
		task->ppid = facts.ppid;
	know_line(model, &facts, now_ns);
}

/* What it forked mostly knows its name; else it is looked up, once. */
void model_seek_parent(struct model *model, struct parent *parent, uint64_t now_ns)
{
	const struct model_resolver *resolver = &model->resolver;
	struct task_facts facts;

	if (parent->facts_ns != 0 && now_ns - parent->facts_ns < TASK_FACTS_S * NSEC_PER_SEC)
		return;
	if (parent->comm[0] == '\0' && !parent->is_sought && resolver->comm != NULL &&
	    !resolver->comm(resolver->ctx, parent->pid, parent->comm, sizeof(parent->comm)))
		parent->comm[0] = '\0';
	parent->is_sought = true;
	if (resolver->facts == NULL || !resolver->facts(resolver->ctx, parent->pid, "", &facts))
		return;
	parent->facts_ns = now_ns;
	parent->ppid = facts.ppid;
	snprintf(parent->parent, sizeof(parent->parent), "%s", facts.parent);
}

static bool is_own(const struct model *model, int32_t tid)
{
	for (size_t i = 0; i < model->nown; i++) {
		if (model->own[i] == tid)
			return true;
	}
	return false;
}

void model_know_own(struct model *model, int32_t tid)
{
	if (is_own(model, tid))
		return;
	model->own = xreallocarray(model->own, model->nown + 1, sizeof(*model->own));
	model->own[model->nown++] = tid;
}

const char *model_who(struct model *model, int32_t *tid)
{
	struct task *task = tasks_find(model->tasks, *tid);

	if (task != NULL) {
		model_seek_comm(model, task);
		return task->comm;
	}
	if (!is_own(model, *tid))
		return "";
	*tid = model->config.self_pid;
	return "perftop-ng";
}
