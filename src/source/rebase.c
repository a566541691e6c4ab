/* SPDX-License-Identifier: MIT */
#include "source/rebase.h"

#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/xalloc.h"
#include "decode/idmap.h"
#include "decode/record-layout.h"
#include "decode/record.h"

enum { VALUE, ENABLED, RUNNING, LOST, FIELDS };

/* Of one fd. */
struct reading {
	uint64_t last[FIELDS]; /* since it was opened, in its last sample */
	uint64_t base[FIELDS]; /* the same, in the files before */
	uint32_t layout;
};

struct rebase {
	struct idmap *ids; /* to the number of the reading */
	struct reading *readings;
	size_t nreadings;
	struct record_layout *layouts;
	uint32_t nlayouts;
};

struct rebase *rebase_new(void)
{
	struct rebase *rebase = xcalloc(1, sizeof(*rebase));

	rebase->ids = idmap_new();
	return rebase;
}

void rebase_free(struct rebase *rebase)
{
	if (rebase == NULL)
		return;
	idmap_free(rebase->ids);
	free(rebase->readings);
	free(rebase->layouts);
	free(rebase);
}

bool rebase_has_work(const struct rebase *rebase)
{
	return rebase->nreadings > 0;
}

static bool is_new(const struct rebase *rebase, uint64_t id)
{
	return id != 0 && idmap_get(rebase->ids, id) == IDMAP_NONE;
}

/* With the last layout. */
static void add_reading(struct rebase *rebase, uint64_t id)
{
	idmap_put(rebase->ids, id, (uint32_t)rebase->nreadings);
	rebase->readings =
		xreallocarray(rebase->readings, rebase->nreadings + 1, sizeof(*rebase->readings));
	rebase->readings[rebase->nreadings++] = (struct reading){ .layout = rebase->nlayouts - 1 };
}

void rebase_event(struct rebase *rebase, const struct perf_event_attr *attr, const uint64_t *ids,
		  size_t nids)
{
	struct record_layout layout;
	size_t first = 0;

	record_layout_from_attr(attr, &layout);
	while (first < nids && !is_new(rebase, ids[first]))
		first++;
	if (first == nids || (!layout.has_value && !layout.has_members))
		return;
	rebase->layouts =
		xreallocarray(rebase->layouts, rebase->nlayouts + 1, sizeof(*rebase->layouts));
	rebase->layouts[rebase->nlayouts++] = layout;
	for (size_t i = first; i < nids; i++) {
		if (is_new(rebase, ids[i]))
			add_reading(rebase, ids[i]);
	}
}

void rebase_next(struct rebase *rebase)
{
	for (size_t i = 0; i < rebase->nreadings; i++)
		memcpy(rebase->readings[i].base, rebase->readings[i].last,
		       sizeof(rebase->readings[i].base));
}

/* --- records -------------------------------------------------------------------------------- */

static struct reading *reading_of(struct rebase *rebase, uint64_t id)
{
	uint32_t number = idmap_get(rebase->ids, id);

	return number != IDMAP_NONE ? &rebase->readings[number] : NULL;
}

static void change(uint64_t *word, struct reading *reading, unsigned int field)
{
	if (*word > reading->last[field])
		reading->last[field] = *word;
	*word = *word > reading->base[field] ? *word - reading->base[field] : 0;
}

/* TOTAL_TIME_ENABLED and TOTAL_TIME_RUNNING, as far as the format has them. */
static void change_times(uint64_t *words, struct reading *reading, uint64_t format)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		change(words++, reading, ENABLED);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		change(words, reading, RUNNING);
}

/* `words` has the id and, if the format does, the losses of a value. */
static void change_value(uint64_t *value, uint64_t *words, struct reading *reading, uint64_t format)
{
	change(value, reading, VALUE);
	if (format & ABI_FORMAT_LOST)
		change(&words[1], reading, LOST);
}

static void change_group(struct rebase *rebase, uint64_t *read, size_t left,
			 const struct record_layout *layout, struct reading *leader)
{
	size_t head = 1 + layout->read_times, words = layout->read_words;

	if (left < head || read[0] > (left - head) / words)
		return;
	change_times(read + 1, leader, layout->read_format);
	for (uint64_t i = 0; i < read[0]; i++) {
		uint64_t *member = read + head + i * words;
		struct reading *reading = reading_of(rebase, member[1]);

		if (reading != NULL)
			change_value(member, member + 1, reading, layout->read_format);
	}
}

static void change_sample(struct rebase *rebase, uint64_t *sample, size_t words)
{
	struct reading *reading = reading_of(rebase, record_id((const void *)sample));

	if (reading == NULL)
		return;

	const struct record_layout *layout = &rebase->layouts[reading->layout];
	size_t fixed = 1 + layout->fixed_words; /* after the header */

	if (words < fixed)
		return;
	if (layout->has_members) {
		change_group(rebase, sample + fixed, words - fixed, layout, reading);
		return;
	}
	uint64_t *read = sample + layout->value_id - layout->read_times - 1;

	change_times(read + 1, reading, layout->read_format);
	change_value(read, sample + layout->value_id, reading, layout->read_format);
}

void rebase_records(struct rebase *rebase, void *bytes, size_t len)
{
	char *at = bytes;

	while (len >= sizeof(struct perf_event_header)) {
		struct perf_event_header *header = (void *)at;

		/* The ring has checked every size; checked again here. */
		if (header->size < sizeof(*header) || header->size > len)
			return;
		if (header->type == PERF_RECORD_SAMPLE)
			change_sample(rebase, (uint64_t *)(void *)at,
				      header->size / sizeof(uint64_t));
		at += header->size;
		len -= header->size;
	}
}
