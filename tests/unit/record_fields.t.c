/* SPDX-License-Identifier: MIT */
/* The fields of a sample: each one's length, and lengths in the record that are wrong. */
#include "decode/record.h"

#include "base/abi.h"
#include "made-record.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A sample with one field: its length is right when the whole decodes and no cut does. */
struct field {
	const char *name;
	struct record_layout layout;
	uint64_t words[12];
	size_t nwords;
};

static const struct field fields[] = {
	{ "READ", { .sample_type = PERF_SAMPLE_READ }, { 5 }, 1 },
	{ "READ with times",
	  { .sample_type = PERF_SAMPLE_READ, .read_format = TIMES },
	  { 5, 100, 90 },
	  3 },
	{ "READ with all",
	  { .sample_type = PERF_SAMPLE_READ,
	    .read_format = TIMES | PERF_FORMAT_ID | ABI_FORMAT_LOST },
	  { 5, 100, 90, 77, 3 },
	  5 },
	{ "READ of a group of 3",
	  { .sample_type = PERF_SAMPLE_READ, .read_format = PERF_FORMAT_GROUP },
	  { 3, 10, 20, 30 },
	  4 },
	{ "READ of a group of 0",
	  { .sample_type = PERF_SAMPLE_READ, .read_format = PERF_FORMAT_GROUP | TIMES },
	  { 0, 100, 90 },
	  3 },
	{ "READ of a group of 2 with all",
	  { .sample_type = PERF_SAMPLE_READ,
	    .read_format = PERF_FORMAT_GROUP | TIMES | PERF_FORMAT_ID | ABI_FORMAT_LOST },
	  { 2, 100, 90, 10, 1, 0, 20, 2, 0 },
	  9 },
	{ "an empty CALLCHAIN", { .sample_type = PERF_SAMPLE_CALLCHAIN }, { 0 }, 1 },
	{ "a CALLCHAIN of 3", { .sample_type = PERF_SAMPLE_CALLCHAIN }, { 3, 1, 2, 3 }, 4 },
	{ "BRANCH_STACK of 0", { .sample_type = PERF_SAMPLE_BRANCH_STACK }, { 0 }, 1 },
	{ "BRANCH_STACK of 2",
	  { .sample_type = PERF_SAMPLE_BRANCH_STACK },
	  { 2, 1, 2, 3, 4, 5, 6 },
	  7 },
	{ "BRANCH_STACK with its index",
	  { .sample_type = PERF_SAMPLE_BRANCH_STACK,
	    .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX },
	  { 1, 9, 1, 2, 3 },
	  5 },
	{ "BRANCH_STACK with counters",
	  { .sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = 1ull << 19 },
	  { 2, 1, 2, 3, 4, 5, 6, 7, 8 },
	  9 },
	{ "REGS_USER with abi 0",
	  { .sample_type = PERF_SAMPLE_REGS_USER, .regs_user = 4 },
	  { 0 },
	  1 },
	{ "REGS_USER", { .sample_type = PERF_SAMPLE_REGS_USER, .regs_user = 2 }, { 2, 1, 2 }, 3 },
	{ "STACK_USER of size 0", { .sample_type = PERF_SAMPLE_STACK_USER }, { 0 }, 1 },
	{ "STACK_USER", { .sample_type = PERF_SAMPLE_STACK_USER }, { 16, 1, 2, 16 }, 4 },
	{ "WEIGHT", { .sample_type = PERF_SAMPLE_WEIGHT }, { 4 }, 1 },
	{ "WEIGHT_STRUCT", { .sample_type = ABI_SAMPLE_WEIGHT_STRUCT }, { 4 }, 1 },
	{ "DATA_SRC", { .sample_type = PERF_SAMPLE_DATA_SRC }, { 4 }, 1 },
	{ "TRANSACTION", { .sample_type = PERF_SAMPLE_TRANSACTION }, { 4 }, 1 },
	{ "REGS_INTR with abi 0",
	  { .sample_type = PERF_SAMPLE_REGS_INTR, .regs_intr = 4 },
	  { 0 },
	  1 },
	{ "REGS_INTR", { .sample_type = PERF_SAMPLE_REGS_INTR, .regs_intr = 1 }, { 2, 1 }, 2 },
	{ "PHYS_ADDR", { .sample_type = PERF_SAMPLE_PHYS_ADDR }, { 4 }, 1 },
	{ "CGROUP", { .sample_type = PERF_SAMPLE_CGROUP }, { 4 }, 1 },
	{ "DATA_PAGE_SIZE", { .sample_type = ABI_SAMPLE_DATA_PAGE_SIZE }, { 4096 }, 1 },
	{ "CODE_PAGE_SIZE", { .sample_type = ABI_SAMPLE_CODE_PAGE_SIZE }, { 4096 }, 1 },
	{ "AUX of size 0", { .sample_type = PERF_SAMPLE_AUX }, { 0 }, 1 },
	{ "AUX", { .sample_type = PERF_SAMPLE_AUX }, { 16, 1, 2 }, 3 },
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static void check_field(const struct field *field)
{
	struct record record;

	begin(PERF_RECORD_SAMPLE);
	for (size_t i = 0; i < field->nwords; i++)
		put(field->words[i]);
	struct bytes bytes = bytes_new(made, made_size);
	ok(decode(&bytes, &field->layout, &record), "a sample with %s", field->name);
	check_cut(field->name, &bytes, &field->layout, bytes.size);
	free(bytes.header);
}

/* Wrong lengths in the record: refused, whatever they multiply to. */
static void check_liar(const char *name, struct record_layout layout, size_t word)
{
	static const uint64_t lies[] = { 48,
					 64,
					 1ull << 16,
					 1ull << 32,
					 1ull << 61,
					 (1ull << 61) + 1,
					 1ull << 63,
					 UINT64_MAX,
					 UINT64_MAX / 3,
					 UINT64_MAX / 24 + 1 };
	unsigned int believed = 0;

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct record record;

		begin(PERF_RECORD_SAMPLE);
		for (size_t k = 0; k < 6; k++)
			put(k == word ? lies[i] : 1);
		struct bytes bytes = bytes_new(made, made_size);
		believed += decode(&bytes, &layout, &record);
		free(bytes.header);
	}
	is_u64(believed, 0, "%s: no wrong length is accepted", name);
}

static void check_liars(void)
{
	check_liar("READ",
		   (struct record_layout){ .sample_type = PERF_SAMPLE_READ,
					   .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
							  ABI_FORMAT_LOST },
		   0);
	check_liar("CALLCHAIN", (struct record_layout){ .sample_type = PERF_SAMPLE_CALLCHAIN }, 0);
	check_liar("BRANCH_STACK",
		   (struct record_layout){ .sample_type = PERF_SAMPLE_BRANCH_STACK }, 0);
	check_liar("BRANCH_STACK with counters",
		   (struct record_layout){ .sample_type = PERF_SAMPLE_BRANCH_STACK,
					   .branch_sample_type = 1ull << 19 },
		   0);
	check_liar("REGS_USER",
		   (struct record_layout){ .sample_type = PERF_SAMPLE_REGS_USER, .regs_user = 64 },
		   1);
	check_liar("STACK_USER", (struct record_layout){ .sample_type = PERF_SAMPLE_STACK_USER },
		   0);
	check_liar("AUX",
		   (struct record_layout){ .sample_type = PERF_SAMPLE_AUX | PERF_SAMPLE_WEIGHT },
		   1);
}

static void check_raw_lies(void)
{
	struct record_layout layout = { .sample_type = PERF_SAMPLE_RAW };
	struct record record;

	begin(PERF_RECORD_SAMPLE);
	put_pair(12, 0x11223344);
	put(0x5566778899aabbcc);
	struct bytes bytes = bytes_new(made, made_size);
	ok(decode(&bytes, &layout, &record), "raw bytes up to the record's end");
	is_u64(record.raw_size, 12, "12 of them");
	for (uint32_t lie = 13; lie != 0; lie = lie * 2 < lie ? 0 : lie * 2) {
		memcpy(bytes.header + 1, &lie, sizeof(lie));
		if (decode(&bytes, &layout, &record))
			ok(false, "a raw size of %" PRIu32 " is accepted", lie);
	}
	free(bytes.header);
}

int main(void)
{
	plan_lazy();
	for (size_t i = 0; i < FIELDS; i++)
		check_field(&fields[i]);
	check_liars();
	check_raw_lies();
	return done();
}
