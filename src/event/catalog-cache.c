/* SPDX-License-Identifier: MIT */
#include "event/catalog.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define ALIASES 6

/* The first is perf's own name, the others what it takes too (tools/perf/util/evsel.c of 6.1). */
static const char *const caches[][ALIASES] = {
	[PERF_COUNT_HW_CACHE_L1D] = { "L1-dcache", "l1-d", "l1d", "L1-data" },
	[PERF_COUNT_HW_CACHE_L1I] = { "L1-icache", "l1-i", "l1i", "L1-instruction" },
	[PERF_COUNT_HW_CACHE_LL] = { "LLC", "L2" },
	[PERF_COUNT_HW_CACHE_DTLB] = { "dTLB", "d-tlb", "Data-TLB" },
	[PERF_COUNT_HW_CACHE_ITLB] = { "iTLB", "i-tlb", "Instruction-TLB" },
	[PERF_COUNT_HW_CACHE_BPU] = { "branch", "branches", "bpu", "btb", "bpc" },
	[PERF_COUNT_HW_CACHE_NODE] = { "node" },
};

static const char *const operations[][ALIASES] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { "load", "loads", "read" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "store", "stores", "write" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetch", "prefetches", "speculative-read",
					      "speculative-load" },
};

static const char *const results[][ALIASES] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { "refs", "Reference", "ops", "access" },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { "misses", "miss" },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define NONE	     (-1)

#define R (1u << PERF_COUNT_HW_CACHE_OP_READ)
#define W (1u << PERF_COUNT_HW_CACHE_OP_WRITE)
#define P (1u << PERF_COUNT_HW_CACHE_OP_PREFETCH)

/* Which operations a cache has: nobody stores to instructions. */
static const unsigned int legal[] = {
	[PERF_COUNT_HW_CACHE_L1D] = R | W | P,	[PERF_COUNT_HW_CACHE_L1I] = R | P,
	[PERF_COUNT_HW_CACHE_LL] = R | W | P,	[PERF_COUNT_HW_CACHE_DTLB] = R | W | P,
	[PERF_COUNT_HW_CACHE_ITLB] = R,		[PERF_COUNT_HW_CACHE_BPU] = R,
	[PERF_COUNT_HW_CACHE_NODE] = R | W | P,
};

/*
 * The longest name of the table that `*at` begins with and that ends there or at a '-'; *at then
 * stands behind it.  Its number, or NONE.
 */
static int take(const char *const (*table)[ALIASES], size_t count, const char **at)
{
	size_t longest = 0;
	int found = NONE;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < ALIASES && table[i][k] != NULL; k++) {
			size_t len = strlen(table[i][k]);
			char next = len > longest && strncmp(*at, table[i][k], len) == 0 ?
					    (*at)[len] :
					    'x';

			if (next == '\0' || next == '-') {
				longest = len;
				found = (int)i;
			}
		}
	}
	*at += longest;
	return found;
}

/* "-load" or "-misses", one of each at most, in either order. */
static bool take_part(const char **at, int *operation, int *result)
{
	const char *part = *at + 1;
	int *into = operation;
	int found = take(operations, COUNT(operations), &part);

	if (found == NONE) {
		into = result;
		found = take(results, COUNT(results), &part);
	}
	if (found == NONE || *into != NONE)
		return false;
	*into = found;
	*at = part;
	return true;
}

bool catalog_cache(const char *name, uint64_t *config, bool *is_legal)
{
	int operation = NONE, result = NONE;
	int cache = take(caches, COUNT(caches), &name);

	if (cache == NONE)
		return false;
	while (*name == '-') {
		if (!take_part(&name, &operation, &result))
			return false;
	}
	if (operation == NONE)
		operation = PERF_COUNT_HW_CACHE_OP_READ;
	if (result == NONE)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	*config = (uint64_t)cache | (uint64_t)operation << 8 | (uint64_t)result << 16;
	*is_legal = legal[cache] & (1u << operation);
	return true;
}

bool catalog_cache_at(size_t i, char *out, size_t room)
{
	for (size_t cache = 0; cache < COUNT(caches); cache++) {
		for (size_t operation = 0; operation < COUNT(operations); operation++) {
			if (!(legal[cache] & (1u << operation)))
				continue;
			if (i < COUNT(results)) {
				/* perf's way: the plural for accesses, the singular before a result. */
				snprintf(out, room, "%s-%s%s", caches[cache][0],
					 operations[operation][i == 0 ? 1 : 0],
					 i == 0 ? "" : "-misses");
				return true;
			}
			i -= COUNT(results);
		}
	}
	return false;
}
