/* SPDX-License-Identifier: MIT */
/*
 * record - one record of a perf ring or file, from bytes to fields.
 *
 * The bytes are not trusted: nothing beyond the record's own size is read.
 * Layouts: include/uapi/linux/perf_event.h; the order of a sample's fields is
 * that of perf_output_sample() in kernel/events/core.c, from which the header's
 * comment differs for CGROUP and AUX.
 */
#ifndef DECODE_RECORD_H
#define DECODE_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/build-id.h"
#include "decode/record-layout.h"

/* A record's fields; what it does not have is 0 or NULL.  Pointers are into the record's bytes. */
struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;

	/* From a sample's fields, or the trailer of any other record. */
	uint64_t id, time_ns;
	uint32_t pid, tid, cpu;

	uint64_t ip, addr, period; /* of a sample from here on; period: decoder_set_periods() */
	/* With layout.has_value: the event's count at the sample, the id of its fd, its lost samples so far. */
	uint64_t value, value_id, value_lost;
	bool has_value;
	const unsigned char *members; /* with layout.has_members: [nmembers], for record_member() */
	uint64_t nmembers, member_bytes;
	const uint64_t *chain; /* [nchain] addresses and marks (enum perf_callchain_context) */
	uint64_t nchain;
	const unsigned char *raw;
	uint32_t raw_size; /* with the kernel's padding */

	union {
		struct {
			uint32_t pid, tid;
			const char *name; /* not terminated beyond name_len */
			size_t name_len;
		} comm;
		struct {
			uint32_t pid, ppid, tid, ptid;
			uint64_t time_ns;
		} task; /* FORK, EXIT */
		struct {
			uint64_t id, lost;
		} lost; /* id: the next event that wrote, not the one that lost */
		struct {
			uint64_t lost;
		} lost_samples;
		struct {
			uint64_t time_ns, id, stream_id;
		} throttle; /* UNTHROTTLE too */
		struct {
			uint32_t pid,
				tid; /* the next task of an OUT record, the one before of an IN */
		} next_prev;	     /* SWITCH_CPU_WIDE */
		struct {
			const unsigned char *body;
			size_t size;
		} map; /* MMAP, MMAP2: for record_map() */
	};
};

/* A member of the group of a sample's event; the event itself is one. */
struct record_member {
	uint64_t id, value;
	uint64_t lost; /* its lost samples so far; 0 where the kernel has none */
};

/* The fields of an MMAP or MMAP2 record. */
struct record_map {
	uint32_t pid, tid;
	uint64_t start, len; /* addresses; kernel code too, with pid -1 */
	uint64_t offset;     /* in the file, of the start */
	uint32_t major, minor;
	uint64_t inode; /* 0: the record does not say */
	struct build_id build_id;
	bool is_code;
	const char *name; /* not terminated beyond name_len */
	size_t name_len;
};

/* Whether it was in user mode, by its misc. */
static inline bool record_is_user_mode(uint16_t misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
}

/* A word of the record, of which 0 is the header; 0 for that one, and for those beyond the end. */
static inline uint64_t record_word(const struct perf_event_header *header, size_t word)
{
	uint64_t value;

	if (word == 0 || word >= header->size / sizeof(value))
		return 0;
	memcpy(&value, (const unsigned char *)header + word * sizeof(value), sizeof(value));
	return value;
}

/*
 * The id of the record's event, with PERF_SAMPLE_IDENTIFIER on every event: a
 * sample's first word, any other record's last.  0 when it is too short for one.
 */
uint64_t record_id(const struct perf_event_header *header);

/* The id at its place, or 0. */
uint64_t record_id_at(const struct perf_event_header *header, const struct record_ids *ids);

/*
 * Decode the record at `header`, whose header->size bytes must all be readable:
 * true, or false when its fields do not fit into its size.  Of a type without
 * fields of interest only the trailer is decoded.
 */
bool record_decode(const struct perf_event_header *header, const struct record_layout *layout,
		   struct record *record);

/* The same, for the time alone: 0 when the record has none, or does not fit. */
bool record_time(const struct perf_event_header *header, const struct record_layout *layout,
		 uint64_t *time_ns);

/* The member at `at`, less than record->nmembers. */
struct record_member record_member(const struct record *record, uint64_t at);

/* The fields of a decoded record, if it is of a mapping of user memory; else false. */
bool record_map(const struct record *record, struct record_map *map);

/*
 * The same of the kernel itself or a module, which perf record writes: "[kernel.kallsyms]_text" is the kernel, its
 * offset the address of that symbol.
 */
bool record_kernel_map(const struct record *record, struct record_map *map);

/* Where decoded records go; `event` is the number of the record's event. */
struct record_sink {
	void *ctx;
	void (*record)(void *ctx, uint32_t slot, uint32_t event, const struct record *record);
};

#endif
