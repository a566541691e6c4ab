/* SPDX-License-Identifier: MIT */
/*
 * The arena: a list of chunks that are freed together; the first one is filled.
 *
 * A snapshot has thousands of small strings and arrays with the same lifetime; a malloc for each
 * would be most of the cost of a tick.
 */
#include "model/arena.h"

#include "base/xalloc.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * ARENA_PIECE is the size of a chunk with its header: glibc allocates it on the heap, not by mmap
 * (M_MMAP_THRESHOLD is 128 KiB).
 */

struct chunk {
	struct chunk *next;
	size_t used, room;
	alignas(max_align_t) char bytes[];
};

struct arena {
	struct chunk *chunks; /* only the first is filled further */
	size_t room;	      /* of a chunk */
	size_t head;	      /* bytes */
	atomic_uint holders;
	alignas(max_align_t) char head_bytes[];
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
static struct chunk *chunk_for(struct arena *arena, size_t bytes)
{
	struct chunk *first = arena->chunks;
	if (bytes <= first->room - first->used)
		return first;
	if (bytes > arena->room / 4) {
		struct chunk *large = chunk_new(bytes);
		large->next = first->next;
		first->next = large;
		return large;
	}
	arena->chunks = chunk_new(arena->room);
	arena->chunks->next = first;
	return arena->chunks;
}

struct arena *arena_new(size_t head, size_t bytes)
{
	struct arena *arena = xcalloc(1, sizeof(*arena) + head);
	const size_t piece = ARENA_PIECE - sizeof(struct chunk);

	arena->head = head;
	arena->room = bytes > 0 && bytes < piece ? bytes : piece;
	arena->chunks = chunk_new(bytes > 0 ? bytes : piece);
	atomic_init(&arena->holders, 1);
	return arena;
}

void *arena_head(struct arena *arena)
{
	return arena->head_bytes;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	const size_t align = alignof(max_align_t);
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - align)
		bytes = SIZE_MAX - align;
	bytes = (bytes + align - 1) & ~(align - 1);

	/* New chunks are zeroed, and no part is handed out twice. */
	struct chunk *chunk = chunk_for(arena, bytes);
	void *memory = chunk->bytes + chunk->used;
	chunk->used += bytes;
	return memory;
}

size_t arena_used(const struct arena *arena)
{
	size_t bytes = 0;

	for (const struct chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
		bytes += chunk->used;
	return bytes;
}

size_t arena_bytes(const struct arena *arena)
{
	size_t bytes = sizeof(*arena) + arena->head;

	for (const struct chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
		bytes += sizeof(*chunk) + chunk->room;
	return bytes;
}

void arena_hold(struct arena *arena)
{
	/* Relaxed: the caller's own reference keeps it alive. */
	atomic_fetch_add_explicit(&arena->holders, 1, memory_order_relaxed);
}

bool arena_release(struct arena *arena)
{
	/* Acquire and release: all reads by other holders happen before the free. */
	return atomic_fetch_sub_explicit(&arena->holders, 1, memory_order_acq_rel) == 1;
}

void arena_free(struct arena *arena)
{
	for (struct chunk *chunk = arena->chunks; chunk;) {
		struct chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
	free(arena);
}
