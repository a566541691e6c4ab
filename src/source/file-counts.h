/* SPDX-License-Identifier: MIT */
/*
 * file-counts - the counts of a file's events, by CPU, and the CPUs themselves, both as the records name
 * them.
 *
 * Whatever a file says, memory stays bounded: a CPU without room, and records that do not say their CPU,
 * are those of CPU_UNKNOWN.  One thread.
 */
#ifndef SOURCE_FILE_COUNTS_H
#define SOURCE_FILE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "capture/count.h"

struct file_counts {
	struct cpulist cpus; /* of the slots, in the order in which they were added */
	size_t capacity;     /* events */
	struct count *all;   /* [cpus * capacity], by slot */
	uint16_t *slot_of;   /* [CPULIST_MAX_ID + 1] */
	uint32_t unknown;    /* the slot of CPU_UNKNOWN, if it has one */
};

/* Without CPUs and events. */
void file_counts_init(struct file_counts *counts);
void file_counts_fini(struct file_counts *counts);

/* Whether so many events have room beside the CPUs. */
bool file_counts_fits(const struct file_counts *counts, size_t events);

/* Make room for so many; once before the first CPU is added.  Slots stay as they are. */
void file_counts_grow(struct file_counts *counts, size_t events);

/* The CPU's slot, which is added if it is new (then cpus.count grows). */
uint32_t file_counts_slot(struct file_counts *counts, uint32_t cpu);

/* Whether CPU_UNKNOWN has a slot: some records were asked for that do not say their CPU. */
bool file_counts_has_unknown(const struct file_counts *counts);

/* The counts of a slot: [capacity]. */
struct count *file_counts_of(const struct file_counts *counts, uint32_t slot);

#endif
