/* SPDX-License-Identifier: MIT */
/*
 * Cache events: "L1-dcache-load-misses": a cache, an operation and a result.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "event/kind.h"

#define ALIASES 6

/* perf's own name first, then the aliases it accepts (tools/perf/util/evsel.c of 6.1). */
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

/* Which operations a cache has: no stores to an instruction cache. */
static const unsigned int legal[] = {
	[PERF_COUNT_HW_CACHE_L1D] = R | W | P,	[PERF_COUNT_HW_CACHE_L1I] = R | P,
	[PERF_COUNT_HW_CACHE_LL] = R | W | P,	[PERF_COUNT_HW_CACHE_DTLB] = R | W | P,
	[PERF_COUNT_HW_CACHE_ITLB] = R,		[PERF_COUNT_HW_CACHE_BPU] = R,
	[PERF_COUNT_HW_CACHE_NODE] = R | W | P,
};

/*
 * Match the longest name of the table at `*at` that is followed by a '-' or the end, and advance
 * *at past it: the row's index, or NONE.
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

static bool find(const char *name, struct event_spec *found, const char **wrong)
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
	found->type = PERF_TYPE_HW_CACHE;
	found->config = (uint64_t)cache | (uint64_t)operation << 8 | (uint64_t)result << 16;
	if (!(legal[cache] & (1u << operation)))
		*wrong = "this cache has no such operation";
	return true;
}

static void each_of(size_t cache, size_t operation, catalog_visit *visit, void *ctx)
{
	char name[64];

	/* As perf does: the plural for accesses, the singular before a result. */
	snprintf(name, sizeof(name), "%s-%s", caches[cache][0], operations[operation][1]);
	visit(ctx, name, NULL);
	snprintf(name, sizeof(name), "%s-%s-misses", caches[cache][0], operations[operation][0]);
	visit(ctx, name, NULL);
}

static void each(const struct catalog *catalog, catalog_visit *visit, void *ctx)
{
	(void)catalog;
	for (size_t cache = 0; cache < COUNT(caches); cache++) {
		for (size_t operation = 0; operation < COUNT(operations); operation++) {
			if (legal[cache] & (1u << operation))
				each_of(cache, operation, visit, ctx);
		}
	}
}

static void describe(const struct catalog *catalog, const char *name, struct strbuf *out)
{
	(void)catalog;
	strbuf_puts(out, strstr(name, "misses") != NULL ? "misses of this cache" :
							  "accesses to this cache");
}

static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	(void)catalog;
	(void)text;
	attr->type = PERF_TYPE_HW_CACHE;
	attr->config = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
	return 0;
}

static const struct why_cause causes[] = { { ENOENT, .make = why_no_pmu }, { 0 } };

const struct kind *kind_cache(void)
{
	static const struct kind kind = {
		.type = PERF_TYPE_HW_CACHE,
		.is_on_counter = true,
		.find = find,
		.each = each,
		.describe = describe,
		.causes = causes,
		.probe = { "cache", "L1-dcache-load-misses", .ask = ask },
	};

	return &kind;
}
