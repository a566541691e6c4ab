/* SPDX-License-Identifier: MIT */
/*
 * trouble - what the kernel held back or lost, in rows of an event and its CPUs.
 *
 * An event has a row for each CPU on which that happened, up to TROUBLE_OWN_ROWS, and one for its
 * other CPUs: so many CPUs do not bury those that matter.  Throttled events come first, then those
 * with losses, then the others.
 */
#ifndef UI_TROUBLE_H
#define UI_TROUBLE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

#define TROUBLE_OWN_ROWS 8

/* In place of a CPU's number. */
#define TROUBLE_CPU_OTHERS (INT_MAX - 1) /* those without a row of their own */
#define TROUBLE_CPU_ALL	   INT_MAX

struct trouble_row {
	uint32_t event; /* index into the snapshot's events */
	int cpu;
	size_t ncpus;	/* of how many CPUs the sums are */
	double since_s; /* how long one CPU has been throttled, or RATE_UNKNOWN */
	struct snap_event_cpu sums;
};

enum trouble { TROUBLE_THROTTLED, TROUBLE_LOST, TROUBLE_NONE, TROUBLES };

/* The worst that happened to the event since the start or since zero. */
enum trouble trouble_of(const struct snap_event *event);

/* The rows of a snapshot, with room for one more, which the caller frees; failed events have none. */
struct trouble_row *trouble_rows(const struct snapshot *snap, size_t *count);

#endif
