/* SPDX-License-Identifier: MIT */
#include "source/fd-counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "decode/decoder.h"
#include "decode/idmap.h"

struct fd_counts {
	struct idmap *places; /* id -> index into totals, in steps of width */
	size_t width;
	uint64_t *totals; /* [count * width] */
	uint32_t count;
};

struct fd_counts *fd_counts_new(size_t width)
{
	struct fd_counts *counts = xcalloc(1, sizeof(*counts));

	counts->places = idmap_new();
	counts->width = width;
	return counts;
}

void fd_counts_free(struct fd_counts *counts)
{
	if (counts == NULL)
		return;

	idmap_free(counts->places);
	free(counts->totals);
	free(counts);
}

static uint64_t *totals_of(struct fd_counts *counts, uint64_t id)
{
	uint32_t place = idmap_get(counts->places, id);

	if (place == IDMAP_NONE) {
		place = counts->count++;
		counts->totals = xreallocarray(counts->totals, counts->count,
					       counts->width * sizeof(*counts->totals));
		memset(&counts->totals[place * counts->width], 0,
		       counts->width * sizeof(*counts->totals));
		idmap_put(counts->places, id, place);
	}
	return &counts->totals[place * counts->width];
}

void fd_counts_growth(struct fd_counts *counts, uint64_t id, uint64_t *values)
{
	uint64_t *totals = totals_of(counts, id);

	for (size_t i = 0; i < counts->width; i++) {
		uint64_t now = values[i];

		/* A total decreases only in a damaged file. */
		values[i] = now > totals[i] ? now - totals[i] : 0;
		totals[i] = now;
	}
}

void fd_counts_turn(struct fd_counts *counts, struct decoder *decoder, struct sample_count *last,
		    uint64_t id)
{
	/* What is not in the file's head is damaged, and would take memory for each. */
	if (last->id == id || decoder_event_of(decoder, id) == DECODER_NO_EVENT)
		return;
	if (decoder_event_of(decoder, last->id) != DECODER_NO_EVENT) {
		uint64_t *kept = totals_of(counts, last->id);

		kept[0] = last->value;
		kept[1] = last->lost;
	}

	const uint64_t *before = totals_of(counts, id);

	*last = (struct sample_count){ .id = id, .value = before[0], .lost = before[1] };
}
