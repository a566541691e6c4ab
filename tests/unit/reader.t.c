/* SPDX-License-Identifier: MIT */
#include "capture/reader.h"

#include "base/sys.h"
#include "fake-ring.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <time.h>

#define PATIENCE_MSEC 5000
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

static void bench_open(struct bench *bench, size_t pages, size_t blocks)
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

static void clear_wake(struct bench *bench)
{
	uint64_t count = 0;

	if (read(bench->wake, &count, sizeof(count)) < 0 && errno != EAGAIN)
		bail("eventfd");
	bench->wakes += count;
}

static struct block *pop(struct bench *bench, int msec)
{
	struct pollfd fd = { .fd = bench->wake, .events = POLLIN };
	struct block *block = queue_pop(bench->out);

	while (block == NULL && poll(&fd, 1, msec) > 0) {
		clear_wake(bench);
		block = queue_pop(bench->out);
	}
	return block;
}

static uint64_t soon(void)
{
	return sys_monotonic_ns() + PATIENCE_MSEC * NSEC_PER_MSEC;
}

/* The next block: it must come, and must hold the next records, whole. */
static struct block *take(struct bench *bench)
{
	struct block *block = pop(bench, PATIENCE_MSEC);

	if (block == NULL)
		bail("no block after %d ms", PATIENCE_MSEC);
	bench->next = fake_ring_check(block->data, block->used, bench->next);
	return block;
}

/* Give back every block up to the one with the mark: how many they were. */
static unsigned int take_to_mark(struct bench *bench, enum block_mark mark)
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
static void bench_free(struct bench *bench)
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

static void bench_close(struct bench *bench)
{
	reader_request(bench->reader, BLOCK_MARK_FINAL);
	ok(take_to_mark(bench, BLOCK_MARK_FINAL) > 0, "the final mark comes");
	ok(queue_pop(bench->out) == NULL, "and nothing behind it");
	bench_free(bench);
}

/* As much as the ring takes, in records of all sizes; published at once. */
static void fill(struct fake_ring *fake)
{
	for (;;) {
		size_t size = 8 + 8 * ((fake->number * 37) % 600);

		if (size > fake_ring_room(fake))
			break;
		fake_ring_record(fake, size);
	}
	fake_ring_publish(fake);
}

static void poke(const struct bench *bench)
{
	uint64_t one = 1;

	if (write(bench->ring_fd, &one, sizeof(one)) != (ssize_t)sizeof(one))
		bail("eventfd");
}

/* --- the ordinary run ----------------------------------------------------------------------- */

static void check_tick(void)
{
	struct bench bench;
	char path[64];

	bench_open(&bench, 1, 4);
	uint64_t before = sys_monotonic_ns();
	reader_request(bench.reader, BLOCK_MARK_TICK);
	struct block *block = take(&bench);
	snprintf(path, sizeof(path), "/proc/self/task/%d", reader_tid(bench.reader));
	ok(access(path, F_OK) == 0, "the reader's tid is a thread of ours");
	is_int(block->mark, BLOCK_MARK_TICK, "a tick of an empty ring has its mark");
	is_u64(block->used, 0, "and no records");
	is_u64(block->slot, 3, "it has its slot");
	ok(block->home == bench.reader, "and its reader");
	ok(block->read_ns >= before && block->read_ns <= sys_monotonic_ns(),
	   "and when the counters were read");
	reader_give_back(bench.reader, block);

	fake_ring_record(&bench.fake, 8);
	fake_ring_record(&bench.fake, 256);
	fake_ring_publish(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_TICK);
	block = take(&bench);
	is_u64(block->used, 264, "what is in the ring comes before the mark");
	is_u64(bench.next, 2, "whole");
	is_u64(fake_ring_tail(&bench.fake), bench.fake.head, "and its room is freed");
	is_u64(block->corrupt, 0, "nothing is corrupt");
	reader_give_back(bench.reader, block);
	is_u64(reader_starved(bench.reader), 0, "it was never without a block");
	bench_close(&bench);
}

/* The watermark: the ring's fd becomes readable, without a request. */
static void check_watermark(void)
{
	struct bench bench;
	uint64_t count;

	bench_open(&bench, 1, 2);
	fake_ring_record(&bench.fake, 64);
	fake_ring_publish(&bench.fake);
	ok(pop(&bench, 20) == NULL, "under the watermark the reader sleeps");
	poke(&bench);
	struct block *block = take(&bench);
	is_int(block->mark, BLOCK_MARK_NONE, "at the watermark a block comes without a mark");
	is_u64(bench.next, 1, "with the record");
	if (read(bench.ring_fd, &count, sizeof(count)) < 0)
		bail("eventfd");
	reader_give_back(bench.reader, block);
	ok(pop(&bench, 20) == NULL, "and empty blocks are not sent");
	bench_close(&bench);
}

/* More than a block holds: only the last has the mark, and no record is cut in two. */
static void check_many_blocks(void)
{
	struct bench bench;

	bench_open(&bench, 128, 12);
	for (unsigned int round = 0; round < 20; round++) {
		fill(&bench.fake);
		reader_request(bench.reader, BLOCK_MARK_TICK);
		unsigned int blocks = take_to_mark(&bench, BLOCK_MARK_TICK);

		if (blocks < 2 || bench.next != bench.fake.number ||
		    fake_ring_tail(&bench.fake) != bench.fake.head) {
			ok(false, "round %u: %u blocks", round, blocks);
			break;
		}
	}
	is_u64(bench.next, bench.fake.number, "%llu records in several blocks a tick",
	       (unsigned long long)bench.fake.number);
	is_u64(reader_starved(bench.reader), 0, "with blocks enough");
	bench_close(&bench);
}

/* Woken for each block, the decoder could preempt the reader each time. */
static void check_wakes_once(void)
{
	struct bench bench;

	bench_open(&bench, 128, 32);
	fill(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_TICK);
	unsigned int blocks = take_to_mark(&bench, BLOCK_MARK_TICK);
	ok(blocks > 4 && blocks < 16, "%u blocks, less than half of them all", blocks);
	bench_close(&bench);
	is_u64(bench.wakes, 2, "woke the decoder once, and the final mark once");
}

/* --- a decoder that is behind --------------------------------------------------------------- */

/* Before the reader starves, it has woken the decoder. */
static void check_wakes_in_time(void)
{
	struct block *blocks[4];
	struct bench bench;

	bench_open(&bench, 128, 4);
	fill(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_TICK);
	for (size_t i = 0; i < 4; i++)
		blocks[i] = take(&bench);
	uint64_t until_ns = soon();
	while (reader_starved(bench.reader) == 0 && sys_monotonic_ns() < until_ns)
		sched_yield();
	clear_wake(&bench);
	is_u64(bench.wakes, 2, "with half of the blocks, and with the rest");
	for (size_t i = 0; i < 4; i++)
		reader_give_back(bench.reader, blocks[i]);
	ok(take_to_mark(&bench, BLOCK_MARK_TICK) > 0, "then it goes on");
	bench_close(&bench);
}

static void check_starved(enum block_mark mark)
{
	struct timespec a_while = { .tv_nsec = 20 * 1000 * 1000 };
	struct bench bench;

	bench_open(&bench, 128, 2);
	fill(&bench.fake);
	reader_request(bench.reader, mark);
	struct block *first = take(&bench), *second = take(&bench);
	is_int(first->mark, BLOCK_MARK_NONE, "two blocks come without a mark");
	is_int(second->mark, BLOCK_MARK_NONE, "as there is more");
	ok(pop(&bench, 20) == NULL, "but no third");
	is_u64(fake_ring_tail(&bench.fake), first->used + second->used,
	       "the rest stays in the ring, where the kernel counts what it cannot write");
	nanosleep(&a_while, NULL);
	ok(reader_starved(bench.reader) > 0, "the reader counts that it starves");
	is_u64(fake_ring_tail(&bench.fake), first->used + second->used,
	       "and data_tail does not move");

	reader_give_back(bench.reader, first);
	struct block *third = take(&bench);
	ok(third == first, "a block that comes back is used again");
	is_int(third->mark, BLOCK_MARK_NONE, "still without the mark");
	reader_give_back(bench.reader, second);
	reader_give_back(bench.reader, third);
	ok(take_to_mark(&bench, mark) > 0, "the mark comes when all is there");
	is_u64(bench.next, bench.fake.number, "and nothing was lost on the way");
	is_u64(fake_ring_tail(&bench.fake), bench.fake.head, "or left behind");
	if (mark == BLOCK_MARK_FINAL) {
		ok(queue_pop(bench.out) == NULL, "the final one is the last");
		bench_free(&bench);
	} else {
		bench_close(&bench);
	}
}

/* A slow decoder over many rounds: the reader always catches up. */
static void check_catches_up(void)
{
	struct bench bench;
	unsigned int marks = 0;

	bench_open(&bench, 32, 2);
	for (unsigned int round = 0; round < 200; round++) {
		fill(&bench.fake);
		reader_request(bench.reader, BLOCK_MARK_TICK);
		fill(&bench.fake); /* while it drains */
		marks += take_to_mark(&bench, BLOCK_MARK_TICK) > 0;
	}
	is_u64(marks, 200, "200 ticks with two blocks and a kernel that goes on writing");
	bench_close(&bench);
	is_u64(bench.next, bench.fake.number, "%llu records, none lost",
	       (unsigned long long)bench.fake.number);
}

/*
 * The kernel writes while the reader waits for a block: what comes after the request is for the next
 * mark, or a busy ring would delay this one for ever.
 */
static void check_mark_is_bounded(void)
{
	struct bench bench;

	bench_open(&bench, 128, 2);
	fill(&bench.fake);
	uint64_t asked = bench.fake.number;
	reader_request(bench.reader, BLOCK_MARK_TICK);
	struct block *held[] = { take(&bench), take(&bench) };
	for (unsigned int i = 0;; i++) {
		fill(&bench.fake); /* what the reader has given back is full again */
		reader_give_back(bench.reader, held[i % 2]);
		held[i % 2] = take(&bench);
		if (held[i % 2]->mark != BLOCK_MARK_NONE || bench.next > asked)
			break;
	}
	is_u64(bench.next, asked, "the mark comes after what was there when it was asked for");
	ok(bench.fake.number > asked, "although the ring was never empty");
	reader_give_back(bench.reader, held[0]);
	reader_give_back(bench.reader, held[1]);
	bench_close(&bench);
	is_u64(bench.next, bench.fake.number, "and the rest comes with the next");
}

/* The user quits while a tick waits for a block. */
static void check_final_over_tick(void)
{
	struct bench bench;

	bench_open(&bench, 128, 2);
	fill(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_TICK);
	struct block *first = take(&bench), *second = take(&bench);
	reader_request(bench.reader, BLOCK_MARK_FINAL);
	reader_give_back(bench.reader, first);
	reader_give_back(bench.reader, second);

	unsigned int ticks = 0;
	enum block_mark mark;
	do {
		struct block *block = take(&bench);

		mark = block->mark;
		ticks += mark == BLOCK_MARK_TICK;
		reader_give_back(bench.reader, block);
	} while (mark != BLOCK_MARK_FINAL);
	ok(ticks <= 1, "the final mark comes after the tick's or instead of it");
	is_u64(bench.next, bench.fake.number, "after everything");
	bench_free(&bench);
}

/* Stopped in the middle, without a free block. */
static void check_stop(void)
{
	struct bench bench;

	bench_open(&bench, 128, 2);
	fill(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_FINAL);
	take(&bench);
	take(&bench);
	ok(!reader_join(bench.reader, sys_monotonic_ns() + 20 * NSEC_PER_MSEC),
	   "a reader that waits for blocks does not end unless it is stopped");
	reader_stop(bench.reader);
	bench_free(&bench);
}

/* --- what goes wrong ------------------------------------------------------------------------ */

static void check_corrupt(void)
{
	struct perf_event_header bad = { .type = PERF_RECORD_SAMPLE, .size = 4 };
	struct bench bench;

	bench_open(&bench, 1, 2);
	fake_ring_record(&bench.fake, 48);
	fake_ring_put(&bench.fake, &bad, sizeof(bad));
	fake_ring_publish(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_TICK);
	struct block *block = take(&bench);
	is_u64(block->used, 48, "what came before the fault is there");
	is_u64(bench.next, 1, "and right");
	is_u64(block->corrupt, 1, "the block says that the ring was corrupt once");
	is_int(block->mark, BLOCK_MARK_TICK, "and carries its mark");
	is_u64(fake_ring_tail(&bench.fake), bench.fake.head, "the room was freed");
	reader_give_back(bench.reader, block);

	fake_ring_record(&bench.fake, 24);
	fake_ring_publish(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_TICK);
	block = take(&bench);
	is_u64(bench.next, 2, "the next record is right");
	is_u64(block->corrupt, 1, "and the count stays");
	reader_give_back(bench.reader, block);

	/* A head beyond the ring: nothing to copy, but the room is freed. */
	bench.fake.head += 1 << 20;
	fake_ring_publish(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_TICK);
	block = take(&bench);
	is_u64(block->used, 0, "a head beyond the ring brings no records");
	is_u64(block->corrupt, 2, "is one more corrupt ring");
	is_u64(fake_ring_tail(&bench.fake), bench.fake.head, "and frees the room");
	reader_give_back(bench.reader, block);
	bench_close(&bench);
}

/* The first watched task has exited: poll() always returns POLLHUP; the second still writes. */
static void check_hangup(bool has_second)
{
	struct timespec a_while = { .tv_nsec = 200 * 1000 * 1000 };
	struct bench bench = { .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
			       .ring_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	int ends[2];

	if (pipe(ends) != 0)
		bail("no pipe");
	close(ends[1]);
	fake_ring_open(&bench.fake, 1);
	bench.ring = ring_open(bench.fake.fd, 1);
	bench.counters = counters_new(1, 4);
	counters_set(bench.counters, 0, 1, ends[0],
		     1); /* 0 and 2: exited before they were opened */
	if (has_second)
		counters_set(bench.counters, 0, 3, bench.ring_fd, 1);
	bench.out = queue_new(4);
	struct reader_config config = { .cpu = -1,
					.ring = bench.ring,
					.counters = bench.counters,
					.out = bench.out,
					.out_wake = bench.wake,
					.blocks = 1 };
	bench.reader = reader_start(&config);

	uint64_t before = sys_cpu_ns();
	nanosleep(&a_while, NULL);
	ok(sys_cpu_ns() - before < 100 * NSEC_PER_MSEC,
	   "a ring that hung up does not make it spin");
	fake_ring_record(&bench.fake, 16);
	fake_ring_publish(&bench.fake);
	if (has_second) {
		poke(&bench);
		struct block *block = take(&bench);
		is_int(block->mark, BLOCK_MARK_NONE, "the next target's fd is polled for it");
		reader_give_back(bench.reader, block);
	} else {
		reader_request(bench.reader, BLOCK_MARK_TICK);
		ok(take_to_mark(&bench, BLOCK_MARK_TICK) > 0, "it still answers");
	}
	is_u64(bench.next, 1, "with what the ring held");
	bench_close(&bench);
	close(ends[0]);
}

/* Without a ring it only counts. */
static void check_no_ring(void)
{
	struct bench bench = { .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .ring_fd = -1 };
	struct reader_config config;

	fake_ring_open(&bench.fake, 1);
	bench.counters = counters_new(1, 1);
	bench.out = queue_new(4);
	config = (struct reader_config){ .cpu = 0,
					 .counters = bench.counters,
					 .out = bench.out,
					 .out_wake = bench.wake,
					 .blocks = 2 };
	bench.reader = reader_start(&config);
	for (int i = 0; i < 3; i++) {
		reader_request(bench.reader, BLOCK_MARK_TICK);
		is_u64(take_to_mark(&bench, BLOCK_MARK_TICK), 1, "a tick without a ring");
	}
	bench_close(&bench);
}

int main(void)
{
	plan_lazy();
	check_tick();
	check_watermark();
	check_many_blocks();
	check_wakes_once();
	check_wakes_in_time();
	check_starved(BLOCK_MARK_TICK);
	check_starved(BLOCK_MARK_FINAL);
	check_catches_up();
	check_mark_is_bounded();
	check_final_over_tick();
	check_stop();
	check_corrupt();
	check_hangup(false);
	check_hangup(true);
	check_no_ring();
	ok(reader_join(NULL, 0), "NULL counts as ended");
	return done();
}
