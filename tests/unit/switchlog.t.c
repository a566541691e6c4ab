/* SPDX-License-Identifier: MIT */
#include "model/switchlog.h"

#include "tap.h"

#include <stdlib.h>

static struct switchlog *open_log;

static bool put(size_t slot, uint64_t time_ns)
{
	struct switchlog_entry entry = { .time_ns = time_ns, .in = (int32_t)slot };

	return switchlog_add(open_log, slot, &entry);
}

/* The time of the next entry until then, or 0. */
static uint64_t take(uint64_t until_ns)
{
	struct switchlog_entry entry;
	size_t slot;

	if (!switchlog_take(open_log, until_ns, &entry, &slot))
		return 0;
	return entry.in == (int32_t)slot ? entry.time_ns : UINT64_MAX;
}

static void check_order(void)
{
	open_log = switchlog_new(3);
	is_u64(take(UINT64_MAX), 0, "an empty log has nothing");
	put(2, 30);
	put(2, 60);
	put(0, 10);
	put(0, 40);
	put(1, 20);
	for (uint64_t time = 10; time <= 30; time += 10)
		is_u64(take(30), time, "%d of another CPU", (int)time);
	is_u64(take(30), 0, "later ones wait");
	put(1, 50);
	for (uint64_t time = 40; time <= 60; time += 10)
		is_u64(take(UINT64_MAX), time, "%d of another CPU", (int)time);
	is_u64(take(UINT64_MAX), 0, "then it is empty");
	switchlog_free(open_log);
}

static void check_full(void)
{
	size_t added = 0;

	open_log = switchlog_new(1);
	while (added < 2 * SWITCHLOG_MOST && put(0, added + 1))
		added++;
	is_u64(added, SWITCHLOG_MOST, "so many fit");
	ok(put(0, 1) == false, "and no more");
	is_u64(take(UINT64_MAX), 1, "the first is still there");
	ok(put(0, added + 1), "its place is free");
	for (uint64_t time = 2; time <= added; time++) {
		if (take(UINT64_MAX) != time)
			bail("out of order at %d", (int)time);
	}
	is_u64(take(UINT64_MAX), added + 1, "the last one comes last");
	switchlog_free(open_log);
}

/* Against a simple search, with CPUs that come later. */
static void check_random(void)
{
	enum { CPUS = 7, ROUNDS = 200 };
	uint64_t last[CPUS] = { 0 }, sum_in = 0, sum_out = 0, wrong = 0;

	srand(1);
	open_log = switchlog_new(2);
	for (int round = 1; round <= ROUNDS; round++) {
		size_t ncpus = round < ROUNDS / 2 ? 2 : CPUS;
		uint64_t until = (uint64_t)round * 1000, before = 0, time;

		switchlog_grow(open_log, ncpus);
		for (int i = 0; i < 50; i++) {
			size_t slot = (size_t)rand() % ncpus;

			if (last[slot] < until - 1000)
				last[slot] = until - 1000;
			last[slot] += (uint64_t)rand() % 40;
			sum_in += put(slot, last[slot] + 1) ? last[slot] + 1 : 0;
		}
		while ((time = take(until)) != 0) {
			wrong += time < before || time > until;
			before = time;
			sum_out += time;
		}
	}
	for (uint64_t time; (time = take(UINT64_MAX)) != 0;)
		sum_out += time;
	is_u64(wrong, 0, "always in order, never beyond the end");
	is_u64(sum_out, sum_in, "and every entry comes out");
	switchlog_free(open_log);
}

int main(void)
{
	plan_lazy();
	check_order();
	check_full();
	check_random();
	return done();
}
