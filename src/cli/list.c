/* SPDX-License-Identifier: MIT */
#include "cli/list.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cli/list-match.h"
#include "event/inventory.h"
#include "event/kind.h"
#include "event/probe.h"
#include "event/why.h"
#include "output/json-write.h"

/*
 * Reading the format files of all 2,324 tracepoints of Linux 6.18 takes too long for a list; this
 * many take some 20 ms.
 */
#define DESCRIBED_MAX 200

/* A name longer than this shifts only its own description. */
#define NAME_CELLS 44

/* Events that do not open for the same reason. */
struct refused {
	char *reason; /* owned */
	size_t count;
	uint32_t kinds; /* a bit each */
};

struct list {
	const struct list_options *options;
	struct catalog catalog;
	struct inventory inventory;
	int cpu;		   /* where events are test-opened */
	char *tracepoint_reason;   /* why no tracepoint opens, or NULL */
	bool has_tracepoint_texts; /* there are few enough */
	struct refused *refused;   /* [nrefused] */
	size_t nrefused;
	size_t opening; /* shown events that open */
	struct strbuf out;
};

/* --- what opens ----------------------------------------------------------------------------- */

static void try_open(void *ctx, const struct event_spec *spec, char **reason)
{
	const struct list *list = ctx;
	struct why_place place = { .cpu = list->cpu, .pid = -1 };

	place.error = probe_event(spec, list->cpu);
	if (place.error != 0)
		*reason = why_open(place.error, spec, &place);
}

/* A kind's test event stands for what cannot be tried one by one; NULL: it opens. */
static char *try_kind(const struct list *list, enum event_kind kind)
{
	struct event_spec spec = { .kind = kind };
	struct why_place place = { .cpu = list->cpu, .pid = -1 };
	bool is_known;

	/* Raw events need what hardware events need. */
	place.error = probe_test_event(kind == EVENT_RAW ? EVENT_HARDWARE : kind, list->cpu,
				       &list->catalog, &is_known);
	if (place.error == 0)
		return NULL;
	if (!is_known && kind_of(kind)->probe.unknown != NULL)
		return xasprintf("%s: %s", why_name(place.error), kind_of(kind)->probe.unknown);
	return why_open(place.error, &spec, &place);
}

/* NULL, or why it does not open, allocated.  A tracepoint takes 19 ms to close: one stands for all. */
static char *why_not(struct list *list, size_t at)
{
	if (list->inventory.events[at].kind != EVENT_TRACEPOINT)
		return inventory_why_not(&list->inventory, at, try_open, list);
	return list->tracepoint_reason != NULL ? xstrdup(list->tracepoint_reason) : NULL;
}

/* Count an event that opens (NULL), or does not for this reason, which is taken over. */
static void count(struct list *list, enum event_kind kind, char *reason)
{
	size_t at = 0;

	if (reason == NULL) {
		list->opening++;
		return;
	}
	while (at < list->nrefused && strcmp(list->refused[at].reason, reason) != 0)
		at++;
	if (at == list->nrefused) {
		list->refused =
			xreallocarray(list->refused, ++list->nrefused, sizeof(*list->refused));
		list->refused[at] = (struct refused){ .reason = xstrdup(reason) };
	}
	list->refused[at].count++;
	list->refused[at].kinds |= 1u << kind;
	free(reason);
}

/* --- one event ------------------------------------------------------------------------------ */

/* The fields' declarations, a line each: "" without -v. */
static char *fields_of(const struct list *list, const struct inventory_event *event)
{
	struct strbuf fields;

	strbuf_init(&fields);
	if (list->options->is_verbose)
		kind_declare(event->kind, &list->catalog, event->name, &fields);
	char *text = xstrdup(fields.text);
	strbuf_fini(&fields);
	return text;
}

static void put_fields(struct strbuf *out, char *fields)
{
	char *rest = NULL;

	json_open_array(out, "fields");
	for (char *line = strtok_r(fields, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest))
		json_put_text(out, NULL, line);
	strbuf_putc(out, ']');
}

static void put_event(struct list *list, const struct inventory_event *event, const char *text,
		      const char *reason)
{
	struct strbuf *out = &list->out;

	json_open_object(out, NULL);
	json_put_text(out, "name", event->name);
	json_put_text(out, "alias", event->alias);
	json_put_text(out, "kind", event_kind_name(event->kind));
	json_put_text(out, "group", event->group);
	json_put_text(out, "text", text);
	json_put_bool(out, "opens", reason == NULL);
	json_put_text(out, "reason", reason);
	if (list->options->is_verbose) {
		char *fields = fields_of(list, event);

		put_fields(out, fields);
		free(fields);
	}
	strbuf_putc(out, '}');
}

static void add_line(struct strbuf *out, const char *name, enum event_kind kind, const char *text)
{
	strbuf_printf(out, "%-*s %-11s%s", NAME_CELLS, name, event_kind_name(kind),
		      text[0] != '\0' ? " " : "");
	text_add_safe(out, text);
	strbuf_putc(out, '\n');
}

static void add_fields(struct strbuf *out, char *fields)
{
	char *rest = NULL;

	for (char *line = strtok_r(fields, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		strbuf_puts(out, "        ");
		text_add_safe(out, line);
		strbuf_putc(out, '\n');
	}
}

static void add_event(struct list *list, const struct inventory_event *event, const char *text)
{
	char *fields = fields_of(list, event);

	/* The fields say more than their names. */
	add_line(&list->out, event->name, event->kind, fields[0] != '\0' ? "" : text);
	add_fields(&list->out, fields);
	free(fields);
}

static void add_refused(struct list *list, const char *name, enum event_kind kind,
			const char *reason)
{
	if (!list->options->is_verbose)
		return;

	char *marked = xasprintf("does not open: %s", reason);
	add_line(&list->out, name, kind, marked);
	free(marked);
}

static void show(struct list *list, size_t at)
{
	const struct inventory_event *event = &list->inventory.events[at];
	bool has_text = event->kind != EVENT_TRACEPOINT || list->has_tracepoint_texts;
	const char *text = has_text ? inventory_text(&list->inventory, at) : "";
	char *reason = why_not(list, at);

	if (list->options->is_json)
		put_event(list, event, text, reason);
	else if (reason == NULL)
		add_event(list, event, text);
	else
		add_refused(list, event->name, event->kind, reason);
	count(list, event->kind, reason);
}

/* Open-ended names: their syntax. */
static void show_form(struct list *list, enum event_kind kind)
{
	const struct kind *ops = kind_of(kind);

	if (ops->form == NULL || !list_matches_kind(list->options->pattern, kind) ||
	    list->options->is_json)
		return;

	char *reason = try_kind(list, kind);
	if (reason == NULL)
		add_line(&list->out, ops->form, kind, ops->form_text);
	else
		add_refused(list, ops->form, kind, reason);
	count(list, kind, reason);
}

/* --- all of them ---------------------------------------------------------------------------- */

static bool is_shown(const struct list *list, size_t at)
{
	return list_matches(list->options->pattern, &list->inventory.events[at]);
}

static size_t count_tracepoints(const struct list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->inventory.count; i++)
		count += list->inventory.events[i].kind == EVENT_TRACEPOINT && is_shown(list, i);
	return count;
}

static void show_all(struct list *list)
{
	size_t at = 0;

	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		for (; at < list->inventory.count && list->inventory.events[at].kind == kind;
		     at++) {
			if (is_shown(list, at))
				show(list, at);
		}
		show_form(list, kind);
	}
}

static void build(struct list *list)
{
	size_t tracepoints = count_tracepoints(list);

	list->has_tracepoint_texts = tracepoints < DESCRIBED_MAX;
	list->tracepoint_reason = tracepoints > 0 ? try_kind(list, EVENT_TRACEPOINT) : NULL;
	if (list->options->is_json) {
		json_open_object(&list->out, NULL);
		json_put_u64(&list->out, "schema", 1);
		json_open_array(&list->out, "events");
	}
	show_all(list);
	if (list->options->is_json)
		strbuf_puts(&list->out, "]}\n");
}

/* --- what is said on stderr ------------------------------------------------------------------ */

static void print_refused(const struct list *list, const struct refused *refused)
{
	const char *between = "";

	fprintf(stderr, "perftop-ng: %zu event%s not open here (", refused->count,
		refused->count == 1 ? " does" : "s do");
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++) {
		if ((refused->kinds & 1u << kind) == 0)
			continue;
		fprintf(stderr, "%s%s", between, event_kind_name(kind));
		between = ", ";
	}
	fprintf(stderr, "): %s%s\n", refused->reason,
		list->options->is_verbose ? "" : "; -v lists them");
}

static void report(const struct list *list)
{
	if (list->catalog.tracefs == NULL)
		fprintf(stderr, "perftop-ng: no tracepoints: %s\n",
			tracefs_why(list->catalog.tracefs_errno));
	if (!list->options->is_json) {
		for (size_t i = 0; i < list->nrefused; i++)
			print_refused(list, &list->refused[i]);
	}
	if (list->opening == 0 && list->nrefused == 0)
		fprintf(stderr, "perftop-ng: no event matches '%s'; --list shows all\n",
			list->options->pattern != NULL ? list->options->pattern : "*");
}

static void fini(struct list *list)
{
	for (size_t i = 0; i < list->nrefused; i++)
		free(list->refused[i].reason);
	free(list->refused);
	free(list->tracepoint_reason);
	strbuf_fini(&list->out);
	inventory_fini(&list->inventory);
	catalog_fini(&list->catalog);
}

int list_print(const struct list_options *options)
{
	struct list list = { .options = options };
	int cpu = sched_getcpu();

	list.cpu = cpu >= 0 ? cpu : 0;
	strbuf_init(&list.out);
	catalog_init(&list.catalog);
	inventory_init(&list.inventory, &list.catalog);
	build(&list);

	int status = list.opening > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
	fwrite(list.out.text, 1, list.out.len, stdout);
	if (fflush(stdout) != 0) {
		fprintf(stderr, "perftop-ng: standard output: %s\n", strerror(errno));
		status = EXIT_FAILURE;
	}
	report(&list);
	fini(&list);
	return status;
}
