/* SPDX-License-Identifier: MIT */
#include "capture/readings.h"

/* The samples of several fds have a part of the count each, those of a group's leader all of its counts. */
static bool has_own_count(const struct counters *counters, size_t event)
{
	return counters_targets(counters) == 1 && !counters_has_group(counters, event);
}

static bool is_due(const struct readings *readings, size_t event, uint64_t now_ns)
{
	uint64_t since_ns = now_ns > READINGS_NS ? now_ns - READINGS_NS : 0;

	return (event + readings->turn) % READINGS_TURNS == 0 ||
	       !has_own_count(readings->counters, event) ||
	       !periods_is_unused(readings->periods, event, since_ns);
}

const struct count *readings_take(struct readings *readings, enum counts_of which, uint64_t now_ns,
				  bool is_all)
{
	struct counters *counters = readings->counters;
	struct count *counts = counters_array(counters, which);

	if (is_all || counters_has_bundles(counters))
		return counters_read(counters, which, readings->has_lost);
	for (size_t event = 0; event < counters_events(counters); event++) {
		if (is_due(readings, event, now_ns))
			counts[event] = counters_read_event(counters, event, readings->has_lost);
		else
			counts[event] = (struct count){ .is_open = true, .is_unread = true };
	}
	readings->turn++;
	return counts;
}
