/* SPDX-License-Identifier: MIT */
#include "decode/idmap.h"

#include "tap.h"

#include <stdlib.h>

#define MANY	20000
#define HOSTILE (1 << 20)
#define INVERSE 0xf1de83e19937733dull /* of the multiplier in idmap.c, modulo 2^64 */

/* How many of these ids map to a wrong event. */
static unsigned int wrong(const struct idmap *map, uint64_t step, uint64_t count)
{
	unsigned int bad = 0;

	for (uint64_t i = 1; i <= count; i++)
		bad += idmap_get(map, i * step) != (uint32_t)i;
	return bad;
}

/* Consecutive ids, as the kernel's are, and ids that collide under a bad hash. */
static void check_many(uint64_t step)
{
	struct idmap *map = idmap_new();

	for (uint64_t i = 1; i <= MANY; i++) {
		idmap_put(map, i * step, (uint32_t)i);
		/* Around each doubling of the table, everything is still there. */
		if ((i & (i - 1)) == 0)
			is_u64(wrong(map, step, i), 0, "%llu ids, 0x%llx apart",
			       (unsigned long long)i, (unsigned long long)step);
	}
	is_u64(wrong(map, step, MANY), 0, "%d ids", MANY);
	is_u64(idmap_get(map, (MANY + 1) * step), IDMAP_NONE, "the next is not there");
	idmap_free(map);
}

/* Ids that Fibonacci hashing puts side by side, or all into one place: a file may hold them. */
static uint64_t adjacent(uint64_t i)
{
	return INVERSE * (i << 40);
}

static uint64_t colliding(uint64_t i)
{
	return INVERSE * i;
}

/* With quadratic time this takes minutes. */
static void check_hostile(const char *what, uint64_t (*id_of)(uint64_t i))
{
	struct idmap *map = idmap_new();
	unsigned int bad = 0, foreign = 0;

	for (uint64_t i = 1; i <= HOSTILE; i++)
		idmap_put(map, id_of(i), (uint32_t)i);
	for (uint64_t i = 1; i <= HOSTILE; i++) {
		bad += idmap_get(map, id_of(i)) != (uint32_t)i;
		foreign += idmap_get(map, id_of(i) ^ 1) == IDMAP_NONE;
	}
	is_u64(bad, 0, "%d ids %s", HOSTILE, what);
	ok(foreign > 0, "and others are not there");
	idmap_free(map);
}

int main(void)
{
	struct idmap *map = idmap_new();

	plan_lazy();
	is_u64(idmap_get(map, 1), IDMAP_NONE, "an empty map has nothing");
	is_u64(idmap_get(map, 0), IDMAP_NONE, "not even id 0");
	idmap_put(map, 0, 5);
	is_u64(idmap_get(map, 0), IDMAP_NONE, "which cannot be put there");
	idmap_put(map, 7, 0);
	is_u64(idmap_get(map, 7), 0, "event 0 is an event");
	idmap_put(map, 7, 3);
	is_u64(idmap_get(map, 7), 3, "an id that is put again means the new event");
	idmap_put(map, UINT64_MAX, 4);
	is_u64(idmap_get(map, UINT64_MAX), 4, "the largest id");
	for (int i = 0; i < 1000; i++)
		idmap_put(map, 7, 9);
	is_u64(idmap_get(map, 7), 9, "the same id a thousand times");
	idmap_free(map);
	idmap_free(NULL);

	check_many(1);
	check_many(1ull << 32);
	check_many(0x100000001);
	check_many(1ull << 49);
	check_hostile("in one place", colliding);
	check_hostile("in a row", adjacent);
	return done();
}
