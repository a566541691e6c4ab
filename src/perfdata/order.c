/* SPDX-License-Identifier: MIT */
/*
 * A heap by time over records that are stored in chunks.  Rings are in order, so a
 * push rarely moves anything; a pop is logarithmic even with a hostile file, unlike
 * sorting at each round.  A chunk is reused when its last record has been passed on.
 */
#include "perfdata/order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Two of the longest records; aligned to its size, so that chunk_of() finds a record's chunk. */
#define CHUNK_BYTES   (128u << 10)
#define BYTES_DEFAULT (64u << 20)
/* A heap entry takes 24 bytes, the shortest record with a time 16. */
#define ENTRIES_MAX (1u << 20)

struct chunk {
	struct chunk *next_free;
	size_t used;
	size_t live; /* records not yet passed on */
	_Alignas(8) unsigned char bytes[CHUNK_BYTES - 32];
};

struct entry {
	uint64_t time_ns;
	uint64_t number; /* of the push: equal times keep their order */
	const struct perf_event_header *record;
};

struct order {
	struct order_sink sink;
	size_t chunks_max, nchunks;
	struct chunk *last; /* being filled, or NULL */
	struct chunk *free;
	struct entry *heap;
	size_t count, room;
	uint64_t pushed;
	uint64_t newest_ns; /* pushed so far */
	uint64_t limit_ns;  /* of the next round: newest_ns at the last round */
	uint64_t sent_ns;
	uint64_t late;
};

struct order *order_new(const struct order_sink *sink, size_t bytes)
{
	struct order *order = xcalloc(1, sizeof(*order));

	_Static_assert(sizeof(struct chunk) <= CHUNK_BYTES, "a chunk fits into its alignment");
	order->sink = *sink;
	order->chunks_max = (bytes != 0 ? bytes : BYTES_DEFAULT) / CHUNK_BYTES;
	if (order->chunks_max < 2)
		order->chunks_max = 2;
	return order;
}

static struct chunk *chunk_of(const struct perf_event_header *record)
{
	return (struct chunk *)((uintptr_t)record & ~((uintptr_t)CHUNK_BYTES - 1));
}

static void chunk_release(struct order *order, struct chunk *chunk)
{
	chunk->used = 0;
	chunk->next_free = order->free;
	order->free = chunk;
	if (order->last == chunk)
		order->last = NULL;
}

static struct chunk *chunk_take(struct order *order)
{
	struct chunk *chunk = order->free;

	if (chunk != NULL) {
		order->free = chunk->next_free;
		return chunk;
	}
	chunk = aligned_alloc(CHUNK_BYTES, CHUNK_BYTES);
	if (chunk == NULL)
		return NULL;
	chunk->used = chunk->live = 0;
	order->nchunks++;
	return chunk;
}

/* --- the heap ------------------------------------------------------------------------------- */

static bool is_before(const struct entry *a, const struct entry *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

static void heap_push(struct order *order, const struct entry *entry)
{
	if (order->count == order->room) {
		order->room = order->room == 0 ? 1024 : order->room * 2;
		order->heap = xreallocarray(order->heap, order->room, sizeof(*order->heap));
	}

	size_t at = order->count++;
	while (at > 0 && is_before(entry, &order->heap[(at - 1) / 2])) {
		order->heap[at] = order->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	order->heap[at] = *entry;
}

static struct entry heap_pop(struct order *order)
{
	struct entry *heap = order->heap;
	struct entry top = heap[0], last = heap[--order->count];
	size_t at = 0, child;

	while ((child = at * 2 + 1) < order->count) {
		if (child + 1 < order->count && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_before(&heap[child], &last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return top;
}

/* --- in and out ----------------------------------------------------------------------------- */

static void send_oldest(struct order *order)
{
	struct entry entry = heap_pop(order);
	struct chunk *chunk = chunk_of(entry.record);

	if (entry.time_ns < order->sent_ns)
		order->late++;
	else
		order->sent_ns = entry.time_ns;
	order->sink.record(order->sink.ctx, entry.time_ns, entry.record);
	if (--chunk->live == 0)
		chunk_release(order, chunk);
}

/* A chunk with room for `size` bytes: the oldest records are passed on until there is one. */
static struct chunk *chunk_for(struct order *order, size_t size)
{
	if (order->last != NULL && size <= sizeof(order->last->bytes) - order->last->used)
		return order->last;

	order->last = NULL;
	while (order->free == NULL && order->nchunks >= order->chunks_max && order->count > 0)
		send_oldest(order);
	order->last = chunk_take(order);
	return order->last;
}

void order_push(struct order *order, const struct perf_event_header *record, uint64_t time_ns)
{
	size_t size = (record->size + 7u) & ~7u;

	if (time_ns == 0) {
		order->sink.record(order->sink.ctx, 0, record);
		return;
	}
	while (order->count >= ENTRIES_MAX)
		send_oldest(order);

	struct chunk *chunk = chunk_for(order, size);
	if (chunk == NULL) { /* out of memory: pass it on out of order */
		order->sink.record(order->sink.ctx, time_ns, record);
		return;
	}

	void *copy = memcpy(chunk->bytes + chunk->used, record, record->size);
	chunk->used += size;
	chunk->live++;
	heap_push(order, &(struct entry){ time_ns, order->pushed++, copy });
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
}

void order_round(struct order *order)
{
	while (order->count > 0 && order->heap[0].time_ns <= order->limit_ns)
		send_oldest(order);
	order->limit_ns = order->newest_ns;
}

void order_flush(struct order *order)
{
	while (order->count > 0)
		send_oldest(order);
}

uint64_t order_late(const struct order *order)
{
	return order->late;
}

void order_free(struct order *order)
{
	if (order == NULL)
		return;

	while (order->count > 0) {
		struct entry entry = heap_pop(order);
		struct chunk *chunk = chunk_of(entry.record);

		if (--chunk->live == 0)
			chunk_release(order, chunk);
	}
	for (struct chunk *chunk = order->free, *next; chunk != NULL; chunk = next) {
		next = chunk->next_free;
		free(chunk);
	}
	free(order->heap);
	free(order);
}
