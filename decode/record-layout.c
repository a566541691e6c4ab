/* SPDX-License-Identifier: MIT */
#include "decode/record-layout.h"

#include "base/abi.h"

/* The fields of a sample before READ: a word each. */
#define SAMPLE_WORDS                                                                    \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |  \
	 PERF_SAMPLE_PERIOD)

static unsigned int bits(uint64_t type, uint64_t of)
{
	return (unsigned int)__builtin_popcountll(type & of);
}

static unsigned int read_words(uint64_t format)
{
	return 1 + bits(format, PERF_FORMAT_ID | ABI_FORMAT_LOST);
}

static unsigned int time_words(uint64_t format)
{
	return bits(format, PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
}

/* Groups have a different layout, and an inherited event has a count for each task. */
static bool has_value(const struct perf_event_attr *attr)
{
	return (attr->sample_type & PERF_SAMPLE_READ) && (attr->read_format & PERF_FORMAT_ID) &&
	       !(attr->read_format & PERF_FORMAT_GROUP) && !attr->inherit;
}

static bool has_members(const struct perf_event_attr *attr)
{
	return (attr->sample_type & PERF_SAMPLE_READ) && (attr->read_format & PERF_FORMAT_ID) &&
	       (attr->read_format & PERF_FORMAT_GROUP) && !attr->inherit;
}

/* After the header, the fields before READ, the value and its times. */
static uint32_t value_id_word(const struct perf_event_attr *attr)
{
	return 2 + bits(attr->sample_type, SAMPLE_WORDS) + time_words(attr->read_format);
}

/* Of a sample, or 0. */
static uint32_t time_word(const struct perf_event_attr *attr)
{
	if (!(attr->sample_type & PERF_SAMPLE_TIME))
		return 0;
	return 1 +
	       bits(attr->sample_type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
}

static unsigned int fixed_words(const struct perf_event_attr *attr)
{
	unsigned int words = bits(attr->sample_type, SAMPLE_WORDS);

	if ((attr->sample_type & PERF_SAMPLE_READ) && !(attr->read_format & PERF_FORMAT_GROUP))
		words += time_words(attr->read_format) + read_words(attr->read_format);
	return words;
}

static bool has_rare(const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;

	return (type & ~(uint64_t)(SAMPLE_WORDS | PERF_SAMPLE_READ | PERF_SAMPLE_RAW)) ||
	       ((type & PERF_SAMPLE_READ) && (attr->read_format & PERF_FORMAT_GROUP));
}

void record_layout_from_attr(const struct perf_event_attr *attr, struct record_layout *layout)
{
	*layout = (struct record_layout){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.regs_user = (unsigned int)__builtin_popcountll(attr->sample_regs_user),
		.regs_intr = (unsigned int)__builtin_popcountll(attr->sample_regs_intr),
		.has_sample_id = attr->sample_id_all,
		.read_times = time_words(attr->read_format),
		.read_words = read_words(attr->read_format),
		.has_value = has_value(attr),
		.value_id = has_value(attr) ? value_id_word(attr) : 0,
		.has_members = has_members(attr),
		.fixed_words = fixed_words(attr),
		.time = time_word(attr),
		.has_rare = has_rare(attr),
	};
}

struct record_ids record_ids_from_attr(const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;
	bool has_trailer = attr->sample_id_all;

	if (type & PERF_SAMPLE_IDENTIFIER)
		return (struct record_ids){ true, 1, has_trailer ? 1 : 0 };
	if (!(type & PERF_SAMPLE_ID))
		return (struct record_ids){ 0 };
	return (struct record_ids){
		.has_ids = true,
		.in_sample = 1 + bits(type, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						    PERF_SAMPLE_ADDR),
		.from_end = has_trailer ? 1 + bits(type, PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU) :
					  0,
	};
}
