/* SPDX-License-Identifier: MIT */
#include "source/group-counts.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "decode/idmap.h"

struct group_counts {
	struct idmap *places; /* id -> index into values */
	uint64_t *values;     /* [count], as of the last sample */
	uint32_t count;
};

struct group_counts *group_counts_new(void)
{
	struct group_counts *groups = xcalloc(1, sizeof(*groups));

	groups->places = idmap_new();
	return groups;
}

void group_counts_free(struct group_counts *groups)
{
	if (groups == NULL)
		return;

	idmap_free(groups->places);
	free(groups->values);
	free(groups);
}

static uint64_t *value_of(struct group_counts *groups, uint64_t id)
{
	uint32_t place = idmap_get(groups->places, id);

	if (place == IDMAP_NONE) {
		place = groups->count++;
		groups->values =
			xreallocarray(groups->values, groups->count, sizeof(*groups->values));
		groups->values[place] = 0;
		idmap_put(groups->places, id, place);
	}
	return &groups->values[place];
}

uint64_t group_counts_growth(struct group_counts *groups, uint64_t id, uint64_t value)
{
	uint64_t *last = value_of(groups, id);
	/* A count decreases only in a damaged file. */
	uint64_t growth = value > *last ? value - *last : 0;

	*last = value;
	return growth;
}
