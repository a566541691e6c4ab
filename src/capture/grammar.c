/* SPDX-License-Identifier: MIT */
#include "capture/grammar.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "capture/abi.h"

struct parser {
	const char *text; /* the whole of it: columns count from here */
	const struct catalog *catalog;
	struct event_list *list;
	struct grammar_faults *faults;
};

/* One item of the list, cut into its parts; all lie in the text. */
struct item {
	const char *start;
	size_t length;
	char *name;      /* the part before the modifiers, terminated (owned) */
	const char *modifiers; /* in the text, or NULL */
	size_t modifiers_length;
};

static void __attribute__((format(printf, 4, 5)))
fault(struct parser *parser, const char *at, size_t length, const char *format, ...)
{
	struct grammar_faults *faults = parser->faults;
	va_list args;

	faults->faults = xreallocarray(faults->faults, faults->count + 1, sizeof(*faults->faults));

	struct grammar_fault *new = &faults->faults[faults->count++];
	*new = (struct grammar_fault){ .column = (size_t)(at - parser->text), .length = length };
	va_start(args, format);
	vsnprintf(new->reason, sizeof(new->reason), format, args);
	va_end(args);
}

/* A fault that keeps its row: the spec is there, and says why it cannot run. */
static void fault_row(struct parser *parser, const struct item *item, enum event_kind kind)
{
	const struct grammar_fault *last = &parser->faults->faults[parser->faults->count - 1];
	char *name = xstrndup(item->start, item->length);
	struct event_spec *spec = event_list_add(parser->list, kind, name);

	free(name);
	spec->fault = last->nearest[0] == '\0' ?
			      xstrdup(last->reason) :
			      xasprintf("%s; nearest: %s", last->reason, last->nearest);
}

/* --- modifiers ------------------------------------------------------------------------------ */

static bool modifier(struct event_modifiers *modifiers, char letter, bool *has_level)
{
	switch (letter) {
	case 'u':
	case 'k':
	case 'h':
		/* The first of them excludes all levels, each of them lets its own in again. */
		if (!*has_level)
			modifiers->exclude_user = modifiers->exclude_kernel =
				modifiers->exclude_hv = true;
		*has_level = true;
		if (letter == 'u')
			modifiers->exclude_user = false;
		else if (letter == 'k')
			modifiers->exclude_kernel = false;
		else
			modifiers->exclude_hv = false;
		return true;
	case 'p':
		return ++modifiers->precise <= 3;
	case 'G':
		modifiers->exclude_host = true;
		return true;
	case 'H':
		modifiers->exclude_guest = true;
		return true;
	case 'I':
		modifiers->exclude_idle = true;
		return true;
	case 'D':
		modifiers->is_pinned = true;
		return true;
	case 'e':
		modifiers->is_exclusive = true;
		return true;
	default:
		return false;
	}
}

static bool parse_modifiers(struct parser *parser, const struct item *item,
			    struct event_modifiers *out)
{
	bool has_level = false;

	*out = (struct event_modifiers){ 0 };
	if (item->modifiers_length >= sizeof(out->text)) {
		fault(parser, item->modifiers, item->modifiers_length, "too many modifiers");
		return false;
	}
	for (size_t i = 0; i < item->modifiers_length; i++) {
		char letter = item->modifiers[i];

		/* Each letter at most once, except p: perf's rule. */
		if (letter != 'p' && memchr(out->text, letter, i) != NULL) {
			fault(parser, item->modifiers + i, 1, "modifier '%c' is given twice", letter);
			return false;
		}
		if (!modifier(out, letter, &has_level)) {
			fault(parser, item->modifiers + i, 1,
			      "'%c' is no modifier; there are u k h p G H I D e", letter);
			return false;
		}
		out->text[i] = letter;
	}
	return true;
}

/* Whether an event fires in user mode too, so that leaving the kernel out leaves something. */
static bool fires_in_user_mode(const struct event_spec *spec)
{
	if (spec->kind == EVENT_TRACEPOINT)
		return strncmp(spec->name, "syscalls:", 9) == 0 ||
		       strncmp(spec->name, "raw_syscalls:", 13) == 0 ||
		       strncmp(spec->name, "exceptions:", 11) == 0;
	if (spec->type == PERF_TYPE_SOFTWARE)
		return spec->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
		       spec->config != PERF_COUNT_SW_CPU_MIGRATIONS &&
		       spec->config != PERF_COUNT_SW_CGROUP_SWITCHES;
	return true;
}

/* The kernel would open it, and count 0 for ever without an error (perf_tp_event_match). */
static bool is_silent_zero(const struct event_spec *spec)
{
	return spec->modifiers.exclude_kernel && !fires_in_user_mode(spec);
}

static void refuse_silent_zero(struct parser *parser, const struct item *item,
			       struct event_spec *spec)
{
	size_t column = (size_t)(item->modifiers - parser->text);
	const struct grammar_faults *faults = parser->faults;

	spec->fault = xasprintf("':%s' leaves the kernel out, and there alone this event happens: it "
				"would always be 0",
				spec->modifiers.text);
	/* A glob says it once. */
	if (faults->count == 0 || faults->faults[faults->count - 1].column != column)
		fault(parser, item->modifiers, item->modifiers_length, "%s", spec->fault);
}

static void finish_spec(struct parser *parser, const struct item *item, struct event_spec *spec,
			const struct event_modifiers *modifiers)
{
	spec->modifiers = *modifiers;
	if (modifiers->text[0] != '\0') {
		char *name = xasprintf("%s:%s", spec->name, modifiers->text);

		free(spec->name);
		spec->name = name;
	}
	if (is_silent_zero(spec))
		refuse_silent_zero(parser, item, spec);
}

/* --- events --------------------------------------------------------------------------------- */

static void add_symbolic(struct parser *parser, const struct event_spec *found,
			 const struct item *item, const struct event_modifiers *modifiers)
{
	struct event_spec *spec = event_list_add(parser->list, found->kind, item->name);

	spec->type = found->type;
	spec->config = found->config;
	spec->is_clock = found->is_clock;
	finish_spec(parser, item, spec, modifiers);
}

struct expansion {
	struct parser *parser;
	const struct item *item;
	const struct event_modifiers *modifiers;
	size_t matches;
};

static int add_tracepoint(void *ctx, const char *system, const char *name)
{
	struct expansion *expansion = ctx;
	long id = tracefs_id(expansion->parser->catalog->tracefs, system, name);

	if (id < 0)
		return 0;

	char *full = xasprintf("%s:%s", system, name);
	struct event_spec *spec = event_list_add(expansion->parser->list, EVENT_TRACEPOINT, full);
	free(full);
	spec->type = PERF_TYPE_TRACEPOINT;
	spec->config = (uint64_t)id;
	finish_spec(expansion->parser, expansion->item, spec, expansion->modifiers);
	expansion->matches++;
	return 0;
}

static void name_nearest(struct parser *parser, const char *typed)
{
	struct grammar_fault *last = &parser->faults->faults[parser->faults->count - 1];

	catalog_nearest(parser->catalog, typed, last->nearest, sizeof(last->nearest));
}

static void no_tracefs(struct parser *parser, const struct item *item)
{
	if (parser->catalog->tracefs_errno == EACCES)
		fault(parser, item->start, item->length,
		      "EACCES: tracepoint names are in tracefs, which only root may read: "
		      "sudo perftop-ng");
	else
		fault(parser, item->start, item->length,
		      "tracefs is not mounted: sudo mount -t tracefs nodev /sys/kernel/tracing");
}

static void parse_tracepoint(struct parser *parser, const struct item *item,
			     const struct event_modifiers *modifiers)
{
	if (parser->catalog->tracefs == NULL) {
		no_tracefs(parser, item);
		fault_row(parser, item, EVENT_TRACEPOINT);
		return;
	}

	struct expansion expansion = { parser, item, modifiers, 0 };
	char *colon = strchr(item->name, ':');
	*colon = '\0';
	tracefs_each(parser->catalog->tracefs, item->name, colon + 1, add_tracepoint, &expansion);
	*colon = ':';
	if (expansion.matches > 0)
		return;

	bool is_glob = strpbrk(item->name, "*?[") != NULL;
	fault(parser, item->start, strlen(item->name),
	      is_glob ? "no tracepoint matches" : "this kernel has no such tracepoint");
	name_nearest(parser, item->name);
	fault_row(parser, item, EVENT_TRACEPOINT);
}

static void parse_event(struct parser *parser, const struct item *item)
{
	struct event_spec found = { 0 };
	struct event_modifiers modifiers;

	if (!parse_modifiers(parser, item, &modifiers)) {
		fault_row(parser, item, EVENT_SOFTWARE);
		return;
	}
	if (catalog_symbolic(item->name, &found)) {
		add_symbolic(parser, &found, item, &modifiers);
	} else if (strchr(item->name, ':') != NULL) {
		parse_tracepoint(parser, item, &modifiers);
	} else {
		fault(parser, item->start, strlen(item->name), "no event has this name");
		name_nearest(parser, item->name);
		fault_row(parser, item, EVENT_SOFTWARE);
	}
}

/* --- items ---------------------------------------------------------------------------------- */

/* Cut the modifiers off: after the first colon of a symbolic name, the second of a tracepoint. */
static void split_modifiers(struct item *item)
{
	struct event_spec ignored;
	const char *colon = strchr(item->name, ':');

	if (colon == NULL)
		return;

	char *first = xstrndup(item->name, (size_t)(colon - item->name));
	if (!catalog_symbolic(first, &ignored))
		colon = strchr(colon + 1, ':');
	free(first);
	if (colon == NULL)
		return;

	size_t at = (size_t)(colon - item->name);
	item->modifiers = item->start + at + 1;
	item->modifiers_length = item->length - at - 1;
	item->name[at] = '\0';
}

static void parse_item(struct parser *parser, const char *start, size_t length)
{
	struct item item = { .start = start, .length = length };

	if (length == 0) {
		fault(parser, start, 1, "an event is missing here");
		return;
	}
	item.name = xstrndup(start, length);
	split_modifiers(&item);
	parse_event(parser, &item);
	free(item.name);
}

void grammar_parse(const char *text, const struct catalog *catalog, struct event_list *list,
		   struct grammar_faults *faults)
{
	struct parser parser = { text, catalog, list, faults };

	for (const char *at = text;;) {
		size_t length = strcspn(at, ",");

		parse_item(&parser, at, length);
		if (at[length] == '\0')
			return;
		at += length + 1;
	}
}

void grammar_faults_fini(struct grammar_faults *faults)
{
	free(faults->faults);
	*faults = (struct grammar_faults){ 0 };
}
