/* SPDX-License-Identifier: MIT */
#include "event/kind.h"

#include <string.h>

const struct kind *kind_of(enum event_kind kind)
{
	static const struct kind *(*const kinds[])(void) = {
#define SOURCE(id, word) [EVENT_##id] = kind_##word,
		EVENT_KINDS(SOURCE)
#undef SOURCE
	};

	return kinds[kind]();
}

static bool begins(const char *text, const char *prefix)
{
	return prefix != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

const struct kind *kind_by_prefix(const char *text)
{
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		const struct kind *ops = kind_of(kind);

		if (begins(text, ops->prefix) || begins(text, ops->return_prefix))
			return ops;
	}
	return NULL;
}

enum event_kind kind_of_type(uint32_t type)
{
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		if (kind_of(kind)->type == type)
			return kind;
	}
	return EVENT_PMU;
}

/* --- names ---------------------------------------------------------------------------------- */

const char *kind_fixed_name(uint32_t type, uint64_t config)
{
	const struct kind_name *row = kind_of(kind_of_type(type))->names;

	for (; row != NULL && row->name != NULL; row++) {
		if (row->config == config)
			return row->name;
	}
	return NULL;
}

static const struct kind_name *row_of(const struct kind *kind, const char *name)
{
	for (const struct kind_name *row = kind->names; row != NULL && row->name != NULL; row++) {
		if (strcmp(name, row->name) == 0 ||
		    (row->alias != NULL && strcmp(name, row->alias) == 0))
			return row;
	}
	return NULL;
}

static bool find_in(const struct kind *kind, const char *name, struct event_spec *found,
		    const char **wrong)
{
	const struct kind_name *row = row_of(kind, name);

	if (row == NULL)
		return kind->find != NULL && kind->find(name, found, wrong);
	found->type = kind->type;
	found->config = row->config;
	found->is_clock = row->is_clock;
	return true;
}

bool kind_find(const char *name, struct event_spec *found, const char **wrong)
{
	*wrong = NULL;
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		if (find_in(kind_of(kind), name, found, wrong)) {
			found->kind = kind;
			return true;
		}
	}
	return false;
}

void kind_each(enum event_kind kind, const struct catalog *catalog, catalog_visit *visit, void *ctx)
{
	const struct kind *ops = kind_of(kind);

	for (const struct kind_name *row = ops->names; row != NULL && row->name != NULL; row++)
		visit(ctx, row->name, row->alias);
	if (ops->each != NULL)
		ops->each(catalog, visit, ctx);
}

void kind_describe(enum event_kind kind, const struct catalog *catalog, const char *name,
		   struct strbuf *out)
{
	const struct kind *ops = kind_of(kind);
	const struct kind_name *row = row_of(ops, name);

	if (row != NULL)
		strbuf_printf(out, "%s%s%s%s", row->text, row->alias != NULL ? " (" : "",
			      row->alias != NULL ? row->alias : "", row->alias != NULL ? ")" : "");
	else if (ops->describe != NULL)
		ops->describe(catalog, name, out);
}

void kind_declare(enum event_kind kind, const struct catalog *catalog, const char *name,
		  struct strbuf *out)
{
	if (kind_of(kind)->declare != NULL)
		kind_of(kind)->declare(catalog, name, out);
}
