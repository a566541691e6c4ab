/* SPDX-License-Identifier: MIT */
#include "decode/record.h"

#include <string.h>

#include "base/abi.h"
#include "decode/cursor.h"

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

void record_layout_from_attr(const struct perf_event_attr *attr, struct record_layout *layout)
{
	*layout = (struct record_layout){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.regs_user = (unsigned int)__builtin_popcountll(attr->sample_regs_user),
		.regs_intr = (unsigned int)__builtin_popcountll(attr->sample_regs_intr),
		.has_sample_id = attr->sample_id_all,
		.has_value = has_value(attr),
		.value_id = has_value(attr) ? value_id_word(attr) : 0,
		.has_members = has_members(attr),
		.fixed_words = fixed_words(attr),
		.time = time_word(attr),
	};
}

uint64_t record_id(const struct perf_event_header *header)
{
	size_t words = header->size / sizeof(uint64_t);
	size_t at = header->type == PERF_RECORD_SAMPLE ? 1 : words - 1;
	uint64_t id;

	if (words < 2)
		return 0;
	memcpy(&id, (const unsigned char *)header + at * sizeof(id), sizeof(id));
	return id;
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

/* A word of the record, of which 0 is the header, or 0 when there is none. */
static uint64_t word_at(const struct perf_event_header *header, size_t word)
{
	uint64_t value;

	if (word == 0 || word >= header->size / sizeof(uint64_t))
		return 0;
	memcpy(&value, (const unsigned char *)header + word * sizeof(value), sizeof(value));
	return value;
}

/* The same from the end, where the sample_id trailer is. */
static uint64_t word_from_end(const struct perf_event_header *header, size_t word)
{
	size_t words = header->size / sizeof(uint64_t);

	return word != 0 && word < words ? word_at(header, words - word) : 0;
}

uint64_t record_id_at(const struct perf_event_header *header, const struct record_ids *ids)
{
	if (header->type == PERF_RECORD_SAMPLE)
		return word_at(header, ids->in_sample);
	return word_from_end(header, ids->from_end);
}

/* --- samples -------------------------------------------------------------------------------- */

static void take_group(struct cursor *cursor, const struct record_layout *layout,
		       struct record *record)
{
	uint64_t count = cursor_u64(cursor);
	uint64_t words = read_words(layout->read_format);

	cursor_words(cursor, time_words(layout->read_format));
	if (count > cursor->left) { /* also keeps the product from wrapping */
		cursor->is_short = true;
		return;
	}
	const void *members = cursor_words(cursor, count * words);
	if (members == NULL || !layout->has_members)
		return;
	record->members = members;
	record->nmembers = count;
	record->member_bytes = words * sizeof(uint64_t);
}

/* The next word of fields that were checked to be there. */
static inline uint64_t next_word(const unsigned char **at)
{
	uint64_t value;

	memcpy(&value, *at, sizeof(value));
	*at += sizeof(value);
	return value;
}

/* Two 32-bit values in one word, in the order of memory. */
static inline void next_pair(const unsigned char **at, uint32_t *first, uint32_t *second)
{
	memcpy(first, *at, sizeof(*first));
	memcpy(second, *at + sizeof(*first), sizeof(*second));
	*at += sizeof(uint64_t);
}

static void take_value(const unsigned char *at, uint64_t format, struct record *record)
{
	record->has_value = true;
	record->value = next_word(&at);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		next_word(&at);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		next_word(&at);
	record->value_id = next_word(&at);
	if (format & ABI_FORMAT_LOST)
		record->value_lost = next_word(&at);
}

/* The fields of layout.fixed_words, which begin `at`. */
static void take_fixed(const unsigned char *at, const struct record_layout *layout,
		       struct record *record)
{
	uint64_t type = layout->sample_type;
	uint32_t reserved;

	if (type & PERF_SAMPLE_IDENTIFIER)
		record->id = next_word(&at);
	if (type & PERF_SAMPLE_IP)
		record->ip = next_word(&at);
	if (type & PERF_SAMPLE_TID)
		next_pair(&at, &record->pid, &record->tid);
	if (type & PERF_SAMPLE_TIME)
		record->time_ns = next_word(&at);
	if (type & PERF_SAMPLE_ADDR)
		record->addr = next_word(&at);
	if (type & PERF_SAMPLE_ID)
		record->id = next_word(&at);
	if (type & PERF_SAMPLE_STREAM_ID)
		next_word(&at);
	if (type & PERF_SAMPLE_CPU)
		next_pair(&at, &record->cpu, &reserved);
	if (type & PERF_SAMPLE_PERIOD)
		record->period = next_word(&at);
	if (layout->has_value)
		take_value(at, layout->read_format, record);
}

static void take_raw(struct cursor *cursor, struct record *record)
{
	const void *at = cursor_take(cursor, sizeof(uint32_t));

	if (at == NULL)
		return;
	memcpy(&record->raw_size, at, sizeof(record->raw_size));
	record->raw = cursor_take(cursor, record->raw_size);
}

static void skip_branches(struct cursor *cursor, uint64_t branch_type)
{
	uint64_t count = cursor_u64(cursor);

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		cursor_u64(cursor);
	if (count > cursor->left) {
		cursor->is_short = true;
		return;
	}
	cursor_words(cursor, count * 3); /* from, to, flags */
	if (branch_type & (1ull << 19))
		cursor_words(cursor, count); /* PERF_SAMPLE_BRANCH_COUNTERS, Linux 6.8 */
}

static void skip_registers(struct cursor *cursor, unsigned int count)
{
	/* No registers follow an abi of 0 (PERF_SAMPLE_REGS_ABI_NONE: a kernel thread). */
	if (cursor_u64(cursor) != 0)
		cursor_words(cursor, count);
}

static void skip_stack(struct cursor *cursor)
{
	uint64_t size = cursor_u64(cursor);

	if (size != 0) {
		cursor_take(cursor, size);
		cursor_u64(cursor); /* dyn_size */
	}
}

/* The fields after RAW: none is shown, but all must fit. */
static void skip_rest(struct cursor *cursor, const struct record_layout *layout)
{
	uint64_t type = layout->sample_type;

	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(cursor, layout->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		skip_registers(cursor, layout->regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		skip_stack(cursor);
	if (type & (PERF_SAMPLE_WEIGHT | ABI_SAMPLE_WEIGHT_STRUCT))
		cursor_u64(cursor);
	if (type & PERF_SAMPLE_DATA_SRC)
		cursor_u64(cursor);
	if (type & PERF_SAMPLE_TRANSACTION)
		cursor_u64(cursor);
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_registers(cursor, layout->regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		cursor_u64(cursor);
	if (type & PERF_SAMPLE_CGROUP)
		cursor_u64(cursor);
	if (type & ABI_SAMPLE_DATA_PAGE_SIZE)
		cursor_u64(cursor);
	if (type & ABI_SAMPLE_CODE_PAGE_SIZE)
		cursor_u64(cursor);
	if (type & PERF_SAMPLE_AUX)
		cursor_take(cursor, cursor_u64(cursor));
}

#define SAMPLE_REST                                                                   \
	(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |  \
	 PERF_SAMPLE_WEIGHT | ABI_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC |       \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR |    \
	 PERF_SAMPLE_CGROUP | ABI_SAMPLE_DATA_PAGE_SIZE | ABI_SAMPLE_CODE_PAGE_SIZE | \
	 PERF_SAMPLE_AUX)

/* The fields after those of layout.fixed_words. */
static void take_others(struct cursor *cursor, const struct record_layout *layout,
			struct record *record)
{
	uint64_t type = layout->sample_type;

	if ((type & PERF_SAMPLE_READ) && (layout->read_format & PERF_FORMAT_GROUP))
		take_group(cursor, layout, record);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		record->nchain = cursor_u64(cursor);
		record->chain = cursor_words(cursor, record->nchain);
	}
	if (type & PERF_SAMPLE_RAW)
		take_raw(cursor, record);
	if (type & SAMPLE_REST)
		skip_rest(cursor, layout);
}

static void decode_sample(struct cursor *cursor, const struct record_layout *layout,
			  struct record *record)
{
	const void *fixed = cursor_words(cursor, layout->fixed_words);

	if (fixed == NULL)
		return;
	take_fixed(fixed, layout, record);
	take_others(cursor, layout, record);
}

struct record_member record_member(const struct record *record, uint64_t at)
{
	const unsigned char *bytes = record->members + at * record->member_bytes;
	struct record_member member = { 0 };

	member.value = next_word(&bytes);
	member.id = next_word(&bytes);
	if (record->member_bytes > 2 * sizeof(uint64_t))
		member.lost = next_word(&bytes);
	return member;
}

/* --- the others ----------------------------------------------------------------------------- */

static size_t trailer_words(const struct record_layout *layout)
{
	if (!layout->has_sample_id)
		return 0;
	return (size_t)__builtin_popcountll(layout->sample_type &
					    (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
					     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
					     PERF_SAMPLE_IDENTIFIER));
}

/* The sample_id trailer, found from the record's end; the body then ends where it begins. */
static void decode_trailer(struct cursor *body, const struct record_layout *layout,
			   struct record *record)
{
	size_t bytes = trailer_words(layout) * sizeof(uint64_t);
	uint64_t type = layout->sample_type;
	uint32_t reserved;

	if (bytes > body->left) {
		body->is_short = true;
		return;
	}
	body->left -= bytes;

	struct cursor cursor = { body->at + body->left, bytes, false };
	if (bytes == 0)
		return;
	if (type & PERF_SAMPLE_TID)
		cursor_pair(&cursor, &record->pid, &record->tid);
	if (type & PERF_SAMPLE_TIME)
		record->time_ns = cursor_u64(&cursor);
	if (type & PERF_SAMPLE_ID)
		record->id = cursor_u64(&cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(&cursor);
	if (type & PERF_SAMPLE_CPU)
		cursor_pair(&cursor, &record->cpu, &reserved);
	if (type & PERF_SAMPLE_IDENTIFIER)
		record->id = cursor_u64(&cursor);
}

static void decode_comm(struct cursor *cursor, struct record *record)
{
	cursor_pair(cursor, &record->comm.pid, &record->comm.tid);
	record->comm.name = (const char *)cursor->at;
	record->comm.name_len = strnlen((const char *)cursor->at, cursor->left);
}

static void decode_body(struct cursor *cursor, struct record *record)
{
	switch (record->type) {
	case PERF_RECORD_LOST:
		record->lost.id = cursor_u64(cursor);
		record->lost.lost = cursor_u64(cursor);
		break;
	case PERF_RECORD_COMM:
		decode_comm(cursor, record);
		break;
	case PERF_RECORD_EXIT:
	case PERF_RECORD_FORK:
		cursor_pair(cursor, &record->task.pid, &record->task.ppid);
		cursor_pair(cursor, &record->task.tid, &record->task.ptid);
		record->task.time_ns = cursor_u64(cursor);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		record->throttle.time_ns = cursor_u64(cursor);
		record->throttle.id = cursor_u64(cursor);
		record->throttle.stream_id = cursor_u64(cursor);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		record->lost_samples.lost = cursor_u64(cursor);
		break;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		cursor_pair(cursor, &record->next_prev.pid, &record->next_prev.tid);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		record->map.body = cursor->at;
		record->map.size = cursor->left;
		break;
	default:
		/* SWITCH has no body; those of the others are not used. */
		break;
	}
}

/*
 * Set what a record has to 0, each by itself: for `= { 0 }` gcc 12 makes a `rep stos`, which took
 * 13 of the 39 ns of an event (doc/performance.md).
 */
static inline void clear(struct record *record)
{
	record->id = record->time_ns = 0;
	record->pid = record->tid = record->cpu = 0;
	record->ip = record->addr = record->period = 0;
	record->value = record->value_id = record->value_lost = 0;
	record->has_value = false;
	record->members = NULL;
	record->nmembers = record->member_bytes = 0;
	record->chain = NULL;
	record->nchain = 0;
	record->raw = NULL;
	record->raw_size = 0;
	/* The longest of the union, without gaps. */
	record->throttle.time_ns = record->throttle.id = record->throttle.stream_id = 0;
}

static struct cursor cursor_of(const struct perf_event_header *header)
{
	return (struct cursor){
		.at = (const unsigned char *)(header + 1),
		.left = header->size - sizeof(*header),
	};
}

bool record_decode(const struct perf_event_header *header, const struct record_layout *layout,
		   struct record *record)
{
	struct cursor cursor = cursor_of(header);

	record->type = header->type;
	record->misc = header->misc;
	record->size = header->size;
	clear(record);
	if (header->type == PERF_RECORD_SAMPLE) {
		decode_sample(&cursor, layout, record);
	} else {
		decode_trailer(&cursor, layout, record);
		decode_body(&cursor, record);
	}
	return !cursor.is_short;
}

bool record_time(const struct perf_event_header *header, const struct record_layout *layout,
		 uint64_t *time_ns)
{
	struct record record;
	bool is_whole;

	if (header->type == PERF_RECORD_SAMPLE) {
		struct cursor cursor = cursor_of(header);

		cursor_words(&cursor, layout->fixed_words);
		take_others(&cursor, layout, &record);
		record.time_ns = word_at(header, layout->time);
		is_whole = !cursor.is_short;
	} else {
		is_whole = record_decode(header, layout, &record);
	}
	*time_ns = is_whole ? record.time_ns : 0;
	return is_whole;
}
