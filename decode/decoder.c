/* SPDX-License-Identifier: MIT */
#include "decode/decoder.h"

#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/apart.h"
#include "base/xalloc.h"
#include "decode/idmap.h"

_Static_assert(DECODER_NO_EVENT == IDMAP_NONE, "event_of() returns one as the other");

struct event {
	struct record_layout layout;
	bool has_two_ids; /* its samples have IDENTIFIER, which may be wrong, and the id next to the count */
};

struct decoder {
	struct record_sink sink;
	struct idmap *ids;
	struct event *events; /* [nevents] */
	size_t nevents;
	/* Most records come in runs of one event: the last id saves the look-up. */
	uint64_t last_id;
	uint32_t last_event;
	struct record_ids places;
	struct record_ids second; /* of events with two ids, which share a layout */
	uint32_t fallback;
	struct period_source periods;
	struct decoder_stats stats;
};

struct decoder *decoder_new(const struct record_sink *sink)
{
	struct decoder *decoder = xcalloc(1, sizeof(*decoder));

	decoder->sink = *sink;
	decoder->ids = idmap_new();
	decoder->last_event = IDMAP_NONE;
	decoder->places = (struct record_ids){ true, 1, 1 };
	decoder->fallback = DECODER_NO_EVENT;
	return decoder;
}

void decoder_free(struct decoder *decoder)
{
	if (decoder == NULL)
		return;

	idmap_free(decoder->ids);
	free(decoder->events);
	free(decoder);
}

void decoder_set_periods(struct decoder *decoder, const struct period_source *source)
{
	decoder->periods = *source;
}

/*
 * Several perf events may count the same software event on a CPU, also from other processes.  The kernel
 * sets the id in the sample data once for all of them (___perf_sw_event()), so IDENTIFIER may name
 * another of these.  The id next to the count is always right.  Clocks are not affected.
 */
static bool may_have_foreign_id(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && !abi_is_clock(attr);
}

/* Files may have such events with different layouts: only those with the layout of the first are mended. */
static void add_second_id(struct decoder *decoder, struct event *event,
			  const struct perf_event_attr *attr)
{
	event->has_two_ids = false;
	if (!event->layout.has_value || !may_have_foreign_id(attr))
		return;
	if (!decoder->second.has_ids)
		decoder->second = (struct record_ids){ true, event->layout.value_id, 0 };
	event->has_two_ids = event->layout.value_id == decoder->second.in_sample;
}

void decoder_add_event(struct decoder *decoder, uint32_t event, const struct perf_event_attr *attr,
		       const uint64_t *ids, size_t nids)
{
	if (event >= decoder->nevents) {
		decoder->events =
			xreallocarray(decoder->events, event + 1, sizeof(*decoder->events));
		for (size_t i = decoder->nevents; i <= event; i++)
			decoder->events[i] = (struct event){ 0 };
		decoder->nevents = event + 1;
	}
	record_layout_from_attr(attr, &decoder->events[event].layout);
	add_second_id(decoder, &decoder->events[event], attr);
	idmap_reserve(decoder->ids, nids);
	for (size_t i = 0; i < nids; i++)
		idmap_put(decoder->ids, ids[i], event);
	/* The last id may belong to another event now; no event has id 0. */
	decoder->last_id = 0;
	decoder->last_event = IDMAP_NONE;
}

static APART uint32_t look_up(struct decoder *decoder, uint64_t id)
{
	decoder->last_id = id;
	decoder->last_event = idmap_get(decoder->ids, id);
	return decoder->last_event;
}

static inline uint32_t find_event(struct decoder *decoder, uint64_t id)
{
	return id == decoder->last_id ? decoder->last_event : look_up(decoder, id);
}

void decoder_set_ids(struct decoder *decoder, const struct record_ids *ids, uint32_t fallback)
{
	decoder->places = *ids;
	decoder->fallback = fallback;
}

uint32_t decoder_event_of(struct decoder *decoder, uint64_t id)
{
	uint32_t event = id != 0 ? find_event(decoder, id) : IDMAP_NONE;

	return event != IDMAP_NONE ? event : DECODER_NO_EVENT;
}

/* The event of a sample by its second id, if it has one; `event` is the one by its first. */
static uint32_t look_at_second(struct decoder *decoder, const struct perf_event_header *header,
			       uint32_t event)
{
	if (event != IDMAP_NONE && !decoder->events[event].has_two_ids)
		return event;

	uint64_t id = record_id_at(header, &decoder->second);
	uint32_t second = id != 0 ? find_event(decoder, id) : IDMAP_NONE;

	return second != IDMAP_NONE && decoder->events[second].has_two_ids ? second : event;
}

/* event_of() of a record that is no sample, or where samples have no ids. */
static APART uint32_t event_of_other(struct decoder *decoder,
				     const struct perf_event_header *header)
{
	uint64_t id = decoder->places.has_ids ? record_id_at(header, &decoder->places) : 0;
	uint32_t event = decoder_event_of(decoder, id);

	return event != IDMAP_NONE ? event : decoder->fallback;
}

/* The record's event or the fallback, or IDMAP_NONE. */
static inline uint32_t event_of(struct decoder *decoder, const struct perf_event_header *header)
{
	if (header->type != PERF_RECORD_SAMPLE || !decoder->places.has_ids)
		return event_of_other(decoder, header);

	uint64_t id = record_word(header, decoder->places.in_sample);
	uint32_t event = id != 0 ? find_event(decoder, id) : IDMAP_NONE;

	return decoder->second.has_ids ? look_at_second(decoder, header, event) : event;
}

static bool is_known_type(const struct perf_event_header *header)
{
	return header->type != 0 && header->type < ABI_RECORD_TYPES;
}

bool decoder_peek(struct decoder *decoder, const struct perf_event_header *header,
		  struct decoder_peek *peek)
{
	*peek = (struct decoder_peek){ 0, DECODER_NO_EVENT };
	if (!is_known_type(header))
		return true; /* skipped by its size, and counted, when it is fed */

	peek->event = event_of(decoder, header);
	return peek->event != DECODER_NO_EVENT &&
	       record_time(header, &decoder->events[peek->event].layout, &peek->time_ns);
}

void decoder_mend_ids(struct decoder *decoder, unsigned char *bytes, size_t len)
{
	while (decoder->second.has_ids && len >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *header = (const void *)bytes;

		if (header->size < sizeof(*header) || header->size > len)
			return;
		if (header->type == PERF_RECORD_SAMPLE) {
			uint64_t first = record_id(header);
			uint64_t second = record_id_at(header, &decoder->second);
			uint32_t event = first != second ? event_of(decoder, header) : IDMAP_NONE;

			if (event != IDMAP_NONE && decoder->events[event].has_two_ids)
				memcpy(bytes + sizeof(*header), &second, sizeof(second));
		}
		bytes += header->size;
		len -= header->size;
	}
}

static void note_time(struct decoder_times *times, uint64_t time_ns)
{
	if (times->first_ns == 0 || time_ns < times->first_ns)
		times->first_ns = time_ns;
	if (time_ns > times->last_ns)
		times->last_ns = time_ns;
}

/* False: it is counted as one that cannot be decoded. */
static inline bool decode(struct decoder *decoder, uint32_t slot, uint32_t event,
			  const struct perf_event_header *header, struct record *record)
{
	if (event == DECODER_NO_EVENT) {
		decoder->stats.unknown_types++;
		return false;
	}
	if (!record_decode(header, &decoder->events[event].layout, record)) {
		decoder->stats.malformed++;
		return false;
	}
	if (record->has_value && record->period == 0 && decoder->periods.period != NULL)
		record->period = decoder->periods.period(decoder->periods.ctx, slot, event);
	decoder->stats.records++;
	if (header->type == PERF_RECORD_SAMPLE)
		note_time(&decoder->stats.times, record->time_ns);
	return true;
}

void decoder_feed_peeked(struct decoder *decoder, uint32_t slot, const struct decoder_peek *peek,
			 const struct perf_event_header *header)
{
	struct record record;

	if (!decode(decoder, slot, peek->event, header, &record))
		return;
	record.time_ns = peek->time_ns;
	decoder->sink.record(decoder->sink.ctx, slot, peek->event, &record);
}

static inline void feed_record(struct decoder *decoder, uint32_t slot,
			       const struct perf_event_header *header)
{
	struct record record;
	uint32_t event = DECODER_NO_EVENT;

	if (is_known_type(header)) {
		event = event_of(decoder, header);
		if (event == DECODER_NO_EVENT) {
			decoder->stats.unknown_ids++;
			return;
		}
	}
	if (decode(decoder, slot, event, header, &record))
		decoder->sink.record(decoder->sink.ctx, slot, event, &record);
}

void decoder_feed(struct decoder *decoder, uint32_t slot, const unsigned char *bytes, size_t len)
{
	while (len >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *header = (const void *)bytes;

		/* The ring, or the reader of a file, has checked every size; checked again here. */
		if (header->size < sizeof(*header) || header->size > len) {
			decoder->stats.malformed++;
			return;
		}
		feed_record(decoder, slot, header);
		bytes += header->size;
		len -= header->size;
	}
}

void decoder_set_times(struct decoder *decoder, struct decoder_times times)
{
	decoder->stats.times = times;
}

const struct decoder_stats *decoder_stats(const struct decoder *decoder)
{
	return &decoder->stats;
}
