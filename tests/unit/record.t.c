/* SPDX-License-Identifier: MIT */
#include "decode/record.h"

#include "capture/abi.h"
#include "tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED   20260912
#define RANDOM 100000

/* What every event of ours has; see attr.c. */
#define OURS  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* A record's bytes, in a block of exactly its size: one byte too far, and ASan says so. */
struct bytes {
	size_t size;
	struct perf_event_header *header;
};

static struct bytes bytes_new(const void *from, size_t size)
{
	struct bytes bytes = { size, calloc(1, size != 0 ? size : 1) };

	if (bytes.header == NULL)
		bail("no memory");
	memcpy(bytes.header, from, size);
	bytes.header->size = (uint16_t)size;
	return bytes;
}

/* What a decoded record points to lies in its bytes. */
static bool lies_within(const struct record *record, const struct bytes *bytes)
{
	const unsigned char *begin = (const unsigned char *)bytes->header;
	const unsigned char *end = begin + bytes->size;
	const unsigned char *chain = (const unsigned char *)record->chain;
	const unsigned char *name = (const unsigned char *)record->comm.name;

	if (chain != NULL && (chain < begin || chain + record->nchain * 8 > end))
		return false;
	if (record->raw != NULL && (record->raw < begin || record->raw + record->raw_size > end))
		return false;
	if (record->type == PERF_RECORD_COMM &&
	    (name < begin || name + record->comm.name_len > end))
		return false;
	return true;
}

static bool decode(const struct bytes *bytes, const struct record_layout *layout,
		   struct record *record)
{
	bool is_whole = record_decode(bytes->header, layout, record);

	if (is_whole && !lies_within(record, bytes))
		ok(false, "type %u, size %zu: points outside of its bytes", record->type,
		   bytes->size);
	return is_whole;
}

/*
 * The record cut off at every length: false below `least` bytes, true from there, and nothing is
 * read that is not there.
 */
static void check_cut(const char *name, const struct bytes *whole,
		      const struct record_layout *layout, size_t least)
{
	unsigned int bad = 0;

	for (size_t size = sizeof(struct perf_event_header); size < whole->size; size++) {
		struct bytes cut = bytes_new(whole->header, size);
		struct record record;

		if (decode(&cut, layout, &record) != (size >= least) && bad++ == 0)
			diag("%s: wrong at %zu of %zu bytes", name, size, whole->size);
		record_id(cut.header);
		free(cut.header);
	}
	is_u64(bad, 0, "%s: cut off at every length, refused below %zu bytes", name, least);
}

/* --- golden bytes, as Linux 6.18 wrote them -------------------------------------------------- */

struct golden {
	const char *name, *hex;
	uint64_t sample_type, read_format;
	unsigned int regs_user, regs_intr;
	bool has_no_id; /* sample_id_all is 0 */
	size_t least;	/* bytes that it needs; 0: all of them */
	void (*check)(const struct record *record);
};

static void check_ids(const struct record *record, uint64_t id, uint32_t pid, uint32_t tid,
		      uint64_t time_ns)
{
	is_u64(record->id, id, "its id");
	is_u64(record->pid, pid, "its pid");
	is_u64(record->tid, tid, "its tid");
	is_u64(record->time_ns, time_ns, "its time");
	is_u64(record->cpu, 0, "its CPU");
}

static void check_switch_out(const struct record *record)
{
	ok(record->misc & ABI_MISC_SWITCH_OUT, "out");
	is_u64(record->time_ns, 0, "nothing else is known");
}

static void check_switch_in(const struct record *record)
{
	ok(!(record->misc & ABI_MISC_SWITCH_OUT), "in");
}

static void check_wide_out(const struct record *record)
{
	check_ids(record, 1164, 19767, 19767, 3968892189853);
	is_u64(record->next_prev.pid, 19769, "the other task");
	is_u64(record->next_prev.tid, 19769, "and thread");
	is_u64(record->misc, 0x2000, "out");
}

static void check_wide_in(const struct record *record)
{
	check_ids(record, 1164, 19769, 19769, 3968892191456);
	is_u64(record->next_prev.pid, 19767, "the other task");
	is_u64(record->next_prev.tid, 19767, "and thread");
	is_u64(record->misc, 0x0, "in");
}

static void check_wide_preempt(const struct record *record)
{
	check_ids(record, 1164, 19768, 19768, 3968892450250);
	is_u64(record->next_prev.pid, 19769, "the other task");
	is_u64(record->next_prev.tid, 19769, "and thread");
	is_u64(record->misc, 0x6000, "preempted");
}

static void check_comm(const struct record *record)
{
	check_ids(record, 1163, 19767, 19767, 3968892108221);
	is_u64(record->comm.pid, 19767, "whose name");
	is_u64(record->comm.tid, 19767, "which thread");
	is_u64(record->comm.name_len, 6, "up to the first NUL");
	is_mem(record->comm.name, "golden", 6, "the name");
}

static void check_comm_exec(const struct record *record)
{
	check_ids(record, 1163, 19769, 19769, 3968892508448);
	is_u64(record->comm.pid, 19769, "whose name");
	is_u64(record->comm.tid, 19769, "which thread");
	is_u64(record->comm.name_len, 4, "up to the first NUL");
	is_mem(record->comm.name, "true", 4, "the name");
}

static void check_fork(const struct record *record)
{
	check_ids(record, 1163, 19767, 19767, 3968892170467);
	is_u64(record->task.pid, 19769, "pid");
	is_u64(record->task.ppid, 19767, "ppid");
	is_u64(record->task.tid, 19769, "tid");
	is_u64(record->task.ptid, 19767, "ptid");
	is_u64(record->task.time_ns, 3968892170737, "time of the task");
}

static void check_exit(const struct record *record)
{
	check_ids(record, 1163, 19769, 19769, 3968893204840);
	is_u64(record->task.pid, 19769, "pid");
	is_u64(record->task.ppid, 19767, "ppid");
	is_u64(record->task.tid, 19769, "tid");
	is_u64(record->task.ptid, 19767, "ptid");
	is_u64(record->task.time_ns, 3968893205411, "time of the task");
}

static void check_lost(const struct record *record)
{
	check_ids(record, 1167, 19767, 19767, 3968987076046);
	is_u64(record->lost.id, 1167, "the next writer");
	is_u64(record->lost.lost, 84, "lost records");
}

static void check_throttle(const struct record *record)
{
	check_ids(record, 1171, 19810, 19810, 3969660163678);
	is_u64(record->throttle.time_ns, 3969660163497, "when");
	is_u64(record->throttle.id, 1171, "which event");
	is_u64(record->throttle.stream_id, 1171, "which stream");
}

static void check_unthrottle(const struct record *record)
{
	check_ids(record, 1171, 19810, 19810, 3969660166593);
	is_u64(record->throttle.time_ns, 3969660166453, "when");
	is_u64(record->throttle.id, 1171, "which event");
	is_u64(record->throttle.stream_id, 1171, "which stream");
}

static void check_sched_switch(const struct record *record)
{
	check_ids(record, 1167, 19767, 19767, 3968972341002);
	is_u64(record->raw_size, 68, "raw bytes, with the padding");
	is_u64(record->raw[0] + 256u * record->raw[1], 372, "that begin with the tracepoint");
	is_mem(record->raw + 8, "golden", 6, "and hold its fields");
}

static void check_cpu_clock(const struct record *record)
{
	check_ids(record, 1168, 19767, 19767, 3969024544329);
	is_u64(record->ip, 0xffffffff8144135f, "where it hit");
	is_u64(record->period, 10000, "for how much it stands");
	is_u64(record->misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL, "kernel");
}

static void check_everything(const struct record *record)
{
	check_ids(record, 1169, 19767, 19767, 3969653972319);
	is_u64(record->ip, 0xffffffff821f5f83, "where it hit");
	is_u64(record->period, 1, "its period");
	is_u64(record->nchain, 10, "callers");
	is_u64(record->chain[0], 0xffffffffffffff80u, "that begin with the kernel");
	is_u64(record->chain[1], 0xffffffff821f5f83u, "and its own address");
}

static const struct golden goldens[] = {
	{ .name = "switch out",
	  .hex = "0e00000000200800",
	  .has_no_id = true,
	  .least = 8,
	  .check = check_switch_out },
	{ .name = "switch in",
	  .hex = "0e00000000000800",
	  .has_no_id = true,
	  .least = 8,
	  .check = check_switch_in },
	{ .name = "wide out",
	  .hex = "0f00000000203000394d0000394d0000374d0000374d00009dbc68149c030000"
		 "00000000000000008c04000000000000",
	  .check = check_wide_out },
	{ .name = "wide in",
	  .hex = "0f00000000003000374d0000374d0000394d0000394d0000e0c268149c030000"
		 "00000000000000008c04000000000000",
	  .check = check_wide_in },
	{ .name = "wide preempt",
	  .hex = "0f00000000603000394d0000394d0000384d0000384d0000cab56c149c030000"
		 "00000000000000008c04000000000000",
	  .check = check_wide_preempt },
	{ .name = "comm",
	  .hex = "0300000000003800374d0000374d0000676f6c64656e0000374d0000374d0000"
		 "bd7d67149c03000000000000000000008b04000000000000",
	  .least = 48,
	  .check = check_comm },
	{ .name = "comm exec",
	  .hex = "0300000000203800394d0000394d00007472756500000000394d0000394d0000"
		 "20996d149c03000000000000000000008b04000000000000",
	  .least = 48,
	  .check = check_comm_exec },
	{ .name = "fork",
	  .hex = "0700000000004000394d0000374d0000394d0000374d0000f17168149c030000"
		 "374d0000374d0000e37068149c03000000000000000000008b04000000000000",
	  .check = check_fork },
	{ .name = "exit",
	  .hex = "0400000000004000394d0000374d0000394d0000374d0000a33b78149c030000"
		 "394d0000394d0000683978149c03000000000000000000008b04000000000000",
	  .check = check_exit },
	{ .name = "lost",
	  .hex = "02000000000038008f040000000000005400000000000000374d0000374d0000"
		 "ce95101a9c03000000000000000000008f04000000000000",
	  .check = check_lost },
	{ .name = "throttle",
	  .hex = "0500000000004000a9152f429c03000093040000000000009304000000000000"
		 "624d0000624d00005e162f429c03000000000000000000009304000000000000",
	  .check = check_throttle },
	{ .name = "unthrottle",
	  .hex = "060000000000400035212f429c03000093040000000000009304000000000000"
		 "624d0000624d0000c1212f429c03000000000000000000009304000000000000",
	  .check = check_unthrottle },
	{ .name = "sched switch",
	  .hex = "09000000010070008f04000000000000374d0000374d00000abf2f199c030000"
		 "00000000000000004400000074010103374d0000676f6c64656e000000000000"
		 "00000000374d0000780000000100000000000000636331000000000000000000"
		 "00000000424d00007800000000000000",
	  .sample_type = PERF_SAMPLE_RAW,
	  .check = check_sched_switch },
	{ .name = "cpu clock",
	  .hex = "090000000100380090040000000000005f134481ffffffff374d0000374d0000"
		 "494e4c1c9c03000000000000000000001027000000000000",
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD,
	  .check = check_cpu_clock },
	{ .name = "everything",
	  .hex = "09000000010070019104000000000000835f1f82ffffffff374d0000374d0000"
		 "5f9dd0419c030000000000000000000091040000000000009104000000000000"
		 "000000000000000001000000000000000200000000000000cf3a010000000000"
		 "cf3a010000000000010000000000000091040000000000000000000000000000"
		 "0000000000000000920400000000000000000000000000000a00000000000000"
		 "80ffffffffffffff835f1f82fffffffffece1f82ffffffff54fa4181ffffffff"
		 "50864281ffffffff5eb94281ffffffff11a01e82ffffffff30010081ffffffff"
		 "00feffffffffffff03157d32857f00000200000000000000daffffffffffffff"
		 "f83a51a4ff7f000003157d32857f0000403751a4ff7f00001000000000000000"
		 "535e7d32857f0000f8ff1f000000000010000000000000000000000000000000"
		 "210008051e000000020000000000000000000000000000000000000000000000"
		 "00000000000000000100000000000000",
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ |
			 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
			 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_REGS_INTR |
			 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP,
	  .read_format = TIMES | PERF_FORMAT_ID | PERF_FORMAT_GROUP | ABI_FORMAT_LOST,
	  .regs_user = 4,
	  .regs_intr = 2,
	  .check = check_everything },
};

static size_t parse_hex(const char *hex, unsigned char *out)
{
	size_t size = strlen(hex) / 2;

	for (size_t i = 0; i < size; i++) {
		unsigned int byte;

		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			bail("a golden record is no hex");
		out[i] = (unsigned char)byte;
	}
	return size;
}

static void check_golden(const struct golden *golden)
{
	struct record_layout layout = { .sample_type = OURS | golden->sample_type,
					.read_format = golden->read_format,
					.regs_user = golden->regs_user,
					.regs_intr = golden->regs_intr,
					.has_sample_id = !golden->has_no_id };
	unsigned char raw[512] = { 0 };
	struct bytes bytes = bytes_new(raw, parse_hex(golden->hex, raw));
	struct record record;

	if (ok(decode(&bytes, &layout, &record), "%s", golden->name)) {
		is_u64(record.type, bytes.header->type, "its type");
		is_u64(record.size, bytes.size, "its size");
		golden->check(&record);
		if (!golden->has_no_id)
			is_u64(record_id(bytes.header), record.id, "its id without decoding it");
	}
	check_cut(golden->name, &bytes, &layout, golden->least != 0 ? golden->least : bytes.size);
	free(bytes.header);
}

/* --- records made here: what this machine cannot write --------------------------------------- */

static unsigned char made[4096];
static size_t made_size;

static void begin(uint32_t type)
{
	struct perf_event_header header = { .type = type };

	memcpy(made, &header, sizeof(header));
	made_size = sizeof(header);
}

static void put(uint64_t word)
{
	memcpy(made + made_size, &word, sizeof(word));
	made_size += sizeof(word);
}

static void put_pair(uint32_t first, uint32_t second)
{
	uint32_t pair[2] = { first, second };

	memcpy(made + made_size, pair, sizeof(pair));
	made_size += sizeof(pair);
}

/* A sample with one field, and a CGROUP behind it, by which one can tell that the field's length was right. */
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

/* Lengths in the record that lie about it: refused, whatever they multiply to. */
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
	is_u64(believed, 0, "%s: no wrong length is believed", name);
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
			ok(false, "a raw size of %" PRIu32 " is believed", lie);
	}
	free(bytes.header);
}

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

/* --- anything ------------------------------------------------------------------------------- */

static uint64_t random_u64(void)
{
	return (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
}

/* Lengths are small more often than not, so that decoding gets far. */
static uint64_t random_word(void)
{
	return rand() % 4 ? (uint64_t)(rand() % 5) : random_u64();
}

static struct record_layout random_layout(void)
{
	return (struct record_layout){ .sample_type = random_u64() & random_u64(),
				       .read_format = (uint64_t)rand() % 32,
				       .branch_sample_type = random_u64(),
				       .regs_user = (unsigned int)rand() % 65,
				       .regs_intr = (unsigned int)rand() % 65,
				       .has_sample_id = rand() % 2 };
}

/* Any bytes at all: true or false, and nothing read that is not there. */
static void check_random(void)
{
	unsigned int whole = 0;

	srand(SEED);
	for (int i = 0; i < RANDOM; i++) {
		struct record_layout layout = random_layout();
		struct record record;

		begin(rand() % 2 ? PERF_RECORD_SAMPLE : (uint32_t)rand() % 24);
		for (int words = rand() % 40; words > 0; words--)
			put(random_word());
		/* Sizes that are no multiple of 8 come from files, not from rings. */
		size_t size = made_size - (rand() % 8 == 0 && made_size > 16 ? rand() % 8 : 0);
		struct bytes bytes = bytes_new(made, size);
		whole += decode(&bytes, &layout, &record);
		record_id(bytes.header);
		free(bytes.header);
	}
	ok(whole > RANDOM / 20 && whole < RANDOM, "%d random records: %u made sense", RANDOM,
	   whole);
}

int main(void)
{
	plan_lazy();
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++)
			check_golden(&goldens[i]);
	} else {
		skip(1, "the golden records are little-endian");
	}
	for (size_t i = 0; i < FIELDS; i++)
		check_field(&fields[i]);
	check_liars();
	check_raw_lies();
	check_lost_samples();
	check_trailer();
	check_long_comm();
	check_others();
	check_ids_at_edges();
	check_layout();
	check_random();
	return done();
}
