/* SPDX-License-Identifier: MIT */
#include "event/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "event/grammar.h"
#include "event/kind.h"

static char *group_of(enum event_kind kind, const char *name)
{
	if (kind == EVENT_TRACEPOINT)
		return xstrndup(name, event_system_length(name));
	if (kind == EVENT_PMU)
		return xstrndup(name, strcspn(name, "/"));
	return xstrdup(event_kind_name(kind));
}

struct visit {
	struct inventory *inventory;
	enum event_kind kind; /* whose names are being read */
};

static void collect(void *ctx, const char *name, const char *alias)
{
	const struct visit *visit = ctx;
	struct inventory *inventory = visit->inventory;

	/* Doubled whenever the count is a power of two. */
	if ((inventory->count & (inventory->count - 1)) == 0)
		inventory->events = xreallocarray(inventory->events,
						  inventory->count == 0 ? 1 : inventory->count * 2,
						  sizeof(*inventory->events));
	inventory->events[inventory->count++] = (struct inventory_event){
		.kind = visit->kind,
		.name = xstrdup(name),
		.alias = alias != NULL ? xstrdup(alias) : NULL,
		.group = group_of(visit->kind, name),
	};
}

void inventory_init(struct inventory *inventory, const struct catalog *catalog)
{
	*inventory = (struct inventory){ .catalog = catalog };
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++)
		kind_each(kind, catalog, collect, &(struct visit){ inventory, kind });
}

void inventory_fini(struct inventory *inventory)
{
	for (size_t i = 0; i < inventory->count; i++) {
		free(inventory->events[i].name);
		free(inventory->events[i].alias);
		free(inventory->events[i].group);
		free(inventory->events[i].text);
	}
	free(inventory->events);
	*inventory = (struct inventory){ 0 };
}

const char *inventory_text(struct inventory *inventory, size_t at)
{
	struct inventory_event *event = &inventory->events[at];

	if (event->text == NULL) {
		struct strbuf text;

		strbuf_init(&text);
		kind_describe(event->kind, inventory->catalog, event->name, &text);
		event->text = xstrdup(text.text);
		strbuf_fini(&text);
	}
	return event->text;
}

char *inventory_why_not(const struct inventory *inventory, size_t at, inventory_try *try, void *ctx)
{
	struct event_list list = { 0 };
	struct grammar_faults faults = { 0 };
	char *reason = NULL;

	grammar_parse(inventory->events[at].name, inventory->catalog, &list, &faults);
	if (faults.count > 0)
		reason = xstrdup(faults.faults[0].reason);
	else if (list.count > 0)
		try(ctx, &list.specs[0], &reason);
	grammar_faults_fini(&faults);
	event_list_fini(&list);
	return reason;
}
