/* SPDX-License-Identifier: MIT */
/*
 * queue - a bounded lock-free queue of pointers: many producers, one consumer.
 *
 * Readers push blocks of records, the decoder pops them.  Each cell has a sequence number that says
 * which side may use it:
 *
 *     cells   [ 4 | 5 | 2 | 3 ]      capacity 4, mask 3
 *               ^           ^
 *               tail = 4    head = 2        (both only increase)
 *
 *     sequence == position              empty: the producer at `position` may fill it
 *     sequence == position + 1          full: the consumer at `position` may take it
 *     sequence == position + capacity   empty again, for the next lap
 *
 * A producer claims a position by compare-and-swap of the tail, fills the cell and publishes it
 * with a store-release of the sequence: one atomic read-modify-write per block.  A producer that is
 * stopped between the two delays the consumer at its cell, but not the other producers.
 *
 *     producer                                consumer
 *     write pointer, store sequence  --Q1-->  load-acquire sequence, then read pointer
 *     load-acquire sequence, write   <--Q2--  read pointer, then store-release sequence
 *
 * Q1: after a pop, the consumer sees all that was written before the push of this pointer.
 * Q2: a cell is filled again only after it was read.
 */
#ifndef CAPTURE_QUEUE_H
#define CAPTURE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct queue;

/* A queue for `capacity` pointers, rounded up to a power of two, at least 2.  NULL and ENOMEM. */
struct queue *queue_new(size_t capacity);

/* Free the queue, not what its pointers point to; NULL is allowed. */
void queue_free(struct queue *queue);

/* Append a pointer: false when the queue is full.  Any thread; does not wait. */
bool queue_push(struct queue *queue, void *item);

/* Remove the oldest pointer: NULL when there is none.  Consumer only; does not wait. */
void *queue_pop(struct queue *queue);

/* The number of pointers: exact for the consumer while no producer runs, else approximate. */
size_t queue_length(const struct queue *queue);

#endif
