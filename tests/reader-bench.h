/* SPDX-License-Identifier: MIT */
/*
 * reader-bench - a reader on a made ring, and what the test reads in place of the decoder.
 *
 * Included by the one file of a test.
 */
#ifndef READER_BENCH_H
#define READER_BENCH_H

#include "base/sys.h"
#include "capture/reader.h"
#include "fake-ring.h"
#include "tap.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>

#define PATIENCE_MSEC 5000
#define PACED_EVENT   0
#define RING_EVENT    1

/* A reader, its ring and counters, and what the test reads in place of the decoder. */
struct bench {
	struct fake_ring fake;
	struct ring *ring;
	struct counters *counters;
	struct queue *out;
	int wake, ring_fd;
	struct reader *reader;
	uint64_t next;	/* the record that must come */
	uint64_t wakes; /* how often the decoder was woken, as far as `wake` was read */
};

static inline void bench_open(struct bench *bench, size_t pages, size_t blocks)
{
	*bench = (struct bench){ .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
				 .ring_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	fake_ring_open(&bench->fake, pages);
	bench->ring = ring_open(bench->fake.fd, pages);
	bench->counters = counters_new(2, 1);
	counters_set(bench->counters, RING_EVENT, 0, bench->ring_fd, 1);
	bench->out = queue_new(64);
	struct reader_config config = { .slot = 3,
					.cpu = -1,
					.ring = bench->ring,
					.counters = bench->counters,
					.ring_event = RING_EVENT,
					.out = bench->out,
					.out_wake = bench->wake,
					.blocks = blocks };
	bench->reader = reader_start(&config);
	if (bench->reader == NULL)
		bail("no reader");
}

static inline void clear_wake(struct bench *bench)
{
	uint64_t count = 0;

	if (read(bench->wake, &count, sizeof(count)) < 0 && errno != EAGAIN)
		bail("eventfd");
	bench->wakes += count;
}

static inline struct block *pop(struct bench *bench, int msec)
{
	struct pollfd fd = { .fd = bench->wake, .events = POLLIN };
	struct block *block = queue_pop(bench->out);

	while (block == NULL && poll(&fd, 1, msec) > 0) {
		clear_wake(bench);
		block = queue_pop(bench->out);
	}
	return block;
}

static inline uint64_t soon(void)
{
	return sys_monotonic_ns() + PATIENCE_MSEC * NSEC_PER_MSEC;
}

/* The next block: it must come, and must hold the next records, whole. */
static inline struct block *take(struct bench *bench)
{
	struct block *block = pop(bench, PATIENCE_MSEC);

	if (block == NULL)
		bail("no block after %d ms", PATIENCE_MSEC);
	bench->next = fake_ring_check(block->data, block->used, bench->next);
	return block;
}

/* Give back every block up to the one with the mark: how many they were. */
static inline unsigned int take_to_mark(struct bench *bench, enum block_mark mark)
{
	for (unsigned int blocks = 1;; blocks++) {
		struct block *block = take(bench);
		enum block_mark got = block->mark;

		reader_give_back(bench->reader, block);
		if (got == mark)
			return blocks;
		if (got != BLOCK_MARK_NONE)
			return 0;
	}
}

/* The reader is about to end. */
static inline void bench_free(struct bench *bench)
{
	ok(reader_join(bench->reader, soon()), "the thread ends");
	clear_wake(bench);
	queue_free(bench->out);
	counters_free(bench->counters);
	ring_close(bench->ring);
	fake_ring_close(&bench->fake);
	close(bench->wake);
	close(bench->ring_fd);
}

static inline void bench_close(struct bench *bench)
{
	reader_request(bench->reader, BLOCK_MARK_FINAL);
	ok(take_to_mark(bench, BLOCK_MARK_FINAL) > 0, "the final mark comes");
	ok(queue_pop(bench->out) == NULL, "and nothing behind it");
	bench_free(bench);
}

/* As much as the ring takes, in records of all sizes; published at once. */
static inline void fill(struct fake_ring *fake)
{
	for (;;) {
		size_t size = 8 + 8 * ((fake->number * 37) % 600);

		if (size > fake_ring_room(fake))
			break;
		fake_ring_record(fake, size);
	}
	fake_ring_publish(fake);
}

static inline void poke(const struct bench *bench)
{
	uint64_t one = 1;

	if (write(bench->ring_fd, &one, sizeof(one)) != (ssize_t)sizeof(one))
		bail("eventfd");
}

#endif
