/* SPDX-License-Identifier: MIT */
/*
 * kind - the properties of one kind of event: its -e syntax, its names, why an event does not open.
 *
 * EVENT_KINDS of event.h lists the kinds; each is a file, kind-WORD.c, with one constant table.
 * Members that do not apply to a kind are left 0.
 */
#ifndef EVENT_KIND_H
#define EVENT_KIND_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "event/catalog.h"
#include "event/event.h"
#include "event/why.h"

struct parser;
struct item;

/* What --filter can compare. */
enum kind_fields {
	KIND_FIELDS_NONE,
	KIND_FIELDS_FORMAT, /* the fields of the event's format file in tracefs */
	KIND_FIELDS_PROBE,  /* the fields common to all probes */
};

/* How --doctor tests whether the kind opens here; name NULL: not tested. */
struct kind_probe {
	const char *name;    /* of the line */
	const char *event;   /* the event that is opened as the test */
	const char *unknown; /* why the kernel may have no type or id for it */
	const char *instead; /* an alternative command, or NULL */
	/*
	 * Fill in type and config of an otherwise zeroed attr: 0, or an errno.  *text, which is NULL:
	 * what its config1 has to point to (static), for kinds that take a text.
	 */
	int (*ask)(const struct catalog *catalog, struct perf_event_attr *attr, const char **text);
};

/* An event with the same name on every machine. */
struct kind_name {
	const char *name;  /* NULL: the end of the table */
	const char *alias; /* perf's other name, or NULL */
	uint64_t config;
	bool is_clock; /* counts ns */
	const char *text;
};

struct kind {
	uint32_t type; /* the perf_event_attr.type of this kind only, or EVENT_TYPE_NONE */
	enum kind_fields fields;
	/* Uses a counter of a PMU: may be multiplexed, and the PMU may be unable to sample. */
	bool is_on_counter;
	/* A probe or breakpoint: the opener opens it only if it was asked for before the seal. */
	bool is_probe;

	/*
	 * -e.  Items with one of these prefixes (NULL: none) are of this kind; parse_whole() adds
	 * the spec, or a fault and its row.
	 */
	const char *prefix, *return_prefix;
	void (*parse_whole)(struct parser *parser, struct item *item);
	/* The same for an item split into name, terms and modifiers; false: not of this kind. */
	bool (*parse)(struct parser *parser, const struct item *item);
	/* The names that mean the same on every machine, all of `type`; ends with 0. */
	const struct kind_name *names;
	/*
	 * The same for composed names: sets type and config of an otherwise zeroed spec.  *wrong is
	 * the reason when a well-formed name has no event, else left NULL.
	 */
	bool (*find)(const char *name, struct event_spec *found, const char **wrong);
	/* Whether this machine has an event of the kind by a name without a colon. */
	bool (*has_name)(const struct catalog *catalog, const char *name);

	/* --list, besides `names`: visits each existing name; the syntax of open-ended names. */
	void (*each)(const struct catalog *catalog, catalog_visit *visit, void *ctx);
	const char *form, *form_text;
	/* Append a one-line description of the event of that name; its fields' declarations. */
	void (*describe)(const struct catalog *catalog, const char *name, struct strbuf *out);
	void (*declare)(const struct catalog *catalog, const char *name, struct strbuf *out);

	/* Whether it can happen in user mode; NULL: yes. */
	bool (*fires_in_user_mode)(const struct event_spec *spec);

	/* What an errno of perf_event_open means for this kind, before the general causes; ends with 0. */
	const struct why_cause *causes;
	struct kind_probe probe;
};

/* The kinds' tables, for kind_of() and the kind-*.c files. */
#define KIND_DECLARE(id, word) const struct kind *kind_##word(void);
EVENT_KINDS(KIND_DECLARE)
#undef KIND_DECLARE

/* Never NULL. */
const struct kind *kind_of(enum event_kind kind);

/* The kind with that prefix in front of a text, or NULL. */
const struct kind *kind_by_prefix(const char *text);

/* The kind of a perf_event_attr.type: EVENT_PMU when no other kind has this type. */
enum event_kind kind_of_type(uint32_t type);

/* The event's name in the tables of fixed names, or NULL. */
const char *kind_fixed_name(uint32_t type, uint64_t config);

/*
 * Look up a name that means the same on every machine: sets kind, type, config and is_clock of an
 * otherwise zeroed spec, and *wrong as find() does; false when there is none.
 */
bool kind_find(const char *name, struct event_spec *found, const char **wrong);

/* Call `visit` with each name of the kind on this machine. */
void kind_each(enum event_kind kind, const struct catalog *catalog, catalog_visit *visit,
	       void *ctx);

/* Append a one-line description of the event; some kinds read a file for it. */
void kind_describe(enum event_kind kind, const struct catalog *catalog, const char *name,
		   struct strbuf *out);

/* Append the declarations of the fields of its records, a line each: nothing if it has none. */
void kind_declare(enum event_kind kind, const struct catalog *catalog, const char *name,
		  struct strbuf *out);

#endif
