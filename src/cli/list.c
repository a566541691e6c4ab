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
	const char *only; /* the word of a kind, or NULL for all */
	struct line *lines;
	size_t count;
	size_t tracepoints;
};

static void collect(void *ctx, const char *name, enum event_kind kind)
{
	struct list *list = ctx;

	if (list->only != NULL && strcmp(list->only, event_kind_name(kind)) != 0)
		return;
	/* Grown in steps of powers of two: the count alone says when. */
	if ((list->count & (list->count - 1)) == 0)
		list->lines = xreallocarray(list->lines, list->count == 0 ? 1 : list->count * 2,
					    sizeof(*list->lines));
	list->lines[list->count++] = (struct line){ xstrdup(name), kind };
	list->tracepoints += kind == EVENT_TRACEPOINT;
}

static void print(const struct list *list, const struct line *line)
{
	struct strbuf text, safe;

	strbuf_init(&text);
	strbuf_init(&safe);
	/* The fields are worth reading only where there are not too many of them. */
	if (line->kind != EVENT_TRACEPOINT || list->tracepoints < DESCRIBED_MAX)
		catalog_describe(list->catalog, line->name, line->kind, &text);
	text_add_safe(&safe, text.text);
	printf("%-*s %-11s%s%s\n", NAME_CELLS, line->name, event_kind_name(line->kind),
	       safe.len > 0 ? " " : "", safe.text);
	strbuf_fini(&safe);
	strbuf_fini(&text);
}

/* Those that nobody can count, for their names are made when they are typed. */
static size_t print_forms(const char *only)
{
	static const struct {
		const char *form, *text;
		enum event_kind kind;
	} forms[] = {
		{ "rHEX", "an event of the CPU's manual, by its number", EVENT_RAW },
		{ "PMU/TERM=N,.../", "the same, by the terms of the PMU's format", EVENT_PMU },
		{ "mem:ADDR[/LEN][:rwx]", "accesses to an address", EVENT_BREAKPOINT },
		{ "kprobe:SYMBOL[+OFF]", "calls of a kernel function; kretprobe: its returns",
		  EVENT_KPROBE },
		{ "uprobe:PATH:SYMBOL[+OFF]",
		  "calls of a program's function; uretprobe: its returns", EVENT_UPROBE },
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const char *kind = event_kind_name(forms[i].kind);

		if (only != NULL && strcmp(only, kind) != 0)
			continue;
		printf("%-*s %-11s %s\n", NAME_CELLS, forms[i].form, kind, forms[i].text);
		count++;
	}
	return count;
}

/* "--list software" is all of a kind, whatever the kind's letters match. */
static bool is_kind(const char *glob)
{
	for (int kind = EVENT_HARDWARE; kind <= EVENT_UPROBE; kind++) {
		if (strcmp(glob, event_kind_name((enum event_kind)kind)) == 0)
			return true;
	}
	return false;
}

static size_t print_all(const struct catalog *catalog, const char *glob)
{
	struct list list = { .catalog = catalog };
	size_t forms = 0;

	if (glob != NULL && is_kind(glob))
		list.only = glob;
	catalog_each(catalog, list.only != NULL ? NULL : glob, collect, &list);
	for (size_t i = 0; i < list.count; i++) {
		/* The forms stand before the long tail of the tracepoints. */
		if (list.lines[i].kind == EVENT_TRACEPOINT && forms == 0 && glob == NULL)
			forms = print_forms(NULL);
		print(&list, &list.lines[i]);
		free(list.lines[i].name);
	}
	free(list.lines);
	if (forms == 0 && (glob == NULL || list.only != NULL))
		forms = print_forms(list.only);
	return list.count + forms;
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
