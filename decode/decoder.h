/* SPDX-License-Identifier: MIT */
/*
 * decoder - decodes blocks of bytes into records and passes each to the sink.
 *
 * Used by the decoder thread alone.
 */
#ifndef DECODE_DECODER_H
#define DECODE_DECODER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"

struct decoder;

/* The earliest and the latest time of some samples; 0: there is none. */
struct decoder_times {
	uint64_t first_ns, last_ns;
};

/* Records, and what could not be decoded; each is counted once. */
struct decoder_stats {
	uint64_t records;
	struct decoder_times times; /* of the samples, and of decoder_set_times() */
	uint64_t unknown_types;	    /* newer than this program: skipped by their size */
	uint64_t unknown_ids;	    /* of an event that we do not have */
	uint64_t malformed;	    /* fields beyond the record's size */
};

/* Without events; never NULL.  One thread at a time, as all below. */
struct decoder *decoder_new(const struct record_sink *sink);
void decoder_free(struct decoder *decoder);

/* Records with any of these ids (0 is skipped) belong to `event`; its attr gives their layout. */
void decoder_add_event(struct decoder *decoder, uint32_t event, const struct perf_event_attr *attr,
		       const uint64_t *ids, size_t nids);

/*
 * Where records have the id of their event, for files that may have no IDENTIFIER.
 * Records without an id belong to `fallback` (or DECODER_NO_EVENT), and so do all
 * but samples with an unknown id: perf record makes some up.
 */
#define DECODER_NO_EVENT UINT32_MAX
void decoder_set_ids(struct decoder *decoder, const struct record_ids *ids, uint32_t fallback);

/* The event that has this id, or DECODER_NO_EVENT. */
uint32_t decoder_event_of(struct decoder *decoder, uint64_t id);

/*
 * A function that returns the sampling period of an event on a CPU, or an upper bound of it; 0 when it is
 * unknown.  It sets record.period of samples that have a count but no period.
 */
struct period_source {
	void *ctx;
	uint64_t (*period)(void *ctx, uint32_t slot, uint32_t event);
};
void decoder_set_periods(struct decoder *decoder, const struct period_source *source);

/* What a record is put in order by, and what it is then decoded with. */
struct decoder_peek {
	uint64_t time_ns; /* 0: it has none */
	uint32_t event;	  /* DECODER_NO_EVENT: of a type that is not known, and will be skipped */
};

/*
 * Look at a record before it is fed.  False, with time 0, when it could not be decoded: fields beyond
 * its size, or an unknown event, which is then DECODER_NO_EVENT.
 */
bool decoder_peek(struct decoder *decoder, const struct perf_event_header *header,
		  struct decoder_peek *peek);

/*
 * Replace wrong ids in IDENTIFIER (see add_second_id()) by the right ones, for perf, which reads no others.
 * For records of a ring, which all have an IDENTIFIER.
 */
void decoder_mend_ids(struct decoder *decoder, unsigned char *bytes, size_t len);

/* Decode a record for which decoder_peek() was true, with the event and the time of `peek`. */
void decoder_feed_peeked(struct decoder *decoder, uint32_t slot, const struct decoder_peek *peek,
			 const struct perf_event_header *header);

/* Decode whole records of one CPU. */
void decoder_feed(struct decoder *decoder, uint32_t slot, const unsigned char *bytes, size_t len);

/* Counted since it was made; valid as long as the decoder. */
const struct decoder_stats *decoder_stats(const struct decoder *decoder);

/* The times of the samples so far: all zero to begin anew. */
void decoder_set_times(struct decoder *decoder, struct decoder_times times);

#endif
