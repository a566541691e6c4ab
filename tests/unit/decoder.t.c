/* SPDX-License-Identifier: MIT */
#include "decode/decoder.h"

#include "base/abi.h"
#include "tap.h"

#include <string.h>

#define OURS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* Records of one CPU, as a block has them. */
static _Alignas(8) unsigned char bytes[4096];
static size_t used;

static void begin(uint32_t type, uint16_t misc, size_t size)
{
	struct perf_event_header header = { .type = type, .misc = misc, .size = (uint16_t)size };

	memcpy(bytes + used, &header, sizeof(header));
	used += sizeof(header);
}

static void put(uint64_t word)
{
	memcpy(bytes + used, &word, sizeof(word));
	used += sizeof(word);
}

static void put_pair(uint32_t first, uint32_t second)
{
	uint32_t pair[2] = { first, second };

	memcpy(bytes + used, pair, sizeof(pair));
	used += sizeof(pair);
}

/* The order of a sample of ours: identifier, tid, time, cpu. */
static void put_sample(uint64_t id, uint32_t tid)
{
	begin(PERF_RECORD_SAMPLE, 0, 40);
	put(id);
	put_pair(tid, tid);
	put(1000);
	put_pair(2, 0);
}

/* The trailer of any other record of ours. */
static void put_trailer(uint64_t id, uint32_t tid)
{
	put_pair(tid, tid);
	put(1000);
	put_pair(2, 0);
	put(id);
}

/* --- the sink ------------------------------------------------------------------------------- */

#define SEEN_MAX 16

struct seen {
	uint32_t slot, event;
	struct record record;
};

static struct seen seen[SEEN_MAX];
static size_t nseen;

static void see(void *ctx, uint32_t slot, uint32_t event, const struct record *record)
{
	if (ctx != seen)
		bail("the sink got a wrong context");
	if (nseen < SEEN_MAX)
		seen[nseen++] = (struct seen){ slot, event, *record };
}

static struct decoder *new_decoder(void)
{
	struct record_sink sink = { .ctx = seen, .record = see };
	struct perf_event_attr plain = { .sample_type = OURS, .sample_id_all = 1 };
	struct perf_event_attr weighed = plain;
	struct decoder *decoder = decoder_new(&sink);

	weighed.sample_type |= PERF_SAMPLE_PERIOD;
	decoder_add_event(decoder, 0, &plain, (const uint64_t[]){ 100, 101 }, 2);
	decoder_add_event(decoder, 5, &weighed, (const uint64_t[]){ 0, 500 }, 2);
	return decoder;
}

static void feed(struct decoder *decoder, uint32_t slot)
{
	nseen = 0;
	decoder_feed(decoder, slot, bytes, used);
	used = 0;
}

/* --- checks --------------------------------------------------------------------------------- */

static void check_events(void)
{
	struct decoder *decoder = new_decoder();

	put_sample(100, 1);
	put_sample(101, 2);
	begin(PERF_RECORD_SAMPLE, 0, 48);
	put(500);
	put_pair(3, 3);
	put(1000);
	put_pair(2, 0);
	put(77);
	begin(PERF_RECORD_SWITCH_CPU_WIDE, ABI_MISC_SWITCH_OUT, 48);
	put_pair(8, 9);
	put_trailer(100, 4);
	feed(decoder, 6);
	is_u64(nseen, 4, "four records of two events");
	is_u64(seen[0].event, 0, "an id leads to its event");
	is_u64(seen[1].event, 0, "another id of it, too");
	is_u64(seen[1].record.tid, 2, "with the record's fields");
	is_u64(seen[2].event, 5, "an event of another layout");
	is_u64(seen[2].record.period, 77, "is decoded as that");
	is_u64(seen[3].event, 0, "a record with its id at the end");
	is_u64(seen[3].record.next_prev.tid, 9, "and its fields");
	is_u64(seen[3].slot, 6, "the slot is passed on");
	is_u64(decoder_stats(decoder)->records, 4, "and all are counted");
	decoder_free(decoder);
}

static void check_unknown(void)
{
	struct decoder *decoder = new_decoder();
	const struct decoder_stats *stats = decoder_stats(decoder);

	put_sample(100, 1);
	begin(0, 0, 8);
	begin(ABI_RECORD_TYPES, 0, 24);
	put(1);
	put(100);
	begin(UINT32_MAX, 0, 16);
	put(100);
	put_sample(999, 1);
	put_sample(0, 1);
	begin(PERF_RECORD_SWITCH, 0, 8); /* right without sample_id_all, but it has no id */
	put_sample(100, 2);
	feed(decoder, 0);
	is_u64(nseen, 2, "known records are decoded between unknown ones");
	is_u64(seen[1].record.tid, 2, "each skipped by its size");
	is_u64(stats->unknown_types, 3, "types that this program does not know");
	is_u64(stats->unknown_ids, 3, "unknown ids");
	is_u64(stats->malformed, 0, "none of it is malformed");
	is_u64(stats->records, 2, "nor a record");
	decoder_free(decoder);
}

static void check_malformed(void)
{
	struct decoder *decoder = new_decoder();
	const struct decoder_stats *stats = decoder_stats(decoder);

	begin(PERF_RECORD_SAMPLE, 0, 16); /* its fields are missing */
	put(100);
	put_sample(100, 1);
	feed(decoder, 0);
	is_u64(stats->malformed, 1, "fields beyond the record's size");
	is_u64(nseen, 1, "do not reach the next one");

	static const uint16_t sizes[] = { 0, 7, 4, 48, 65535 };
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		put_sample(100, 1);
		begin(PERF_RECORD_SAMPLE, 0, sizes[i]);
		put(100);
		put(100);
		feed(decoder, 0);
		is_u64(nseen, 1, "a size of %u with 24 bytes left: what came before is there",
		       sizes[i]);
		is_u64(stats->malformed, 2 + i, "and it is counted once");
	}
	begin(PERF_RECORD_SAMPLE, 0, 8);
	used = 7;
	feed(decoder, 0);
	is_u64(stats->malformed, 1 + sizeof(sizes) / sizeof(sizes[0]),
	       "a header needs its 8 bytes");
	feed(decoder, 0);
	is_u64(nseen, 0, "and an empty block has no records");
	decoder_free(decoder);
}

/* An event that is added after records with its id arrived. */
static void check_late(void)
{
	struct perf_event_attr attr = { .sample_type = OURS, .sample_id_all = 1 };
	struct decoder *decoder = new_decoder();

	put_sample(700, 1);
	feed(decoder, 0);
	is_u64(nseen, 0, "an id that is not known yet");
	decoder_add_event(decoder, 9, &attr, (const uint64_t[]){ 700 }, 1);
	put_sample(700, 1);
	feed(decoder, 0);
	is_u64(nseen, 1, "has its event from then on");
	is_u64(seen[0].event, 9, "that one");
	decoder_add_event(decoder, 3, &attr, (const uint64_t[]){ 700 }, 1);
	put_sample(700, 1);
	feed(decoder, 0);
	is_u64(seen[0].event, 3, "or another, to which the id was added");

	/* Reopened with another attr: the new layout counts. */
	attr.sample_type |= PERF_SAMPLE_PERIOD;
	decoder_add_event(decoder, 3, &attr, (const uint64_t[]){ 701 }, 1);
	put_sample(701, 1);
	feed(decoder, 0);
	is_u64(nseen, 0, "a changed layout is used");
	is_u64(decoder_stats(decoder)->malformed, 1, "for which this record is too short");
	decoder_free(decoder);
}

int main(void)
{
	plan_lazy();
	check_events();
	check_unknown();
	check_malformed();
	check_late();
	decoder_free(NULL);
	return done();
}
