/* SPDX-License-Identifier: MIT */
/* The snapshots of a replay that are kept: which, and in how much memory. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "source/past.h"
#include "temporary.h"

#define SECOND	  1000000000ull
#define FIRST_NS  (1000 * SECOND)
#define INTERVALS 1000
#define FEW	  10
#define NOISE	  300000
#define FILE_MOST (1 << 28)

/* Interval `number`, from 0, whose snapshot has that number, and `noise` bytes that packing leaves. */
static void add_noisy(struct past *past, unsigned int number, size_t noise)
{
	struct snapshot *snap = fixture_snapshot();
	unsigned char *bytes = snap_alloc(snap, noise, 1);
	static unsigned int seed = 1;

	for (size_t i = 0; i < noise; i++)
		bytes[i] = (unsigned char)rand_r(&seed);
	snap->seq = number;
	past_add(past, snap, FIRST_NS + number * SECOND, FIRST_NS + (number + 1) * SECOND);
	snapshot_release(snap);
}

static void add(struct past *past, unsigned int number)
{
	add_noisy(past, number, 0);
}

/* Its number; -1: it is not kept. */
static long find(struct past *past, uint64_t time_ns)
{
	const struct snapshot *snap = past_find(past, time_ns);

	return snap != NULL ? (long)snap->seq : -1;
}

static size_t bytes_of_few(size_t noise)
{
	struct snapshot *snap = fixture_snapshot();
	size_t bytes = FEW * (snapshot_bytes(snap, NULL) + noise);

	snapshot_release(snap);
	return bytes;
}

static void check_find(void)
{
	struct past past;

	past_init(&past, SIZE_MAX, 0);
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
	size_t most = bytes_of_few(NOISE), beyond = 0;
	int right = 0, none = 0;

	past_init(&past, most, 0);
	for (unsigned int i = 0; i < INTERVALS; i++) {
		add_noisy(&past, i, NOISE);
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

	past_init(&past, 0, 0);
	add(&past, 0);
	is_int((int)past.count, 0, "without memory none");
	past_fini(&past);
	past_init(&past, 1, 0);
	add(&past, 0);
	add(&past, 1);
	is_int((int)find(&past, FIRST_NS), 0, "with too little the first");
	past_fini(&past);
}

#ifdef HAVE_LIBZSTD

/* What the fixture points to is in place: its events' names. */
static bool can_be_read(const struct snapshot *snap)
{
	struct snapshot *other = fixture_snapshot();
	bool is_same = snap->nevents == other->nevents;

	for (size_t i = 0; is_same && i < snap->nevents; i++)
		is_same = strcmp(snap->events[i].name, other->events[i].name) == 0;
	snapshot_release(other);
	return is_same;
}

static void check_packed(void)
{
	struct past past;
	size_t most = bytes_of_few(0), beyond = 0, right = 0;

	if (sysconf(_SC_PAGESIZE) > 4096) {
		skip(1, "a small snapshot has few whole pages");
		return;
	}
	past_init(&past, most, 0);
	for (unsigned int i = 0; i < INTERVALS; i++) {
		add(&past, i);
		beyond += past.bytes > most;
	}
	is_u64(beyond, 0, "packed: never more than allowed");
	ok(past.count > FEW, "more than %d: %zu", FEW, past.count);
	for (size_t i = 0; i < past.count; i++) {
		const struct snapshot *snap = past_find(&past, past.list[i].end_ns);

		right += snap == past.list[i].snap && can_be_read(snap);
		beyond += past.bytes > most + most / FEW;
	}
	is_u64(right, past.count, "each can be read when it is found");
	is_u64(beyond, 0, "and is packed again later");
	past_fini(&past);
}

/* How many of the intervals are kept with a file of at most `file_most` bytes, all of which can be read. */
static size_t kept_with(uint64_t file_most)
{
	struct past past;
	size_t most = bytes_of_few(0), right = 0, beyond = 0, count;

	past_init(&past, most, file_most);
	for (unsigned int i = 0; i < INTERVALS; i++)
		add(&past, i);
	count = past.count;
	for (size_t i = 0; i < 2 * count; i++) {
		size_t at = i * 7 % count; /* forward and back */
		const struct snapshot *snap = past_find(&past, past.list[at].end_ns);

		right += snap == past.list[at].snap && can_be_read(snap);
		beyond += past.bytes > most + most / FEW;
	}
	is_u64(beyond, 0, "at most the memory allowed, and one more");
	is_u64(right, 2 * count, "a file of %d KiB: %zu kept, which can be read again and again",
	       (int)(file_most >> 10), count);
	past_fini(&past);
	return count;
}

static void check_file(void)
{
	size_t none = kept_with(0), some = kept_with(64 << 10), all = kept_with(FILE_MOST);

	ok(all > none && some >= none && some <= all, "the more room, the more of them");
}

static void check_lost_file(off_t size, const char *what)
{
	struct past past;
	size_t none = 0;

	past_init(&past, bytes_of_few(0), FILE_MOST);
	for (unsigned int i = 0; i < INTERVALS / 10; i++)
		add(&past, i);
	ok(lose_temporary(size), "%s", what);
	for (unsigned int i = 0; i < INTERVALS / 10; i++)
		none += find(&past, FIRST_NS + i * SECOND + SECOND / 2) == -1;
	ok(none > 0, "those in it are not found");
	for (unsigned int i = INTERVALS / 10; i < INTERVALS; i++)
		add(&past, i);
	ok(past.bytes <= past.most, "and it goes on");
	past_fini(&past);
}

#else

static void check_packed(void)
{
	skip(1, "built without libzstd");
}

static void check_file(void)
{
}

static void check_lost_file(off_t size, const char *what)
{
	(void)size;
	(void)what;
}

#endif

static void check_again(void)
{
	struct past past;

	past_init(&past, SIZE_MAX, 0);
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
	check_packed();
	check_file();
	check_lost_file(0, "a file that cannot be read");
	check_lost_file(FILE_MOST, "a file of zeros");
	check_again();
	return done();
}
