/* SPDX-License-Identifier: MIT */
/*
 * The arena: a list of chunks that are freed together; the first one is filled.
 *
 * A snapshot has thousands of small strings and arrays with the same lifetime; a malloc for each
 * would be most of the cost of a tick.
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
 * Size of a chunk with its header.  A small snapshot fits into one, and glibc allocates it on the
 * heap, not by mmap (M_MMAP_THRESHOLD is 128 KiB).
 */
#define CHUNK_BYTES (32u << 10)

struct chunk {
	struct chunk *next;
	size_t used, room;
	alignas(max_align_t) char bytes[];
};

struct snap_arena {
	struct chunk *chunks; /* only the first is filled further */
	atomic_uint holders;
};

static struct chunk *chunk_new(size_t room)
{
	size_t bytes;
	if (__builtin_add_overflow(room, sizeof(struct chunk), &bytes))
		bytes = SIZE_MAX; /* xcalloc fails and exits the program */

	struct chunk *chunk = xcalloc(1, bytes);
	chunk->room = room;
	return chunk;
}

/*
 * A chunk with `bytes` free at its end.  A large allocation gets a chunk of its own after the
 * first, which still has room.
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

	/* New chunks are zeroed, and no part is handed out twice. */
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

struct snap_event_cpu snap_event_no_cpu(void)
{
	return (struct snap_event_cpu){ .rate = RATE_UNKNOWN, .is_balanced = true };
}

static void add_COUNT(uint64_t *sum, uint64_t count)
{
	*sum += count;
}

/* A sum is unknown only if all of it is. */
static void add_NUMBER(double *sum, double number)
{
	if (number >= 0)
		*sum = (*sum >= 0 ? *sum : 0) + number;
}

void snap_event_add_cpu(struct snap_event_cpu *sums, const struct snap_event_cpu *cpu)
{
#define NOTHING(...)
#define ADD(type, member, ...)	add_##type(&sums->member, cpu->member);
#define ADD_BOOKED(member, ...) add_COUNT(&sums->member, cpu->member);
	EVENT_FIGURES(NOTHING, ADD, ADD_BOOKED)
#undef ADD
#undef ADD_BOOKED
#undef NOTHING
	sums->is_throttled |= cpu->is_throttled;
	sums->is_balanced &= cpu->is_balanced;
}

struct snapshot *snapshot_new(void)
{
	struct snap_arena *arena = xcalloc(1, sizeof(*arena));
	arena->chunks = chunk_new(CHUNK_BYTES - sizeof(struct chunk));
	atomic_init(&arena->holders, 1);

	/* snap_alloc() takes the arena from a snapshot: here from a temporary one. */
	struct snapshot *snap = snap_alloc(&(struct snapshot){ .arena = arena }, 1, sizeof(*snap));
	snap->arena = arena;
	return snap;
}

const struct snapshot *snapshot_hold(const struct snapshot *snap)
{
	/* Relaxed: the caller's own reference keeps the snapshot alive. */
	atomic_fetch_add_explicit(&snap->arena->holders, 1, memory_order_relaxed);
	return snap;
}

void snapshot_release(const struct snapshot *snap)
{
	if (!snap)
		return;

	struct snap_arena *arena = snap->arena;
	/* Acquire and release: all reads by other holders happen before the free. */
	if (atomic_fetch_sub_explicit(&arena->holders, 1, memory_order_acq_rel) > 1)
		return;
	for (struct chunk *chunk = arena->chunks; chunk;) {
		struct chunk *next = chunk->next;
		free(chunk); /* one of the chunks contains `snap` itself */
		chunk = next;
	}
	free(arena);
}
