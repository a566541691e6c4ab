/* SPDX-License-Identifier: MIT */
#include "event/grammar.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"

/* --- what the files of the grammar share ---------------------------------------------------- */

void parser_fault(struct parser *parser, const char *at, size_t length, const char *format, ...)
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

void parser_nearest(struct parser *parser, const char *name)
{
	struct grammar_fault *last = &parser->faults->faults[parser->faults->count - 1];

	if (name != NULL)
		snprintf(last->nearest, sizeof(last->nearest), "%s", name);
}

void parser_fault_row(struct parser *parser, const struct item *item, enum event_kind kind)
{
	const struct grammar_fault *last = &parser->faults->faults[parser->faults->count - 1];
	char *name = xstrndup(item->start, item->length);
	struct event_spec *spec = event_list_add(parser->list, kind, name);

	free(name);
	spec->fault = last->nearest[0] == '\0' ?
			      xstrdup(last->reason) :
			      xasprintf("%s; nearest: %s", last->reason, last->nearest);
}

struct event_spec *parser_add(struct parser *parser, enum event_kind kind, const char *name)
{
	struct event_spec *spec = event_list_add(parser->list, kind, name);

	spec->group = parser->group;
	return spec;
}

bool parser_number(const char *at, size_t length, uint64_t *value)
{
	char text[32], *end;

	/* strtoull() would take blanks and signs. */
	if (length == 0 || length >= sizeof(text) || at[0] < '0' || at[0] > '9')
		return false;
	memcpy(text, at, length);
	text[length] = '\0';
	errno = 0;
	*value = strtoull(text, &end, 0);
	return *end == '\0' && errno == 0;
}

/* --- lists and groups ----------------------------------------------------------------------- */

/*
 * The length of the item at `at`: up to a comma or a brace outside of slashes.  A slash in quotes,
 * in a path or in mem: does not open terms.
 */
static size_t item_length(const char *at)
{
	size_t blanks = strspn(at, GRAMMAR_BLANKS), i = blanks;
	bool has_paths = kind_by_prefix(at + blanks) != NULL;
	bool is_open = false, is_quoted = false;
	size_t slash = 0;

	for (; at[i] != '\0'; i++) {
		if (!is_open && strchr(",{}", at[i]) != NULL)
			return i;
		if (at[i] == '\'' && is_open) {
			is_quoted = !is_quoted;
		} else if (at[i] == '/' && !is_quoted && !has_paths) {
			is_open = !is_open;
			slash = i;
		}
	}
	/* An unclosed slash: end the item as if the slash were not there. */
	return is_open ? slash + strcspn(at + slash, ",}") : i;
}

static void parse_list(struct parser *parser, const char *at, const char *end)
{
	for (;;) {
		size_t length = item_length(at);

		if (at + length > end)
			length = (size_t)(end - at);
		parse_item(parser, at, length);
		at += length;
		if (at >= end)
			return;
		at++;
	}
}

/* The group's closing }, or NULL and a fault. */
static const char *group_end(struct parser *parser, const char *open)
{
	const char *at = open + 1;

	for (;;) {
		at += item_length(at);
		if (*at == '}')
			return at;
		if (*at == '{') {
			parser_fault(parser, at, 1, "groups do not nest");
			return NULL;
		}
		if (*at == '\0') {
			parser_fault(parser, open, 1, "the group is not closed: } is missing");
			return NULL;
		}
		at++;
	}
}

/* One row for a whole group that cannot be parsed. */
static void fault_group(struct parser *parser, const char *start, const char *end)
{
	struct item item = { .start = start, .length = (size_t)(end - start) };

	parser_fault_row(parser, &item, EVENT_SOFTWARE);
}

static const char *end_of_nonsense(const char *at)
{
	return at + strcspn(at, ",");
}

/* Parse "[name]{...}[:modifiers]": the text after it. */
static const char *parse_group(struct parser *parser, const char *start, const char *open)
{
	const char *close = group_end(parser, open);

	if (close == NULL) {
		fault_group(parser, start, start + strlen(start));
		return start + strlen(start);
	}

	const char *end = end_of_nonsense(close);
	const char *behind = close + 1 + strspn(close + 1, GRAMMAR_BLANKS);
	if (*behind != ',' && *behind != ':' && *behind != '\0') {
		parser_fault(parser, behind, (size_t)(end - behind),
			     "after a group come its modifiers, {...}:u, or a comma");
		fault_group(parser, start, end);
		return end;
	}
	parser->outer = *behind == ':' ? behind + 1 : NULL;
	parser->outer_length = *behind == ':' ? (size_t)(end - behind - 1) : 0;
	if (parser->outer != NULL &&
	    !modifiers_check(parser, parser->outer, parser->outer_length)) {
		fault_group(parser, start, end);
	} else {
		parser->group = ++parser->groups;
		parse_list(parser, open + 1, close);
	}
	parser->group = 0;
	parser->outer = NULL;
	return end;
}

static uint32_t groups_before(const struct event_list *list)
{
	uint32_t groups = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->specs[i].group > groups)
			groups = list->specs[i].group;
	}
	return groups;
}

static void parse_text(struct parser *parser)
{
	for (const char *at = parser->text;;) {
		size_t length = item_length(at);

		if (at[length] == '{') {
			at = parse_group(parser, at, at + length);
			if (*at == '\0')
				return;
			at++;
			continue;
		}
		if (at[length] == '}') {
			parser_fault(parser, at + length, 1, "no group is open here");
			length += strcspn(at + length, ",");
			fault_group(parser, at, at + length);
		} else {
			parse_item(parser, at, length);
		}
		if (at[length] == '\0')
			return;
		at += length + 1;
	}
}

void grammar_parse(const char *text, const struct catalog *catalog, struct event_list *list,
		   struct grammar_faults *faults)
{
	struct parser parser = { .text = text,
				 .catalog = catalog,
				 .list = list,
				 .faults = faults,
				 .groups = groups_before(list) };

	parse_text(&parser);
	free(parser.first);
}

void grammar_faults_fini(struct grammar_faults *faults)
{
	free(faults->faults);
	*faults = (struct grammar_faults){ 0 };
}
