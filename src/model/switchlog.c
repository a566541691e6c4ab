/* SPDX-License-Identifier: MIT */
#include "model/switchlog.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct cpu_log {
	struct switchlog_entry *entries; /* [first, end) are in the log */
	size_t first, end, room;
};

/* A heap of the CPUs with entries; its first one has the oldest entry. */
struct switchlog {
	struct cpu_log *cpus;
	size_t ncpus;
	uint32_t *heap;
	size_t nheap;
};

struct switchlog *switchlog_new(size_t ncpus)
{
	struct switchlog *log = xcalloc(1, sizeof(*log));

	switchlog_grow(log, ncpus);
	return log;
}

void switchlog_free(struct switchlog *log)
{
	if (log == NULL)
		return;

	for (size_t i = 0; i < log->ncpus; i++)
		free(log->cpus[i].entries);
	free(log->cpus);
	free(log->heap);
	free(log);
}

void switchlog_grow(struct switchlog *log, size_t ncpus)
{
	if (ncpus <= log->ncpus)
		return;
	log->cpus = xreallocarray(log->cpus, ncpus, sizeof(*log->cpus));
	memset(log->cpus + log->ncpus, 0, (ncpus - log->ncpus) * sizeof(*log->cpus));
	log->heap = xreallocarray(log->heap, ncpus, sizeof(*log->heap));
	log->ncpus = ncpus;
}

static uint64_t oldest_ns(const struct switchlog *log, size_t at)
{
	const struct cpu_log *cpu = &log->cpus[log->heap[at]];

	return cpu->entries[cpu->first].time_ns;
}

static void swap(struct switchlog *log, size_t a, size_t b)
{
	uint32_t slot = log->heap[a];

	log->heap[a] = log->heap[b];
	log->heap[b] = slot;
}

static void move_up(struct switchlog *log, size_t at)
{
	for (; at > 0 && oldest_ns(log, at) < oldest_ns(log, (at - 1) / 2); at = (at - 1) / 2)
		swap(log, at, (at - 1) / 2);
}

static void move_down(struct switchlog *log, size_t at)
{
	for (size_t child = 2 * at + 1; child < log->nheap; child = 2 * at + 1) {
		if (child + 1 < log->nheap && oldest_ns(log, child + 1) < oldest_ns(log, child))
			child++;
		if (oldest_ns(log, at) <= oldest_ns(log, child))
			break;
		swap(log, at, child);
		at = child;
	}
}

/* Room for one more entry: false when there are too many. */
static bool make_room(struct cpu_log *cpu)
{
	if (cpu->end < cpu->room)
		return true;
	if (cpu->first > 0) {
		cpu->end -= cpu->first;
		memmove(cpu->entries, cpu->entries + cpu->first, cpu->end * sizeof(*cpu->entries));
		cpu->first = 0;
		return true;
	}
	if (cpu->room == SWITCHLOG_MOST)
		return false;
	cpu->room = cpu->room == 0 ? 64 : cpu->room * 2;
	cpu->entries = xreallocarray(cpu->entries, cpu->room, sizeof(*cpu->entries));
	return true;
}

bool switchlog_add(struct switchlog *log, size_t slot, const struct switchlog_entry *entry)
{
	struct cpu_log *cpu = &log->cpus[slot];
	bool was_empty = cpu->first == cpu->end;

	if (!make_room(cpu))
		return false;
	cpu->entries[cpu->end++] = *entry;
	if (was_empty) {
		log->heap[log->nheap] = (uint32_t)slot;
		move_up(log, log->nheap++);
	}
	return true;
}

bool switchlog_take(struct switchlog *log, uint64_t until_ns, struct switchlog_entry *entry,
		    size_t *slot)
{
	if (log->nheap == 0 || oldest_ns(log, 0) > until_ns)
		return false;
	*slot = log->heap[0];

	struct cpu_log *cpu = &log->cpus[*slot];
	*entry = cpu->entries[cpu->first++];
	if (cpu->first == cpu->end) {
		cpu->first = cpu->end = 0;
		log->heap[0] = log->heap[--log->nheap];
	}
	move_down(log, 0);
	return true;
}
