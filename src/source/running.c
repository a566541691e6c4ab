/* SPDX-License-Identifier: MIT */
#include "source/running.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "source/proc-maps.h"

#define AT_ONCE 64u /* processes, each with an open file */

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

/* --- mappings ------------------------------------------------------------------------------- */

/* Whether one of its threads is watched. */
static bool is_watched(const struct evset *set, int pid)
{
	struct numbers threads = threads_of(pid);
	bool result = false;

	for (size_t i = 0; i < threads.count && !result; i++)
		result = evset_watches(set, threads.all[i]);
	free(threads.all);
	return result;
}

static struct numbers watched_processes(const struct evset *set)
{
	struct numbers processes = numbers_in("/proc");
	size_t kept = 0;

	for (size_t i = 0; i < processes.count; i++) {
		if (evset_watches_all(set) || is_watched(set, processes.all[i]))
			processes.all[kept++] = processes.all[i];
	}
	processes.count = kept;
	return processes;
}

static int write_maps(struct perfdata_writer *writer, const struct process_maps *process)
{
	struct perfdata_writer_map *maps = xcalloc(process->count, sizeof(*maps));

	for (size_t i = 0; i < process->count; i++) {
		const struct record_map *map = &process->all[i];

		maps[i] = (struct perfdata_writer_map){ map->start, map->len,	map->offset,
							map->major, map->minor, map->inode,
							map->name };
	}
	int result = perfdata_writer_maps(writer, process->pid, maps, process->count);
	free(maps);
	return result;
}

/* Read processes and write them; those that are not read stay, in order. */
static int write_read(struct perfdata_writer *writer, struct proc_maps *maps,
		      struct process_maps *processes, size_t *count)
{
	size_t left = 0;
	int result = 0;

	proc_maps_read(maps, processes, *count);
	for (size_t i = 0; i < *count; i++) {
		if (!processes[i].is_read)
			processes[left++] = processes[i];
		else if (result == 0)
			result = write_maps(writer, &processes[i]);
	}
	*count = left;
	return result;
}

int running_write_maps(struct perfdata_writer *writer, const struct evset *set,
		       const struct access *access, struct running_maps *result)
{
	struct numbers watched = watched_processes(set);
	struct process_maps processes[AT_ONCE];
	struct proc_maps *maps = proc_maps_new(access);
	size_t next = 0, count = 0, before;
	int error = 0;

	proc_maps_settle(maps);
	/* Until no more are read, for as long as a call waits: they are all read, or reading one hangs. */
	do {
		for (; next < watched.count && count < AT_ONCE; next++)
			processes[count++] = (struct process_maps){ .pid = watched.all[next] };
		before = count;
		error = write_read(writer, maps, processes, &count);
	} while (error == 0 && count < before);
	result->processes = watched.count;
	result->unread = watched.count - next + count;
	proc_maps_free(maps);
	free(watched.all);
	return error;
}
