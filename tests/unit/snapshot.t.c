/* SPDX-License-Identifier: MIT */
#include "model/snapshot.h"

#include "tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SEED   20260910
#define BLOCKS 3000

struct block {
	unsigned char *bytes;
	size_t size;
};

static bool is_filled(const struct block *block, int value)
{
	for (size_t i = 0; i < block->size; i++)
		if (block->bytes[i] != value)
			return false;
	return true;
}

/* Sizes around the chunk's own, each filled with its number: any overlap shows. */
static void check_blocks(struct snapshot *snap)
{
	static struct block blocks[BLOCKS];
	unsigned int dirty = 0, crooked = 0, overlapping = 0;

	srand(SEED);
	for (int i = 0; i < BLOCKS; i++) {
		struct block *block = &blocks[i];
		block->size = (size_t)rand() % (rand() % 10 ? 200 : 70000);
		block->bytes = snap_alloc(snap, block->size, 1);
		crooked += (uintptr_t)block->bytes % 16 != 0;
		dirty += !is_filled(block, 0);
		memset(block->bytes, i % 255 + 1, block->size);
	}
	for (int i = 0; i < BLOCKS; i++)
		overlapping += !is_filled(&blocks[i], i % 255 + 1);
	is_u64(dirty, 0, "%d blocks: all zeroed", BLOCKS);
	is_u64(crooked, 0, "aligned for anything");
	is_u64(overlapping, 0, "and none within another");
}

/* Of a short-lived task the kernel's periods can be far too long. */
static void check_stride(void)
{
	struct snap_event event = { .total = 20000, .sampled = 5, .weight = 10000000 };

	is_u64((uint64_t)snap_event_stride(&event, true), 4000,
	       "samples stand for no more than was counted");
	event.weight = 10000;
	is_u64((uint64_t)snap_event_stride(&event, true), 2000, "but for less, if they do");
	event.total = 0;
	is_u64((uint64_t)snap_event_stride(&event, true), 2000,
	       "also when the total is not known yet");
}

int main(void)
{
	plan_lazy();
	snapshot_release(NULL);

	struct snapshot *snap = snapshot_new(0);
	ok(snap->seq == 0 && !snap->events && snap->arena, "a new snapshot is empty");
	char text[] = "name";
	const char *copy = snap_strdup(snap, text);
	text[0] = 'x';
	is_str(copy, "name", "its strings are copies");
	check_blocks(snap);
	check_stride();
	is_str(copy, "name", "and do not move");
	is_str(snapshot_hold(snap) == snap ? copy : NULL, "name", "a holder gets the same one");
	snapshot_release(snap);
	is_str(copy, "name", "it is kept as long as one reference is left");
	snapshot_release(snap);
	return done();
}
