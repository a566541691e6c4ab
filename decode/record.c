/* SPDX-License-Identifier: MIT */
#include "decode/record.h"

#include <string.h>

#include "base/abi.h"
#include "base/apart.h"
#include "decode/cursor.h"

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

/* The word so far from the end, where the sample_id trailer is; 0 when there is none. */
static uint64_t word_from_end(const struct perf_event_header *header, size_t word)
{
	size_t words = header->size / sizeof(uint64_t);

	return word != 0 && word < words ? record_word(header, words - word) : 0;
}

uint64_t record_id_at(const struct perf_event_header *header, const struct record_ids *ids)
{
	if (header->type == PERF_RECORD_SAMPLE)
		return record_word(header, ids->in_sample);
	return word_from_end(header, ids->from_end);
}

/* --- samples -------------------------------------------------------------------------------- */

static void take_group(struct cursor *cursor, const struct record_layout *layout,
		       struct record *record)
{
	uint64_t count = cursor_u64(cursor);
	uint64_t words = layout->read_words;

	cursor_words(cursor, layout->read_times);
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

static void take_value(const unsigned char *at, const struct record_layout *layout,
		       struct record *record)
{
	record->has_value = true;
	record->value = next_word(&at);
	at += layout->read_times * sizeof(uint64_t);
	record->value_id = next_word(&at);
	if (layout->read_format & ABI_FORMAT_LOST)
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
		take_value(at, layout, record);
}

/* RAW, with its size before it: how many bytes that takes, or 0 if they are more than what is left. */
static inline size_t take_raw(const unsigned char *at, size_t left, struct record *record)
{
	if (left < sizeof(uint32_t))
		return 0;
	memcpy(&record->raw_size, at, sizeof(uint32_t));
	if (record->raw_size > left - sizeof(uint32_t))
		return 0;
	record->raw = at + sizeof(uint32_t);
	return sizeof(uint32_t) + record->raw_size;
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

/* The fields which few events have, in the `left` bytes from `at`: whether all are there. */
static APART bool take_rare(const unsigned char *at, size_t left,
			    const struct record_layout *layout, struct record *record)
{
	struct cursor cursor = { at, left, false };
	uint64_t type = layout->sample_type;

	if ((type & PERF_SAMPLE_READ) && (layout->read_format & PERF_FORMAT_GROUP))
		take_group(&cursor, layout, record);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		record->nchain = cursor_u64(&cursor);
		record->chain = cursor_words(&cursor, record->nchain);
	}
	if (type & PERF_SAMPLE_RAW) {
		size_t bytes = take_raw(cursor.at, cursor.left, record);

		cursor_take(&cursor, bytes != 0 ? bytes : SIZE_MAX);
	}
	skip_rest(&cursor, layout);
	return !cursor.is_short;
}

/*
 * The fields after those of layout.fixed_words: whether all of both are there.  Most samples have RAW at
 * most, and need no cursor, which is kept in memory.
 */
static inline bool take_others(const struct perf_event_header *header,
			       const struct record_layout *layout, struct record *record)
{
	const unsigned char *at = (const unsigned char *)(header + 1);
	size_t left = header->size - sizeof(*header);
	size_t fixed = layout->fixed_words * sizeof(uint64_t);

	if (fixed > left)
		return false;
	at += fixed;
	left -= fixed;
	if (layout->has_rare)
		return take_rare(at, left, layout, record);
	return !(layout->sample_type & PERF_SAMPLE_RAW) || take_raw(at, left, record) != 0;
}

static bool decode_sample(const struct perf_event_header *header,
			  const struct record_layout *layout, struct record *record)
{
	if (!take_others(header, layout, record))
		return false;
	take_fixed((const unsigned char *)(header + 1), layout, record);
	return true;
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

static APART bool decode_other(const struct perf_event_header *header,
			       const struct record_layout *layout, struct record *record)
{
	struct cursor cursor = {
		.at = (const unsigned char *)(header + 1),
		.left = header->size - sizeof(*header),
	};
	decode_trailer(&cursor, layout, record);
	decode_body(&cursor, record);
	return !cursor.is_short;
}

bool record_decode(const struct perf_event_header *header, const struct record_layout *layout,
		   struct record *record)
{
	record->type = header->type;
	record->misc = header->misc;
	record->size = header->size;
	clear(record);
	if (header->type == PERF_RECORD_SAMPLE)
		return decode_sample(header, layout, record);
	return decode_other(header, layout, record);
}

bool record_time(const struct perf_event_header *header, const struct record_layout *layout,
		 uint64_t *time_ns)
{
	struct record record;
	bool is_whole;

	if (header->type == PERF_RECORD_SAMPLE) {
		is_whole = take_others(header, layout, &record);
		record.time_ns = record_word(header, layout->time);
	} else {
		is_whole = record_decode(header, layout, &record);
	}
	*time_ns = is_whole ? record.time_ns : 0;
	return is_whole;
}
