/* SPDX-License-Identifier: MIT */
#include "cli/list-match.h"

#include <fnmatch.h>
#include <string.h>

/* The kind of a class's word: EVENT_KINDS_COUNT for none. */
static enum event_kind kind_of_word(const char *word)
{
	static const struct {
		const char *word;
		enum event_kind kind;
	} words[] = {
		{ "hw", EVENT_HARDWARE },    { "sw", EVENT_SOFTWARE },
		{ "hwcache", EVENT_CACHE },  { "hw-cache", EVENT_CACHE },
		{ "mem", EVENT_BREAKPOINT }, { "tp", EVENT_TRACEPOINT },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(word, words[i].word) == 0)
			return words[i].kind;
	}
	enum event_kind kind = 0;
	while (kind < EVENT_KINDS_COUNT && strcmp(word, event_kind_name(kind)) != 0)
		kind++;
	return kind;
}

/* A glob is for the whole name, or, as with perf, for a tracepoint's name in its system. */
static bool name_matches(const char *pattern, const char *name)
{
	const char *colon = strchr(name, ':');

	if (strpbrk(pattern, "*?[") == NULL)
		return strcasestr(name, pattern) != NULL;
	return fnmatch(pattern, name, 0) == 0 ||
	       (colon != NULL && fnmatch(pattern, colon + 1, 0) == 0);
}

/* What follows bpftrace's "tracepoint:" in a pattern; NULL without it. */
static const char *after_prefix(const char *pattern)
{
	static const char prefix[] = "tracepoint:";

	return strncmp(pattern, prefix, sizeof(prefix) - 1) == 0 ? pattern + sizeof(prefix) - 1 :
								   NULL;
}

bool list_matches(const char *pattern, const struct inventory_event *event)
{
	if (pattern == NULL)
		return true;

	const char *tracepoint = after_prefix(pattern);
	if (tracepoint != NULL)
		return event->kind == EVENT_TRACEPOINT && name_matches(tracepoint, event->name);
	enum event_kind kind = kind_of_word(pattern);
	if (kind != EVENT_KINDS_COUNT)
		return event->kind == kind;
	return name_matches(pattern, event->name) ||
	       (event->alias != NULL && name_matches(pattern, event->alias));
}

bool list_matches_kind(const char *pattern, enum event_kind kind)
{
	return pattern == NULL || kind_of_word(pattern) == kind;
}
