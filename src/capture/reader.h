/* SPDX-License-Identifier: MIT */
/*
 * reader - the thread that empties one CPU's ring.
 *
 * It sleeps until the ring's watermark or a request, copies whole records into
 * blocks, publishes the blocks, and gives the ring's room back.  When it has no
 * free block it leaves the ring alone: the kernel then counts what it cannot
 * write, and nothing is ever dropped on our side.
 *
 * After start-up it allocates, locks and logs nothing, and cannot fail.
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
	int ring_fd;		   /* borrowed: the ring's owner, to be polled; -1 for none */
	struct ring *ring;	   /* borrowed; NULL where only counting is allowed */
	struct counters *counters; /* borrowed */
	bool has_lost;		   /* PERF_FORMAT_LOST is in every read_format */
	struct queue *out;	   /* borrowed: where blocks go */
	int out_wake;		   /* borrowed eventfd: written after each push */
	size_t blocks;		   /* how many it may have on their way; at least 2 */
	int realtime;		   /* SCHED_FIFO priority, 0 for none */
};

/* Start the thread: NULL and errno. */
struct reader *reader_start(const struct reader_config *config);

/* Ask for a drain, fresh counters and a mark behind them.  One request at a time: the next after its mark. */
void reader_request(struct reader *reader, enum block_mark mark);

/* The decoder is done with a block. */
void reader_give_back(struct reader *reader, struct block *block);

/* The kernel's thread id, for leaving ourselves out of the tasks. */
int reader_tid(const struct reader *reader);

/* Times it found no free block (the decoder was behind). */
uint64_t reader_starved(const struct reader *reader);

/* Wait for its end (it ends by itself after BLOCK_MARK_FINAL), free it with its blocks. */
void reader_join(struct reader *reader);

#endif
