/* SPDX-License-Identifier: MIT */
/* Record parts outside a sample's fields: trailer, id, name; and the layout that an attr gives. */
#include "decode/record.h"
#include "base/abi.h"

#include "made-record.h"
#include "tap.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void check_lost_samples(void)
{
	struct record_layout layout = { .sample_type = OURS, .has_sample_id = true };
	struct record record;

	begin(PERF_RECORD_LOST_SAMPLES);
	put(1234);
	put_pair(10, 11);
	put(99);
	put_pair(3, 0);
	put(42);
	struct bytes bytes = bytes_new(made, made_size);
	ok(decode(&bytes, &layout, &record), "LOST_SAMPLES");
	is_u64(record.lost_samples.lost, 1234, "how many");
	is_u64(record.id, 42, "its id");
	is_u64(record.tid, 11, "its tid");
	is_u64(record.cpu, 3, "its CPU");
	check_cut("LOST_SAMPLES", &bytes, &layout, bytes.size);
	free(bytes.header);
}

/* The counts of a group: how many, the times, and of each its count, id and losses. */
static void check_members(void)
{
	struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING | ABI_FORMAT_LOST,
	};
	static const uint64_t words[] = { 7, 2, 100, 90, 1000, 7, 3, 2000, 8, 4 };
	struct record_layout layout;
	struct record record;

	record_layout_from_attr(&attr, &layout);
	begin(PERF_RECORD_SAMPLE);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		put(words[i]);
	struct bytes bytes = bytes_new(made, made_size);
	ok(decode(&bytes, &layout, &record), "SAMPLE with the counts of a group");
	is_u64(record.nmembers, 2, "how many");
	for (uint64_t i = 0; i < record.nmembers; i++) {
		struct record_member member = record_member(&record, i);

		is_u64(member.value, 1000 + i * 1000, "a count");
		is_u64(member.id, 7 + i, "its id");
		is_u64(member.lost, 3 + i, "its losses");
	}
	check_cut("SAMPLE", &bytes, &layout, bytes.size);
	free(bytes.header);

	attr.read_format &= ~(uint64_t)ABI_FORMAT_LOST;
	record_layout_from_attr(&attr, &layout);
	begin(PERF_RECORD_SAMPLE);
	for (size_t i = 0; i < 6; i++)
		put(words[i]);
	put(2000);
	put(8);
	bytes = bytes_new(made, made_size);
	ok(decode(&bytes, &layout, &record), "and of a kernel that does not count losses");
	struct record_member second = record_member(&record, 1);
	is_u64(second.value, 2000, "its count");
	is_u64(second.id, 8, "and id");
	is_u64(second.lost, 0, "no losses");
	free(bytes.header);
}

/* A trailer of all its fields, in their order. */
static void check_trailer(void)
{
	struct record_layout layout = {
		.sample_type = OURS | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IP |
			       PERF_SAMPLE_PERIOD |
			       PERF_SAMPLE_RAW, /* the last three are not in it */
		.has_sample_id = true,
	};
	struct record record;

	begin(PERF_RECORD_SWITCH);
	put_pair(1, 2);
	put(3);
	put(4);
	put(5);
	put_pair(6, 0);
	put(7);
	struct bytes bytes = bytes_new(made, made_size);
	ok(decode(&bytes, &layout, &record), "SWITCH with a full trailer");
	is_u64(record.pid, 1, "pid");
	is_u64(record.tid, 2, "tid");
	is_u64(record.time_ns, 3, "time");
	is_u64(record.cpu, 6, "cpu");
	is_u64(record.id, 7, "identifier");
	check_cut("SWITCH", &bytes, &layout, bytes.size);
	free(bytes.header);
}

/* A name without its NUL, as long as the record has room. */
static void check_long_comm(void)
{
	struct record_layout layout = { .sample_type = OURS, .has_sample_id = true };
	struct record record;

	begin(PERF_RECORD_COMM);
	put_pair(1, 2);
	memcpy(made + made_size, "0123456789abcdef", sizeof("0123456789abcdef") - 1);
	made_size += 16;
	put_pair(1, 2);
	put(3);
	put_pair(4, 0);
	put(5);
	struct bytes bytes = bytes_new(made, made_size);
	ok(decode(&bytes, &layout, &record), "COMM without a NUL");
	is_u64(record.comm.name_len, 16, "ends where the trailer begins");
	free(bytes.header);
}

/* Types without fields of interest: the trailer, and no matter what is before it. */
static void check_others(void)
{
	struct record_layout layout = { .sample_type = OURS, .has_sample_id = true };
	struct record_layout bare = { .sample_type = OURS };
	unsigned int bad = 0;

	for (uint32_t type = 1; type < 64; type++) {
		struct record record;

		if (type == PERF_RECORD_SAMPLE)
			continue;
		begin(type);
		for (int i = 0; i < 20; i++)
			put(0x0101010101010101);
		put_pair(1, 2);
		put(3);
		put_pair(4, 0);
		put(5);
		struct bytes bytes = bytes_new(made, made_size);
		bad += !decode(&bytes, &layout, &record) || record.id != 5 || record.tid != 2 ||
		       record.time_ns != 3 || record.cpu != 4;
		bad += !decode(&bytes, &bare, &record) || record.id != 0;
		free(bytes.header);
	}
	is_u64(bad, 0, "every type has its trailer decoded");
}

#define GAP(from, to)                                                  \
	(offsetof(struct record, to) - offsetof(struct record, from) - \
	 sizeof(((struct record *)NULL)->from))

/* Nothing remains of the record before; only gaps between fields are left as they were. */
static void check_cleared(void)
{
	size_t gaps = GAP(cpu, ip) + GAP(has_value, members) + GAP(raw_size, comm);
	static const uint32_t types[] = { PERF_RECORD_SAMPLE, PERF_RECORD_SWITCH };

	for (size_t i = 0; i < 2; i++) {
		struct record_layout layout = { 0 };
		unsigned char low[sizeof(struct record)], high[sizeof(struct record)];
		struct record record;
		size_t kept = 0;

		begin(types[i]);
		struct bytes bytes = bytes_new(made, made_size);
		memset(&record, 0, sizeof(record));
		decode(&bytes, &layout, &record);
		memcpy(low, &record, sizeof(record));
		memset(&record, 0xff, sizeof(record));
		decode(&bytes, &layout, &record);
		memcpy(high, &record, sizeof(record));
		for (size_t at = 0; at < sizeof(record); at++)
			kept += low[at] != high[at];
		is_u64(kept, gaps, "a record of type %" PRIu32 " has nothing of the one before",
		       types[i]);
		free(bytes.header);
	}
}

static void check_ids_at_edges(void)
{
	struct bytes bytes;

	begin(PERF_RECORD_SAMPLE);
	bytes = bytes_new(made, made_size);
	is_u64(record_id(bytes.header), 0, "a sample of 8 bytes has no id");
	free(bytes.header);
	begin(PERF_RECORD_SWITCH);
	bytes = bytes_new(made, made_size);
	is_u64(record_id(bytes.header), 0, "nor has a switch of 8 bytes");
	free(bytes.header);
	begin(PERF_RECORD_SAMPLE);
	put(11);
	put(22);
	bytes = bytes_new(made, made_size);
	is_u64(record_id(bytes.header), 11, "a sample's is its first word");
	bytes.header->type = PERF_RECORD_SWITCH;
	is_u64(record_id(bytes.header), 22, "any other's its last");
	free(bytes.header);
}

static void check_layout(void)
{
	struct perf_event_attr attr = { .sample_type = OURS | PERF_SAMPLE_RAW,
					.read_format = TIMES,
					.branch_sample_type = 3,
					.sample_regs_user = 0xff00000000000001,
					.sample_regs_intr = 0xf,
					.sample_id_all = 1 };
	struct record_layout layout;

	record_layout_from_attr(&attr, &layout);
	is_u64(layout.sample_type, attr.sample_type, "a layout has the attr's sample_type");
	is_u64(layout.read_format, TIMES, "its read_format");
	is_u64(layout.branch_sample_type, 3, "its branch_sample_type");
	is_u64(layout.regs_user, 9, "as many user registers as bits");
	is_u64(layout.regs_intr, 4, "and interrupted ones");
	ok(layout.has_sample_id, "and a trailer");
	attr.sample_id_all = 0;
	record_layout_from_attr(&attr, &layout);
	ok(!layout.has_sample_id, "or none");
}

int main(void)
{
	plan_lazy();
	check_lost_samples();
	check_members();
	check_trailer();
	check_long_comm();
	check_others();
	check_cleared();
	check_ids_at_edges();
	check_layout();
	return done();
}
