/* SPDX-License-Identifier: MIT */
/* What a recording lacks, by event and CPU. */
#include "source/skipped.h"

#include "made-perfdata.h"
#include "tap.h"

#include <linux/perf_event.h>
#include <string.h>

enum { OWNER, SWITCHES, TESTED, EVENTS };
#define SLOTS 2

/* A record that is no sample: its id is its last word. */
struct other {
	struct perf_event_header header;
	uint64_t data, id;
};

static void add_other(struct strbuf *block, uint32_t type, uint64_t id)
{
	const struct other other = { .header = { .type = type, .size = sizeof(other) }, .id = id };

	strbuf_add(block, (const char *)&other, sizeof(other));
}

static void add_samples(struct strbuf *block, uint64_t id, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		const struct made_sample sample = made_sample(id, i);

		strbuf_add(block, (const char *)&sample, sizeof(sample));
	}
}

static struct skipped *begin(void)
{
	const uint64_t owner[] = { 11, 12 }, switches[] = { 21, 22 }, tested[] = { 31, 0 };
	struct skipped *skipped = skipped_new(EVENTS, SLOTS);

	skipped_event(skipped, OWNER, owner, 2);
	skipped_event(skipped, SWITCHES, switches, 2);
	skipped_event(skipped, TESTED, tested, 2);
	return skipped;
}

/* Take all: the sum of those of one event on one CPU, and of the others. */
static void is_taken(struct skipped *skipped, uint32_t number, size_t slot, uint64_t records,
		     uint64_t others)
{
	struct skipped_count count;
	uint64_t found = 0, rest = 0;

	while (skipped_take(skipped, &count)) {
		if (count.number == number && count.slot == slot)
			found += count.records;
		else
			rest += count.records;
	}
	is_u64(found, records, "of event %u on CPU %zu", number, slot);
	is_u64(rest, others, "and of the others");
}

static void test_filter(void)
{
	struct skipped *skipped = begin();
	struct strbuf block, kept;

	strbuf_init(&block);
	strbuf_init(&kept);
	add_samples(&block, 31, 3);
	add_other(&block, PERF_RECORD_COMM, 11);
	add_other(&block, PERF_RECORD_SWITCH_CPU_WIDE, 22);
	add_other(&block, PERF_RECORD_MMAP2, 12);
	add_samples(&block, 31, 1);
	skipped_filter(skipped, 1, block.text, block.len, &kept);
	is_u64(kept.len, 2 * sizeof(struct other), "names and mappings are kept");
	is_int((int)((struct perf_event_header *)(void *)kept.text)->type, PERF_RECORD_COMM,
	       "the name first");
	is_u64(skipped_total(skipped), 5, "samples and switches are counted");
	is_taken(skipped, TESTED, 1, 4, 1);
	skipped_filter(skipped, 0, block.text, block.len, &kept);
	is_u64(kept.len, 4 * sizeof(struct other), "those of the next block are added");
	is_u64(skipped_total(skipped), 10, "to the total");
	is_taken(skipped, SWITCHES, 0, 1, 4);
	is_taken(skipped, SWITCHES, 0, 0, 0);
	strbuf_fini(&kept);
	strbuf_fini(&block);
	skipped_free(skipped);
}

static void test_all(void)
{
	struct skipped *skipped = begin();
	struct strbuf block;

	strbuf_init(&block);
	add_other(&block, PERF_RECORD_COMM, 12);
	add_samples(&block, 31, 2);
	add_samples(&block, 99, 1);
	skipped_all(skipped, 1, block.text, block.len);
	is_u64(skipped_total(skipped), 4, "all are counted");
	is_taken(skipped, OWNER, 1, 2, 2);
	strbuf_fini(&block);
	skipped_free(skipped);
}

static void test_damaged(void)
{
	struct skipped *skipped = begin();
	struct perf_event_header empty = { .type = PERF_RECORD_SAMPLE, .size = 0 };
	struct perf_event_header beyond = { .type = PERF_RECORD_SAMPLE, .size = 64 };

	skipped_all(skipped, 0, &empty, sizeof(empty));
	skipped_all(skipped, 0, &beyond, sizeof(beyond));
	skipped_all(skipped, 0, &beyond, 3);
	is_u64(skipped_total(skipped), 0, "sizes that cannot be end the block");
	skipped_free(skipped);
}

int main(void)
{
	plan_lazy();
	test_filter();
	test_all();
	test_damaged();
	return done();
}
