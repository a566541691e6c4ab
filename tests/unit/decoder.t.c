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
	put(2000);
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
	put(900); /* as in an interrupt: not in the order of time */
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
	is_u64(decoder_stats(decoder)->times.first_ns, 900, "the earliest sample");
	is_u64(decoder_stats(decoder)->times.last_ns, 1000,
	       "and the latest, not the switch after it");
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

/* --- software events: two ids ----------------------------------------------------------------- */

#define VALUE_FORMAT                                                                        \
	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID | \
	 ABI_FORMAT_LOST)

static void put_counted(uint64_t identifier, uint64_t value, uint64_t id, uint64_t lost)
{
	begin(PERF_RECORD_SAMPLE, 0, 80);
	put(identifier);
	put_pair(7, 8);
	put(1000);
	put_pair(2, 0);
	put(value);
	put(11); /* enabled */
	put(10); /* running */
	put(id);
	put(lost);
}

static struct decoder *new_counted_decoder(void)
{
	struct decoder *decoder = new_decoder();
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
					.sample_type = OURS | PERF_SAMPLE_READ,
					.read_format = VALUE_FORMAT,
					.sample_id_all = 1 };
	struct perf_event_attr clock = attr;

	clock.config = PERF_COUNT_SW_CPU_CLOCK;
	decoder_add_event(decoder, 10, &attr, (const uint64_t[]){ 1000 }, 1);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	decoder_add_event(decoder, 11, &attr, (const uint64_t[]){ 1100 }, 1);
	decoder_add_event(decoder, 12, &clock, (const uint64_t[]){ 1200 }, 1);
	return decoder;
}

static void check_second_id(void)
{
	struct decoder *decoder = new_counted_decoder();

	put_counted(1000, 5, 1000, 3);
	put_counted(1100, 6, 1000, 3);	/* another event's of ours */
	put_counted(99999, 7, 1100, 0); /* another process's */
	put_counted(99999, 8, 88888, 0);
	put_counted(1200, 9, 1100, 0);
	feed(decoder, 1);
	is_u64(nseen, 4, "samples with a foreign IDENTIFIER are decoded");
	is_u64(seen[0].event, 10, "both ids agree");
	ok(seen[0].record.has_value && seen[0].record.value == 5 &&
		   seen[0].record.value_id == 1000 && seen[0].record.value_lost == 3,
	   "the count, its id and the losses are read");
	is_u64(seen[1].event, 10, "the id next to the count decides between two of ours");
	is_u64(seen[2].event, 11, "and finds ours behind a foreign one");
	is_u64(seen[2].record.value, 7, "with its count");
	is_u64(seen[3].event, 12, "a clock's IDENTIFIER is right");
	is_u64(decoder_stats(decoder)->unknown_ids, 1, "two foreign ids stay unknown");
	decoder_free(decoder);
}

static void check_mended(void)
{
	struct decoder *decoder = new_counted_decoder();

	put_counted(99999, 7, 1100, 0);
	put_counted(1000, 5, 1000, 3);
	put_sample(100, 1);
	put_counted(99999, 8, 88888, 0);
	begin(PERF_RECORD_SWITCH, 0, 40);
	put_trailer(1000, 4);
	decoder_mend_ids(decoder, bytes, used);
	is_u64(record_id((const void *)bytes), 1100, "a foreign id is replaced");
	is_u64(record_id((const void *)(bytes + 80)), 1000, "a right one stays");
	is_u64(record_id((const void *)(bytes + 160)), 100, "as does an event without a count");
	is_u64(record_id((const void *)(bytes + 200)), 99999, "and what is unknown");
	feed(decoder, 1);
	is_u64(nseen, 4, "what was mended is decoded as before");
	decoder_free(decoder);
}

static uint64_t period_of(void *ctx, uint32_t slot, uint32_t event)
{
	return ctx == bytes ? slot * 100 + event : 0;
}

static void check_period(void)
{
	struct decoder *decoder = new_counted_decoder();
	struct period_source source = { bytes, period_of };

	decoder_set_periods(decoder, &source);
	put_counted(1000, 5, 1000, 3);
	put_sample(100, 1);
	feed(decoder, 3);
	is_u64(seen[0].record.period, 310, "a sample with a count gets its event's period");
	is_u64(seen[1].record.period, 0, "no other does");
	decoder_free(decoder);
}

/* The record made so far, as a file has it. */
static struct decoder_peek peek(struct decoder *decoder, bool is_decodable, const char *what)
{
	struct decoder_peek got;

	used = 0; /* it stays at the start of `bytes` until the next begin() */
	ok(decoder_peek(decoder, (const void *)bytes, &got) == is_decodable, "%s", what);
	return got;
}

/* A record is looked at, kept, and decoded later. */
static void check_peeked(void)
{
	const struct record_ids none = { 0 };
	struct decoder *decoder = new_decoder();
	const struct decoder_stats *stats = decoder_stats(decoder);

	nseen = 0;
	put_sample(999, 1);
	is_u64(peek(decoder, false, "an id that is not known").time_ns, 0, "has no time");
	begin(PERF_RECORD_SAMPLE, 0, 16);
	put(100);
	is_u64(peek(decoder, false, "a record that is too short").time_ns, 0, "has no time");

	begin(0, 0, 8);
	struct decoder_peek unknown = peek(decoder, true, "a type that is not known");
	decoder_feed_peeked(decoder, 0, &unknown, (const void *)bytes);
	is_u64(stats->unknown_types, 1, "is counted when it is fed");

	decoder_set_ids(decoder, &none, 0);
	begin(PERF_RECORD_SWITCH_CPU_WIDE, ABI_MISC_SWITCH_OUT, 48);
	put_pair(8, 9);
	put_trailer(100, 4);
	struct decoder_peek first = peek(decoder, true, "a record without an id");
	decoder_set_ids(decoder, &none, 5);
	decoder_feed_peeked(decoder, 6, &first, (const void *)bytes);
	is_u64(seen[0].event, 0, "is of the event that it had when it was looked at");
	is_u64(seen[0].slot, 6, "and of its slot");
	is_u64(seen[0].record.time_ns, first.time_ns, "its time was right");
	is_u64(stats->records, 1, "and is counted once");
	is_u64(stats->unknown_ids + stats->malformed, 0, "what was only looked at is not");
	first.time_ns = 0;
	decoder_feed_peeked(decoder, 6, &first, (const void *)bytes);
	is_u64(seen[1].record.time_ns, 0, "its time is what it was put in order by");
	decoder_free(decoder);
}

int main(void)
{
	plan_lazy();
	check_events();
	check_second_id();
	check_mended();
	check_period();
	check_unknown();
	check_malformed();
	check_late();
	check_peeked();
	decoder_free(NULL);
	return done();
}
