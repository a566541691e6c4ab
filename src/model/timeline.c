/* SPDX-License-Identifier: MIT */
#include "model/timeline.h"

#include <stddef.h>

/* The task that was on it most; idle only if there was none. */
static struct timeline_slot sum_up(const struct timeline *timeline)
{
	struct timeline_slot slot = { .tid = TIMELINE_UNKNOWN };
	uint32_t most = 0;

	for (unsigned int i = 0; i < timeline->nparts; i++) {
		int32_t tid = timeline->parts[i].tid;
		uint32_t ns = timeline->parts[i].ns;

		if (slot.tid > 0 && (tid == 0 || ns <= most))
			continue;
		slot.tid = tid;
		slot.percent = (uint8_t)((uint64_t)ns * 100 / TIMELINE_NS);
		most = ns;
	}
	return slot;
}

static void begin_slot(struct timeline *timeline, uint64_t slot)
{
	uint64_t first = timeline->present + 1;

	timeline->slots[timeline->present % TIMELINE_SLOTS] = sum_up(timeline);
	if (slot - first > TIMELINE_SLOTS)
		first = slot - TIMELINE_SLOTS;
	for (uint64_t i = first; i < slot; i++)
		timeline->slots[i % TIMELINE_SLOTS] =
			(struct timeline_slot){ .tid = TIMELINE_UNKNOWN };
	timeline->present = slot;
	timeline->nparts = 0;
}

static void add_part(struct timeline *timeline, int32_t tid, uint64_t ns)
{
	unsigned int i = 0;

	while (i < timeline->nparts && timeline->parts[i].tid != tid)
		i++;
	if (i == TIMELINE_PARTS)
		return;
	if (i == timeline->nparts) {
		timeline->parts[i].tid = tid;
		timeline->parts[i].ns = 0;
		timeline->nparts++;
	}
	timeline->parts[i].ns += (uint32_t)ns;
}

void timeline_finish(struct timeline *timeline, uint64_t now_ns)
{
	if (timeline_slot_of(now_ns) > timeline->present)
		begin_slot(timeline, timeline_slot_of(now_ns));
}

void timeline_add(struct timeline *timeline, int32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	/* Slots older than those that are kept would only be overwritten. */
	if (to_ns - from_ns > TIMELINE_SLOTS * TIMELINE_NS)
		from_ns = to_ns - TIMELINE_SLOTS * TIMELINE_NS;
	while (from_ns < to_ns) {
		uint64_t end_ns = (timeline_slot_of(from_ns) + 1) * TIMELINE_NS;

		timeline_finish(timeline, from_ns);
		if (end_ns > to_ns)
			end_ns = to_ns;
		if (timeline_slot_of(from_ns) == timeline->present)
			add_part(timeline, tid, end_ns - from_ns);
		from_ns = end_ns;
	}
}

struct timeline_slot *timeline_slot(struct timeline *timeline, uint64_t slot)
{
	if (slot >= timeline->present || timeline->present - slot > TIMELINE_SLOTS)
		return NULL;
	return &timeline->slots[slot % TIMELINE_SLOTS];
}
