/* SPDX-License-Identifier: MIT */
/* Golden records: bytes as Linux 6.18 wrote them, and what they mean. */
#include "decode/record.h"

#include "base/abi.h"
#include "made-record.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	is_u64(record->lost.id, 1167, "the next event that wrote");
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
	is_u64(record->period, 10000, "its period");
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

int main(void)
{
	plan_lazy();
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++)
			check_golden(&goldens[i]);
	} else {
		skip(1, "the golden records are little-endian");
	}
	return done();
}
