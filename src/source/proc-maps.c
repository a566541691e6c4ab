/* SPDX-License-Identifier: MIT */
#include "source/proc-maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/worker.h"
#include "base/xalloc.h"
#include "source/wait.h"

#define MAPPINGS_MAX 4096 /* of a process; further ones are left out */

#define NO_FILE "//anon"

/* A file to be read, and what was in it. */
struct order {
	struct work work;
	struct order *next;
	int32_t pid;
	int fd; /* of the mappings that the process had when it was opened; -1: none */
	uint64_t time_ns;
	struct record_map *all; /* [count] with names of their own */
	size_t count, room;
};

struct proc_maps {
	const struct access *access;
	struct worker *worker;
	bool is_settled;
	struct order *asked; /* those that the worker has */
	struct order *given; /* whose contents the caller has */
};

/* --- orders --------------------------------------------------------------------------------- */

static void order_free(struct work *work)
{
	struct order *order = (struct order *)work;

	for (size_t i = 0; i < order->count; i++)
		free((char *)order->all[i].name);
	free(order->all);
	if (order->fd >= 0)
		close(order->fd);
	free(order);
}

static void keep(struct order *order, const struct record_map *map)
{
	if (order->count == order->room) {
		order->room = order->room == 0 ? 16 : order->room * 2;
		order->all = xreallocarray(order->all, order->room, sizeof(*order->all));
	}
	order->all[order->count] = *map;
	order->all[order->count++].name = xstrndup(map->name, map->name_len);
}

/*
 * A line as "55d0c8f10000-55d0c8f13000 r-xp 00002000 fe:00 248056    /usr/bin/sleep", with a newline: whether
 * it is code.  That of no file has the name that the kernel's records have (perf_event_mmap_event()): "//anon",
 * or one like "[vdso]".
 */
static bool parse(const char *line, struct record_map *map)
{
	unsigned long long start, end, offset, inode;
	unsigned int major, minor;
	char protection[5];
	int at = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, protection, &offset,
		   &major, &minor, &inode, &at) < 7 ||
	    protection[2] != 'x' || end <= start)
		return false;

	size_t len = strcspn(line + at, "\n");
	*map = (struct record_map){ .start = start,
				    .len = end - start,
				    .offset = offset,
				    .major = major,
				    .minor = minor,
				    .inode = inode,
				    .is_code = true,
				    .name = len > 0 ? line + at : NO_FILE,
				    .name_len = len > 0 ? len : sizeof(NO_FILE) - 1 };
	return true;
}

static void order_run(struct work *work)
{
	struct order *order = (struct order *)work;
	FILE *file = fdopen(order->fd, "r");
	char *line = NULL;
	size_t room = 0;

	if (file == NULL)
		return;
	order->fd = -1;
	while (order->count < MAPPINGS_MAX && getline(&line, &room, file) > 0) {
		struct record_map map;

		if (parse(line, &map))
			keep(order, &map);
	}
	free(line);
	fclose(file);
}

/* --- life ----------------------------------------------------------------------------------- */

struct proc_maps *proc_maps_new(const struct access *access)
{
	static const struct worker_ops ops = { .run = order_run, .free = order_free };
	struct proc_maps *maps = xcalloc(1, sizeof(*maps));

	maps->access = access;
	maps->worker = worker_new("perftop-maps", &ops);
	return maps;
}

static void free_given(struct proc_maps *maps)
{
	while (maps->given != NULL) {
		struct order *order = maps->given;

		maps->given = order->next;
		order_free(&order->work);
	}
}

void proc_maps_free(struct proc_maps *maps)
{
	if (maps == NULL)
		return;

	worker_free(maps->worker);
	free_given(maps);
	free(maps);
}

void proc_maps_settle(struct proc_maps *maps)
{
	maps->is_settled = true;
}

/* --- asking --------------------------------------------------------------------------------- */

static bool is_asked(const struct proc_maps *maps, int32_t pid)
{
	const struct order *order = maps->asked;

	while (order != NULL && order->pid != pid)
		order = order->next;
	return order != NULL;
}

/* Have a process's file read.  One that cannot be opened is read, and empty. */
static void ask(struct proc_maps *maps, struct process_maps *process)
{
	struct order *order = xcalloc(1, sizeof(*order));

	order->pid = process->pid;
	order->time_ns = sys_monotonic_ns();
	order->fd = maps->access->open_maps(maps->access->ctx, process->pid);
	if (order->fd >= 0 && worker_give(maps->worker, &order->work)) {
		order->next = maps->asked;
		maps->asked = order;
		return;
	}
	process->is_read = order->fd < 0;
	process->time_ns = order->time_ns;
	order_free(&order->work);
}

static void unlink_order(struct proc_maps *maps, const struct order *order)
{
	struct order **at = &maps->asked;

	while (*at != NULL && *at != order)
		at = &(*at)->next;
	*at = order->next;
}

/* Give it to the caller; to nobody, when it is not asked for any more. */
static void take_answer(struct proc_maps *maps, struct order *order, struct process_maps *processes,
			size_t count)
{
	unlink_order(maps, order);
	order->next = maps->given;
	maps->given = order;
	for (size_t i = 0; i < count; i++) {
		struct process_maps *process = &processes[i];

		if (process->pid != order->pid)
			continue;
		process->is_read = true;
		process->time_ns = order->time_ns;
		process->all = order->all;
		process->count = order->count;
	}
}

void proc_maps_read(struct proc_maps *maps, struct process_maps *processes, size_t count)
{
	uint64_t until_ns = sys_monotonic_ns();
	bool is_late = maps->asked != NULL;
	struct work *work;

	free_given(maps);
	for (size_t i = 0; i < count; i++) {
		if (!is_asked(maps, processes[i].pid))
			ask(maps, &processes[i]);
	}
	if (maps->is_settled)
		until_ns += WAIT_FINAL_NS;
	else if (!is_late)
		until_ns += WAIT_TICK_NS;
	while ((work = worker_take(maps->worker, until_ns)) != NULL)
		take_answer(maps, (struct order *)work, processes, count);
}
