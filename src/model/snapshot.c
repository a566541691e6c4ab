/* SPDX-License-Identifier: MIT */
/*
 * The arena: chunks in a list, filled from the front, freed together.
 *
 * A snapshot is thousands of small strings and arrays that live and die as one;
 * a malloc each would be most of what a tick costs.
 */
#include "model/snapshot.h"

#include "base/xalloc.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * The room of a chunk with its header: a small snapshot fits into one, and glibc
 * still serves it from the heap (M_MMAP_THRESHOLD is 128 KiB) and not page by page.
 */
#define CHUNK_BYTES (32u << 10)

struct chunk {
	struct chunk *next;
	size_t used, room;
	alignas(max_align_t) char bytes[];
};

struct snap_arena {
	struct chunk *chunks; /* only the first has room to give */
	atomic_uint holders;
};

static struct chunk *chunk_new(size_t room)
{
	size_t bytes;
	if (__builtin_add_overflow(room, sizeof(struct chunk), &bytes))
		bytes = SIZE_MAX; /* cannot be had: xcalloc ends it */

	struct chunk *chunk = xcalloc(1, bytes);
	chunk->room = room;
	return chunk;
}

/*
 * A chunk with `bytes` free at its end.  A large one goes behind the first, which
 * still has room.
 */
static struct chunk *chunk_for(struct snap_arena *arena, size_t bytes)
{
	struct chunk *first = arena->chunks;
	const size_t usual = CHUNK_BYTES - sizeof(struct chunk);

	if (bytes <= first->room - first->used)
		return first;
	if (bytes > usual / 4) {
		struct chunk *large = chunk_new(bytes);
		large->next = first->next;
		first->next = large;
		return large;
	}
	arena->chunks = chunk_new(usual);
	arena->chunks->next = first;
	return arena->chunks;
}

void *snap_alloc(struct snapshot *snap, size_t count, size_t size)
{
	const size_t align = alignof(max_align_t);
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - align)
		bytes = SIZE_MAX - align;
	bytes = (bytes + align - 1) & ~(align - 1);

	/* Chunks are zeroed when made, and no part is given out twice. */
	struct chunk *chunk = chunk_for(snap->arena, bytes);
	void *memory = chunk->bytes + chunk->used;
	chunk->used += bytes;
	return memory;
}

const char *snap_strdup(struct snapshot *snap, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(snap_alloc(snap, size, 1), text, size);
}

struct snapshot *snapshot_new(void)
{
	struct snap_arena *arena = xcalloc(1, sizeof(*arena));
	arena->chunks = chunk_new(CHUNK_BYTES - sizeof(struct chunk));
	atomic_init(&arena->holders, 1);

	/* The first allocation needs a snapshot to find the arena by: a passing one. */
	struct snapshot *snap = snap_alloc(&(struct snapshot){ .arena = arena }, 1, sizeof(*snap));
	snap->arena = arena;
	return snap;
}

const struct snapshot *snapshot_hold(const struct snapshot *snap)
{
	/* The holder's own reference keeps it alive meanwhile: nothing is to be ordered. */
	atomic_fetch_add_explicit(&snap->arena->holders, 1, memory_order_relaxed);
	return snap;
}

void snapshot_release(const struct snapshot *snap)
{
	if (!snap)
		return;

	struct snap_arena *arena = snap->arena;
	/* What every other holder read of it happens before it is freed. */
	if (atomic_fetch_sub_explicit(&arena->holders, 1, memory_order_acq_rel) > 1)
		return;
	for (struct chunk *chunk = arena->chunks; chunk;) {
		struct chunk *next = chunk->next;
		free(chunk); /* with the last of these goes `snap` itself */
		chunk = next;
	}
	free(arena);
}
