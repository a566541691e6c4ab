/* SPDX-License-Identifier: MIT */
#include "cli/list.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "event/kind.h"

/*
 * Reading the format files of all 2,324 tracepoints of Linux 6.18 takes too long for a list; this
 * many take some 20 ms.
 */
#define DESCRIBED_MAX 200

/* A name longer than this shifts only its own description. */
#define NAME_CELLS 44

/* The names of one kind. */
struct list {
	const struct catalog *catalog;
	enum event_kind kind;
	const char *glob; /* that they match; NULL: all */
	char **names;	  /* [count], owned */
	size_t count;
};

static void collect(void *ctx, const char *name, const char *alias)
{
	struct list *list = ctx;

	(void)alias;
	if (list->glob != NULL && fnmatch(list->glob, name, 0) != 0)
		return;
	/* Doubled whenever the count is a power of two. */
	if ((list->count & (list->count - 1)) == 0)
		list->names = xreallocarray(list->names, list->count == 0 ? 1 : list->count * 2,
					    sizeof(*list->names));
	list->names[list->count++] = xstrdup(name);
}

/* Descriptions that take a file each are read only for lists that are not too long. */
static bool has_descriptions(const struct list *list)
{
	return kind_of(list->kind)->fields != KIND_FIELDS_FORMAT || list->count < DESCRIBED_MAX;
}

static void print(const struct list *list, const char *name)
{
	struct strbuf text, safe;

	strbuf_init(&text);
	strbuf_init(&safe);
	if (has_descriptions(list))
		kind_describe(list->kind, list->catalog, name, &text);
	text_add_safe(&safe, text.text);
	printf("%-*s %-11s%s%s\n", NAME_CELLS, name, event_kind_name(list->kind),
	       safe.len > 0 ? " " : "", safe.text);
	strbuf_fini(&safe);
	strbuf_fini(&text);
}

/* Print the names of a kind: their number. */
static size_t print_names(const struct catalog *catalog, enum event_kind kind, const char *glob)
{
	struct list list = { .catalog = catalog, .kind = kind, .glob = glob };

	kind_each(kind, catalog, collect, &list);
	for (size_t i = 0; i < list.count; i++) {
		print(&list, list.names[i]);
		free(list.names[i]);
	}
	free(list.names);
	return list.count;
}

/* Open-ended names: print their syntax. */
static size_t print_form(enum event_kind kind)
{
	const struct kind *ops = kind_of(kind);

	if (ops->form == NULL)
		return 0;
	printf("%-*s %-11s %s\n", NAME_CELLS, ops->form, event_kind_name(kind), ops->form_text);
	return 1;
}

static size_t print_kind(const struct catalog *catalog, enum event_kind kind)
{
	return print_names(catalog, kind, NULL) + print_form(kind);
}

/* "--list software" lists the whole kind: a kind's name is not matched as a glob. */
static size_t print_all(const struct catalog *catalog, const char *glob)
{
	size_t count = 0;

	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		if (glob != NULL && strcmp(glob, event_kind_name(kind)) == 0)
			return print_kind(catalog, kind);
	}
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++)
		count += glob == NULL ? print_kind(catalog, kind) :
					print_names(catalog, kind, glob);
	return count;
}

int list_print(const char *glob)
{
	struct catalog catalog;
	int status = EXIT_SUCCESS;

	catalog_init(&catalog);
	size_t count = print_all(&catalog, glob);
	if (catalog.tracefs == NULL)
		fprintf(stderr, "perftop-ng: no tracepoints: tracefs %s\n",
			catalog.tracefs_errno == EACCES ? "is only for root" : "is not mounted");
	if (count == 0) {
		fprintf(stderr, "perftop-ng: no event matches '%s'\n", glob != NULL ? glob : "*");
		status = EXIT_FAILURE;
	}
	if (fflush(stdout) != 0) {
		fprintf(stderr, "perftop-ng: standard output: %s\n", strerror(errno));
		status = EXIT_FAILURE;
	}
	catalog_fini(&catalog);
	return status;
}
