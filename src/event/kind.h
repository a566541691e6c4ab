/* SPDX-License-Identifier: MIT */
/*
 * kind - what one kind of event knows of itself: its words in -e, its names, why one does not open.
 *
 * EVENT_KINDS of event.h lists the kinds; each is a file, kind-WORD.c, with one constant table.  What a
 * kind has no say in is left 0.
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
	KIND_FIELDS_FORMAT, /* those of the event's format file in tracefs, which its records carry */
	KIND_FIELDS_PROBE, /* those that every probe has */
};

/* How --doctor tries whether the kind opens here; name NULL: it does not. */
struct kind_probe {
	const char *name;    /* of the line */
	const char *event;   /* what stands for the kind */
	const char *unknown; /* why the kernel may have no type or id for it */
	const char *instead; /* a command that does nearly as well, or NULL */
	/* Fill in type and config of an else zeroed attr: 0, or an errno. */
	int (*ask)(struct perf_event_attr *attr);
};

/* An event that every machine knows by the same name. */
struct kind_name {
	const char *name;  /* NULL: the end of the table */
	const char *alias; /* perf's other name, or NULL */
	uint64_t config;
	bool is_clock; /* counts ns */
	const char *text;
};

struct kind {
	uint32_t type; /* perf_event_attr.type that is this kind and no other, or EVENT_TYPE_NONE */
	enum kind_fields fields;
	/* It takes one of a PMU's few counters: it may be multiplexed, or have nothing to sample by. */
	bool is_on_counter;

	/*
	 * -e.  Items that begin with one of these are the kind's, NULL: none; parse_whole() adds the spec,
	 * or a fault and its row.
	 */
	const char *prefix, *return_prefix;
	void (*parse_whole)(struct parser *parser, struct item *item);
	/* The same of an item that is cut into name, terms and modifiers; false when it is another's. */
	bool (*parse)(struct parser *parser, const struct item *item);
	/* The names that mean the same on every machine, all of `type`; ends with 0. */
	const struct kind_name *names;
	/*
	 * The same where names are made of parts: type and config of an else zeroed spec by its name; and
	 * *wrong, why there is no such event although the name is right, else left NULL.
	 */
	bool (*find)(const char *name, struct event_spec *found, const char **wrong);
	/* Whether this machine has an event of the kind by a name without a colon. */
	bool (*has_name)(const struct catalog *catalog, const char *name);

	/* --list, beside `names`: each name there is, and the form of names that are made when typed. */
	void (*each)(const struct catalog *catalog, catalog_visit *visit, void *ctx);
	const char *form, *form_text;
	/* What an event of that name is, in a line. */
	void (*describe)(const struct catalog *catalog, const char *name, struct strbuf *out);

	/* Whether it can happen in user mode; NULL: yes. */
	bool (*fires_in_user_mode)(const struct event_spec *spec);

	/* What an errno of perf_event_open means for this kind, before the general causes; ends with 0. */
	const struct why_cause *causes;
	struct kind_probe probe;
};

/* The kinds themselves, for kind_of() and their files. */
#define KIND_DECLARE(id, word) const struct kind *kind_##word(void);
EVENT_KINDS(KIND_DECLARE)
#undef KIND_DECLARE

/* Never NULL. */
const struct kind *kind_of(enum event_kind kind);

/* The kind with that prefix in front of a text, or NULL. */
const struct kind *kind_by_prefix(const char *text);

/* What a perf_event_attr.type is: EVENT_PMU when it is nothing else. */
enum event_kind kind_of_type(uint32_t type);

/* Its name in the tables of names, or NULL. */
const char *kind_fixed_name(uint32_t type, uint64_t config);

/*
 * By a name that means the same on every machine: kind, type, config and is_clock of an else zeroed
 * spec, and *wrong as of find().
 */
bool kind_find(const char *name, struct event_spec *found, const char **wrong);

/* Each name of the kind that there is here. */
void kind_each(enum event_kind kind, const struct catalog *catalog, catalog_visit *visit,
	       void *ctx);

/* What its event of that name is, in a line; for some of them a file is read. */
void kind_describe(enum event_kind kind, const struct catalog *catalog, const char *name,
		   struct strbuf *out);

#endif
