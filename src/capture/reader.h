/* SPDX-License-Identifier: MIT */
/*
 * reader - the thread that empties one CPU's ring.
 *
 * It sleeps until the ring's watermark or a request, copies whole records into
 * blocks, publishes the blocks, and gives the ring's room back.  When it has no
 * free block it leaves the ring alone: the kernel then counts what it cannot
 * write, and nothing is ever dropped on our side.
 *
 * After start-up it allocates, locks and logs nothing, and cannot fail.  It may
 * be kept from running, though (its CPU belongs to a real-time task, somebody
 * traces it): nobody may wait for it without a limit.
 */
#ifndef CAPTURE_READER_H
#define CAPTURE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/block.h"
#include "capture/counters.h"
#include "capture/queue.h"
#include "capture/ring.h"

struct reader;

struct reader_config {
	uint32_t slot;
	int cpu;		   /* to run on; -1: anywhere */
	struct ring *ring;	   /* borrowed; NULL where only counting is allowed */
	struct counters *counters; /* borrowed */
	size_t ring_event; /* its fds in `counters`, one a target, are polled for the ring */
	bool has_lost;	   /* PERF_FORMAT_LOST is in every read_format */
	struct queue *out; /* borrowed: where blocks go */
	int out_wake;	   /* borrowed eventfd: written after each push */
	size_t blocks;	   /* how many it may have on their way; at least 2 */
	int realtime;	   /* SCHED_FIFO priority, 0 for none */
};

/* Start the thread, and do not wait until it runs: NULL and errno. */
struct reader *reader_start(const struct reader_config *config);

/*
 * Ask for what is in the ring now, fresh counters, and a mark behind them.  BLOCK_MARK_FINAL may be
 * asked for while a tick's mark is due, which then comes before it or not at all; else one at a time.
 */
void reader_request(struct reader *reader, enum block_mark mark);

/*
 * Ask for the counters alone, ahead of a mark that is long in coming: the reader answers even while
 * no block is free.  Once it has, reader_counts() returns them, [events], with the time of their
 * reading: until the next reader_ask_counts().  Before that NULL.
 */
void reader_ask_counts(struct reader *reader);
const struct count *reader_counts(struct reader *reader, uint64_t *read_ns);

/* The decoder is done with a block. */
void reader_give_back(struct reader *reader, struct block *block);

/* The kernel's thread id; 0 before it has run. */
int reader_tid(const struct reader *reader);

/* Times it found no free block (the decoder was behind). */
uint64_t reader_starved(const struct reader *reader);

/* Let it run on any CPU, for its own does not let it. */
void reader_unpin(const struct reader *reader);

/* End it wherever it stands, with the ring undrained: no mark will come.  Its blocks must not be given back any more. */
void reader_stop(struct reader *reader);

/*
 * Wait for its end (by itself after BLOCK_MARK_FINAL, or after reader_stop()) until `until_ns`
 * (CLOCK_MONOTONIC), and free it with its blocks.  False: it did not end; it and all that it borrows
 * must stay as long as the process.  NULL is allowed.
 */
bool reader_join(struct reader *reader, uint64_t until_ns);

#endif
