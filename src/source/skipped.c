/* SPDX-License-Identifier: MIT */
#include "source/skipped.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "decode/idmap.h"
#include "decode/record.h"

struct skipped {
	size_t events, slots;
	struct idmap *ids;
	uint64_t *counts; /* [events * slots] */
	uint64_t waiting; /* the sum of counts */
	size_t next;	  /* where to look for the next one to take */
	uint64_t total;
};

struct skipped *skipped_new(size_t events, size_t slots)
{
	struct skipped *skipped = xcalloc(1, sizeof(*skipped));

	skipped->events = events;
	skipped->slots = slots;
	skipped->ids = idmap_new();
	skipped->counts = xcalloc(events * slots, sizeof(*skipped->counts));
	return skipped;
}

void skipped_free(struct skipped *skipped)
{
	if (skipped == NULL)
		return;
	idmap_free(skipped->ids);
	free(skipped->counts);
	free(skipped);
}

void skipped_event(struct skipped *skipped, uint32_t number, const uint64_t *ids, size_t nids)
{
	for (size_t i = 0; i < nids; i++)
		idmap_put(skipped->ids, ids[i], number);
}

/* A record of no event counts as the first event's. */
static void add(struct skipped *skipped, size_t slot, const struct perf_event_header *header)
{
	uint32_t number = idmap_get(skipped->ids, record_id(header));

	if (number >= skipped->events)
		number = 0;
	skipped->counts[number * skipped->slots + slot]++;
	skipped->waiting++;
	skipped->total++;
}

static bool is_needed(uint32_t type)
{
	return type != PERF_RECORD_SAMPLE && type != PERF_RECORD_SWITCH &&
	       type != PERF_RECORD_SWITCH_CPU_WIDE;
}

/* The kept records go to `kept`, or nowhere. */
static void take_block(struct skipped *skipped, size_t slot, const char *bytes, size_t len,
		       struct strbuf *kept)
{
	while (len >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *header = (const void *)bytes;

		/* The ring has checked every size; checked again here. */
		if (header->size < sizeof(*header) || header->size > len)
			return;
		if (kept != NULL && is_needed(header->type))
			strbuf_add(kept, bytes, header->size);
		else
			add(skipped, slot, header);
		bytes += header->size;
		len -= header->size;
	}
}

void skipped_filter(struct skipped *skipped, size_t slot, const void *bytes, size_t len,
		    struct strbuf *kept)
{
	take_block(skipped, slot, bytes, len, kept);
}

void skipped_all(struct skipped *skipped, size_t slot, const void *bytes, size_t len)
{
	take_block(skipped, slot, bytes, len, NULL);
}

bool skipped_take(struct skipped *skipped, struct skipped_count *count)
{
	if (skipped->waiting == 0)
		return false;
	while (skipped->counts[skipped->next] == 0)
		skipped->next = (skipped->next + 1) % (skipped->events * skipped->slots);
	count->number = (uint32_t)(skipped->next / skipped->slots);
	count->slot = skipped->next % skipped->slots;
	count->records = skipped->counts[skipped->next];
	skipped->counts[skipped->next] = 0;
	skipped->waiting -= count->records;
	return true;
}

uint64_t skipped_total(const struct skipped *skipped)
{
	return skipped->total;
}
