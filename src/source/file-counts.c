/* SPDX-License-Identifier: MIT */
#include "source/file-counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/snapshot.h"

/* Most events times CPUs, whatever a file says: 60 MB, 456 bytes each (struct cell and count). */
#define CELLS_MAX 131072
#define SLOT_NONE UINT16_MAX

void file_counts_init(struct file_counts *counts)
{
	*counts = (struct file_counts){ .unknown = SLOT_NONE };
	counts->slot_of = xcalloc(CPULIST_MAX_ID + 1, sizeof(*counts->slot_of));
	for (size_t i = 0; i <= CPULIST_MAX_ID; i++)
		counts->slot_of[i] = SLOT_NONE;
}

void file_counts_fini(struct file_counts *counts)
{
	cpulist_fini(&counts->cpus);
	free(counts->all);
	free(counts->slot_of);
}

/* One slot is kept for the unknown CPU. */
bool file_counts_fits(const struct file_counts *counts, size_t events)
{
	return events * (counts->cpus.count + 1) <= CELLS_MAX;
}

bool file_counts_has_unknown(const struct file_counts *counts)
{
	return counts->unknown != SLOT_NONE;
}

struct count *file_counts_of(const struct file_counts *counts, uint32_t slot)
{
	return &counts->all[(size_t)slot * counts->capacity];
}

static void open_counts(struct file_counts *counts, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		counts->all[i] = (struct count){ .is_open = true, .generation = 1 };
}

void file_counts_grow(struct file_counts *counts, size_t events)
{
	size_t old = counts->capacity, ncpus = counts->cpus.count;
	struct count *all = counts->all;

	counts->all = xcalloc(events * ncpus + 1, sizeof(*counts->all));
	counts->capacity = events;
	open_counts(counts, 0, events * ncpus);
	for (size_t slot = 0; slot < ncpus && old > 0; slot++)
		memcpy(&counts->all[slot * events], &all[slot * old], old * sizeof(*all));
	free(all);
}

static uint32_t add(struct file_counts *counts, int cpu)
{
	size_t slot = counts->cpus.count++;

	counts->cpus.ids = xreallocarray(counts->cpus.ids, slot + 1, sizeof(*counts->cpus.ids));
	counts->cpus.ids[slot] = cpu;
	counts->all =
		xreallocarray(counts->all, (slot + 1) * counts->capacity, sizeof(*counts->all));
	open_counts(counts, slot * counts->capacity, (slot + 1) * counts->capacity);
	return (uint32_t)slot;
}

uint32_t file_counts_slot(struct file_counts *counts, uint32_t cpu)
{
	if (cpu <= CPULIST_MAX_ID) {
		/* This one, and that of the unknown CPU. */
		if (counts->slot_of[cpu] == SLOT_NONE &&
		    (counts->cpus.count + 2) * counts->capacity <= CELLS_MAX)
			counts->slot_of[cpu] = (uint16_t)add(counts, (int)cpu);
		if (counts->slot_of[cpu] != SLOT_NONE)
			return counts->slot_of[cpu];
	}
	if (counts->unknown == SLOT_NONE)
		counts->unknown = add(counts, CPU_UNKNOWN);
	return counts->unknown;
}
