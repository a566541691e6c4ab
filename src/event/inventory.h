/* SPDX-License-Identifier: MIT */
/*
 * inventory - every event of this machine that has a name, what it is, and whether it opens.
 *
 * Names are read at once; descriptions and tests only when asked for: some take a file each.
 */
#ifndef EVENT_INVENTORY_H
#define EVENT_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "event/catalog.h"
#include "event/event.h"

struct inventory_event {
	enum event_kind kind;
	char *name;
	char *alias; /* perf's other name, or NULL */
	char *group; /* a tracepoint's system, the PMU, or the kind's name */
	char *text;  /* one line; NULL until inventory_text() */
};

struct inventory {
	const struct catalog *catalog; /* borrowed */
	struct inventory_event *events;
	size_t count;
};

/* The events in the order of their kinds. */
void inventory_init(struct inventory *inventory, const struct catalog *catalog);
void inventory_fini(struct inventory *inventory);

/* Its description, or its fields' names: "" for none.  Valid until inventory_fini(). */
const char *inventory_text(struct inventory *inventory, size_t at);

/* Open the event and close it: *reason is why it does not open, allocated, or stays NULL. */
typedef void inventory_try(void *ctx, const struct event_spec *spec, char **reason);

/* Parse its name and try it: NULL, or why it does not open, allocated. */
char *inventory_why_not(const struct inventory *inventory, size_t at, inventory_try *try,
			void *ctx);

#endif
