/* SPDX-License-Identifier: MIT */
/* Records of several rings by time: rounds, equal times, a bound that is reached, a ring that comes late. */
#include "perfdata/order.h"

#include <string.h>

#include "tap.h"
#include "temporary.h"

struct test_record {
	struct perf_event_header header;
	uint64_t number;
	unsigned char rest[56];
};

#define RANDOM	 800 /* fit into the two chunks of the least bound */
#define SEEN_MAX RANDOM

struct seen {
	uint64_t numbers[SEEN_MAX], count, first, times_back, newest_ns, other_events;
	uint64_t last_number, numbers_back;
};

static uint32_t event_of(uint64_t number)
{
	return (uint32_t)(number % 7);
}

static void see(void *ctx, uint64_t time_ns, uint32_t event, const struct perf_event_header *header)
{
	struct seen *seen = ctx;
	const struct test_record *record = (const void *)header;

	if (seen->count < SEEN_MAX)
		seen->numbers[seen->count] = record->number;
	seen->count++;
	seen->numbers_back += record->number < seen->last_number;
	seen->last_number = record->number;
	seen->other_events += event != event_of(record->number);
	if (time_ns < seen->newest_ns)
		seen->times_back++;
	else
		seen->newest_ns = time_ns;
}

static struct seen seen;

static struct order *start_with(size_t bytes, struct tempfile *file)
{
	struct order_sink sink = { .ctx = &seen, .record = see };

	seen = (struct seen){ 0 };
	return order_new(&sink, bytes, file);
}

static struct order *start(size_t bytes)
{
	return start_with(bytes, NULL);
}

static void push(struct order *order, uint64_t number, uint64_t time_ns)
{
	struct test_record record = { .header = { .size = sizeof(record) }, .number = number };

	order_push(order, &record.header, time_ns, event_of(number));
}

static void check_rounds(void)
{
	struct order *order = start(0);

	push(order, 0, 10); /* one ring */
	push(order, 1, 30);
	push(order, 2, 20); /* another */
	push(order, 3, 40);
	order_round(order);
	is_u64(seen.count, 0, "the first round passes nothing on");
	push(order, 4, 25); /* not older than the newest before the last-but-one round */
	push(order, 5, 50);
	order_round(order);
	static const uint64_t by_time[] = { 0, 2, 4, 1, 3 };
	is_u64(seen.count, 5, "the second all up to the newest of the first");
	ok(memcmp(seen.numbers, by_time, sizeof(by_time)) == 0, "by time");
	order_flush(order);
	is_u64(seen.count, 6, "the end all");
	is_u64(order_late(order), 0, "none late");
	order_free(order);
}

static void check_equal(void)
{
	struct order *order = start(0);

	for (uint64_t i = 0; i < 10; i++)
		push(order, i, 7);
	push(order, 10, 0);
	is_u64(seen.count, 1, "a record without a time goes on at once");
	order_flush(order);
	bool is_kept = true;
	for (uint64_t i = 0; i < 10; i++)
		is_kept = is_kept && seen.numbers[i + 1] == i;
	ok(is_kept, "equal times keep their order");
	order_free(order);
}

static void check_bound(void)
{
	struct order *order = start(1); /* the least: two chunks */
	uint64_t many = 3u * (256u << 10) / sizeof(struct test_record);

	for (uint64_t i = 0; i < many; i++)
		push(order, i, 1000 + i);
	ok(seen.count > 0 && seen.count < many, "beyond the bound the oldest are passed on early");
	is_u64(seen.times_back, 0, "in order");
	push(order, many, 1);
	order_flush(order);
	is_u64(seen.count, many + 1, "each goes on once");
	is_u64(order_late(order), 1, "one that comes after newer ones is counted");
	order_free(order);
}

/* A reader that got no CPU for a while: 300,000 records of another came first, in one round. */
static void check_late_ring(void)
{
	struct order *order = start(0);

	for (uint64_t i = 1; i <= 300000; i++)
		push(order, i, 1000 + i);
	push(order, 0, 1000);
	order_flush(order);
	is_u64(seen.count, 300001, "a ring that comes late: each goes on");
	is_u64(seen.numbers[0], 0, "its record first");
	is_u64(order_late(order), 0, "none late");
	order_free(order);
}

/* Records of any length in rings that go back in time now and then, with rounds in between. */
static void check_random(uint64_t step_back)
{
	static uint64_t times[RANDOM];
	struct order *order = start(1);
	uint64_t now = 1000, next = 1, wrong = 0;

	for (uint64_t i = 0; i < RANDOM; i++) {
		union {
			struct test_record record;
			unsigned char bytes[sizeof(struct test_record) + 256];
		} sent = { 0 };

		next = next * 6364136223846793005u + 1442695040888963407u;
		uint64_t random = next >> 33;
		now = random % 16 == 0 ? now - random / 16 % step_back : now + random % 4;
		times[i] = now;
		sent.record.header.size = (uint16_t)(sizeof(struct test_record) + random % 256);
		sent.record.number = i;
		order_push(order, &sent.record.header, now, event_of(i));
	}
	order_flush(order);
	is_u64(seen.count, RANDOM, "going back by up to %d: each goes on once", (int)step_back);
	for (uint64_t i = 1; i < RANDOM; i++) {
		uint64_t before = seen.numbers[i - 1], after = seen.numbers[i];
		bool is_equal = times[after] == times[before];

		wrong += is_equal ? after < before : times[after] < times[before];
	}
	is_u64(wrong, 0, "in order, and with equal times as they came");
	is_u64(seen.other_events, 0, "each with its event");
	order_free(order);
}

/* --- more than the bound ----------------------------------------------------------------------- */

/* A bound of 16 chunks, and rounds of more than twice as much. */
#define SMALL	   (2u << 20)
#define RINGS	   5
#define OF_A_RING  (2 * SMALL / sizeof(struct test_record) / RINGS)
#define OF_A_ROUND (OF_A_RING * RINGS)

/* Ring after ring, whose times alternate, two at each; each round begins with the last times of the one before. */
static void push_round(struct order *order, uint64_t round)
{
	for (uint64_t ring = 0; ring < RINGS; ring++) {
		for (uint64_t i = 0; i < OF_A_RING; i++)
			push(order, round * OF_A_ROUND + ring * OF_A_RING + i,
			     1000 + round * (OF_A_RING - 100) + i / 2 * 2);
	}
	order_round(order);
}

static void push_rounds(struct order *order, uint64_t rounds)
{
	for (uint64_t round = 0; round < rounds; round++)
		push_round(order, round);
}

static uint64_t numbers_seen(uint64_t count)
{
	uint64_t right = 0;

	for (uint64_t i = 0; i < count && i < SEEN_MAX; i++)
		right += seen.numbers[i] % OF_A_RING == i % 2 + i / (2 * RINGS) * 2;
	return right;
}

static void check_long_rounds(void)
{
	struct tempfile *file = tempfile_new(1u << 30);
	struct order *order = start_with(SMALL, file);

	push_rounds(order, 6);
	order_flush(order);
	is_u64(seen.count, 6 * OF_A_ROUND, "long rounds: each goes on once");
	is_u64(seen.times_back + order_late(order), 0, "by time, none late");
	is_u64(seen.other_events, 0, "each with its event");
	is_u64(numbers_seen(SEEN_MAX), SEEN_MAX, "with equal times as they came");
	ok(!order_is_lacking(order), "none is missing");
	order_free(order);

	order = start(SMALL);
	push_rounds(order, 6);
	order_flush(order);
	is_u64(seen.count, 6 * OF_A_ROUND, "without a file, too");
	ok(order_late(order) > 0, "but late");
	order_free(order);
	tempfile_free(file);
}

/* The file may have no more than some of them. */
static void check_full(void)
{
	for (uint64_t most = 0; most < 2 * SMALL; most += SMALL / 3) {
		struct tempfile *file = tempfile_new(most);
		struct order *order = start_with(SMALL, file);

		push_rounds(order, 3);
		order_flush(order);
		is_u64(seen.count, 3 * OF_A_ROUND, "a file of %d KiB: each goes on once",
		       (int)(most >> 10));
		ok(order_late(order) > 0 && !order_is_lacking(order), "late, but none missing");
		order_free(order);
		tempfile_free(file);
	}
}

/* One ring, with many records of each time. */
static void check_full_equal(void)
{
	for (uint64_t most = 0; most < 2 * SMALL; most += SMALL / 3) {
		struct tempfile *file = tempfile_new(most);
		struct order *order = start_with(SMALL, file);

		for (uint64_t i = 0; i < 2 * OF_A_ROUND; i++)
			push(order, i, 10 + i / 1000);
		order_flush(order);
		is_u64(seen.count, 2 * OF_A_ROUND, "a file of %d KiB: each goes on once",
		       (int)(most >> 10));
		is_u64(seen.numbers_back, 0, "those with equal times as they came");
		order_free(order);
		tempfile_free(file);
	}
}

static void check_unreadable(off_t end, const char *what)
{
	struct tempfile *file = tempfile_new(1u << 30);
	struct order *order = start_with(SMALL, file);

	push_round(order, 0);
	ok(lose_temporary(end), "%s", what);
	order_flush(order);
	ok(seen.count > 0 && seen.count < OF_A_ROUND, "not all go on");
	ok(order_is_lacking(order), "that is said");
	is_u64(seen.times_back, 0, "the others by time");
	order_free(order);
	tempfile_free(file);
}

int main(void)
{
	plan_lazy();
	check_rounds();
	check_equal();
	check_bound();
	check_late_ring();
	check_random(2);
	check_random(50);
	check_long_rounds();
	check_full();
	check_full_equal();
	check_unreadable(0, "what was written cannot be read");
	check_unreadable(1 << 30, "it reads as zeros");
	return done();
}
