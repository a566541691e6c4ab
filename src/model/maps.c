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
	int32_t owner;	     /* the process that it was begun for */
	bool is_whole;	     /* nothing was mapped before the first record, or that was read */
	struct mapping *all; /* [count] by start; they do not overlap */
	size_t count, room;
};

struct process {
	int32_t pid;
	uint32_t ended;	    /* how many ticks ago, plus 1; 0: it runs */
	uint64_t since_ns;  /* of its program, or its fork; 0: before the first record */
	bool is_unreadable; /* its mappings: it is gone, or we may not */
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

static struct space *space_new(int32_t owner)
{
	struct space *space = xcalloc(1, sizeof(*space));

	space->users = 1;
	space->owner = owner;
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

/* Map it, in place of what it overlaps; one of no file only replaces. */
static void put(struct maps *maps, struct space *space, const struct mapping *mapping)
{
	size_t at = cut(maps, space, mapping->start, mapping->end);

	if (mapping->file != 0 && maps->nmappings < MAPPINGS_MAX)
		insert(maps, space, at, mapping);
}

/* Map what another space has that is newer than a time. */
static void put_newer(struct maps *maps, struct space *space, const struct space *other,
		      uint64_t time_ns)
{
	for (size_t i = 0; i < other->count; i++) {
		if (other->all[i].time_ns > time_ns)
			put(maps, space, &other->all[i]);
	}
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

/* The process of this number; NULL: there is no room for another one. */
static struct process *need(struct maps *maps, int32_t pid)
{
	struct process *process = find(maps, pid);

	if (process == NULL)
		process = add(maps, pid);
	if (process != NULL && process->space == NULL)
		process->space = space_new(pid);
	return process;
}

/* Give it another space, with what its own has that is newer than a time. */
static void replace(struct maps *maps, struct process *process, struct space *space,
		    uint64_t time_ns)
{
	put_newer(maps, space, process->space, time_ns);
	release(maps, process->space);
	process->space = space;
}

/* A copy for one process. */
static struct space *copy(struct maps *maps, const struct space *space, int32_t owner)
{
	struct space *own = space_new(owner);

	own->is_whole = space->is_whole;
	for (size_t i = 0; i < space->count; i++)
		insert(maps, own, i, &space->all[i]);
	return own;
}

/* Give a process a space that only it uses. */
static void own_space(struct maps *maps, struct process *process)
{
	struct space *shared = process->space;

	if (shared->users == 1)
		return;
	process->space = copy(maps, shared, process->pid);
	release(maps, shared);
}

static bool has_newer(const struct space *space, uint64_t time_ns)
{
	for (size_t i = 0; i < space->count; i++) {
		if (space->all[i].time_ns > time_ns)
			return true;
	}
	return false;
}

static bool is_code(const struct record_map *map)
{
	return map->is_code && map->len != 0 && map->start + map->len >= map->start;
}

static struct mapping mapping_of(struct maps *maps, const struct record_map *map, uint64_t time_ns)
{
	return (struct mapping){ .start = map->start,
				 .end = map->start + map->len,
				 .offset = map->offset,
				 .time_ns = time_ns,
				 .file = map_files_number(maps->files, map) };
}

void maps_map(struct maps *maps, const struct record *record)
{
	struct record_map map;

	if (!record_map(record, &map) || !is_code(&map))
		return;

	struct process *process = need(maps, (int32_t)map.pid);
	if (process == NULL)
		return;
	own_space(maps, process);

	struct mapping mapping = mapping_of(maps, &map, record->time_ns);
	put(maps, process->space, &mapping);
}

void maps_fork(struct maps *maps, int32_t pid, int32_t parent, uint64_t time_ns)
{
	struct process *child = find(maps, pid);

	/* Its program is newer, when its records of another CPU came first. */
	if (pid == parent || (child != NULL && child->since_ns > time_ns))
		return;

	/* A new entry moves the others, or removes some that ended. */
	need(maps, parent);
	need(maps, pid);
	const struct process *from = find(maps, parent);
	child = find(maps, pid);
	if (from == NULL || child == NULL)
		return;

	if (has_newer(child->space, time_ns)) {
		replace(maps, child, copy(maps, from->space, pid), time_ns);
	} else {
		from->space->users++;
		release(maps, child->space);
		child->space = from->space;
	}
	child->since_ns = time_ns;
	child->ended = 0;
	child->is_unreadable = false;
}

void maps_exec(struct maps *maps, int32_t pid, uint64_t time_ns)
{
	struct process *process = need(maps, pid);

	if (process == NULL)
		return;
	replace(maps, process, space_new(pid), time_ns);
	process->space->is_whole = true;
	process->since_ns = time_ns;
	process->ended = 0;
}

/* --- what is read --------------------------------------------------------------------------- */

int32_t maps_unread(struct maps *maps, int32_t pid)
{
	const struct process *process = pid > 0 ? need(maps, pid) : NULL;

	if (process == NULL || process->space->is_whole)
		return 0;
	if (!process->is_unreadable)
		return pid;

	const struct process *owner = find(maps, process->space->owner);
	bool is_same = owner != NULL && owner->space == process->space;
	return is_same && !owner->is_unreadable ? owner->pid : 0;
}

void maps_read(struct maps *maps, int32_t pid, const struct record_map *all, size_t count,
	       uint64_t time_ns)
{
	struct process *process = find(maps, pid);

	if (process == NULL || process->since_ns > time_ns)
		return;
	process->is_unreadable = count == 0;
	if (count == 0)
		return;

	/* The others that use it changed nothing since, either. */
	struct space *space = process->space, *before = copy(maps, space, pid);
	for (size_t i = 0; i < count; i++) {
		struct mapping mapping = mapping_of(maps, &all[i], time_ns);

		if (is_code(&all[i]))
			put(maps, space, &mapping);
	}
	put_newer(maps, space, before, time_ns);
	release(maps, before);
	space->is_whole = true;
}

void maps_exit(struct maps *maps, int32_t pid)
{
	struct process *process = need(maps, pid);

	if (process != NULL && process->ended == 0)
		process->ended = 1;
}

bool maps_has_ended(const struct maps *maps)
{
	for (size_t i = 0; i < maps->nprocesses; i++) {
		if (maps->processes[i].ended > 0)
			return true;
	}
	return false;
}

void maps_go_on(struct maps *maps, int32_t pid)
{
	struct process *process = find(maps, pid);

	if (process != NULL && process->ended > 0)
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

static struct record_map as_record(const struct maps *maps, const struct mapping *mapping)
{
	const struct code_file *file = map_files_at(maps->files, mapping->file);

	return (struct record_map){
		.start = mapping->start,
		.len = mapping->end - mapping->start,
		.offset = mapping->offset,
		.major = file->major,
		.minor = file->minor,
		.inode = file->inode,
		.build_id = file->build_id,
		.is_code = true,
		.name = file->path,
		.name_len = strlen(file->path),
	};
}

void maps_each(const struct maps *maps, maps_fn *take, void *ctx)
{
	for (size_t i = 0; i < maps->nprocesses; i++) {
		const struct space *space = maps->processes[i].space;
		struct record_map *all = xcalloc(space->count + 1, sizeof(*all));
		size_t count = 0;

		for (size_t at = 0; at < space->count; at++) {
			if (space->all[at].file != 0)
				all[count++] = as_record(maps, &space->all[at]);
		}
		take(ctx, maps->processes[i].pid, all, count);
		free(all);
	}
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
