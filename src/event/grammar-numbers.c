/* SPDX-License-Identifier: MIT */
/*
 * Events by their numbers, as perf takes them: "1:3" is perf_event_attr.type 1, config 3.
 */
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

/* As if its name had been given, where it has one. */
static struct event_spec find(uint32_t type, uint64_t config)
{
	const char *name = kind_fixed_name(type, config), *wrong;
	struct event_spec found = { 0 };

	if (name == NULL || !kind_find(name, &found, &wrong))
		found = (struct event_spec){ .kind = kind_of_type(type),
					     .type = type,
					     .config = config };
	return found;
}

static void add(struct parser *parser, const struct item *item, uint32_t type, uint64_t config)
{
	struct event_spec found = find(type, config);
	const struct pmu *pmu = found.kind == EVENT_PMU ? pmu_of(parser->catalog, type) : NULL;
	struct event_spec *spec = parser_add_fixed(parser, item, &found, item->name);

	if (found.kind == EVENT_TRACEPOINT)
		spec->origin = tracepoint_of(parser->catalog, config);
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
	uint64_t type, config;

	if (colon == NULL || !parser_number(item->name, (size_t)(colon - item->name), &type))
		return false;

	const char *wrong =
		wrong_numbers(type, parser_number(colon + 1, strlen(colon + 1), &config));
	if (wrong != NULL) {
		parser_refuse(parser, item, (struct span){ item->start, strlen(item->name) },
			      EVENT_RAW, wrong);
		return true;
	}
	add(parser, item, (uint32_t)type, config);
	return true;
}
