/* SPDX-License-Identifier: MIT */
/* When a reader wakes the decoder, and a decoder that is behind. */
#include "reader-bench.h"

#include <sched.h>
#include <time.h>

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

int main(void)
{
	plan_lazy();
	check_wakes_once();
	check_wakes_in_time();
	check_starved(BLOCK_MARK_TICK);
	check_starved(BLOCK_MARK_FINAL);
	check_catches_up();
	check_mark_is_bounded();
	return done();
}
