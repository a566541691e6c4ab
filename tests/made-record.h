/* SPDX-License-Identifier: MIT */
/*
 * made-record - records that a test makes, and decodes whole or cut off.
 *
 * Included by the one file of a test.
 */
#ifndef MADE_RECORD_H
#define MADE_RECORD_H

#include "decode/record.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

/* What every event of ours has; see attr.c. */
#define OURS  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* A record's bytes, in a block of exactly its size: ASan detects a read one byte too far. */
struct bytes {
	size_t size;
	struct perf_event_header *header;
};

static inline struct bytes bytes_new(const void *from, size_t size)
{
	struct bytes bytes = { size, calloc(1, size != 0 ? size : 1) };

	if (bytes.header == NULL)
		bail("no memory");
	memcpy(bytes.header, from, size);
	bytes.header->size = (uint16_t)size;
	return bytes;
}

/* Whether all that a decoded record points to is in its bytes. */
static inline bool lies_within(const struct record *record, const struct bytes *bytes)
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

static inline uint64_t ones(unsigned int count)
{
	return count < 64 ? (1ull << count) - 1 : UINT64_MAX;
}

/* A layout with the parts that follow from those which the test gives. */
static inline struct record_layout whole_layout(const struct record_layout *given)
{
	struct perf_event_attr attr = { .sample_type = given->sample_type,
					.read_format = given->read_format,
					.branch_sample_type = given->branch_sample_type,
					.sample_regs_user = ones(given->regs_user),
					.sample_regs_intr = ones(given->regs_intr),
					.sample_id_all = given->has_sample_id };
	struct record_layout whole;

	record_layout_from_attr(&attr, &whole);
	return whole;
}

static inline bool decode(const struct bytes *bytes, const struct record_layout *layout,
			  struct record *record)
{
	struct record_layout whole = whole_layout(layout);
	bool is_whole = record_decode(bytes->header, &whole, record);
	uint64_t time_ns;

	if (record_time(bytes->header, &whole, &time_ns) != is_whole ||
	    time_ns != (is_whole ? record->time_ns : 0))
		ok(false, "type %u, size %zu: record_time() differs", record->type, bytes->size);
	if (is_whole && !lies_within(record, bytes))
		ok(false, "type %u, size %zu: points outside of its bytes", record->type,
		   bytes->size);
	return is_whole;
}

/*
 * The record cut off at every length: false below `least` bytes, true from there, and nothing
 * beyond it is read.
 */
static inline void check_cut(const char *name, const struct bytes *whole,
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

static unsigned char made[4096];
static size_t made_size;

static inline void begin(uint32_t type)
{
	struct perf_event_header header = { .type = type };

	memcpy(made, &header, sizeof(header));
	made_size = sizeof(header);
}

static inline void put(uint64_t word)
{
	memcpy(made + made_size, &word, sizeof(word));
	made_size += sizeof(word);
}

static inline void put_pair(uint32_t first, uint32_t second)
{
	uint32_t pair[2] = { first, second };

	memcpy(made + made_size, pair, sizeof(pair));
	made_size += sizeof(pair);
}

#endif
