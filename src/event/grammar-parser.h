/* SPDX-License-Identifier: MIT */
/*
 * grammar-parser - what the files of the grammar share, and nobody else.
 *
 *     grammar.c            lists and groups
 *     grammar-item.c       one event: its parts, and which kind takes it
 *     grammar-modifiers.c  ":ukpp"
 *     grammar-terms.c      "/event=0x3c,name=x/"
 *     grammar-probes.c     what uprobes and kprobes have in common
 *     kind-*.c             the words of each kind
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

/* An event whose kind, type and config are known, by `name` and the item's terms, not finished yet. */
struct event_spec *parser_add_fixed(struct parser *parser, const struct item *item,
				    const struct event_spec *found, const char *name);

/* Give it the item's terms, its modifiers, its name; where a term is wrong, a row with the fault. */
void parser_finish(struct parser *parser, const struct item *item, struct event_spec *spec);

/* Of the last fault: the name of this machine that is nearest to what was typed. */
void parser_name_nearest(struct parser *parser, const char *typed);

/* Of the item's text: from `from` up to `to`, NULL for its end; and the first `c` behind `from`, or NULL. */
struct span item_span(const struct item *item, const char *from, const char *to);
const char *item_find(const struct item *item, const char *from, char c);

/* A fault at that place, and the row. */
void parser_refuse(struct parser *parser, const struct item *item, struct span at,
		   enum event_kind kind, const char *reason);

/* Modifiers behind a colon, or none (NULL), where the item's name ends: false, a fault and its row. */
bool parser_take_modifiers(struct parser *parser, struct item *item, const char *colon,
			   enum event_kind kind);

/* --- grammar-modifiers.c -------------------------------------------------------------------- */

/* Check a row of letters: false and a fault. */
bool modifiers_check(struct parser *parser, const char *at, size_t length);

/* Give an event its own modifiers and its group's, and its name with them. */
void modifiers_apply(struct parser *parser, const struct item *item, struct event_spec *spec);

/* --- grammar-terms.c ------------------------------------------------------------------------ */

/* The terms of an event that is no PMU's: name=, period=, ...; false and a fault. */
bool terms_apply(struct parser *parser, const struct item *item, struct event_spec *spec);

/* The same of an event of `pmu`, whose formats and events they may name. */
bool terms_read(struct parser *parser, const struct item *item, const struct pmu *pmu,
		struct event_spec *spec);

/* --- grammar-probes.c ----------------------------------------------------------------------- */

/* SYMBOL[+OFFSET], or 0xADDRESS[+OFFSET]. */
struct probe_place {
	enum event_kind kind;
	bool is_return;
	struct span symbol, offset; /* the offset may be empty */
	uint64_t offset_value;
	bool is_address; /* the symbol is a number, which is: */
	uint64_t address;
};

/* What stands behind the prefix of the kind, which says whether it is a return. */
const char *probe_begin(struct probe_place *probe, const struct item *item);

/* From probe->symbol.at up to `end` (NULL: the item's): false, a fault and its row. */
bool parser_probe_symbol(struct parser *parser, const struct item *item, struct probe_place *probe,
			 const char *end);

/* Its event, of the PMU of that name. */
struct event_spec *parser_add_probe(struct parser *parser, const struct item *item,
				    const struct probe_place *probe, const char *pmu_name);

/* Whether the kernel has none for it.  A probe that names nothing stands for its kind: --doctor's. */
bool probe_has_no_pmu(const struct event_spec *spec);

#endif
