/* SPDX-License-Identifier: MIT */
/*
 * event-sum - what several events are together, as one struct snap_event.
 */
#ifndef UI_EVENT_SUM_H
#define UI_EVENT_SUM_H

#include <stddef.h>

#include "model/snapshot.h"

struct event_sum {
	struct snap_event event;
	/* Private: what it points to. */
	struct snap_event_cpu *cpus; /* of these, only the rates, and whether they are lower bounds */
	float trend[SNAP_TREND_MAX];
};

/*
 * Add up these events of the snapshot, as far as they are on.  If none is, or their units differ, the
 * sum is a failed event whose reason says so.  Zeroed before the first call.
 */
void event_sum_of(struct event_sum *self, const struct snapshot *snap, const size_t *events,
		  size_t count);

/* There is no sum, for this reason, which must outlive it. */
void event_sum_none(struct event_sum *self, const char *reason);

/* Free what it has. */
void event_sum_fini(struct event_sum *self);

#endif
