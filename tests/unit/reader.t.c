/* SPDX-License-Identifier: MIT */
/* A reader whose decoder keeps up, and how it ends. */
#include "faults.h"
#include "memfd-counter.h"
#include "reader-bench.h"

#include <fcntl.h>
#include <stdio.h>

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

/* The kernel wakes the reader after each watermark's bytes, also when most of them are read already. */
static void check_burst(void)
{
	int fd = faults_open(0, 1, -1);
	struct bench bench;

	if (fd < 0) {
		skip(2, "no software events of this thread here");
		return;
	}
	bench_open(&bench, 128, 12);
	counters_set_bound(bench.counters, PACED_EVENT, 1);
	counters_set_pace(bench.counters, PACED_EVENT, 1);
	counters_set(bench.counters, PACED_EVENT, 0, fd, 1);
	faults_make(1000);

	fake_ring_record(&bench.fake, 64);
	fake_ring_publish(&bench.fake);
	poke(&bench);
	reader_give_back(bench.reader, take(&bench));
	is_u64(counters_bound(bench.counters, PACED_EVENT), 1,
	       "with little in the ring the events are not read");
	for (uint64_t until = soon();
	     counters_bound(bench.counters, PACED_EVENT) == 1 && sys_monotonic_ns() < until;) {
		fill(&bench.fake);
		while (bench.next < bench.fake.number)
			reader_give_back(bench.reader, take(&bench));
	}
	ok(counters_bound(bench.counters, PACED_EVENT) > 1, "in a burst a fast one gets a period");
	bench_close(&bench);
	close(fd);
}

/* A tick, or the final request: whether the paced event's counter was read. */
static bool reads_at(struct bench *bench, enum block_mark mark)
{
	reader_request(bench->reader, mark);
	struct block *block = take(bench);
	bool is_read = block->counts[PACED_EVENT].is_open && !block->counts[PACED_EVENT].is_unread;

	reader_give_back(bench->reader, block);
	return is_read;
}

/* Samples may have been lost, which only the counters say. */
static void check_crowded(void)
{
	struct memfd_counter counter = memfd_counter_open();
	struct bench bench;

	bench_open(&bench, 1, 4);
	counters_set_pace(bench.counters, PACED_EVENT, 1000);
	counters_set(bench.counters, PACED_EVENT, 0, counter.fd, 1);
	ok(reads_at(&bench, BLOCK_MARK_TICK), "a new counter is read");
	ok(!reads_at(&bench, BLOCK_MARK_TICK), "one that counts nothing not at each tick");
	fake_ring_record(&bench.fake, 64);
	fake_ring_publish(&bench.fake);
	ok(!reads_at(&bench, BLOCK_MARK_TICK), "nor with little in the ring");
	for (size_t bytes = 0; bytes < ring_bytes(bench.ring) / 2; bytes += 256)
		fake_ring_record(&bench.fake, 256);
	fake_ring_publish(&bench.fake);
	ok(reads_at(&bench, BLOCK_MARK_TICK), "but when half of it was full");
	reads_at(&bench, BLOCK_MARK_TICK); /* it was while they were read, too */
	ok(!reads_at(&bench, BLOCK_MARK_TICK), "once it is empty no more");
	ok(reads_at(&bench, BLOCK_MARK_FINAL), "but at the end");
	bench_free(&bench);
	close(counter.fd);
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

/* The recording's round, which is asked for while no tick is. */
static void check_round(void)
{
	struct bench bench;

	bench_open(&bench, 1, 4);
	fake_ring_record(&bench.fake, 64);
	fake_ring_publish(&bench.fake);
	reader_request(bench.reader, BLOCK_MARK_ROUND);
	struct block *block = take(&bench);
	is_int(block->mark, BLOCK_MARK_ROUND, "a round has its mark");
	is_u64(bench.next, 1, "after what is in the ring");
	reader_give_back(bench.reader, block);
	reader_request(bench.reader, BLOCK_MARK_ROUND);
	block = take(&bench);
	is_int(block->mark, BLOCK_MARK_ROUND, "also with an empty ring");
	is_u64(block->used, 0, "without records");
	reader_give_back(bench.reader, block);
	bench_close(&bench);
}

/* A tick begins while a round's mark waits for a block, or the user quits while any does. */
static void check_later_mark(enum block_mark asked, enum block_mark later)
{
	struct bench bench;

	bench_open(&bench, 128, 2);
	fill(&bench.fake);
	reader_request(bench.reader, asked);
	struct block *first = take(&bench), *second = take(&bench);
	reader_request(bench.reader, later);
	reader_give_back(bench.reader, first);
	reader_give_back(bench.reader, second);

	unsigned int before = 0;
	enum block_mark mark;
	do {
		struct block *block = take(&bench);

		mark = block->mark;
		before += mark == asked;
		reader_give_back(bench.reader, block);
	} while (mark != later);
	ok(before <= 1, "the later mark comes after the one before it or instead of it");
	is_u64(bench.next, bench.fake.number, "after everything");
	if (later == BLOCK_MARK_FINAL)
		bench_free(&bench);
	else
		bench_close(&bench);
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
	check_burst();
	check_crowded();
	check_many_blocks();
	check_round();
	check_later_mark(BLOCK_MARK_TICK, BLOCK_MARK_FINAL);
	check_later_mark(BLOCK_MARK_ROUND, BLOCK_MARK_TICK);
	check_later_mark(BLOCK_MARK_ROUND, BLOCK_MARK_FINAL);
	check_stop();
	check_corrupt();
	check_hangup(false);
	check_hangup(true);
	check_no_ring();
	ok(reader_join(NULL, 0), "NULL counts as ended");
	return done();
}
