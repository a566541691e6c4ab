/* SPDX-License-Identifier: MIT */
#include "model/maps.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define PROCESSES_MAX 16384
#define MAPPINGS_MAX  131072 /* of all processes: 5 MiB */
#define TICKS_KEPT    2	     /* of a process that ended */

struct mapping {
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* in the file, of the start */
	uint64_t time_ns;
	uint32_t file;
};

/* The mappings of one process, or of several that were forked and changed nothing since. */
struct space {
	size_t users;
	struct mapping *all; /* [count] by start; they do not overlap */
	size_t count, room;
};

struct process {
	int32_t pid;
	uint32_t ended; /* how many ticks ago, plus 1; 0: it runs */
	uint64_t since_ns;
	struct space *space;
};

struct maps {
	struct map_files *files;
	struct process *processes; /* [nprocesses] by pid */
	size_t nprocesses, processes_room;
	size_t nmappings;
};

struct maps *maps_new(void)
{
	struct maps *maps = xcalloc(1, sizeof(*maps));

	maps->files = map_files_new();
	return maps;
}

const struct code_file *maps_file(const struct maps *maps, uint32_t file)
{
	return map_files_at(maps->files, file);
}

/* --- mappings ------------------------------------------------------------------------------- */

static struct space *space_new(void)
{
	struct space *space = xcalloc(1, sizeof(*space));

	space->users = 1;
	return space;
}

static void release(struct maps *maps, struct space *space)
{
	if (--space->users > 0)
		return;
	maps->nmappings -= space->count;
	free(space->all);
	free(space);
}

/* The first mapping that ends behind the address. */
static size_t first_behind(const struct space *space, uint64_t address)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->all[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void insert(struct maps *maps, struct space *space, size_t at, const struct mapping *mapping)
{
	if (space->count == space->room) {
		space->room = space->room == 0 ? 16 : space->room * 2;
		space->all = xreallocarray(space->all, space->room, sizeof(*space->all));
	}
	memmove(&space->all[at + 1], &space->all[at], (space->count - at) * sizeof(*space->all));
	space->all[at] = *mapping;
	space->count++;
	maps->nmappings++;
}

static void drop(struct maps *maps, struct space *space, size_t at, size_t count)
{
	if (count == 0)
		return;
	memmove(&space->all[at], &space->all[at + count],
		(space->count - at - count) * sizeof(*space->all));
	space->count -= count;
	maps->nmappings -= count;
}

/* Cut [start, end) out of what is mapped: returns where a mapping of it belongs. */
static size_t cut(struct maps *maps, struct space *space, uint64_t start, uint64_t end)
{
	size_t at = first_behind(space, start), last;

	if (at < space->count && space->all[at].start < start) {
		struct mapping rest = space->all[at];

		space->all[at++].end = start;
		if (rest.end > end) {
			rest.offset += end - rest.start;
			rest.start = end;
			insert(maps, space, at, &rest);
			return at;
		}
	}
	for (last = at; last < space->count && space->all[last].end <= end;)
		last++;
	drop(maps, space, at, last - at);
	if (at < space->count && space->all[at].start < end) {
		space->all[at].offset += end - space->all[at].start;
		space->all[at].start = end;
	}
	return at;
}

/* --- processes ------------------------------------------------------------------------------ */

static size_t place_of(const struct maps *maps, int32_t pid)
{
	size_t low = 0, high = maps->nprocesses;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->processes[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct process *find(const struct maps *maps, int32_t pid)
{
	size_t at = place_of(maps, pid);

	return at < maps->nprocesses && maps->processes[at].pid == pid ? &maps->processes[at] :
									 NULL;
}

/* Drop the processes that ended `ticks` ago or earlier. */
static void drop_ended(struct maps *maps, uint32_t ticks)
{
	size_t kept = 0;

	for (size_t i = 0; i < maps->nprocesses; i++) {
		if (maps->processes[i].ended > ticks)
			release(maps, maps->processes[i].space);
		else
			maps->processes[kept++] = maps->processes[i];
	}
	maps->nprocesses = kept;
}

/* A new one, whose space the caller sets; NULL: no room. */
static struct process *add(struct maps *maps, int32_t pid)
{
	if (maps->nprocesses == PROCESSES_MAX)
		drop_ended(maps, 0);
	if (maps->nprocesses == PROCESSES_MAX)
		return NULL;
	if (maps->nprocesses == maps->processes_room) {
		maps->processes_room = maps->processes_room == 0 ? 64 : maps->processes_room * 2;
		maps->processes = xreallocarray(maps->processes, maps->processes_room,
						sizeof(*maps->processes));
	}

	size_t at = place_of(maps, pid);
	struct process *process = &maps->processes[at];
	memmove(process + 1, process, (maps->nprocesses - at) * sizeof(*process));
	*process = (struct process){ .pid = pid };
	maps->nprocesses++;
	return process;
}

/* Give a process a space that only it uses. */
static void own_space(struct maps *maps, struct process *process)
{
	struct space *shared = process->space;

	if (shared->users == 1)
		return;
	process->space = space_new();
	for (size_t i = 0; i < shared->count; i++)
		insert(maps, process->space, i, &shared->all[i]);
	shared->users--;
}

void maps_map(struct maps *maps, const struct record *record)
{
	struct record_map map;

	if (!record_map(record, &map) || !map.is_code || map.len == 0 ||
	    map.start + map.len < map.start)
		return;

	struct process *process = find(maps, (int32_t)map.pid);
	struct mapping mapping = { .start = map.start,
				   .end = map.start + map.len,
				   .offset = map.offset,
				   .time_ns = record->time_ns,
				   .file = map_files_number(maps->files, &map) };
	if (process == NULL) {
		process = add(maps, (int32_t)map.pid);
		if (process == NULL)
			return;
		process->space = space_new();
		process->since_ns = record->time_ns;
	}
	own_space(maps, process);
	size_t at = cut(maps, process->space, mapping.start, mapping.end);
	if (mapping.file != 0 && maps->nmappings < MAPPINGS_MAX)
		insert(maps, process->space, at, &mapping);
}

void maps_fork(struct maps *maps, int32_t pid, int32_t parent, uint64_t time_ns)
{
	const struct process *from = find(maps, parent);
	struct process *child = find(maps, pid);
	struct space *space = from != NULL ? from->space : NULL;

	/* Mappings of the child itself are newer, when its records of another CPU came first. */
	if (pid == parent || (child != NULL && child->since_ns > time_ns))
		return;
	if (space != NULL)
		space->users++;
	if (child == NULL && space != NULL)
		child = add(maps, pid);
	else if (child != NULL)
		release(maps, child->space);
	if (child == NULL) {
		if (space != NULL)
			release(maps, space);
		return;
	}
	child->space = space != NULL ? space : space_new();
	child->since_ns = time_ns;
	child->ended = 0;
}

void maps_exec(struct maps *maps, int32_t pid, uint64_t time_ns)
{
	struct process *process = find(maps, pid);
	size_t kept = 0;

	if (process == NULL)
		return;
	own_space(maps, process);

	struct space *space = process->space;
	for (size_t i = 0; i < space->count; i++) {
		if (space->all[i].time_ns > time_ns)
			space->all[kept++] = space->all[i];
	}
	maps->nmappings -= space->count - kept;
	space->count = kept;
	process->since_ns = time_ns;
	process->ended = 0;
}

void maps_exit(struct maps *maps, int32_t pid)
{
	struct process *process = find(maps, pid);

	if (process != NULL && process->ended == 0)
		process->ended = 1;
}

void maps_tick(struct maps *maps)
{
	for (size_t i = 0; i < maps->nprocesses; i++)
		maps->processes[i].ended += maps->processes[i].ended > 0;
	drop_ended(maps, TICKS_KEPT + 1);
}

bool maps_find(const struct maps *maps, int32_t pid, uint64_t address, uint64_t time_ns,
	       struct code *code)
{
	const struct process *process = find(maps, pid);

	*code = (struct code){ 0 };
	if (process == NULL)
		return false;
	/* Before it executed another program. */
	if (time_ns < process->since_ns)
		return true;

	const struct space *space = process->space;
	size_t at = first_behind(space, address);
	if (at == space->count || space->all[at].start > address)
		return false;
	*code = (struct code){ space->all[at].file,
			       space->all[at].offset + (address - space->all[at].start) };
	return true;
}

void maps_free(struct maps *maps)
{
	if (maps == NULL)
		return;

	for (size_t i = 0; i < maps->nprocesses; i++)
		release(maps, maps->processes[i].space);
	free(maps->processes);
	map_files_free(maps->files);
	free(maps);
}
