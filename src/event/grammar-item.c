/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/xalloc.h"
#include "event/grammar-parser.h"

/* --- events --------------------------------------------------------------------------------- */

/* An event whose kind, type and config are known: give it its terms, its modifiers, its name. */
static void finish(struct parser *parser, const struct item *item, struct event_spec *spec)
{
	enum event_kind kind = spec->kind;

	if (!terms_apply(parser, item, spec)) {
		event_spec_fini(spec);
		parser->list->count--;
		parser_fault_row(parser, item, kind);
		return;
	}
	modifiers_apply(parser, item, spec);
}

/* The name with its terms: modifiers_apply() adds the modifiers. */
static char *name_with_terms(const struct item *item, const char *name)
{
	if (item->terms == NULL)
		return xstrdup(name);
	return xasprintf("%s/%.*s/", name, (int)item->terms_length, item->terms);
}

static struct event_spec *add(struct parser *parser, const struct item *item,
			      const struct event_spec *found, const char *name)
{
	char *full = name_with_terms(item, name);
	struct event_spec *spec = parser_add(parser, found->kind, full);

	free(full);
	spec->type = found->type;
	spec->config = found->config;
	spec->is_clock = found->is_clock;
	return spec;
}

/* On a machine with several kinds of core a generic event is one for each of them, as with perf. */
static size_t add_to_hybrid_cores(struct parser *parser, const struct item *item,
				  const struct event_spec *found)
{
	const struct pmus *pmus = parser->catalog->pmus;
	size_t added = 0;

	for (size_t i = 0; pmus != NULL && i < pmus_count(pmus); i++) {
		const struct pmu *pmu = pmus_at(pmus, i);

		if (!pmu_is_hybrid_core(pmu))
			continue;

		char *name = xasprintf("%s/%s/", pmu->name, item->name);
		struct event_spec *spec = add(parser, item, found, name);
		free(name);
		if (found->kind == EVENT_RAW)
			spec->type = pmu->type;
		else
			spec->config |= (uint64_t)pmu->type << 32;
		event_spec_bind(spec, &pmu->cpus);
		finish(parser, item, spec);
		added++;
	}
	return added;
}

static void add_fixed(struct parser *parser, const struct item *item,
		      const struct event_spec *found)
{
	if (found->kind != EVENT_SOFTWARE && add_to_hybrid_cores(parser, item, found) > 0)
		return;
	finish(parser, item, add(parser, item, found, item->name));
}

struct expansion {
	struct parser *parser;
	const struct item *item;
	size_t matches;
};

static int add_tracepoint(void *ctx, const char *system, const char *name)
{
	struct expansion *expansion = ctx;
	struct parser *parser = expansion->parser;
	struct event_spec found = { .kind = EVENT_TRACEPOINT, .type = PERF_TYPE_TRACEPOINT };
	long id = tracefs_id(parser->catalog->tracefs, system, name);

	if (id < 0)
		return 0;

	char *full = xasprintf("%s:%s", system, name);
	found.config = (uint64_t)id;
	struct event_spec *spec = add(parser, expansion->item, &found, full);
	if (expansion->item->terms != NULL)
		spec->origin = xstrdup(full);
	free(full);
	finish(parser, expansion->item, spec);
	expansion->matches++;
	/* Wrong terms are wrong for all that match; a silent 0 is only for this one. */
	return parser->list->specs[parser->list->count - 1].config == 0;
}

static void name_nearest(struct parser *parser, const char *typed)
{
	char nearest[sizeof(parser->faults->faults->nearest)];

	if (catalog_nearest(parser->catalog, typed, nearest, sizeof(nearest)))
		parser_nearest(parser, nearest);
}

static void no_tracefs(struct parser *parser, const struct item *item)
{
	if (parser->catalog->tracefs_errno == EACCES)
		parser_fault(parser, item->start, item->length,
			     "EACCES: tracepoint names are in tracefs, which only root may read: "
			     "sudo perftop-ng");
	else
		parser_fault(
			parser, item->start, item->length,
			"tracefs is not mounted: sudo mount -t tracefs nodev /sys/kernel/tracing");
}

static void parse_tracepoint(struct parser *parser, const struct item *item)
{
	if (parser->catalog->tracefs == NULL) {
		no_tracefs(parser, item);
		parser_fault_row(parser, item, EVENT_TRACEPOINT);
		return;
	}

	struct expansion expansion = { parser, item, 0 };
	char *colon = strchr(item->name, ':');
	*colon = '\0';
	tracefs_each(parser->catalog->tracefs, item->name, colon + 1, add_tracepoint, &expansion);
	*colon = ':';
	if (expansion.matches > 0)
		return;

	bool is_glob = strpbrk(item->name, "*?[") != NULL;
	parser_fault(parser, item->start, strlen(item->name),
		     is_glob ? "no tracepoint matches" : "this kernel has no such tracepoint");
	name_nearest(parser, item->name);
	parser_fault_row(parser, item, EVENT_TRACEPOINT);
}

/* perf's own stopwatch shows up in `perf list`, and is nothing that the kernel counts. */
static bool is_tool_event(const char *name)
{
	return strcmp(name, "duration_time") == 0 || strcmp(name, "user_time") == 0 ||
	       strcmp(name, "system_time") == 0;
}

static void no_such_event(struct parser *parser, const struct item *item)
{
	if (is_tool_event(item->name)) {
		parser_fault(parser, item->start, strlen(item->name),
			     "this is perf stat's stopwatch, not an event of the kernel");
	} else {
		parser_fault(parser, item->start, strlen(item->name), "no event has this name");
		name_nearest(parser, item->name);
	}
	parser_fault_row(parser, item, EVENT_SOFTWARE);
}

/* "r" and up to 16 hex digits. */
static bool is_raw(const char *name, struct event_spec *found)
{
	size_t digits = strspn(name + (name[0] == 'r'), "0123456789abcdefABCDEF");

	if (name[0] != 'r' || digits == 0 || digits > 16 || name[1 + digits] != '\0')
		return false;
	found->kind = EVENT_RAW;
	found->type = PERF_TYPE_RAW;
	found->config = strtoull(name + 1, NULL, 16);
	return true;
}

/* A name without a colon that is the same on every machine; *is_legal false: such cache there is not. */
static bool is_fixed(const char *name, struct event_spec *found, bool *is_legal)
{
	*is_legal = true;
	if (catalog_symbolic(name, found) || is_raw(name, found))
		return true;
	if (!catalog_cache(name, &found->config, is_legal))
		return false;
	found->kind = EVENT_CACHE;
	found->type = PERF_TYPE_HW_CACHE;
	return true;
}

static void parse_event(struct parser *parser, const struct item *item)
{
	struct event_spec found = { 0 };
	bool is_legal;

	if (is_fixed(item->name, &found, &is_legal)) {
		if (is_legal) {
			add_fixed(parser, item, &found);
			return;
		}
		parser_fault(parser, item->start, strlen(item->name),
			     "this cache has no such operation");
		parser_fault_row(parser, item, EVENT_CACHE);
	} else if (strchr(item->name, ':') != NULL) {
		parse_tracepoint(parser, item);
	} else if (item->terms != NULL) {
		parse_pmu_event(parser, item);
	} else if (parse_bare_pmu_event(parser, item) == 0) {
		no_such_event(parser, item);
	}
}

/* --- items ---------------------------------------------------------------------------------- */

/* Of a name of one part only, the modifiers follow the first colon; of a tracepoint, the second. */
static bool has_one_part(const struct parser *parser, const char *name)
{
	struct event_spec ignored;
	const struct pmus *pmus = parser->catalog->pmus;
	bool is_legal;

	if (is_fixed(name, &ignored, &is_legal))
		return true;
	for (size_t i = 0; pmus != NULL && i < pmus_count(pmus); i++) {
		struct pmu_alias alias;

		if (pmu_alias(pmus, pmus_at(pmus, i), name, &alias) == 0) {
			pmu_alias_fini(&alias);
			return true;
		}
	}
	return false;
}

static void split_at_colon(const struct parser *parser, struct item *item)
{
	const char *colon = strchr(item->name, ':');

	if (colon == NULL)
		return;

	char *first = xstrndup(item->name, (size_t)(colon - item->name));
	if (!has_one_part(parser, first))
		colon = strchr(colon + 1, ':');
	free(first);
	if (colon == NULL)
		return;

	size_t at = (size_t)(colon - item->name);
	item->modifiers = item->start + at + 1;
	item->modifiers_length = item->length - at - 1;
	item->name[at] = '\0';
}

/* The slash that ends the terms, which may have others in quotes; NULL when none does. */
static const char *closing_slash(const char *at, const char *end)
{
	bool is_quoted = false;

	for (; at < end; at++) {
		if (*at == '\'')
			is_quoted = !is_quoted;
		else if (*at == '/' && !is_quoted)
			return at;
	}
	return NULL;
}

/* A slash opens terms behind a name; in "sched:../x" it is part of nonsense. */
static bool opens_terms(const char *start, const char *slash)
{
	for (const char *at = start; at < slash; at++) {
		if (*at == '.' || *at == '{' || *at == '}')
			return false;
	}
	return slash > start;
}

/* Cut the item into name, terms and modifiers: false and a fault. */
static bool split(struct parser *parser, struct item *item)
{
	const char *end = item->start + item->length;
	const char *slash = memchr(item->start, '/', item->length);

	if (slash == NULL || !opens_terms(item->start, slash)) {
		split_at_colon(parser, item);
		return true;
	}

	const char *close = closing_slash(slash + 1, end);
	if (close == NULL) {
		parser_fault(parser, slash, (size_t)(end - slash), "the '/' is not closed: %.*s/",
			     item->length < 80 ? (int)item->length : 80, item->start);
		return false;
	}
	item->terms = slash + 1;
	item->terms_length = (size_t)(close - item->terms);
	item->modifiers = close + 1 + (close + 1 < end && close[1] == ':');
	item->modifiers_length = (size_t)(end - item->modifiers);
	item->name[slash - item->start] = '\0';
	return true;
}

static void parse_one(struct parser *parser, struct item *item)
{
	if (is_breakpoint(item->name)) {
		parse_breakpoint(parser, item);
	} else if (is_probe(item->name)) {
		parse_probe(parser, item);
	} else if (!split(parser, item) ||
		   !modifiers_check(parser, item->modifiers, item->modifiers_length)) {
		parser_fault_row(parser, item,
				 strchr(item->name, ':') != NULL ? EVENT_TRACEPOINT :
								   EVENT_SOFTWARE);
	} else {
		parse_event(parser, item);
	}
}

static bool is_blank(char c)
{
	return c != '\0' && strchr(GRAMMAR_BLANKS, c) != NULL;
}

void parse_item(struct parser *parser, const char *start, size_t length)
{
	struct item item = { .start = start, .length = length };

	while (item.length > 0 && is_blank(item.start[0])) {
		item.start++;
		item.length--;
	}
	while (item.length > 0 && is_blank(item.start[item.length - 1]))
		item.length--;
	if (item.length == 0) {
		parser_fault(parser, start, 1, "an event is missing here");
		return;
	}
	item.name = xstrndup(item.start, item.length);
	parse_one(parser, &item);
	free(item.name);
}
