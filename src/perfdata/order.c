/* SPDX-License-Identifier: MIT */
/*
 * Records are stored in chunks, one after the other.  A run is a series of them in one chunk in
 * which no time is before the one before it; a heap has the oldest record of each run.  Rings are in
 * order, so a run is long, the heap has a few entries, and the next record is mostly of the run of
 * the one before it.  With a hostile file each record is a run of its own, and passing one on is
 * still logarithmic, unlike sorting at each round.  A chunk is reused when its last record has been
 * passed on.
 *
 * When the chunks are full, all that was pushed is merged into one run, whose first chunk stays in
 * memory; the others are written to a part of the file, and each is read again in place of the one
 * before it.
 */
#include "perfdata/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/tempfile.h"
#include "base/xalloc.h"

/* Two of the longest records; aligned to its size, so that chunk_of() finds a record's chunk. */
#define CHUNK_BYTES   (128u << 10)
#define BYTES_DEFAULT (40u << 20)
#define RUNS_MAX      (1u << 19)
/* A file that has no round at first may have none at all: so many runs are written without one. */
#define NO_ROUNDS_MAX 4

/* The part of a chunk that is written to the file, as it is. */
struct block {
	uint32_t used;
	uint32_t live; /* records not yet passed on */
	_Alignas(8) unsigned char bytes[CHUNK_BYTES - 32];
};

struct chunk {
	struct chunk *next;	 /* of all */
	struct chunk *next_free; /* of those without a record */
	struct part *rest;	 /* where the rest of its run is; NULL: it has all */
	struct block block;
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

struct heap {
	struct run *runs;
	size_t count, room;
};

/* A part of the file: blocks of one run that are not yet read again. */
struct part {
	uint64_t next, end; /* offsets; the same: it is free */
};

struct order {
	struct order_sink sink;
	struct tempfile *file; /* NULL: none */
	bool is_full;	       /* nothing more can be written to it */
	bool is_lacking;       /* what was written could not be read again */
	bool has_rounds;
	size_t chunks_max, nchunks; /* with records; two more for a moment, when they are merged */
	struct chunk *chunks, *free;
	struct chunk *last;	     /* being filled, or NULL */
	const struct stored *newest; /* pushed last, and not yet passed on; or NULL */
	struct heap pushed;	     /* runs as they were pushed */
	struct heap merged;	     /* those in the file, each with a chunk */
	struct part *parts;	     /* [nparts] */
	size_t nparts;
	uint64_t last_number; /* of a pushed run */
	uint64_t newest_ns;   /* pushed so far */
	uint64_t limit_ns;    /* of the next round: newest_ns at the last round */
	uint64_t sent_ns;
	uint64_t late;
};

struct order *order_new(const struct order_sink *sink, size_t bytes, struct tempfile *file)
{
	struct order *order = xcalloc(1, sizeof(*order));

	_Static_assert(sizeof(struct chunk) <= CHUNK_BYTES, "a chunk fits into its alignment");
	order->sink = *sink;
	order->file = file;
	order->chunks_max = (bytes != 0 ? bytes : BYTES_DEFAULT) / CHUNK_BYTES;
	if (order->chunks_max < 2)
		order->chunks_max = 2;
	order->nparts = order->chunks_max / 2;
	order->parts = xcalloc(order->nparts, sizeof(*order->parts));
	return order;
}

static struct chunk *chunk_of(const struct stored *stored)
{
	return (struct chunk *)((uintptr_t)stored & ~((uintptr_t)CHUNK_BYTES - 1));
}

static void chunk_release(struct order *order, struct chunk *chunk)
{
	chunk->block.used = chunk->block.live = 0;
	chunk->next_free = order->free;
	order->free = chunk;
	order->nchunks--;
	if (order->last == chunk)
		order->last = NULL;
}

static struct chunk *chunk_take(struct order *order)
{
	struct chunk *chunk = order->free;

	if (chunk != NULL) {
		order->free = chunk->next_free;
		order->nchunks++;
		return chunk;
	}
	chunk = aligned_alloc(CHUNK_BYTES, CHUNK_BYTES);
	if (chunk == NULL)
		return NULL;
	chunk->block.used = chunk->block.live = 0;
	chunk->rest = NULL;
	chunk->next = order->chunks;
	order->chunks = chunk;
	order->nchunks++;
	return chunk;
}

static bool has_room(const struct chunk *chunk, size_t bytes)
{
	return bytes <= sizeof(chunk->block.bytes) - chunk->block.used;
}

/* --- runs ----------------------------------------------------------------------------------- */

static bool is_before(const struct run *a, const struct run *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

static void heap_add(struct heap *heap, struct run run)
{
	if (heap->count == heap->room) {
		heap->room = heap->room == 0 ? 64 : heap->room * 2;
		heap->runs = xreallocarray(heap->runs, heap->room, sizeof(*heap->runs));
	}

	size_t at = heap->count++;
	while (at > 0 && is_before(&run, &heap->runs[(at - 1) / 2])) {
		heap->runs[at] = heap->runs[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->runs[at] = run;
}

/* Replace the first run by `run`. */
static void heap_replace(struct heap *heap, struct run run)
{
	struct run *runs = heap->runs;
	size_t at = 0, child;

	while ((child = at * 2 + 1) < heap->count) {
		if (child + 1 < heap->count && is_before(&runs[child + 1], &runs[child]))
			child++;
		if (!is_before(&runs[child], &run))
			break;
		runs[at] = runs[child];
		at = child;
	}
	runs[at] = run;
}

/* Numbers of pushed runs; those between them are for runs that are merged of these and later ones. */
#define NUMBERS_APART 4u

static void run_begin(struct heap *heap, uint64_t number, const struct stored *stored)
{
	heap_add(heap, (struct run){ stored->time_ns, number, stored });
}

/* The least one of the heap's runs. */
static uint64_t first_number(const struct heap *heap)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < heap->count; i++) {
		if (heap->runs[i].number < least)
			least = heap->runs[i].number;
	}
	return least;
}

/* The heap that has the oldest record; NULL: there is none. */
static struct heap *oldest_heap(struct order *order)
{
	struct heap *pushed = &order->pushed, *merged = &order->merged;

	if (merged->count == 0)
		return pushed->count > 0 ? pushed : NULL;
	if (pushed->count == 0 || is_before(&merged->runs[0], &pushed->runs[0]))
		return merged;
	return pushed;
}

static size_t stored_size(const struct perf_event_header *record)
{
	return sizeof(struct stored) + ((record->size + 7u) & ~7u);
}

/* The record after it in its run and chunk, or NULL. */
static const struct stored *stored_next(const struct chunk *chunk, const struct stored *stored)
{
	const unsigned char *at = (const unsigned char *)stored + stored_size(stored->record);
	const struct stored *next = (const struct stored *)at;

	return at < chunk->block.bytes + chunk->block.used && next->time_ns >= stored->time_ns ?
		       next :
		       NULL;
}

/* The next block of a run in the file takes the place of the one in the chunk: its first record, or NULL. */
static const struct stored *read_on(struct order *order, struct chunk *chunk)
{
	struct part *rest = chunk->rest;
	struct block *block = &chunk->block;
	/* What a disk could not write later may read as zeros. */
	bool is_read = tempfile_read(order->file, rest->next, block, sizeof(*block)) &&
		       block->live > 0;

	if (is_read) {
		rest->next += sizeof(*block);
	} else {
		rest->next = rest->end;
		block->live = 0;
		order->is_lacking = true;
	}
	if (rest->next == rest->end) /* the part is free for another run */
		chunk->rest = NULL;
	return is_read ? (const struct stored *)block->bytes : NULL;
}

/* The heap's first record has been passed on, or copied. */
static void advance(struct order *order, struct heap *heap)
{
	struct run run = heap->runs[0];
	struct chunk *chunk = chunk_of(run.oldest);

	if (run.oldest == order->newest)
		order->newest = NULL;
	run.oldest = stored_next(chunk, run.oldest);
	chunk->block.live--;
	if (run.oldest == NULL && chunk->rest != NULL)
		run.oldest = read_on(order, chunk);
	if (run.oldest != NULL)
		run.time_ns = run.oldest->time_ns;
	else
		run = heap->runs[--heap->count];
	heap_replace(heap, run);
	if (chunk->block.live == 0)
		chunk_release(order, chunk);
}

/* --- into the file -------------------------------------------------------------------------- */

/* A part of the file that no run is in; NULL: nothing is to be written. */
static struct part *free_part(struct order *order)
{
	const size_t most = order->has_rounds ? order->nparts : NO_ROUNDS_MAX;

	if (order->file == NULL || order->is_full || order->merged.count >= most)
		return NULL;
	for (size_t i = 0; i < order->nparts; i++) {
		struct part *part = &order->parts[i];

		if (part->next == part->end) {
			/* Two merged chunks in a row have more than fits into one, maybe little more. */
			part->next = part->end = i * 2 * order->chunks_max * sizeof(struct block);
			return part;
		}
	}
	return NULL;
}

/* The oldest ones of what was pushed, as many as fit into a chunk; NULL without memory. */
static struct chunk *merge_chunk(struct order *order)
{
	struct chunk *chunk = chunk_take(order);

	while (chunk != NULL && order->pushed.count > 0) {
		const struct stored *stored = order->pushed.runs[0].oldest;
		const size_t size = stored_size(stored->record);

		if (!has_room(chunk, size))
			break;
		memcpy(chunk->block.bytes + chunk->block.used, stored, size);
		chunk->block.used += (uint32_t)size;
		chunk->block.live++;
		advance(order, &order->pushed);
	}
	return chunk;
}

static void begin_merged(struct order *order, uint64_t number, const struct chunk *chunk)
{
	run_begin(&order->merged, number, (const struct stored *)chunk->block.bytes);
}

/* Make one run of all that was pushed; only its first chunk stays in memory, if the disk has room. */
static void write_pushed(struct order *order)
{
	const uint64_t number = first_number(&order->pushed);
	struct part *part = free_part(order);
	struct chunk *first = part != NULL ? merge_chunk(order) : NULL, *chunk;

	if (first == NULL)
		return;
	begin_merged(order, number - 2, first);
	while (order->pushed.count > 0 && !order->is_full) {
		chunk = merge_chunk(order);
		order->is_full = chunk == NULL ||
				 !tempfile_write(order->file, part->end, &chunk->block,
						 sizeof(chunk->block));
		if (!order->is_full) {
			part->end += sizeof(chunk->block);
			chunk_release(order, chunk);
		} else if (chunk != NULL) {
			begin_merged(order, number - 1, chunk);
		}
	}
	if (part->next < part->end)
		first->rest = part;
}

/* --- in and out ----------------------------------------------------------------------------- */

static void send_oldest(struct order *order, struct heap *heap)
{
	const struct stored *stored = heap->runs[0].oldest;

	if (stored->time_ns < order->sent_ns)
		order->late++;
	else
		order->sent_ns = stored->time_ns;
	order->sink.record(order->sink.ctx, stored->time_ns, stored->event, stored->record);
	advance(order, heap);
}

/* A chunk with room for `size` bytes. */
static struct chunk *chunk_for(struct order *order, size_t size)
{
	struct heap *heap;

	if (order->last != NULL && has_room(order->last, size))
		return order->last;

	order->last = NULL;
	order->newest = NULL;
	if (order->nchunks >= order->chunks_max)
		write_pushed(order);
	while (order->nchunks >= order->chunks_max && (heap = oldest_heap(order)) != NULL)
		send_oldest(order, heap);
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

	struct stored *stored = (struct stored *)(chunk->block.bytes + chunk->block.used);
	stored->time_ns = time_ns;
	stored->event = event;
	memcpy(stored->record, record, record->size);
	chunk->block.used += (uint32_t)size;
	chunk->block.live++;
	return stored;
}

void order_push(struct order *order, const struct perf_event_header *record, uint64_t time_ns,
		uint32_t event)
{
	if (time_ns == 0) {
		order->sink.record(order->sink.ctx, 0, event, record);
		return;
	}
	if (order->pushed.count >= RUNS_MAX)
		write_pushed(order);
	while (order->pushed.count >= RUNS_MAX)
		send_oldest(order, oldest_heap(order));

	struct stored *stored = store(order, record, time_ns, event);
	if (stored == NULL) { /* out of memory: pass it on out of order */
		order->sink.record(order->sink.ctx, time_ns, event, record);
		return;
	}
	if (order->newest == NULL || time_ns < order->newest->time_ns) {
		order->last_number += NUMBERS_APART;
		run_begin(&order->pushed, order->last_number, stored);
	}
	order->newest = stored;
	if (time_ns > order->newest_ns)
		order->newest_ns = time_ns;
}

/* Pass on what is not newer. */
static void send_until(struct order *order, uint64_t time_ns)
{
	struct heap *heap;

	while ((heap = oldest_heap(order)) != NULL && heap->runs[0].time_ns <= time_ns)
		send_oldest(order, heap);
}

void order_round(struct order *order)
{
	order->has_rounds = true;
	send_until(order, order->limit_ns);
	order->limit_ns = order->newest_ns;
}

void order_flush(struct order *order)
{
	send_until(order, UINT64_MAX);
}

uint64_t order_late(const struct order *order)
{
	return order->late;
}

bool order_is_lacking(const struct order *order)
{
	return order->is_lacking;
}

void order_free(struct order *order)
{
	if (order == NULL)
		return;

	for (struct chunk *chunk = order->chunks, *next; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(order->pushed.runs);
	free(order->merged.runs);
	free(order->parts);
	free(order);
}
