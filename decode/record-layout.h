/* SPDX-License-Identifier: MIT */
/*
 * record-layout - where the records of an event have what, by its attr.
 */
#ifndef DECODE_RECORD_LAYOUT_H
#define DECODE_RECORD_LAYOUT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* The parts of an attr that determine the layout of its records. */
struct record_layout {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	unsigned int regs_user, regs_intr; /* how many registers */
	bool has_sample_id;		   /* sample_id_all: a trailer on every other record */
	unsigned int read_times;	   /* words of READ that are times */
	unsigned int read_words;	   /* its other words: those of a group's member */
	bool has_value;	      /* samples have the event's count (PERF_SAMPLE_READ), with its id */
	uint32_t value_id;    /* the word of a sample where that id is, as in record_ids; or 0 */
	bool has_members;     /* samples have the counts of their event's group, each with its id */
	uint32_t fixed_words; /* of a sample: its first fields, which have the same size in each */
	uint32_t time;	      /* the word of a sample where its time is; or 0 */
	bool has_rare;	      /* samples have other fields after the fixed ones than RAW */
};

/* The layout of the records of an event with this attr. */
void record_layout_from_attr(const struct perf_event_attr *attr, struct record_layout *layout);

/* Where records have the id of their event when record_id() does not apply. */
struct record_ids {
	bool has_ids;	    /* false: they have none */
	uint32_t in_sample; /* word of a sample: 1 is the first after the header */
	uint32_t from_end;  /* word of any other record: 1 is the last; 0: it has none */
};

/* The places for this attr: of PERF_SAMPLE_IDENTIFIER, else of PERF_SAMPLE_ID, else none. */
struct record_ids record_ids_from_attr(const struct perf_event_attr *attr);

#endif
