/* SPDX-License-Identifier: MIT */
#include "model/process-names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/tables.h"

struct process {
	int32_t pid;
	char comm[TASK_COMM_BYTES]; /* "": unknown */
	bool is_sought;		    /* it was looked up where no row has it */
};

struct process_names {
	struct process *all; /* [count] by pid */
	size_t count;
};

struct process_names *process_names_new(void)
{
	return xcalloc(1, sizeof(struct process_names));
}

void process_names_free(struct process_names *names)
{
	if (names == NULL)
		return;
	free(names->all);
	free(names);
}

/* A row's name first: a process can change it. */
static void seek(const struct model *model, struct process *process)
{
	const struct model_resolver *resolver = &model->resolver;
	const struct task *task = tasks_find(model->tasks, process->pid);

	if (task != NULL && task->comm[0] != '\0') {
		snprintf(process->comm, sizeof(process->comm), "%s", task->comm);
	} else if (process->comm[0] == '\0' && !process->is_sought && resolver->comm != NULL) {
		process->is_sought = true;
		if (!resolver->comm(resolver->ctx, process->pid, process->comm,
				    sizeof(process->comm)))
			process->comm[0] = '\0';
	}
}

void process_names_keep(struct process_names *names, const struct model *model, const int32_t *pids,
			size_t count)
{
	struct process *kept = xcalloc(count + 1, sizeof(*kept));
	size_t old = 0;

	for (size_t i = 0; i < count; i++) {
		while (old < names->count && names->all[old].pid < pids[i])
			old++;
		if (old < names->count && names->all[old].pid == pids[i])
			kept[i] = names->all[old];
		kept[i].pid = pids[i];
		seek(model, &kept[i]);
	}
	free(names->all);
	names->all = kept;
	names->count = count;
}

static int by_pid(const void *a, const void *b)
{
	const struct process *left = a, *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

const char *process_names_find(const struct process_names *names, int32_t pid)
{
	const struct process key = { .pid = pid };
	const struct process *process = names->count == 0 ? NULL :
							    bsearch(&key, names->all, names->count,
								    sizeof(*names->all), by_pid);

	return process != NULL && process->comm[0] != '\0' ? process->comm : NULL;
}
