/* SPDX-License-Identifier: MIT */
/*
 * fixture - snapshots as the decoder would build them, the same on every run.
 *
 * The caller frees them with snapshot_release().
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "model/snapshot.h"

#include <stddef.h>

/* The indexes of the events of fixture_snapshot(). */
enum {
	FIXTURE_BALANCED, /* raw_syscalls:sys_enter: period 1, nothing lost */
	FIXTURE_LOST,	  /* sched:sched_switch: period 1, 4 lost, the books balance */
	FIXTURE_BROKEN,	  /* irq:softirq_entry: period 1, 5 missing on cpu 2 */
	FIXTURE_FREQ,	  /* cpu-clock, for cycles: by frequency, throttled on cpu 2, in ns */
	FIXTURE_COUNTED,  /* minor-faults: counted only, multiplexed, no interval before */
	FIXTURE_FAILED,	  /* kprobe:vfs_read: never opened */
	FIXTURE_OFF,	  /* syscalls:sys_enter_openat: switched off */
	FIXTURE_EVENTS,
};

/* A task whose name is an attack: escape sequences, C1, bidi, invalid UTF-8, quotes. */
#define FIXTURE_HOSTILE_COMM "\x1b]0;pwn\a\x9b\xe2\x80\xae\"\xff,"

/* Two CPUs with a hole between (0 and 2), every kind of event, hostile task names. */
struct snapshot *fixture_snapshot(void);

/* As many events, CPUs and tasks (one an event) as wanted, with plausible numbers. */
struct snapshot *fixture_snapshot_many(size_t nevents, size_t ncpus);

/* With --verify: six of sched:sched_switch are missing on cpu 2. */
void fixture_add_violation(struct snapshot *snap);

/* In one group the first two; in another cpu-clock, minor-faults and kprobe:vfs_read, which failed. */
void fixture_add_groups(struct snapshot *snap);

/* Eleven records on two pages: of every kind, with hostile names. */
void fixture_add_stream(struct snapshot *snap);

#endif
