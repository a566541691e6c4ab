/* SPDX-License-Identifier: MIT */
/*
 * timeline - which task was on a CPU most in each slot of TIMELINE_NS, for the last slots.
 *
 * Slots begin at multiples of TIMELINE_NS of the records' clock, so those of all CPUs are aligned.
 *
 * Decoder thread only.
 */
#ifndef MODEL_TIMELINE_H
#define MODEL_TIMELINE_H

#include <stdint.h>

#define TIMELINE_NS    (10 * 1000000ull)
#define TIMELINE_SLOTS 256
#define TIMELINE_PARTS 8 /* tasks of one slot; later ones are left out */

/* No record said who was on the CPU. */
#define TIMELINE_UNKNOWN (-1)

struct timeline_slot {
	int32_t tid;	 /* 0: idle, if no task was on it; or TIMELINE_UNKNOWN */
	uint16_t runner; /* number of its name (runners.h), set at the tick after it */
	uint8_t percent; /* of the slot that it was on the CPU */
};

struct timeline {
	struct timeline_slot slots[TIMELINE_SLOTS]; /* slot n is at n % TIMELINE_SLOTS */
	uint64_t present;			    /* the slot that is not finished */
	struct {
		int32_t tid;
		uint32_t ns;
	} parts[TIMELINE_PARTS]; /* of the present slot */
	unsigned int nparts;
};

/* The slot of a time. */
static inline uint64_t timeline_slot_of(uint64_t ns)
{
	return ns / TIMELINE_NS;
}

/* The task was on the CPU from then to then; in the order of time. */
void timeline_add(struct timeline *timeline, int32_t tid, uint64_t from_ns, uint64_t to_ns);

/* Finish all slots before that of this time. */
void timeline_finish(struct timeline *timeline, uint64_t now_ns);

/* A slot that is finished; NULL when it is not, or was forgotten. */
struct timeline_slot *timeline_slot(struct timeline *timeline, uint64_t slot);

#endif
