/* SPDX-License-Identifier: MIT */
#include "source/running.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/sys.h"
#include "source/proc-maps.h"

#define AT_ONCE 64u /* processes, each with an open file */

static long threads_of(pid_t pid, pid_t **tids)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	return sys_list_numbers(path, tids);
}

/* --- names ---------------------------------------------------------------------------------- */

static int write_name(struct perfdata_writer *writer, pid_t pid, pid_t tid)
{
	char path[64], comm[32];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	if (!sys_read_line(path, comm, sizeof(comm)))
		return 0;
	return perfdata_writer_comm(writer, pid, tid, comm);
}

static int write_names_of(struct perfdata_writer *writer, pid_t pid)
{
	pid_t *tids;
	long count = threads_of(pid, &tids);
	int result = 0;

	for (long i = 0; i < count && result == 0; i++)
		result = write_name(writer, pid, tids[i]);
	free(tids);
	return result;
}

int running_write_names(struct perfdata_writer *writer)
{
	pid_t *pids;
	long count = sys_list_numbers("/proc", &pids);
	int result = 0;

	for (long i = 0; i < count && result == 0; i++)
		result = write_names_of(writer, pids[i]);
	free(pids);
	return result;
}

/* --- mappings ------------------------------------------------------------------------------- */

/* Whether one of its threads is watched. */
static bool is_watched(const struct evset *set, pid_t pid)
{
	pid_t *tids;
	long count = threads_of(pid, &tids);
	bool result = false;

	for (long i = 0; i < count && !result; i++)
		result = evset_watches(set, tids[i]);
	free(tids);
	return result;
}

static size_t watched_processes(const struct evset *set, pid_t **pids)
{
	long count = sys_list_numbers("/proc", pids);
	size_t kept = 0;

	for (long i = 0; i < count; i++) {
		if (evset_watches_all(set) || is_watched(set, (*pids)[i]))
			(*pids)[kept++] = (*pids)[i];
	}
	return kept;
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
			result = perfdata_writer_maps(writer, processes[i].pid, processes[i].all,
						      processes[i].count);
	}
	*count = left;
	return result;
}

int running_write_maps(struct perfdata_writer *writer, const struct evset *set,
		       const struct access *access, struct running_maps *result)
{
	pid_t *pids;
	size_t watched = watched_processes(set, &pids);
	struct process_maps processes[AT_ONCE];
	struct proc_maps *maps = proc_maps_new(access);
	size_t next = 0, count = 0, before;
	int error = 0;

	proc_maps_settle(maps);
	/* Until no more are read, for as long as a call waits: they are all read, or reading one hangs. */
	do {
		for (; next < watched && count < AT_ONCE; next++)
			processes[count++] = (struct process_maps){ .pid = pids[next] };
		before = count;
		error = write_read(writer, maps, processes, &count);
	} while (error == 0 && count < before);
	result->processes = watched;
	result->unread = watched - next + count;
	proc_maps_free(maps);
	free(pids);
	return error;
}

/* --- at a cut ------------------------------------------------------------------------------- */

struct known {
	struct perfdata_writer *writer;
	int result;
};

static void write_known_name(void *ctx, int32_t pid, int32_t tid, const char *name)
{
	struct known *known = ctx;

	if (known->result == 0)
		known->result = perfdata_writer_comm(known->writer, pid, tid, name);
}

int running_write_known_names(struct perfdata_writer *writer, const struct model *model)
{
	struct known known = { .writer = writer };

	model_each_name(model, write_known_name, &known);
	return known.result;
}

static void write_known_maps(void *ctx, int32_t pid, const struct record_map *all, size_t count)
{
	struct known *known = ctx;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (known->result == 0 && access(path, F_OK) != 0)
		known->result = perfdata_writer_maps(known->writer, pid, all, count);
}

int running_write_known_maps(struct perfdata_writer *writer, const struct model *model)
{
	struct known known = { .writer = writer };

	model_each_maps(model, write_known_maps, &known);
	return known.result;
}
