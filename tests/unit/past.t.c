/* SPDX-License-Identifier: MIT */
/* The snapshots of a replay that are kept: which, and in how much memory. */
#include "tap.h"

#include "fixture.h"
#include "source/past.h"

#define SECOND	  1000000000ull
#define FIRST_NS  (1000 * SECOND)
#define INTERVALS 1000
#define FEW	  10

/* Interval `number`, from 0, whose snapshot has that number. */
static void add(struct past *past, unsigned int number)
{
	struct snapshot *snap = fixture_snapshot();

	snap->seq = number;
	past_add(past, snap, FIRST_NS + number * SECOND, FIRST_NS + (number + 1) * SECOND);
	snapshot_release(snap);
}

/* Its number; -1: it is not kept. */
static long find(const struct past *past, uint64_t time_ns)
{
	const struct snapshot *snap = past_find(past, time_ns);

	return snap != NULL ? (long)snap->seq : -1;
}

static size_t bytes_of_few(void)
{
	struct snapshot *snap = fixture_snapshot();
	size_t bytes = FEW * snapshot_bytes(snap, NULL);

	snapshot_release(snap);
	return bytes;
}

static void check_find(void)
{
	struct past past;

	past_init(&past, SIZE_MAX);
	is_int((int)find(&past, FIRST_NS), -1, "empty: none");
	for (unsigned int i = 0; i < FEW; i++)
		add(&past, i);
	is_int((int)find(&past, 1), 0, "before the first: the first");
	is_int((int)find(&past, FIRST_NS + SECOND), 0, "its end is in it");
	is_int((int)find(&past, FIRST_NS + SECOND + 500), 0, "with some slack");
	is_int((int)find(&past, FIRST_NS + SECOND + 5000), 1, "then the next one");
	is_int((int)find(&past, FIRST_NS + FEW * SECOND), FEW - 1, "the last");
	is_int((int)find(&past, FIRST_NS + FEW * SECOND + 5000), -1, "none after it");
	past_fini(&past);
}

static void check_memory(void)
{
	struct past past;
	size_t most = bytes_of_few(), beyond = 0;
	int right = 0, none = 0;

	past_init(&past, most);
	for (unsigned int i = 0; i < INTERVALS; i++) {
		add(&past, i);
		beyond += past.bytes > most;
	}
	is_u64(beyond, 0, "never more than allowed");
	ok(past.count > FEW / 2 - 2 && past.count <= FEW, "%zu of %d", past.count, INTERVALS);
	for (int i = 0; i < INTERVALS; i++) {
		long found = find(&past, FIRST_NS + (uint64_t)i * SECOND + SECOND / 2);

		right += found == i;
		none += found == -1;
	}
	is_int(right, (int)past.count, "each that is kept is found");
	is_int(none, INTERVALS - right, "and nothing in place of another");
	past_fini(&past);

	past_init(&past, 0);
	add(&past, 0);
	is_int((int)past.count, 0, "without memory none");
	past_fini(&past);
	past_init(&past, 1);
	add(&past, 0);
	add(&past, 1);
	is_int((int)find(&past, FIRST_NS), 0, "with too little the first");
	past_fini(&past);
}

static void check_again(void)
{
	struct past past;

	past_init(&past, SIZE_MAX);
	for (unsigned int i = 0; i < FEW; i++)
		add(&past, i);
	past_again(&past);
	for (unsigned int i = 0; i < FEW + 2; i++)
		add(&past, i);
	is_int((int)past.count, FEW + 2, "read again: only the new ones are added");
	past_stop(&past);
	is_int((int)find(&past, FIRST_NS + SECOND), -1, "changed by a command: none");
	add(&past, FEW + 2);
	is_int((int)past.count, 0, "and none is kept");
	past_again(&past);
	add(&past, 0);
	add(&past, 1);
	is_int((int)find(&past, FIRST_NS + 2 * SECOND), 1, "until it is read again");
	past_fini(&past);
}

int main(void)
{
	plan_lazy();
	check_find();
	check_memory();
	check_again();
	return done();
}
