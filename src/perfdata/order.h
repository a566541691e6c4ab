/* SPDX-License-Identifier: MIT */
/*
 * order - the records of a file by time, as far as that is possible in little memory.
 *
 * perf record writes ring after ring: each in order, all together not.  After
 * every pass over its rings it writes a FINISHED_ROUND, and promises that what
 * comes later is not older than the newest record before the last-but-one.  So
 * at each round everything up to the newest time of the round before may go on:
 *
 *     push ... push  round  push ... push  round  push ...
 *     [ A, newest a ]       [ B, newest b ]
 *                                          ^ out: all of A and B up to a
 *
 * What is kept is bounded: when a file has no rounds, or long ones, the oldest
 * go on early, and are counted if that was too early.
 */
#ifndef PERFDATA_ORDER_H
#define PERFDATA_ORDER_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

struct order;

/* Where records go: in order, valid during the call only, aligned to 8 bytes. */
struct order_sink {
	void *ctx;
	void (*record)(void *ctx, uint64_t time_ns, const struct perf_event_header *record);
};

/* Keeps at most about `bytes` of records (0: 64 MiB, and 24 MiB of places). */
struct order *order_new(const struct order_sink *sink, size_t bytes);

/* Drops what was kept; NULL is allowed. */
void order_free(struct order *order);

/* A record, copied.  Time 0 (made up by perf record, or not known) goes on at once. */
void order_push(struct order *order, const struct perf_event_header *record, uint64_t time_ns);

/* A round is finished. */
void order_round(struct order *order);

/* The end: everything goes on. */
void order_flush(struct order *order);

/* How many went on after a newer one. */
uint64_t order_late(const struct order *order);

#endif
