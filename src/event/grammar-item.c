/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"
#include "event/pmu.h"

/* --- for the kinds --------------------------------------------------------------------------- */

struct span item_span(const struct item *item, const char *from, const char *to)
{
	const char *end = item->start + item->length;

	return (struct span){ from, (size_t)((to != NULL ? to : end) - from) };
}

const char *item_find(const struct item *item, const char *from, char c)
{
	return memchr(from, c, (size_t)(item->start + item->length - from));
}

void parser_refuse(struct parser *parser, const struct item *item, struct span at,
		   enum event_kind kind, const char *reason)
{
	parser_fault(parser, at.at, at.length > 0 ? at.length : 1, "%s", reason);
	parser_fault_row(parser, item, kind);
}

bool parser_take_modifiers(struct parser *parser, struct item *item, const char *colon,
			   enum event_kind kind)
{
	if (colon == NULL)
		return true;

	struct span letters = item_span(item, colon + 1, NULL);
	item->modifiers = letters.at;
	item->modifiers_length = letters.length;
	item->name[colon - item->start] = '\0';
	if (modifiers_check(parser, letters.at, letters.length))
		return true;
	parser_fault_row(parser, item, kind);
	return false;
}

/* --- events --------------------------------------------------------------------------------- */

void parser_finish(struct parser *parser, const struct item *item, struct event_spec *spec)
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

struct event_spec *parser_add_fixed(struct parser *parser, const struct item *item,
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

/* On a hybrid machine a generic event becomes one event per core PMU, as with perf. */
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
		struct event_spec *spec = parser_add_fixed(parser, item, found, name);
		free(name);
		if (found->kind == EVENT_RAW)
			spec->type = pmu->type;
		else
			spec->config |= (uint64_t)pmu->type << 32;
		event_spec_bind(spec, &pmu->cpus);
		parser_finish(parser, item, spec);
		added++;
	}
	return added;
}

static void add_fixed(struct parser *parser, const struct item *item,
		      const struct event_spec *found)
{
	if (found->kind != EVENT_SOFTWARE && add_to_hybrid_cores(parser, item, found) > 0)
		return;
	parser_finish(parser, item, parser_add_fixed(parser, item, found, item->name));
}

void parser_fault_nearest(struct parser *parser, const struct item *item, const char *reason)
{
	char nearest[sizeof(parser->faults->faults->nearest)];
	bool is_near = catalog_nearest(parser->catalog, item->name, nearest, sizeof(nearest));

	parser_fault(parser, item->start, strlen(item->name), "%s%s", reason,
		     is_near ? "" : "; --list shows all");
	if (is_near)
		parser_nearest(parser, nearest);
}

/* `perf list` shows perf's own timers, too: they are not kernel events. */
static bool is_tool_event(const char *name)
{
	return strcmp(name, "duration_time") == 0 || strcmp(name, "user_time") == 0 ||
	       strcmp(name, "system_time") == 0;
}

/* Not a raw event (kind-raw.c), but meant as one. */
static bool is_like_raw(const char *name)
{
	return name[0] == 'r' && name[1] != '\0' &&
	       name[1 + strspn(name + 1, "0123456789abcdefABCDEFxX")] == '\0';
}

static void no_such_event(struct parser *parser, const struct item *item)
{
	if (is_tool_event(item->name)) {
		parser_fault(parser, item->start, strlen(item->name),
			     "this is a timer of perf stat, not an event of the kernel");
	} else if (is_like_raw(item->name)) {
		parser_fault(parser, item->start, strlen(item->name),
			     "a raw event is r and up to 16 hexadecimal digits, as in r1a8");
	} else {
		parser_fault_nearest(parser, item, "no event has this name");
	}
	parser_fault_row(parser, item, EVENT_SOFTWARE);
}

/* Parse an item that is split into its parts. */
static void parse_parts(struct parser *parser, const struct item *item)
{
	struct event_spec found = { 0 };
	const char *wrong;

	if (numbers_parse(parser, item))
		return;
	if (kind_find(item->name, &found, &wrong)) {
		if (wrong == NULL) {
			add_fixed(parser, item, &found);
			return;
		}
		parser_fault(parser, item->start, strlen(item->name), "%s", wrong);
		parser_fault_row(parser, item, found.kind);
		return;
	}
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		const struct kind *ops = kind_of(kind);

		if (ops->parse != NULL && ops->parse(parser, item))
			return;
	}
	no_such_event(parser, item);
}

/* --- items ---------------------------------------------------------------------------------- */

static bool is_whole_name(const struct parser *parser, const char *name)
{
	struct event_spec ignored = { 0 };
	const char *wrong;

	if (kind_find(name, &ignored, &wrong))
		return true;
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		const struct kind *ops = kind_of(kind);

		if (ops->has_name != NULL && ops->has_name(parser->catalog, name))
			return true;
	}
	return false;
}

/*
 * Modifiers follow the first colon of a one-part name, the second one of a tracepoint.  All PMUs
 * are asked for the name, for consecutive tracepoints of one system only once.
 */
static bool has_one_part(struct parser *parser, const char *name, size_t length)
{
	if (parser->first == NULL || strncmp(parser->first, name, length) != 0 ||
	    parser->first[length] != '\0') {
		free(parser->first);
		parser->first = xstrndup(name, length);
		parser->is_whole = is_whole_name(parser, parser->first);
	}
	return parser->is_whole;
}

static void split_at_colon(struct parser *parser, struct item *item)
{
	const char *colon = strchr(item->name, ':');

	if (colon == NULL)
		return;
	if (!has_one_part(parser, item->name, (size_t)(colon - item->name)))
		colon = strchr(colon + 1, ':');
	if (colon == NULL)
		return;

	size_t at = (size_t)(colon - item->name);
	item->modifiers = item->start + at + 1;
	item->modifiers_length = item->length - at - 1;
	item->name[at] = '\0';
}

/* The slash that ends the terms, skipping quoted ones; NULL when there is none. */
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

/* A slash after a name opens terms; in "sched:../x" it does not. */
static bool opens_terms(const char *start, const char *slash)
{
	for (const char *at = start; at < slash; at++) {
		if (*at == '.' || *at == '{' || *at == '}')
			return false;
	}
	return slash > start;
}

/* Split the item into name, terms and modifiers: false and a fault. */
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
	const struct kind *prefixed = kind_by_prefix(item->name);

	if (prefixed != NULL)
		prefixed->parse_whole(parser, item);
	else if (!split(parser, item) ||
		 !modifiers_check(parser, item->modifiers, item->modifiers_length))
		parser_fault_row(parser, item,
				 strchr(item->name, ':') != NULL ? EVENT_TRACEPOINT :
								   EVENT_SOFTWARE);
	else
		parse_parts(parser, item);
}

static bool is_blank(char c)
{
	return c != '\0' && strchr(GRAMMAR_BLANKS, c) != NULL;
}

/* bpftrace's "tracepoint:sched:sched_switch" is perf's "sched:sched_switch". */
static void skip_prefix(struct item *item)
{
	static const char prefix[] = "tracepoint:";
	size_t length = sizeof(prefix) - 1;

	if (item->length <= length || strncmp(item->start, prefix, length) != 0 ||
	    memchr(item->start + length, ':', item->length - length) == NULL)
		return;
	item->start += length;
	item->length -= length;
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
	skip_prefix(&item);
	item.name = xstrndup(item.start, item.length);
	parse_one(parser, &item);
	free(item.name);
}
