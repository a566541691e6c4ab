/* SPDX-License-Identifier: MIT */
#include "decode/decoder.h"

#include <stdlib.h>

#include "base/abi.h"
#include "base/xalloc.h"
#include "decode/idmap.h"

struct decoder {
	struct record_sink sink;
	struct idmap *ids;
	struct record_layout *layouts; /* [nlayouts], by event */
	size_t nlayouts;
	/* Most records come in runs of one event: the last id saves the look-up. */
	uint64_t last_id;
	uint32_t last_event;
	struct record_ids places;
	uint32_t fallback;
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
	free(decoder->layouts);
	free(decoder);
}

void decoder_add_event(struct decoder *decoder, uint32_t event, const struct perf_event_attr *attr,
		       const uint64_t *ids, size_t nids)
{
	if (event >= decoder->nlayouts) {
		decoder->layouts =
			xreallocarray(decoder->layouts, event + 1, sizeof(*decoder->layouts));
		for (size_t i = decoder->nlayouts; i <= event; i++)
			decoder->layouts[i] = (struct record_layout){ 0 };
		decoder->nlayouts = event + 1;
	}
	record_layout_from_attr(attr, &decoder->layouts[event]);
	idmap_reserve(decoder->ids, nids);
	for (size_t i = 0; i < nids; i++)
		idmap_put(decoder->ids, ids[i], event);
	/* The last id may belong to another event now; no event has id 0. */
	decoder->last_id = 0;
	decoder->last_event = IDMAP_NONE;
}

static uint32_t find_event(struct decoder *decoder, uint64_t id)
{
	if (id != decoder->last_id) {
		decoder->last_id = id;
		decoder->last_event = idmap_get(decoder->ids, id);
	}
	return decoder->last_event;
}

void decoder_set_ids(struct decoder *decoder, const struct record_ids *ids, uint32_t fallback)
{
	decoder->places = *ids;
	decoder->fallback = fallback;
}

/* The record's event or the fallback, or IDMAP_NONE. */
static uint32_t event_of(struct decoder *decoder, const struct perf_event_header *header)
{
	uint64_t id = 0;

	if (decoder->places.has_ids)
		id = record_id_at(header, &decoder->places);
	uint32_t event = id != 0 ? find_event(decoder, id) : IDMAP_NONE;
	bool is_told = header->type == PERF_RECORD_SAMPLE && decoder->places.has_ids;

	return event != IDMAP_NONE || is_told ? event : decoder->fallback;
}

bool decoder_peek(struct decoder *decoder, const struct perf_event_header *header,
		  uint64_t *time_ns)
{
	struct record record;

	*time_ns = 0;
	if (header->type == 0 || header->type >= ABI_RECORD_TYPES)
		return true; /* skipped by its size, and counted, when it is fed */

	uint32_t event = event_of(decoder, header);
	if (event == IDMAP_NONE || !record_decode(header, &decoder->layouts[event], &record))
		return false;
	*time_ns = record.time_ns;
	return true;
}

static void feed_record(struct decoder *decoder, uint32_t slot,
			const struct perf_event_header *header)
{
	struct record record;

	if (header->type == 0 || header->type >= ABI_RECORD_TYPES) {
		decoder->stats.unknown_types++;
		return;
	}

	uint32_t event = event_of(decoder, header);
	if (event == IDMAP_NONE) {
		decoder->stats.unknown_ids++;
		return;
	}
	if (!record_decode(header, &decoder->layouts[event], &record)) {
		decoder->stats.malformed++;
		return;
	}
	decoder->stats.records++;
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

const struct decoder_stats *decoder_stats(const struct decoder *decoder)
{
	return &decoder->stats;
}
