/* SPDX-License-Identifier: MIT */
/*
 * switchlog - switches and wakeups of all CPUs, merged in time order.
 *
 * Rings are decoded CPU by CPU, so a task's wakeup on one CPU can be decoded after its switch on
 * another.  Entries wait here until those of all CPUs are there.
 *
 * Decoder thread only.
 */
#ifndef MODEL_SWITCHLOG_H
#define MODEL_SWITCHLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most entries of a CPU, 24 bytes each. */
#define SWITCHLOG_MOST 16384

enum switchlog_kind {
	SWITCHLOG_BLOCKED,   /* `out` is no longer on the CPU: it waits for something */
	SWITCHLOG_PREEMPTED, /* `out` would go on */
	SWITCHLOG_CUT,	     /* the same as either, but `out` was not known to be there */
	SWITCHLOG_WOKEN,     /* `in` is ready to run; on any CPU */
	SWITCHLOG_LOST,	     /* records before this one were lost */
};

struct switchlog_entry {
	uint64_t time_ns;
	int32_t out, in; /* tids; 0: idle; TID_NONE: unknown, or none */
	uint32_t weight; /* of SWITCHLOG_WOKEN: how many wakeups it stands for */
	enum switchlog_kind kind;
};

struct switchlog;

/* Without entries; never NULL. */
struct switchlog *switchlog_new(size_t ncpus);
void switchlog_free(struct switchlog *log);

/* More CPUs than before. */
void switchlog_grow(struct switchlog *log, size_t ncpus);

/* Add the newest entry of a CPU: false when it has SWITCHLOG_MOST, and nothing is added. */
bool switchlog_add(struct switchlog *log, size_t slot, const struct switchlog_entry *entry);

/* Take the oldest entry not after `until_ns` of all CPUs, and its CPU: false when there is none. */
bool switchlog_take(struct switchlog *log, uint64_t until_ns, struct switchlog_entry *entry,
		    size_t *slot);

#endif
