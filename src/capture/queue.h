/* SPDX-License-Identifier: MIT */
/*
 * queue - a bounded lock-free queue of pointers: many producers, one consumer.
 *
 * The heart of the program: readers push blocks of records, the decoder pops
 * them.  Every cell carries a sequence number that says whose turn it is:
 *
 *     cells   [ 4 | 5 | 2 | 3 ]      capacity 4, mask 3
 *               ^           ^
 *               tail = 4    head = 2        (both run freely)
 *
 *     sequence == position              empty: the producer of `position` may fill it
 *     sequence == position + 1          full: the consumer of `position` may take it
 *     sequence == position + capacity   empty again, for the next lap
 *
 * A producer claims a position by compare-and-swap of the tail, fills the cell
 * and publishes it with a store-release of the sequence; one atomic operation a
 * block.  A producer that stops between the two holds up the consumer at its
 * cell, never the other producers.
 *
 *     producer                                consumer
 *     write pointer, store sequence  --Q1-->  load-acquire sequence, then read pointer
 *     load-acquire sequence, write   <--Q2--  read pointer, then store-release sequence
 *
 * Q1: a pointer that is taken points to all that was written before its push.
 * Q2: a cell that is filled again was read before.
 */
#ifndef CAPTURE_QUEUE_H
#define CAPTURE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct queue;

/* Room for `capacity` pointers, rounded up to a power of two, at least 2.  NULL and ENOMEM. */
struct queue *queue_new(size_t capacity);

/* The queue must be empty, or its pointers owned elsewhere; NULL is allowed. */
void queue_free(struct queue *queue);

/* Append a pointer: false when the queue is full.  Any thread; never waits. */
bool queue_push(struct queue *queue, void *item);

/* Take the oldest: NULL when there is none.  The consumer's thread only; never waits. */
void *queue_pop(struct queue *queue);

/* How many are in it: exact for the consumer while no producer runs, else a moment's view. */
size_t queue_length(const struct queue *queue);

#endif
