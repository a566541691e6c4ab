/* SPDX-License-Identifier: MIT */
#include "run/stuck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/sys.h"
#include "base/xalloc.h"

#define TASKS "/proc/self/task"

/* The line of a thread's file; "" when it cannot be read. */
static void read_of(pid_t tid, const char *file, char *out, size_t room)
{
	char path[64];

	snprintf(path, sizeof(path), TASKS "/%d/%s", tid, file);
	sys_read_line(path, out, room);
}

/* The state of proc(5)'s stat: the letter after the name, which may contain ')'. */
static char state_of(pid_t tid)
{
	char stat[512];

	read_of(tid, "stat", stat, sizeof(stat));

	const char *end = strrchr(stat, ')');

	return end != NULL && end[1] == ' ' ? end[2] : '\0';
}

static char *describe(pid_t tid, const char *name)
{
	char where[128];

	switch (state_of(tid)) {
	case 'R':
		return xasprintf("%s is still busy, or gets no CPU time", name);
	case 'T':
	case 't':
		return xasprintf("%s is stopped by a debugger", name);
	case 'Z':
	case 'X':
	case '\0':
		return NULL;
	default:
		break;
	}
	/* "0" or nothing where the kernel does not tell. */
	read_of(tid, "wchan", where, sizeof(where));
	if (where[0] == '\0' || where[0] == '0')
		return xasprintf("%s waits in the kernel", name);
	return xasprintf("%s waits in the kernel, in %s", name, where);
}

char *stuck_thread(const char *name)
{
	pid_t *tids;
	long count = sys_list_numbers(TASKS, &tids);
	char *found = NULL;

	for (long i = 0; i < count && found == NULL; i++) {
		char comm[64]; /* more than TASK_COMM_LEN */

		read_of(tids[i], "comm", comm, sizeof(comm));
		if (strcmp(comm, name) == 0)
			found = describe(tids[i], name);
	}
	free(tids);
	return found;
}
