/* SPDX-License-Identifier: MIT */
/*
 * reader - a thread that copies the records out of one CPU's ring.
 *
 * It sleeps until the ring's watermark is reached or a request comes, copies whole records into
 * blocks, pushes the blocks to the queue, and releases the room in the ring.  Without a free block
 * it leaves the records in the ring: the kernel then counts what it cannot write, and we drop none.
 *
 * After start-up it allocates, locks and logs nothing, and cannot fail.  It can be prevented from
 * running, though (a real-time task uses its CPU, a debugger stops it): never wait for it without a
 * time limit.
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

#define READER_THREAD_NAME "perftop-reader"

struct reader;

struct reader_config {
	uint32_t slot;
	int cpu;		   /* to run on; -1: any */
	struct ring *ring;	   /* borrowed; NULL where only counting is allowed */
	struct counters *counters; /* borrowed */
	size_t ring_event; /* its fds in `counters`, one per target, are polled for the ring */
	bool has_lost;	   /* PERF_FORMAT_LOST is in every read_format */
	struct queue *out; /* borrowed: blocks are pushed here */
	int out_wake;	   /* borrowed eventfd: written after one or more pushes */
	size_t blocks;	   /* number of its blocks; at least 2 */
	int realtime;	   /* SCHED_FIFO priority, 0 for none */
};

/* Start the thread without waiting until it runs: NULL and errno. */
struct reader *reader_start(const struct reader_config *config);

/*
 * Request the records that are in the ring now, new counts if it is a mark that has them, and the mark
 * after them.  One request at a time, but BLOCK_MARK_TICK may be requested while a round's mark is due,
 * and BLOCK_MARK_FINAL while any is: the one that was due then comes first or not at all.
 */
void reader_request(struct reader *reader, enum block_mark mark);

/*
 * Request counts alone, when a mark is late: the reader answers even while no block is free.
 * reader_counts() returns NULL before the answer, then the counts, [events], and the time of their
 * reading; they are valid until the next reader_ask_counts().
 */
void reader_ask_counts(struct reader *reader);
const struct count *reader_counts(struct reader *reader, uint64_t *read_ns);

/* Return a block after decoding. */
void reader_give_back(struct reader *reader, struct block *block);

/* The kernel's thread id; 0 before the thread has run. */
int reader_tid(const struct reader *reader);

/* How often there was no free block (the decoder was behind). */
uint64_t reader_starved(const struct reader *reader);

/* Let the thread run on any CPU, when it gets no time on its own. */
void reader_unpin(const struct reader *reader);

/*
 * End the thread after its current round, without draining the ring: no further mark comes.  Its
 * blocks must not be given back any more.
 */
void reader_stop(struct reader *reader);

/*
 * Wait until the thread ends (after BLOCK_MARK_FINAL or reader_stop()), at most until `until_ns`
 * (CLOCK_MONOTONIC), and free the reader with its blocks.  False: it did not end; it and all that
 * it borrows must stay until the process ends.  NULL is allowed.
 */
bool reader_join(struct reader *reader, uint64_t until_ns);

#endif
