/* SPDX-License-Identifier: MIT */
#include "source/running.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/xalloc.h"

/* --- numbers in a folder -------------------------------------------------------------------- */

struct numbers {
	int *all; /* [count] */
	size_t count, room;
};

static int number_in(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	return *end == '\0' && number > 0 && number <= INT32_MAX ? (int)number : 0;
}

static void add_number(struct numbers *numbers, int number)
{
	if (numbers->count == numbers->room) {
		numbers->room = numbers->room == 0 ? 64 : numbers->room * 2;
		numbers->all = xreallocarray(numbers->all, numbers->room, sizeof(*numbers->all));
	}
	numbers->all[numbers->count++] = number;
}

/* The numbers among the names of a folder: processes in /proc, threads in /proc/PID/task. */
static struct numbers numbers_in(const char *path)
{
	struct numbers numbers = { 0 };
	DIR *dir = opendir(path);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		int number = number_in(entry->d_name);

		if (number != 0)
			add_number(&numbers, number);
	}
	if (dir != NULL)
		closedir(dir);
	return numbers;
}

static struct numbers threads_of(int pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return numbers_in(path);
}

/* --- names ---------------------------------------------------------------------------------- */

static int write_name(struct perfdata_writer *writer, int pid, int tid)
{
	char path[64], comm[32];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	if (sys_read_file(path, comm, sizeof(comm)) < 0)
		return 0;
	comm[strcspn(comm, "\n")] = '\0';
	return perfdata_writer_comm(writer, pid, tid, comm);
}

int running_write_names(struct perfdata_writer *writer)
{
	struct numbers processes = numbers_in("/proc");
	int result = 0;

	for (size_t i = 0; i < processes.count && result == 0; i++) {
		int pid = processes.all[i];
		struct numbers threads = threads_of(pid);

		for (size_t k = 0; k < threads.count && result == 0; k++)
			result = write_name(writer, pid, threads.all[k]);
		free(threads.all);
	}
	free(processes.all);
	return result;
}
