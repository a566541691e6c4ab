/* SPDX-License-Identifier: MIT */
/*
 * Events by their numbers, as perf takes them: "1:3" is perf_event_attr.type 1, config 3.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"

struct search {
	const struct tracefs *tracefs;
	uint64_t id;
	char *name; /* owned, or NULL */
};

static int compare_id(void *ctx, const char *system, const char *name)
{
	struct search *search = ctx;
	long id = tracefs_id(search->tracefs, system, name);

	if (id < 0 || (uint64_t)id != search->id)
		return 0;
	search->name = xasprintf("%s:%s", system, name);
	return 1;
}

/* The tracepoint with this id, allocated, or NULL. */
static char *tracepoint_of(const struct catalog *catalog, uint64_t id)
{
	struct search search = { .tracefs = catalog->tracefs, .id = id };

	if (catalog->tracefs != NULL)
		tracefs_each(catalog->tracefs, "*", "*", compare_id, &search);
	return search.name;
}

static const struct pmu *pmu_of(const struct catalog *catalog, uint32_t type)
{
	for (size_t i = 0; catalog->pmus != NULL && i < pmus_count(catalog->pmus); i++) {
		if (pmus_at(catalog->pmus, i)->type == type)
			return pmus_at(catalog->pmus, i);
	}
	return NULL;
}

static void add(struct parser *parser, const struct item *item, const struct event_spec *found)
{
	const struct pmu *pmu = found->kind == EVENT_PMU ? pmu_of(parser->catalog, found->type) :
							   NULL;
	struct event_spec *spec = parser_add_fixed(parser, item, found, item->name);

	if (found->kind == EVENT_TRACEPOINT)
		spec->origin = tracepoint_of(parser->catalog, found->config);
	if (pmu != NULL) {
		event_spec_bind(spec, &pmu->cpus);
		spec->is_uncore = pmu->is_uncore;
	}
	parser_finish(parser, item, spec);
}

/* What is wrong with the numbers, or NULL. */
static const char *wrong_numbers(uint64_t type, bool has_config)
{
	if (!has_config)
		return "TYPE:CONFIG are two numbers, as in 1:3";
	/* A breakpoint has an address, which type and config do not tell. */
	if (type == PERF_TYPE_BREAKPOINT)
		return "a breakpoint is written mem:ADDR[/LEN][:rwx]";
	return type >= EVENT_TYPE_NONE ? "no event has such a type" : NULL;
}

bool numbers_parse(struct parser *parser, const struct item *item)
{
	const char *colon = strchr(item->name, ':');
	struct event_spec found = { 0 };
	uint64_t type;

	if (colon == NULL || !parser_number(item->name, (size_t)(colon - item->name), &type))
		return false;

	const char *wrong =
		wrong_numbers(type, parser_number(colon + 1, strlen(colon + 1), &found.config));
	if (wrong != NULL) {
		parser_refuse(parser, item, (struct span){ item->start, strlen(item->name) },
			      EVENT_RAW, wrong);
		return true;
	}
	found.type = (uint32_t)type;
	found.kind = kind_of_type(found.type);
	found.is_clock = found.kind == EVENT_SOFTWARE && (found.config == PERF_COUNT_SW_CPU_CLOCK ||
							  found.config == PERF_COUNT_SW_TASK_CLOCK);
	add(parser, item, &found);
	return true;
}
