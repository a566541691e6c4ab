/* SPDX-License-Identifier: MIT */
/*
 * record - one record of a perf ring or file, from bytes to fields.
 *
 * Kernel bytes are input: nothing is read that the record's own size does not
 * cover.  Layouts: include/uapi/linux/perf_event.h; the order of a sample's
 * fields is that of perf_output_sample() in kernel/events/core.c, which the
 * header's comment does not follow for CGROUP and AUX.
 */
#ifndef DECODE_RECORD_H
#define DECODE_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What of an attr decides how its records look. */
struct record_layout {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	unsigned int regs_user, regs_intr; /* how many registers */
	bool has_sample_id;		   /* sample_id_all: a trailer on every other record */
};

/* A record's fields; what it does not have is 0 or NULL.  Pointers lie in the record's bytes. */
struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;

	/* From a sample's fields, or the trailer of any other record. */
	uint64_t id, time_ns;
	uint32_t pid, tid, cpu;

	uint64_t ip, addr, period; /* of a sample from here on */
	const uint64_t *chain;
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
		} lost; /* id belongs to the next writer, not to the loser */
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
	};
};

/* How the records of an event with this attr look. */
void record_layout_from_attr(const struct perf_event_attr *attr, struct record_layout *layout);

/*
 * The id that says whose record it is, with PERF_SAMPLE_IDENTIFIER on every
 * event: a sample's first word, any other record's last.  0 when it has no
 * room for one.
 */
uint64_t record_id(const struct perf_event_header *header);

/* Where records say whose they are when that is not record_id()'s place. */
struct record_ids {
	bool has_ids;	    /* false: they do not say */
	uint32_t in_sample; /* word of a sample: 1 is the first behind the header */
	uint32_t from_end;  /* word of any other record: 1 is the last; 0: it has none */
};

/* What an attr says of that: by PERF_SAMPLE_IDENTIFIER, or by PERF_SAMPLE_ID, or not. */
struct record_ids record_ids_from_attr(const struct perf_event_attr *attr);

/* The id at its place, or 0. */
uint64_t record_id_at(const struct perf_event_header *header, const struct record_ids *ids);

/*
 * Decode the record at `header`, all of whose header->size bytes are there:
 * true, or false when its fields do not fit into its size.  A type without
 * fields of interest has its trailer decoded and nothing else.
 */
bool record_decode(const struct perf_event_header *header, const struct record_layout *layout,
		   struct record *record);

/* Where decoded records go. `event` is the number of the event whose record it is. */
struct record_sink {
	void *ctx;
	void (*record)(void *ctx, uint32_t slot, uint32_t event, const struct record *record);
};

#endif
