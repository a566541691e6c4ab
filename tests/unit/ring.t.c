/* SPDX-License-Identifier: MIT */
#include "capture/ring.h"

#include "fake-ring.h"
#include "tap.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SEED	    20260911
#define LAP_RECORDS 100000
#define RECORD_MAX  65528 /* header.size has 16 bits, and records are multiples of 8 */

static unsigned char out[1 << 20];

/* Look, copy all, release: whether exactly the records up to `fake->number` came. */
static bool takes_all(struct ring *ring, const struct fake_ring *fake, uint64_t from)
{
	ring_look(ring);
	size_t len = ring_copy(ring, out, sizeof(out));
	ring_release(ring);
	return fake_ring_check(out, len, from) == fake->number && ring_unread(ring) == 0 &&
	       fake_ring_tail(fake) == fake->head;
}

static struct ring *open_at(struct fake_ring *fake, uint64_t start)
{
	fake_ring_reset(fake, start);
	return ring_open(fake->fd, fake->data_bytes / fake->page_bytes);
}

/* --- opening -------------------------------------------------------------------------------- */

static void check_refused(int fd, size_t pages, int error)
{
	errno = 0;
	struct ring *ring = ring_open(fd, pages);
	ok(ring == NULL && errno == error, "%zu pages: errno %d", pages, error);
	ring_close(ring);
}

static void check_open(void)
{
	static const size_t bad[] = { 0, 3, 5, 6, 7, 100, SIZE_MAX, SIZE_MAX / 2 + 1 };
	struct fake_ring fake;

	fake_ring_open(&fake, 4);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_refused(fake.fd, bad[i], EINVAL);
	check_refused(-1, 1, EBADF);

	struct ring *ring = ring_open(fake.fd, 4);
	ok(ring != NULL, "4 pages open");
	is_u64(ring_bytes(ring), 5 * fake.page_bytes, "one page more is mapped");
	ring_look(ring);
	is_u64(ring_unread(ring), 0, "and there is nothing in it");
	is_u64(ring_copy(ring, out, sizeof(out)), 0, "to be copied");
	is_u64(ring_corrupt(ring), 0, "which is no fault");
	ring_close(ring);
	ring_close(NULL);
	fake_ring_close(&fake);
}

/* --- right records -------------------------------------------------------------------------- */

/* A record that begins at each place of the ring, so that some are cut by its end at each place. */
static void check_wraps(uint64_t lap)
{
	struct fake_ring fake;
	unsigned int bad = 0;

	fake_ring_open(&fake, 1);
	for (size_t at = 0; at < fake.data_bytes; at += 8) {
		uint64_t first = fake.number;
		struct ring *ring = open_at(&fake, lap * fake.data_bytes + at);

		fake_ring_record(&fake, 8);
		fake_ring_record(&fake, 256);
		fake_ring_record(&fake, 1000);
		fake_ring_publish(&fake);
		bad += !takes_all(ring, &fake, first);
		ring_close(ring);
	}
	is_u64(bad, 0, "records at every offset, from lap %lld", (long long)lap);
	fake_ring_close(&fake);
}

static void check_sizes(void)
{
	struct fake_ring fake;
	unsigned int bad = 0;

	fake_ring_open(&fake, 16);
	struct ring *ring = open_at(&fake, 0);
	for (size_t size = 8; size <= RECORD_MAX; size += size < 4104 ? 8 : 176) {
		uint64_t first = fake.number;

		fake_ring_record(&fake, size);
		fake_ring_publish(&fake);
		bad += !takes_all(ring, &fake, first);
	}
	is_u64(bad, 0, "records of all sizes from 8 to %d", RECORD_MAX);
	ok(fake_ring_tail(&fake) > 100 * fake.data_bytes, "data_tail runs freely, lap after lap");
	ring_close(ring);
	fake_ring_close(&fake);
}

static size_t random_size(size_t max)
{
	return 8 + 8 * ((size_t)rand() % (rand() % 8 ? 16 : max / 8));
}

/* Fill some of the room, up to `limit` records in all. */
static void fill(struct fake_ring *fake, uint64_t limit)
{
	for (int records = rand() % 40; records > 0 && fake->number < limit; records--) {
		size_t size = random_size(fake->data_bytes / 2);

		if (size > fake_ring_room(fake))
			break;
		fake_ring_record(fake, size);
	}
	fake_ring_publish(fake);
}

/* Slow and fast consumers in turn, small rooms and large: nothing lost, doubled or torn. */
static void check_laps(size_t pages)
{
	struct fake_ring fake;
	uint64_t next = 0;
	unsigned int moved = 0;

	srand(SEED);
	fake_ring_open(&fake, pages);
	struct ring *ring = open_at(&fake, (uint64_t)0 - 3 * (uint64_t)fake.data_bytes);
	while (next < LAP_RECORDS && next != UINT64_MAX) {
		fill(&fake, LAP_RECORDS);
		uint64_t tail = fake_ring_tail(&fake);
		ring_look(ring);
		/* Half a ring: any record of random_size() fits, so that there is always progress. */
		size_t room = fake.data_bytes / 2 + (size_t)rand() % fake.data_bytes;
		next = fake_ring_check(out, ring_copy(ring, out, room), next);
		moved += fake_ring_tail(&fake) != tail;
		if (rand() % 3 > 0)
			ring_release(ring);
	}
	is_u64(next, LAP_RECORDS, "%d records of random sizes over many laps, %zu pages",
	       LAP_RECORDS, pages);
	is_u64(moved, 0, "data_tail moved at ring_release() only");
	is_u64(ring_corrupt(ring), 0, "and no ring was found corrupt");
	ok(fake.head < UINT64_MAX / 2, "the free-running head went through 2^64");
	ring_close(ring);
	fake_ring_close(&fake);
}

/* The kernel on another CPU: what K1 and K2 are for. */
static void *play_kernel(void *arg)
{
	struct fake_ring *fake = arg;
	unsigned int state = SEED;

	while (fake->number < LAP_RECORDS) {
		size_t size = 8 + 8 * ((size_t)rand_r(&state) % 30);

		if (size <= fake_ring_room(fake))
			fake_ring_record(fake, size);
		else
			sched_yield();
		fake_ring_publish(fake);
	}
	return NULL;
}

static void check_threads(void)
{
	struct fake_ring fake;
	uint64_t next = 0;
	pthread_t kernel;

	fake_ring_open(&fake, 1);
	struct ring *ring = open_at(&fake, 0);
	if (pthread_create(&kernel, NULL, play_kernel, &fake) != 0)
		bail("no thread");
	while (next < LAP_RECORDS) {
		ring_look(ring);
		uint64_t after = fake_ring_check(out, ring_copy(ring, out, sizeof(out)), next);
		if (after == UINT64_MAX) {
			/* The kernel's thread must end all the same. */
			diag("after record %llu", (unsigned long long)next);
			break;
		}
		if (after == next)
			sched_yield();
		next = after;
		ring_release(ring);
	}
	is_u64(next, LAP_RECORDS, "%d records while the kernel goes on writing", LAP_RECORDS);
	if (next != LAP_RECORDS)
		bail("the writer waits for room that is never freed");
	pthread_join(kernel, NULL);
	ring_close(ring);
	fake_ring_close(&fake);
}

/* --- bounds --------------------------------------------------------------------------------- */

static void check_room(void)
{
	struct fake_ring fake;

	fake_ring_open(&fake, 1);
	struct ring *ring = open_at(&fake, fake.data_bytes - 24);
	fake_ring_record(&fake, 16);
	fake_ring_record(&fake, 24);
	fake_ring_record(&fake, 64);
	fake_ring_publish(&fake);
	is_u64(ring_copy(ring, out, sizeof(out)), 0, "nothing is copied before a look");
	ring_look(ring);
	is_u64(ring_unread(ring), 104, "three records wait");
	is_u64(ring_copy(ring, out, 0), 0, "no room, no record");
	is_u64(ring_copy(ring, out, 15), 0, "nor with one byte too few");
	is_u64(ring_copy(ring, out, 16), 16, "as much room as the first takes");
	is_u64(fake_ring_check(out, 16, 0), 1, "and it is the first");
	is_u64(ring_copy(ring, out, 87), 24, "the third does not fit behind the second");
	is_u64(fake_ring_check(out, 24, 1), 2, "which is whole");
	is_u64(fake_ring_tail(&fake), fake.data_bytes - 24, "data_tail has not moved so far");
	ring_release(ring);
	is_u64(fake_ring_tail(&fake), fake.data_bytes + 16, "and releases what was copied");
	is_u64(ring_unread(ring), 64, "the third still waits");
	fake_ring_record(&fake, 8);
	fake_ring_publish(&fake);
	is_u64(ring_copy(ring, out, sizeof(out)), 64, "and is the last of that look");
	ring_look(ring);
	is_u64(ring_copy(ring, out, sizeof(out)), 8, "what came later is for the next look");
	is_u64(ring_corrupt(ring), 0, "nothing of this is corrupt");
	ring_close(ring);
	fake_ring_close(&fake);
}

/* Page full to the last byte: one more than the kernel ever does, and still right. */
static void check_full(void)
{
	struct fake_ring fake;

	fake_ring_open(&fake, 1);
	struct ring *ring = open_at(&fake, 8);
	fake_ring_record(&fake, fake.data_bytes - 8);
	fake_ring_record(&fake, 8);
	fake_ring_publish(&fake);
	ok(takes_all(ring, &fake, 0), "a ring that is full to the last byte");
	is_u64(ring_corrupt(ring), 0, "is not corrupt");
	ring_close(ring);
	fake_ring_close(&fake);
}

/* --- corrupt rings -------------------------------------------------------------------------- */

/* Good records, then one whose header says `size` with `unread` bytes there. */
static void check_bad_size(size_t good, uint16_t size, size_t unread)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = size };
	unsigned char junk[64] = { 0 };
	struct fake_ring fake;

	fake_ring_open(&fake, 16);
	struct ring *ring = open_at(&fake, 3 * fake.data_bytes - 16);
	for (size_t i = 0; i < good; i++)
		fake_ring_record(&fake, 24);
	fake_ring_put(&fake, &header, sizeof(header));
	fake_ring_put(&fake, junk, unread - sizeof(header));
	fake_ring_publish(&fake);

	ring_look(ring);
	size_t len = ring_copy(ring, out, sizeof(out));
	is_u64(len, good * 24,
	       "a size of %u of %zu unread, after %zu records: the copy ends before", size, unread,
	       good);
	is_u64(fake_ring_check(out, len, 0), good, "and what it has is right");
	is_u64(ring_corrupt(ring), 1, "one corrupt ring");
	is_u64(ring_unread(ring), 0, "the rest is given up");
	is_u64(ring_copy(ring, out, sizeof(out)), 0, "nor copied later");
	ring_look(ring);
	is_u64(ring_corrupt(ring), 1, "and counted once");
	ring_release(ring);
	fake_ring_record(&fake, 40);
	fake_ring_publish(&fake);
	ok(takes_all(ring, &fake, good), "the next record is right again");
	ring_close(ring);
	fake_ring_close(&fake);
}

/* An impossible head: `ahead` of the tail. */
static void check_bad_head(uint64_t ahead)
{
	struct fake_ring fake;

	fake_ring_open(&fake, 1);
	struct ring *ring = open_at(&fake, 5 * fake.data_bytes);
	fake.head += ahead;
	fake_ring_publish(&fake);
	ring_look(ring);
	is_u64(ring_corrupt(ring), 1, "a head %lld bytes ahead is corrupt", (long long)ahead);
	is_u64(ring_unread(ring), 0, "with nothing to read");
	is_u64(ring_copy(ring, out, sizeof(out)), 0, "or to copy");
	ring_look(ring);
	is_u64(ring_corrupt(ring), 1, "once");
	ring_release(ring);
	is_u64(fake_ring_tail(&fake), fake.head, "the room is freed for the kernel");
	fake_ring_record(&fake, 16);
	fake_ring_publish(&fake);
	ok(takes_all(ring, &fake, 0), "and the next record is right");
	ring_close(ring);
	fake_ring_close(&fake);
}

/* What does not fit is left for the next copy, corrupt or not: the fault comes after it. */
static void check_bad_behind_room(void)
{
	struct perf_event_header header = { .size = 0 };
	struct fake_ring fake;

	fake_ring_open(&fake, 1);
	struct ring *ring = open_at(&fake, 0);
	fake_ring_record(&fake, 32);
	fake_ring_put(&fake, &header, sizeof(header));
	fake_ring_publish(&fake);
	ring_look(ring);
	is_u64(ring_copy(ring, out, 24), 0, "a record without room");
	is_u64(ring_corrupt(ring), 0, "hides the fault behind it");
	is_u64(ring_copy(ring, out, 32), 32, "until it is taken");
	is_u64(ring_copy(ring, out, 32), 0, "then there is nothing");
	is_u64(ring_corrupt(ring), 1, "but the fault");
	ring_close(ring);
	fake_ring_close(&fake);
}

int main(void)
{
	plan_lazy();
	check_open();
	check_wraps(0);
	check_wraps(7);
	check_wraps(-1ull);
	check_sizes();
	check_laps(1);
	check_laps(16);
	check_threads();
	check_room();
	check_full();
	/* With the last ones the faulty record begins 16 bytes before 16 KiB, which are copied at once, and after. */
	static const size_t goods[] = { 0, 1, 2, 682, 683 };
	for (size_t i = 0; i < sizeof(goods) / sizeof(goods[0]); i++) {
		size_t good = goods[i];

		check_bad_size(good, 0, 8);
		check_bad_size(good, 0, 64);
		check_bad_size(good, 4, 64);
		check_bad_size(good, 7, 64);
		check_bad_size(good, 9, 64);
		check_bad_size(good, 12, 64);
		check_bad_size(good, 16, 8);
		check_bad_size(good, 72, 64);
		check_bad_size(good, RECORD_MAX, 64);
		check_bad_size(good, 65535, 64);
	}
	check_bad_head((size_t)sysconf(_SC_PAGESIZE) + 8);
	check_bad_head(1ull << 40);
	check_bad_head(-8ull);
	check_bad_behind_room();
	return done();
}
