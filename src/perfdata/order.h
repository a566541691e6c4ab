/* SPDX-License-Identifier: MIT */
/*
 * order - sorts the records of a file by time, within bounded memory.
 *
 * perf record writes ring after ring: each is in order, but not all together.
 * After every pass over its rings it writes a FINISHED_ROUND, which guarantees that
 * later records are not older than the newest one before the previous round.  So at
 * each round everything up to the newest time of the round before can be passed on:
 *
 *     push ... push  round  push ... push  round  push ...
 *     [ A, newest a ]       [ B, newest b ]
 *                                          ^ out: all of A and B up to a
 *
 * The buffer is bounded: what rounds have beyond it is put into a temporary file.  When
 * that is full, or a file has no rounds, the oldest records are passed on early, and
 * counted as late if that was too early.
 */
#ifndef PERFDATA_ORDER_H
#define PERFDATA_ORDER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tempfile.h"

struct order;

/* The receiver of records: in order, valid during the call only, aligned to 8 bytes; `event` as it was pushed. */
struct order_sink {
	void *ctx;
	void (*record)(void *ctx, uint64_t time_ns, uint32_t event,
		       const struct perf_event_header *record);
};

/*
 * Buffers at most about `bytes` of records (0: 40 MiB); up to 12 MiB more if times go up and down.  The rest
 * goes to `file`, which the caller frees after the order; NULL: none.
 */
struct order *order_new(const struct order_sink *sink, size_t bytes, struct tempfile *file);

/* Drops buffered records; NULL is allowed. */
void order_free(struct order *order);

/*
 * Add a record (copied), with the caller's number of its event.  Time 0 (synthesized by perf record, or
 * unknown): passed on at once.
 */
void order_push(struct order *order, const struct perf_event_header *record, uint64_t time_ns,
		uint32_t event);

/* Handle a FINISHED_ROUND. */
void order_round(struct order *order);

/* At the end: pass on all records. */
void order_flush(struct order *order);

/* The number of records passed on after a newer one. */
uint64_t order_late(const struct order *order);

/* Whether records were not passed on, as the temporary file could not be read. */
bool order_is_lacking(const struct order *order);

#endif
