/* SPDX-License-Identifier: MIT */
/*
 * grammar-parser - private to the files of the grammar:
 *
 *     grammar.c            lists and groups
 *     grammar-item.c       one event: its parts, and which kind takes it
 *     grammar-modifiers.c  ":ukpp"
 *     grammar-terms.c      "/event=0x3c,name=x/"
 *     grammar-numbers.c    "1:3"
 *     grammar-probes.c     what uprobes and kprobes have in common
 *     kind-*.c             the syntax of each kind
 */
#ifndef EVENT_GRAMMAR_PARSER_H
#define EVENT_GRAMMAR_PARSER_H

#include "event/grammar.h"

struct parser {
	const char *text; /* the whole -e text: columns count from here */
	const struct catalog *catalog;
	struct event_list *list;
	struct grammar_faults *faults;
	uint32_t groups;   /* how many {} there were before */
	uint32_t group;	   /* the current one, or 0 */
	const char *outer; /* the modifiers after its }, in the text, or NULL */
	size_t outer_length;
	char *first;   /* what was before the last item's colon, or NULL (owned) */
	bool is_whole; /* whether that alone names an event */
};

/* One item of a list, split into its parts; all but the name point into the text. */
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

/* Add a fault of `length` bytes at `at`, a pointer into the text, with a printf-style reason. */
void parser_fault(struct parser *parser, const char *at, size_t length, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Set the last fault's nearest name; NULL for none. */
void parser_nearest(struct parser *parser, const char *name);

/* Add a row for an item with a fault: a failed spec with the last fault's reason. */
void parser_fault_row(struct parser *parser, const struct item *item, enum event_kind kind);

/* Add an event to the current group; `name` is without modifiers. */
struct event_spec *parser_add(struct parser *parser, enum event_kind kind, const char *name);

/* Parse a number, decimal, 0x or 0 octal, without blanks or sign: false when it is none. */
bool parser_number(const char *at, size_t length, uint64_t *value);

/* --- grammar-item.c ------------------------------------------------------------------------- */

#define GRAMMAR_BLANKS " \t\n"

/* Parse one event of a list, with blanks around it: adds its specs, or a fault and its row. */
void parse_item(struct parser *parser, const char *start, size_t length);

/* Add an event of known kind, type and config, named `name`; parser_finish() has to follow. */
struct event_spec *parser_add_fixed(struct parser *parser, const struct item *item,
				    const struct event_spec *found, const char *name);

/* Apply the item's terms and modifiers to the last spec; a wrong term turns it into a fault row. */
void parser_finish(struct parser *parser, const struct item *item, struct event_spec *spec);

/* Add the fault that the item's name is no event's, with the nearest name or where to find all. */
void parser_fault_nearest(struct parser *parser, const struct item *item, const char *reason);

/* In the item's text: from `from` up to `to` (NULL: its end); the first `c` at or after `from`. */
struct span item_span(const struct item *item, const char *from, const char *to);
const char *item_find(const struct item *item, const char *from, char c);

/* Add a fault at that place, and its row. */
void parser_refuse(struct parser *parser, const struct item *item, struct span at,
		   enum event_kind kind, const char *reason);

/* Take the modifiers after `colon` (NULL: none), which ends the name: false and a fault row. */
bool parser_take_modifiers(struct parser *parser, struct item *item, const char *colon,
			   enum event_kind kind);

/* --- grammar-modifiers.c -------------------------------------------------------------------- */

/* Check a string of modifiers: false and a fault when it is wrong. */
bool modifiers_check(struct parser *parser, const char *at, size_t length);

/* Apply an event's own modifiers and its group's, and append them to its name. */
void modifiers_apply(struct parser *parser, const struct item *item, struct event_spec *spec);

/* --- grammar-terms.c ------------------------------------------------------------------------ */

/* Apply the terms of an event without a PMU: name=, period=, ...; false and a fault. */
bool terms_apply(struct parser *parser, const struct item *item, struct event_spec *spec);

/* The same for an event of `pmu`: the terms may name its formats and events. */
bool terms_read(struct parser *parser, const struct item *item, const struct pmu *pmu,
		struct event_spec *spec);

/* --- grammar-numbers.c ---------------------------------------------------------------------- */

/* Add the event of "type:config", or a fault and its row; false: it is not of this form. */
bool numbers_parse(struct parser *parser, const struct item *item);

/* --- grammar-probes.c ----------------------------------------------------------------------- */

/* SYMBOL[+OFFSET], or 0xADDRESS[+OFFSET]. */
struct probe_place {
	enum event_kind kind;
	bool is_return;
	struct span symbol, offset; /* the offset may be empty */
	uint64_t offset_value;
	bool is_address; /* the symbol is a number: `address` */
	uint64_t address;
};

/* The text after the kind's prefix; sets is_return from the prefix. */
const char *probe_begin(struct probe_place *probe, const struct item *item);

/* Parse from probe->symbol.at up to `end` (NULL: the item's): false, a fault and its row. */
bool parser_probe_symbol(struct parser *parser, const struct item *item, struct probe_place *probe,
			 const char *end);

/* Add the probe's event, of the PMU of that name. */
struct event_spec *parser_add_probe(struct parser *parser, const struct item *item,
				    const struct probe_place *probe, const char *pmu_name);

/* Whether the kernel lacks the PMU.  Also true for a probe without a place, as --doctor has it. */
bool probe_has_no_pmu(const struct event_spec *spec);

#endif
