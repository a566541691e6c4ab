/* SPDX-License-Identifier: MIT */
#include "cli/list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "event/catalog.h"
#include "event/kind.h"

/*
 * Reading the format files of all 2,324 tracepoints of Linux 6.18 would take longer than anybody
 * wants to wait for a list; so many are read in some 20 ms.
 */
#define DESCRIBED_MAX 200

/* A name longer than this moves its description, not everybody's. */
#define NAME_CELLS 44

struct line {
	char *name;
	enum event_kind kind;
};

struct list {
	const struct catalog *catalog;
	const char *glob; /* NULL for all */
	bool has_kind;	  /* it is the word of a kind */
	struct line *lines;
	size_t count;
	size_t at;	   /* the first that is not printed yet */
	size_t read_files; /* lines for whose description a file is read */
};

static bool reads_file(enum event_kind kind)
{
	return kind_of(kind)->fields == KIND_FIELDS_FORMAT;
}

/* "--list software" is all of a kind, whatever the kind's letters match. */
static bool is_of_kind(const char *glob, enum event_kind kind)
{
	return glob != NULL && strcmp(glob, event_kind_name(kind)) == 0;
}

static void collect(void *ctx, const char *name, enum event_kind kind)
{
	struct list *list = ctx;

	if (list->has_kind && !is_of_kind(list->glob, kind))
		return;
	/* Grown in steps of powers of two: the count alone says when. */
	if ((list->count & (list->count - 1)) == 0)
		list->lines = xreallocarray(list->lines, list->count == 0 ? 1 : list->count * 2,
					    sizeof(*list->lines));
	list->lines[list->count++] = (struct line){ xstrdup(name), kind };
	list->read_files += reads_file(kind);
}

static void print(const struct list *list, const struct line *line)
{
	struct strbuf text, safe;

	strbuf_init(&text);
	strbuf_init(&safe);
	/* The fields are worth reading only where there are not too many of them. */
	if (!reads_file(line->kind) || list->read_files < DESCRIBED_MAX)
		kind_describe(line->kind, list->catalog, line->name, &text);
	text_add_safe(&safe, text.text);
	printf("%-*s %-11s%s%s\n", NAME_CELLS, line->name, event_kind_name(line->kind),
	       safe.len > 0 ? " " : "", safe.text);
	strbuf_fini(&safe);
	strbuf_fini(&text);
}

/* Names that nobody can count, for they are made when they are typed. */
static size_t print_form(enum event_kind kind)
{
	const struct kind *ops = kind_of(kind);

	if (ops->form == NULL)
		return 0;
	printf("%-*s %-11s %s\n", NAME_CELLS, ops->form, event_kind_name(kind), ops->form_text);
	return 1;
}

static bool is_kind(const char *glob)
{
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		if (is_of_kind(glob, kind))
			return true;
	}
	return false;
}

/* A kind's names, and the form of those that are made. */
static size_t print_kind(struct list *list, enum event_kind kind)
{
	size_t count = 0;

	for (; list->at < list->count && list->lines[list->at].kind == kind; list->at++, count++)
		print(list, &list->lines[list->at]);
	if (list->glob == NULL || list->has_kind)
		count += print_form(kind);
	return count;
}

static size_t print_all(const struct catalog *catalog, const char *glob)
{
	struct list list = { .catalog = catalog, .glob = glob, .has_kind = is_kind(glob) };
	size_t count = 0;

	catalog_each(catalog, list.has_kind ? NULL : glob, collect, &list);
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		if (!list.has_kind || is_of_kind(glob, kind))
			count += print_kind(&list, kind);
	}
	for (size_t i = 0; i < list.count; i++)
		free(list.lines[i].name);
	free(list.lines);
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
