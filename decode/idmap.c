/* SPDX-License-Identifier: MIT */
#include "decode/idmap.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* Open addressing with linear probing, at most half full. */
struct entry {
	uint64_t id; /* 0: empty */
	uint32_t event;
};

struct idmap {
	size_t mask, count;
	struct entry *entries;
};

/* Fibonacci hashing: the kernel's ids are consecutive, and stay apart. */
static size_t place(const struct idmap *map, uint64_t id)
{
	return (size_t)((id * 0x9e3779b97f4a7c15ull) >> 32) & map->mask;
}

struct idmap *idmap_new(void)
{
	struct idmap *map = xcalloc(1, sizeof(*map));

	map->mask = 63;
	map->entries = xcalloc(map->mask + 1, sizeof(*map->entries));
	return map;
}

void idmap_free(struct idmap *map)
{
	if (map == NULL)
		return;

	free(map->entries);
	free(map);
}

static void insert(struct idmap *map, uint64_t id, uint32_t event)
{
	size_t at = place(map, id);

	while (map->entries[at].id != 0 && map->entries[at].id != id)
		at = (at + 1) & map->mask;
	if (map->entries[at].id == 0)
		map->count++;
	map->entries[at] = (struct entry){ id, event };
}

static void grow(struct idmap *map)
{
	struct entry *old = map->entries;
	size_t old_size = map->mask + 1;

	map->mask = old_size * 2 - 1;
	map->count = 0;
	map->entries = xcalloc(map->mask + 1, sizeof(*map->entries));
	for (size_t i = 0; i < old_size; i++) {
		if (old[i].id != 0)
			insert(map, old[i].id, old[i].event);
	}
	free(old);
}

void idmap_put(struct idmap *map, uint64_t id, uint32_t event)
{
	if (id == 0)
		return;
	if ((map->count + 1) * 2 > map->mask + 1)
		grow(map);
	insert(map, id, event);
}

uint32_t idmap_get(const struct idmap *map, uint64_t id)
{
	for (size_t at = place(map, id); map->entries[at].id != 0; at = (at + 1) & map->mask) {
		if (map->entries[at].id == id)
			return map->entries[at].event;
	}
	return IDMAP_NONE;
}
