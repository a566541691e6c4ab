/* SPDX-License-Identifier: MIT */
/*
 * Records are stored in chunks, one after the other.  A run is a series of them in one chunk in
 * which no time is before the one before it; a heap has the oldest record of each run.  Rings are in
 * order, so a run is long, the heap has a few entries, and the next record is mostly of the run of
 * the one before it.  With a hostile file each record is a run of its own, and passing one on is
 * still logarithmic, unlike sorting at each round.  A chunk is reused when its last record has been
 * passed on.
 */
#include "perfdata/order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Two of the longest records; aligned to its size, so that chunk_of() finds a record's chunk. */
#define CHUNK_BYTES   (128u << 10)
#define BYTES_DEFAULT (64u << 20)
#define RUNS_MAX      (1u << 20)

struct chunk {
	struct chunk *next;	 /* of all */
	struct chunk *next_free; /* of those without a record */
	size_t used;
	size_t live; /* records not yet passed on */
	_Alignas(8) unsigned char bytes[CHUNK_BYTES - 32];
};

/* What is in a chunk; the record's bytes follow, up to a multiple of 8. */
struct stored {
	uint64_t time_ns;
	uint32_t event;
	_Alignas(8) struct perf_event_header record[];
};

struct run {
	uint64_t time_ns; /* of `oldest` */
	uint64_t number;  /* of the run: with equal times, what was pushed first is first */
	const struct stored *oldest;
};

struct order {
	struct order_sink sink;
	size_t chunks_max, nchunks;
	struct chunk *chunks, *free;
	struct chunk *last;	     /* being filled, or NULL */
	const struct stored *newest; /* pushed last, and not yet passed on; or NULL */
	struct run *heap;
	size_t nruns, room;
	uint64_t next_number; /* of a run */
	uint64_t newest_ns;   /* pushed so far */
	uint64_t limit_ns;    /* of the next round: newest_ns at the last round */
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

static struct chunk *chunk_of(const struct stored *stored)
{
	return (struct chunk *)((uintptr_t)stored & ~((uintptr_t)CHUNK_BYTES - 1));
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
	chunk->next = order->chunks;
	order->chunks = chunk;
	order->nchunks++;
	return chunk;
}

/* --- runs ----------------------------------------------------------------------------------- */

static bool is_before(const struct run *a, const struct run *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

static void run_begin(struct order *order, const struct stored *stored)
{
	struct run run = { stored->time_ns, order->next_number++, stored };

	if (order->nruns == order->room) {
		order->room = order->room == 0 ? 64 : order->room * 2;
		order->heap = xreallocarray(order->heap, order->room, sizeof(*order->heap));
	}

	size_t at = order->nruns++;
	while (at > 0 && is_before(&run, &order->heap[(at - 1) / 2])) {
		order->heap[at] = order->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	order->heap[at] = run;
}

/* Replace the first run of the heap by `run`. */
static void heap_replace(struct order *order, struct run run)
{
	struct run *heap = order->heap;
	size_t at = 0, child;

	while ((child = at * 2 + 1) < order->nruns) {
		if (child + 1 < order->nruns && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_before(&heap[child], &run))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = run;
}

static size_t stored_size(const struct perf_event_header *record)
{
	return sizeof(struct stored) + ((record->size + 7u) & ~7u);
}

/* The record after it in its run, or NULL. */
static const struct stored *stored_next(const struct chunk *chunk, const struct stored *stored)
{
	const unsigned char *at = (const unsigned char *)stored + stored_size(stored->record);
	const struct stored *next = (const struct stored *)at;

	return at < chunk->bytes + chunk->used && next->time_ns >= stored->time_ns ? next : NULL;
}

/* --- in and out ----------------------------------------------------------------------------- */

static void send_oldest(struct order *order)
{
	struct run run = order->heap[0];
	const struct stored *stored = run.oldest;
	struct chunk *chunk = chunk_of(stored);

	run.oldest = stored_next(chunk, stored);
	if (run.oldest != NULL)
		run.time_ns = run.oldest->time_ns;
	else
		run = order->heap[--order->nruns];
	heap_replace(order, run);
	if (stored == order->newest)
		order->newest = NULL;

	if (stored->time_ns < order->sent_ns)
		order->late++;
	else
		order->sent_ns = stored->time_ns;
	order->sink.record(order->sink.ctx, stored->time_ns, stored->event, stored->record);
	if (--chunk->live == 0)
		chunk_release(order, chunk);
}

/* A chunk with room for `size` bytes: the oldest records are passed on until there is one. */
static struct chunk *chunk_for(struct order *order, size_t size)
{
	if (order->last != NULL && size <= sizeof(order->last->bytes) - order->last->used)
		return order->last;

	order->last = NULL;
	order->newest = NULL;
	while (order->free == NULL && order->nchunks >= order->chunks_max && order->nruns > 0)
		send_oldest(order);
	order->last = chunk_take(order);
	return order->last;
}

/* Copy it behind the others: NULL without memory. */
static struct stored *store(struct order *order, const struct perf_event_header *record,
			    uint64_t time_ns, uint32_t event)
{
	size_t size = stored_size(record);
	struct chunk *chunk = chunk_for(order, size);

	if (chunk == NULL)
		return NULL;

	struct stored *stored = (struct stored *)(chunk->bytes + chunk->used);
	stored->time_ns = time_ns;
	stored->event = event;
	memcpy(stored->record, record, record->size);
	chunk->used += size;
	chunk->live++;
	return stored;
}

void order_push(struct order *order, const struct perf_event_header *record, uint64_t time_ns,
		uint32_t event)
{
	if (time_ns == 0) {
		order->sink.record(order->sink.ctx, 0, event, record);
		return;
	}
	while (order->nruns >= RUNS_MAX)
		send_oldest(order);

	struct stored *stored = store(order, record, time_ns, event);
	if (stored == NULL) { /* out of memory: pass it on out of order */
		order->sink.record(order->sink.ctx, time_ns, event, record);
		return;
	}
	if (order->newest == NULL || time_ns < order->newest->time_ns)
		run_begin(order, stored);
	order->newest = stored;
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
}

void order_round(struct order *order)
{
	while (order->nruns > 0 && order->heap[0].time_ns <= order->limit_ns)
		send_oldest(order);
	order->limit_ns = order->newest_ns;
}

void order_flush(struct order *order)
{
	while (order->nruns > 0)
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

	for (struct chunk *chunk = order->chunks, *next; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(order->heap);
	free(order);
}
