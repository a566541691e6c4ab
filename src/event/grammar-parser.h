/* SPDX-License-Identifier: MIT */
/*
 * grammar-parser - what the files of the grammar share, and nobody else.
 *
 *     grammar.c            lists and groups
 *     grammar-item.c       one event: its parts; symbolic names, tracepoints
 *     grammar-modifiers.c  ":ukpp"
 *     grammar-terms.c      "/event=0x3c,name=x/", and PMUs
 *     grammar-probes.c     mem:, uprobe:, kprobe:
 */
#ifndef EVENT_GRAMMAR_PARSER_H
#define EVENT_GRAMMAR_PARSER_H

#include "event/grammar.h"

struct parser {
	const char *text; /* the whole of it: columns count from here */
	const struct catalog *catalog;
	struct event_list *list;
	struct grammar_faults *faults;
	uint32_t groups;   /* how many {} there were before */
	uint32_t group;	   /* the one we are in, or 0 */
	const char *outer; /* the modifiers behind its }, in the text, or NULL */
	size_t outer_length;
};

/* One item of a list, cut into its parts; all but the name lie in the text. */
struct item {
	const char *start;
	size_t length;
	char *name;	   /* the part before terms and modifiers, terminated (owned) */
	const char *terms; /* between the slashes, or NULL */
	size_t terms_length;
	const char *modifiers; /* or NULL */
	size_t modifiers_length;
};

/* A part of the text. */
struct span {
	const char *at;
	size_t length;
};

/* --- grammar.c ------------------------------------------------------------------------------ */

/* Note a fault of `length` bytes at `at`, which lies in the text, for a reason as printf makes it. */
void parser_fault(struct parser *parser, const char *at, size_t length, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The name nearest to what was typed, of the last fault; NULL for none. */
void parser_nearest(struct parser *parser, const char *name);

/* The row of an item with a fault (the last one): it is there, and says why it cannot run. */
void parser_fault_row(struct parser *parser, const struct item *item, enum event_kind kind);

/* A new event, in the group that we are in; the name without modifiers. */
struct event_spec *parser_add(struct parser *parser, enum event_kind kind, const char *name);

/* A number as people write it, decimal, 0x or 0 octal, and nothing else: false when it is none. */
bool parser_number(const char *at, size_t length, uint64_t *value);

/* --- grammar-item.c ------------------------------------------------------------------------- */

#define GRAMMAR_BLANKS " \t\n"

/* One event of a list, blanks around it: its specs, or a fault and its row. */
void parse_item(struct parser *parser, const char *start, size_t length);

/* --- grammar-modifiers.c -------------------------------------------------------------------- */

/* Check a row of letters: false and a fault. */
bool modifiers_check(struct parser *parser, const char *at, size_t length);

/* Give an event its own modifiers and its group's, and its name with them. */
void modifiers_apply(struct parser *parser, const struct item *item, struct event_spec *spec);

/* --- grammar-terms.c ------------------------------------------------------------------------ */

/* The terms of an event that is no PMU's: name=, period=, ...; false and a fault. */
bool terms_apply(struct parser *parser, const struct item *item, struct event_spec *spec);

/* "pmu/terms/": add its event, or one for each PMU that is meant; adds the failed row itself. */
void parse_pmu_event(struct parser *parser, const struct item *item);

/* A PMU's event by its bare name, "tsc": how many were added. */
size_t parse_bare_pmu_event(struct parser *parser, const struct item *item);

/* --- grammar-probes.c ----------------------------------------------------------------------- */

/* Whether an item is of that family, by its first letters. */
bool is_breakpoint(const char *at);
bool is_probe(const char *at);

/* mem:..., and kprobe: uprobe: and their returns: the item is parsed to its modifiers. */
void parse_breakpoint(struct parser *parser, struct item *item);
void parse_probe(struct parser *parser, struct item *item);

#endif
