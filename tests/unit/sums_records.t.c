/* SPDX-License-Identifier: MIT */
/*
 * Sums of more than a million records and reads, from the ring to the decoder: each must have every one
 * (sums_tasks.t.c).
 */
#include "base/abi.h"
#include "capture/counters.h"
#include "capture/ring.h"
#include "decode/decoder.h"
#include "fake-ring.h"
#include "made-perfdata.h"
#include "model/histogram.h"
#include "source/skipped.h"
#include "tap.h"

#include <stdio.h>
#include <unistd.h>

#define TIMES 1000100

static struct histogram histogram, sum;
static unsigned char out[4096];

/* --- rings ------------------------------------------------------------------------------------ */

static void check_corrupt(void)
{
	const struct perf_event_header bad = { .type = PERF_RECORD_SAMPLE, .size = 4 };
	struct fake_ring fake;

	fake_ring_open(&fake, 1);
	fake_ring_reset(&fake, 0);
	struct ring *ring = ring_open(fake.fd, 1);

	for (uint64_t i = 0; i < TIMES; i++) {
		fake_ring_put(&fake, &bad, sizeof(bad));
		fake_ring_publish(&fake);
		ring_look(ring);
		ring_copy(ring, out, sizeof(out));
		ring_release(ring);
	}
	is_u64(ring_corrupt(ring), TIMES, "all wrong records");
	for (uint64_t i = 0; i < TIMES; i++) {
		fake.head += 2 * fake.data_bytes;
		fake_ring_publish(&fake);
		ring_look(ring);
		ring_release(ring);
	}
	is_u64(ring_corrupt(ring), 2 * TIMES, "and all wrong heads");
	ring_close(ring);
	fake_ring_close(&fake);
}

/* --- counters --------------------------------------------------------------------------------- */

#define TARGETS 100

/* An event with many fds, of which each read is one record of this file, which has this many. */
static int made_counter(size_t reads)
{
	const uint64_t values[] = { 1, 2, 3, 77, 4 };
	FILE *file = tmpfile();

	if (file == NULL)
		bail("no temporary file");
	for (size_t i = 0; i < reads; i++)
		fwrite(values, sizeof(values), 1, file);
	if (fflush(file) != 0 || lseek(fileno(file), 0, SEEK_SET) != 0)
		bail("no temporary file");

	int fd = dup(fileno(file));
	fclose(file);
	return fd;
}

static void check_reads(void)
{
	struct counters *counters = counters_new(1, TARGETS);
	struct count all = { 0 };
	int fd = made_counter(TIMES);

	for (size_t i = 0; i < TARGETS; i++)
		counters_set(counters, 0, i, fd, 1);
	for (size_t i = 0; i < TIMES / TARGETS; i++) {
		struct count count = counters_read_event(counters, 0, true);

		all.value += count.value;
		all.enabled_ns += count.enabled_ns;
		all.running_ns += count.running_ns;
		all.lost += count.lost;
	}
	is_u64(all.value, TIMES, "the counts of all fds");
	is_u64(all.enabled_ns, 2 * TIMES, "the times that they were enabled");
	is_u64(all.running_ns, 3 * TIMES, "and ran");
	is_u64(all.lost, 4 * TIMES, "all their losses");
	close(fd);
	counters_free(counters);
}

/* --- the decoder ------------------------------------------------------------------------------- */

static uint64_t nseen;

static void see(void *ctx, uint32_t slot, uint32_t event, const struct record *record)
{
	(void)ctx;
	(void)slot;
	(void)event;
	(void)record;
	nseen++;
}

/* A record that says it has `size` bytes; so many more are missing at the end of the block. */
static void feed(struct decoder *decoder, uint32_t type, uint64_t id, uint16_t size, size_t missing)
{
	struct made_sample made = made_sample(id, 1000);

	made.header.type = type;
	made.header.size = size;
	for (uint64_t i = 0; i < TIMES; i++)
		decoder_feed(decoder, 0, (unsigned char *)&made, size - missing);
}

static void check_decoder(void)
{
	const struct record_sink sink = { .record = see };
	struct perf_event_attr attr = made_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct decoder *decoder = decoder_new(&sink);
	const struct decoder_stats *stats = decoder_stats(decoder);

	decoder_add_event(decoder, 0, &attr, (const uint64_t[]){ 77 }, 1);
	feed(decoder, PERF_RECORD_SAMPLE, 77, sizeof(struct made_sample), 0);
	feed(decoder, ABI_RECORD_TYPES, 77, sizeof(struct made_sample), 0);
	feed(decoder, PERF_RECORD_SAMPLE, 78, sizeof(struct made_sample), 0);
	feed(decoder, PERF_RECORD_SAMPLE, 77, 24, 0);
	feed(decoder, PERF_RECORD_SAMPLE, 77, sizeof(struct made_sample), 8);
	is_u64(nseen, TIMES, "all records are passed on");
	is_u64(stats->records, TIMES, "and counted");
	is_u64(stats->unknown_types, TIMES, "all of an unknown type");
	is_u64(stats->unknown_ids, TIMES, "all of an unknown event");
	is_u64(stats->malformed, 2 * TIMES, "all that are too short, or cut");
	decoder_free(decoder);
}

/* --- a slow disk ------------------------------------------------------------------------------- */

static void check_skipped(void)
{
	struct skipped *skipped = skipped_new(2, 2);
	const struct made_sample made = made_sample(77, 1000);
	struct skipped_count count = { 0 };
	struct strbuf kept;

	strbuf_init(&kept);
	skipped_event(skipped, 1, (const uint64_t[]){ 77 }, 1);
	for (uint64_t i = 0; i < TIMES; i++)
		skipped_filter(skipped, 1, &made, sizeof(made), &kept);
	ok(skipped_take(skipped, &count) && count.number == 1 && count.slot == 1,
	   "what a slow disk skips is of its event and CPU");
	is_u64(count.records, TIMES, "all of them");
	ok(!skipped_take(skipped, &count), "no more");
	is_u64(skipped_total(skipped), TIMES, "in all, too");
	strbuf_fini(&kept);
	skipped_free(skipped);
}

/* --- times ------------------------------------------------------------------------------------- */

static uint64_t buckets_of(const struct histogram *of)
{
	uint64_t n = 0;

	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		n += of->buckets[i];
	return n;
}

static void check_histogram(void)
{
	struct histogram one = { 0 };

	histogram_add(&one, 5000, 1);
	for (uint64_t i = 0; i < TIMES; i++)
		histogram_add(&histogram, 1000 + i, 1);
	is_u64(histogram.count, TIMES, "all times are counted");
	is_u64(buckets_of(&histogram), TIMES, "and in a bucket");
	for (uint64_t i = 0; i < TIMES / 10; i++)
		histogram_sum(&sum, &one);
	is_u64(sum.count, TIMES / 10, "also those of another one");
}

int main(void)
{
	plan_lazy();
	check_corrupt();
	check_reads();
	check_decoder();
	check_skipped();
	check_histogram();
	return done();
}
