/* SPDX-License-Identifier: MIT */
#include "capture/queue.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define CACHE_LINE 64

struct queue_cell {
	_Atomic uint64_t sequence;
	void *item;
};

struct queue {
	uint64_t mask;
	struct queue_cell *cells;
	/* Separate cache lines for producers and consumer, so that neither slows the other. */
	_Alignas(CACHE_LINE) _Atomic uint64_t tail;
	_Alignas(CACHE_LINE) _Atomic uint64_t head; /* written by the consumer alone */
};

struct queue *queue_new(size_t capacity)
{
	size_t cells = 2;

	while (cells < capacity)
		cells *= 2;

	struct queue *queue = aligned_alloc(CACHE_LINE, sizeof(*queue));
	if (queue == NULL)
		return NULL;
	queue->cells = calloc(cells, sizeof(*queue->cells));
	if (queue->cells == NULL) {
		free(queue);
		return NULL;
	}

	queue->mask = cells - 1;
	atomic_init(&queue->tail, 0);
	atomic_init(&queue->head, 0);
	for (size_t i = 0; i < cells; i++)
		atomic_init(&queue->cells[i].sequence, i);
	return queue;
}

void queue_free(struct queue *queue)
{
	if (queue == NULL)
		return;

	free(queue->cells);
	free(queue);
}

bool queue_push(struct queue *queue, void *item)
{
	/* Relaxed: a stale tail only costs another round; the cell's sequence decides. */
	uint64_t position = atomic_load_explicit(&queue->tail, memory_order_relaxed);

	for (;;) {
		struct queue_cell *cell = &queue->cells[position & queue->mask];
		uint64_t sequence =
			atomic_load_explicit(&cell->sequence, memory_order_acquire); /* Q2 */
		int64_t ahead = (int64_t)(sequence - position);

		if (ahead < 0)
			return false; /* still full from the previous lap */
		if (ahead > 0) {
			/* Another producer has claimed the position. */
			position = atomic_load_explicit(&queue->tail, memory_order_relaxed);
			continue;
		}
		/* Relaxed: claiming a position publishes nothing; Q1 does. */
		if (atomic_compare_exchange_weak_explicit(&queue->tail, &position, position + 1,
							  memory_order_relaxed,
							  memory_order_relaxed)) {
			cell->item = item;
			atomic_store_explicit(&cell->sequence, position + 1,
					      memory_order_release); /* Q1 */
			return true;
		}
	}
}

void *queue_pop(struct queue *queue)
{
	/* Relaxed: only the consumer writes head. */
	uint64_t position = atomic_load_explicit(&queue->head, memory_order_relaxed);
	struct queue_cell *cell = &queue->cells[position & queue->mask];
	uint64_t sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire); /* Q1 */

	if (sequence != position + 1)
		return NULL;

	void *item = cell->item;
	atomic_store_explicit(&cell->sequence, position + queue->mask + 1,
			      memory_order_release); /* Q2 */
	atomic_store_explicit(&queue->head, position + 1, memory_order_relaxed);
	return item;
}

size_t queue_length(const struct queue *queue)
{
	/* Relaxed: an approximate value is enough. */
	uint64_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
	uint64_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);

	return tail > head ? (size_t)(tail - head) : 0;
}
