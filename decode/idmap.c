/* SPDX-License-Identifier: MIT */
#include "decode/idmap.h"

#include <stdlib.h>
#include <sys/random.h>

#include "base/xalloc.h"

/*
 * Open addressing with linear probing, at most half full.  The kernel's ids are
 * consecutive, and Fibonacci hashing keeps those apart; but a file's ids may be
 * chosen to collide.  When one is further from its place than is likely by chance,
 * the table is rehashed with a random multiplier.
 */
#define MULTIPLIER 0x9e3779b97f4a7c15ull
#define BITS_FIRST 6
#define REACH_MAX  128 /* 2^20 random ids, half full: the furthest were 37 to 46 away */
#define TRIES_MAX  8   /* multipliers tried for one size */

struct entry {
	uint64_t id; /* 0: empty */
	uint32_t event;
};

struct idmap {
	unsigned int bits; /* 1 << bits entries */
	size_t count;
	size_t reach; /* the largest distance of an id from its place */
	unsigned int tries;
	uint64_t multiplier; /* odd */
	struct entry *entries;
};

static size_t size_of(const struct idmap *map)
{
	return (size_t)1 << map->bits;
}

/* The upper bits of the product: they depend on all bits of the id. */
static size_t place(const struct idmap *map, uint64_t id)
{
	return (size_t)((id * map->multiplier) >> (64 - map->bits));
}

static size_t next(const struct idmap *map, size_t at)
{
	return (at + 1) & (size_of(map) - 1);
}

struct idmap *idmap_new(void)
{
	struct idmap *map = xcalloc(1, sizeof(*map));

	map->bits = BITS_FIRST;
	map->multiplier = MULTIPLIER;
	map->entries = xcalloc(size_of(map), sizeof(*map->entries));
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
	size_t at = place(map, id), distance = 0;

	while (map->entries[at].id != 0 && map->entries[at].id != id) {
		at = next(map, at);
		distance++;
	}
	if (map->entries[at].id == 0)
		map->count++;
	map->entries[at] = (struct entry){ id, event };
	if (distance > map->reach)
		map->reach = distance;
}

static void place_anew(struct idmap *map, unsigned int bits, uint64_t multiplier)
{
	struct entry *old = map->entries;
	size_t old_size = size_of(map);

	map->bits = bits;
	map->multiplier = multiplier;
	map->count = map->reach = 0;
	map->entries = xcalloc(size_of(map), sizeof(*map->entries));
	for (size_t i = 0; i < old_size; i++) {
		if (old[i].id != 0)
			insert(map, old[i].id, old[i].event);
	}
	free(old);
}

static void spread(struct idmap *map)
{
	uint64_t random;

	map->tries++;
	/* Without getrandom() (Linux before 3.17) the table stays as it is: slow, but correct. */
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) == (ssize_t)sizeof(random))
		place_anew(map, map->bits, random | 1);
}

void idmap_reserve(struct idmap *map, size_t count)
{
	unsigned int bits = map->bits;

	while ((map->count + count) * 2 > (size_t)1 << bits)
		bits++;
	if (bits == map->bits)
		return;
	map->tries = 0;
	place_anew(map, bits, map->multiplier);
}

void idmap_put(struct idmap *map, uint64_t id, uint32_t event)
{
	if (id == 0)
		return;
	idmap_reserve(map, 1);
	insert(map, id, event);
	while (map->reach > REACH_MAX && map->tries < TRIES_MAX)
		spread(map);
}

uint32_t idmap_get(const struct idmap *map, uint64_t id)
{
	size_t at = place(map, id);

	for (size_t distance = 0; distance <= map->reach && map->entries[at].id != 0; distance++) {
		if (map->entries[at].id == id)
			return map->entries[at].event;
		at = next(map, at);
	}
	return IDMAP_NONE;
}
