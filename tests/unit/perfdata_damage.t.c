/* SPDX-License-Identifier: MIT */
/*
 * What is still read of damaged perf.data files.  Each class of damage is a real file of
 * tests/data with bytes changed.
 */
#include "base/sys.h"
#include "perfdata/layout.h"
#include "perfdata/reader.h"
#include "source/file-clock.h"

#include "data-file.h"
#include "messages.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_truncation(const char *name, uint64_t most)
{
	static struct file all;
	bool has_said = true, is_right = true;
	uint64_t last = 0;

	load(name);
	memcpy(&all, &file, sizeof(all));
	for (size_t len = 0; len < all.len; len += 64) {
		file.len = len;
		struct result result = replay();
		uint64_t got = sampled(result.snap);

		/* A pipe that ends between two records is a whole one. */
		has_said &= result.text[0] != '\0' || get64(8) == 16;
		is_right &= got <= most && got >= last;
		last = got;
		result_fini(&result);
	}
	ok(has_said, "%s cut off every 64 bytes: always reported", name);
	ok(is_right, "%s cut off every 64 bytes: samples only grow, up to all", name);
}

/* The offset of the n-th record of a type. */
static size_t find_record(uint32_t type, unsigned int number)
{
	size_t at = get64(40), end = at + get64(48);

	while (at + 8 <= end) {
		uint32_t here;
		uint16_t size;

		memcpy(&here, file.bytes + at, sizeof(here));
		memcpy(&size, file.bytes + at + 6, sizeof(size));
		if (here == type && number-- == 0)
			return at;
		at += size;
	}
	bail("no record of type %u", type);
}

static void test_record_sizes(void)
{
	static const uint16_t sizes[] = { 0, 1, 7, 9, 12, 65535, 65528 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		load("events.data");
		put16(find_record(PERF_RECORD_SAMPLE, 5) + 6, sizes[i]);
		damaged(33, "a record of a wrong size");
	}
	load("events.data");
	put16(find_record(PERF_RECORD_SAMPLE, 5) + 6, 8);
	damaged(33, "a record of a header alone");
}

static void test_message(void)
{
	load("events.data");
	size_t at = find_record(PERF_RECORD_SAMPLE, 3);
	char number[32];

	put16(at + 6, 0);
	struct result result = replay();
	is_message(result.text, "perf.data: record of size 0");
	snprintf(number, sizeof(number), " %zu)", at);
	ok(strstr(result.text, number) != NULL, "its offset is named: %s", number);
	snprintf(number, sizeof(number), " %llu ",
		 (unsigned long long)(get64(40) + get64(48) - at));
	ok(strstr(result.text, number) != NULL, "and how many bytes were not read: %s", number);
	is_u64(sampled(result.snap), 3, "what is before it is shown");
	result_fini(&result);
}

static void test_head(void)
{
	static const struct {
		size_t at;
		const char *what;
	} fields[] = {
		{ 16, "attr size" },	 { 24, "attrs' offset" }, { 32, "attrs' size" },
		{ 40, "data's offset" }, { 48, "data's size" },
	};
	static const uint64_t values[] = { UINT64_MAX, UINT64_MAX - 7, 1ull << 63,
					   1ull << 40, UINT32_MAX,     65537 };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			load("plain.data");
			put64(fields[i].at, values[k]);
			damaged(21, fields[i].what);
		}
	}
	load("plain.data");
	put64(48, 0);
	damaged(21 + 100, "a recording that was killed: no size");
}

static void test_refusals(void)
{
	load("plain.data");
	memcpy(file.bytes, "2ELIFREP", 8);
	struct result result = replay();
	ok(result.is_refused, "foreign byte order");
	is_message(result.text, "perf.data: foreign byte order");
	memcpy(file.bytes, "PERFFILE", 8);
	result = replay();
	ok(result.is_refused, "version 1");
	is_message(result.text, "perf.data: version 1");
	memcpy(file.bytes, "\177ELF\2\1\1", 8);
	result = replay();
	ok(result.is_refused, "another kind of file");
	is_message(result.text, "perf.data: another kind of file");
	file.len = 0;
	result = replay();
	ok(result.is_refused, "an empty file");
	is_message(result.text, "perf.data: an empty file");
}

static void test_attrs(void)
{
	static const uint64_t sizes[] = { 1, 63, 129, 4096, UINT32_MAX };
	size_t attrs;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		load("events.data");
		uint32_t size = (uint32_t)sizes[i];
		memcpy(file.bytes + get64(24) + 4, &size, sizeof(size));
		damaged(33, "an attr of a wrong size");
	}
	load("events.data");
	attrs = get64(24);
	put64(attrs + 128, file.len);
	damaged(33, "ids outside the file");
	load("events.data");
	put64(attrs + 136, UINT64_MAX - 7);
	damaged(33, "ids without end");
	load("events.data");
	put64(attrs + 136, 7);
	damaged(33, "ids that are no words");
}

/* Each feature's section, and the words at its beginning, are wrong. */
static void test_features(void)
{
	static const uint64_t values[] = { UINT64_MAX, 1ull << 32, 0x7fffffff7fffffff };
	unsigned int count = 0;
	bool is_right = true;

	load("events.data");
	size_t table = get64(40) + get64(48);
	for (uint32_t bit = 1; bit < 64; bit++)
		count += get64(72) >> bit & 1;
	for (unsigned int i = 0; i < count; i++) {
		for (size_t k = 0; k < 3 * 3; k++) {
			load("events.data");
			size_t section = get64(table + i * 16);
			size_t at = k / 3 == 0 ? table + i * 16 :
				    k / 3 == 1 ? table + i * 16 + 8 :
						 section;
			if (at + 8 > file.len)
				continue;
			put64(at, values[k % 3]);
			struct result result = replay();
			/* None of them changes what was sampled. */
			is_right &= sampled(result.snap) == 33;
			result_fini(&result);
		}
	}
	ok(count > 10, "%u features were damaged", count);
	ok(is_right, "wrong features: every sample is still there");

	load("events.data");
	memset(file.bytes + table, 0xff, file.len - table);
	damaged(33, "no feature is where it should be");
}

/* How many CPUs the machine had, said wrongly: two were watched, and each costs a row in each interval. */
static void test_cpus(void)
{
	load("events.data");
	size_t table = get64(40) + get64(48);
	uint64_t before = get64(72) & ((1ull << FEATURE_NRCPUS) - 1);
	size_t section = get64(table + (size_t)__builtin_popcountll(before) * 16);
	struct result result = replay();

	is_u64(result.snap->ncpus, 2, "a CPU for each id of an event");
	result_fini(&result);
	put64(section, 512ull << 32 | 512);
	result = replay();
	is_u64(result.snap->ncpus, 2, "also when the machine had 512");
	is_str(result.text, "", "which it may have had");
	result_fini(&result);
	put64(section, 1597388920ull << 32 | 13366);
	damaged(33, "more CPUs than Linux can have");
}

static void test_strings(void)
{
	load("events.data");
	size_t table = get64(40) + get64(48);
	size_t tracing = get64(table);

	/* The first feature of the file is the tracing data; its strings lose their ends. */
	for (size_t at = tracing; at < tracing + get64(table + 8); at++) {
		if (file.bytes[at] == '\0')
			file.bytes[at] = 'x';
	}
	damaged(33, "formats without the ends of their strings");
}

static void test_counts(void)
{
	load("chains.data");
	/* IDENTIFIER IP TID TIME CPU PERIOD, then the chain's length. */
	size_t at = find_record(PERF_RECORD_SAMPLE, 0) + 8;
	size_t size = file.bytes[at - 2] | file.bytes[at - 1] << 8;

	for (size_t word = 0; word < size / 8 - 1 && word < 12; word++) {
		load("chains.data");
		put64(at + word * 8, UINT64_MAX);
		struct result result = replay();
		ok(sampled(result.snap) <= 3, "word %zu of a sample is wrong: %s", word,
		   result.text);
		result_fini(&result);
	}
}

static void test_compressed(void)
{
	load("zstd.data");
	size_t at = find_record(81, 0);

	for (size_t i = 8; i < 40; i += 3) {
		load("zstd.data");
		file.bytes[at + i] ^= 0x5a;
		struct result result = replay();
		ok(sampled(result.snap) <= 329, "a compressed record with byte %zu changed: %s", i,
		   result.text);
		result_fini(&result);
	}
}

/*
 * A zstd frame of blocks that each encode 128 KiB of one byte in four: 64 KB of file, 2 GB of
 * records.  The byte is 8, so that each 8 bytes are some record header.
 */
static void test_bomb(void)
{
	static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58 };

	load("zstd.data");
	size_t at = get64(40), len = 0;
	unsigned char *body = file.bytes + at + 8;
	uint32_t type = 81;

	memcpy(body, frame, sizeof(frame));
	len = sizeof(frame);
	while (len + 4 < 65520) {
		uint32_t block = (1u << 20 << 0) | 1u << 1; /* 128 KiB, RLE */

		memcpy(body + len, &block, 3);
		body[len + 3] = 8;
		len += 4;
	}
	memcpy(file.bytes + at, &type, sizeof(type));
	put16(at + 4, 0);
	put16(at + 6, (uint16_t)((len + 8) & ~7ul));
	put64(48, (len + 8) & ~7ul);
	file.len = at + ((len + 8) & ~7ul);
	damaged(0, "a compressed record that grows without end");
}

/* Put bytes before the record at `at`. */
static void insert(size_t at, const void *bytes, size_t len)
{
	memmove(file.bytes + at + len, file.bytes + at, file.len - at);
	memcpy(file.bytes + at, bytes, len);
	file.len += len;
	put64(48, get64(48) + len);
}

static void test_not_aligned(void)
{
	const uint32_t unknown[] = { 82, 9u << 16, 0 };

	load("events.data");
	insert(find_record(PERF_RECORD_SAMPLE, 0), unknown, 9);
	struct result result = replay();
	is_u64(sampled(result.snap), 33, "samples that are not aligned");
	result_fini(&result);
}

static void test_trailing(void)
{
	/* AUXTRACE has the size of the data after it; the file continues after that. */
	load("events.data");
	size_t at = find_record(PERFDATA_RECORD_FINISHED_ROUND, 0), end = get64(40) + get64(48);
	uint64_t aux[14] = { 71 | 48ull << 48, 64 };

	memset(aux + 6, 0xff, 64);
	insert(at, aux, sizeof(aux));
	struct result result = replay();
	is_u64(sampled(result.snap), 33, "AUX data is skipped by its size");
	result_fini(&result);

	put64(at + 8, UINT64_MAX);
	damaged(33, "AUX data without end");
	put64(at + 8, end);
	damaged(33, "AUX data beyond the file");
}

/* Which note of the last snapshot says so; NULL: none. */
static const char *note_of(const struct snapshot *snap, const char *text)
{
	for (size_t i = 0; i < snap->nnotes; i++) {
		if (strstr(snap->notes[i], text) != NULL)
			return snap->notes[i];
	}
	return NULL;
}

/* Two rounds end before the 5 last samples, which are older than those before of another CPU. */
static void test_late(void)
{
	const uint64_t rounds[] = { PERFDATA_RECORD_FINISHED_ROUND | 8ull << 48,
				    PERFDATA_RECORD_FINISHED_ROUND | 8ull << 48 };

	load("events.data");
	struct result result = replay();
	ok(note_of(result.snap, "after newer ones") == NULL, "in order: no note");
	result_fini(&result);

	insert(find_record(PERF_RECORD_SAMPLE, 28), rounds, sizeof(rounds));
	result = replay();
	is_u64(sampled(result.snap), 33, "records that are not are counted");
	const char *note = note_of(result.snap, "after newer ones");
	is_int(note != NULL ? atoi(note) : 0, 5, "and there is a note of them");
	result_fini(&result);
}

/* The first sample shows whether it is the head that is wrong: then every time will do. */
static void test_wrong_range(void)
{
	struct file_clock clock = { .first_ns = 100 * NSEC_PER_SEC,
				    .last_ns = 200 * NSEC_PER_SEC,
				    .has_range = true };
	struct file_clock wrong = clock;

	ok(file_clock_fits(&clock, 150 * NSEC_PER_SEC) && !file_clock_fits(&clock, 1) &&
		   !file_clock_fits(&clock, 1000 * NSEC_PER_SEC),
	   "after a sample within the head's times others do not fit");
	ok(file_clock_fits(&wrong, 1000 * NSEC_PER_SEC) && file_clock_fits(&wrong, 1) &&
		   file_clock_fits(&wrong, 150 * NSEC_PER_SEC),
	   "after one that is not, all do");
}

/* The head of perf's file has the times of its first and last sample. */
static void test_times(void)
{
	static const uint64_t wrong[] = { 1, 1000ull << 32, INT64_MAX / 4 };

	load("events.data");
	struct result whole = replay();
	const double end_s = whole.snap->time_s;

	result_fini(&whole);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		load("events.data");
		put64(find_record(PERF_RECORD_SAMPLE, 5) + 32, wrong[i]);
		struct result result = replay();
		is_message(result.text, "perf.data: a time outside");
		is_u64(sampled(result.snap), 33, "the sample is counted");
		ok(result.snap->time_s == end_s, "and the file ends when it did");
		result_fini(&result);
	}
}

/* A name with a time that no file can have is an old one: the next name of the task is shown. */
static void test_name_time(void)
{
	load("lost.data");
	put64(find_record(PERF_RECORD_COMM, 0) + 40, UINT64_MAX);
	struct result result = replay();

	ok(result.snap->ntasks == 1, "one task");
	is_str(result.snap->tasks[0].comm, "getppid", "with the name from its exec");
	result_fini(&result);
}

int main(void)
{
	plan_lazy();
	test_refusals();
	test_message();
	test_truncation("plain.data", 21);
	test_truncation("pipe.data", 79);
	test_truncation("events.data", 33);
	test_record_sizes();
	test_head();
	test_attrs();
	test_features();
	test_cpus();
	test_strings();
	test_counts();
	test_not_aligned();
	test_trailing();
	test_late();
	test_times();
	test_name_time();
	test_wrong_range();
#ifdef HAVE_LIBZSTD
	test_truncation("zstd.data", 329);
	test_compressed();
	test_bomb();
#endif
	return done();
}
