/* SPDX-License-Identifier: MIT */
#include "run/browse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "capture/attr.h"
#include "event/grammar.h"
#include "event/inventory.h"
#include "event/kind.h"
#include "event/why.h"

struct browse {
	struct app *app;
	struct inventory inventory;
	struct machine_event *visible; /* [events.count] events.all */
	char **reasons;		       /* [events.count] why each does not open, or NULL */
	struct machine_events events;
};

/* --- reading ---------------------------------------------------------------------------------- */

/* Open it to be counted. */
static void try_open(void *ctx, const struct event_spec *spec, char **reason)
{
	const struct app *app = ctx;
	struct attr_plan plan = { .sampling = ATTR_COUNT };
	struct why_place place = {
		.cpu = spec->cpus.count > 0 ? spec->cpus.ids[0] : app->target.cpus.ids[0],
		.pid = app->target.npids > 0 && !spec->is_uncore ? app->target.pids[0] : -1,
		.has_root = app->access->has_root,
		.root_lacks = app->access->root_lacks,
	};
	struct perf_event_attr attr;
	union abi_attr wide;

	attr_event(&attr, spec, &plan, &app->features);
	attr_widen(&wide, &attr, spec);
	int fd = app->access->open_event(app->access->ctx, &wide.attr, spec->path, place.pid,
					 place.cpu, -1, 0);
	if (fd < 0) {
		place.error = errno;
		*reason = why_open(place.error, spec, &place);
		return;
	}
	app->access->close_event(app->access->ctx, fd);
}

/* --- for the browser -------------------------------------------------------------------------- */

static const char *describe(void *ctx, size_t at)
{
	struct browse *browse = ctx;

	return inventory_text(&browse->inventory, at);
}

static void declare(void *ctx, size_t at, struct strbuf *out)
{
	const struct browse *browse = ctx;
	const struct inventory_event *event = &browse->inventory.events[at];

	kind_declare(event->kind, &browse->app->catalog, event->name, out);
}

/* A tracepoint takes 19 ms to close, and its description is a file: not all of them are read. */
static void look_at(struct browse *browse, size_t at)
{
	const struct inventory_event *event = &browse->inventory.events[at];
	struct machine_event *visible = &browse->visible[at];

	visible->name = event->name;
	visible->group = event->group;
	if (event->kind == EVENT_TRACEPOINT)
		return;
	visible->text = inventory_text(&browse->inventory, at);
	visible->reason = browse->reasons[at] =
		inventory_why_not(&browse->inventory, at, try_open, browse->app);
}

const struct machine_events *browse_events(struct app *app)
{
	struct browse *browse = app->browse;

	if (browse != NULL)
		return &browse->events;
	browse = app->browse = xcalloc(1, sizeof(*browse));
	browse->app = app;
	inventory_init(&browse->inventory, &app->catalog);
	browse->visible = xcalloc(browse->inventory.count, sizeof(*browse->visible));
	browse->reasons = xcalloc(browse->inventory.count, sizeof(*browse->reasons));
	for (size_t i = 0; i < browse->inventory.count; i++)
		look_at(browse, i);
	browse->events = (struct machine_events){
		.all = browse->visible,
		.count = browse->inventory.count,
		.ctx = browse,
		.describe = describe,
		.declare = declare,
	};
	return &browse->events;
}

void browse_free(struct app *app)
{
	struct browse *browse = app->browse;

	if (browse == NULL)
		return;
	for (size_t i = 0; i < browse->inventory.count; i++)
		free(browse->reasons[i]);
	inventory_fini(&browse->inventory);
	free(browse->reasons);
	free(browse->visible);
	free(browse);
	app->browse = NULL;
}

/* --- adding ----------------------------------------------------------------------------------- */

/* The index in app->events, which is the id in snapshots; the list's count for none. */
static size_t find(const struct event_list *events, const char *name)
{
	size_t at = 0;

	while (at < events->count &&
	       (events->specs[at].fault != NULL || strcmp(events->specs[at].name, name) != 0))
		at++;
	return at;
}

/* Parse it: false and a reason if any of it is wrong. */
static bool parse(const struct app *app, const char *text, struct event_list *list, char *why,
		  size_t room)
{
	struct grammar_faults faults = { 0 };

	grammar_parse(text, &app->catalog, list, &faults);
	bool is_right = faults.count == 0 && list->count > 0;
	if (faults.count > 0 && faults.faults[0].nearest[0] != '\0')
		snprintf(why, room, "%s; did you mean %s?", faults.faults[0].reason,
			 faults.faults[0].nearest);
	else
		snprintf(why, room, "%s", faults.count > 0 ? faults.faults[0].reason : "no event");
	grammar_faults_fini(&faults);
	return is_right;
}

static size_t count_new(const struct app *app, const struct event_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += find(&app->events, list->specs[i].name) == app->events.count;
	return count;
}

static const struct event_spec *refused(const struct app *app, const struct event_list *list)
{
	for (size_t i = 0; app->access->adds_no_probes && i < list->count; i++) {
		if (kind_of(list->specs[i].kind)->is_probe &&
		    find(&app->events, list->specs[i].name) == app->events.count)
			return &list->specs[i];
	}
	return NULL;
}

static bool add_one(struct app *app, const struct event_spec *spec)
{
	size_t at = find(&app->events, spec->name);

	if (at < app->events.count)
		return source_add_again(app->source, (uint32_t)at);
	if (!source_add(app->source, spec))
		return false;

	struct event_spec *kept = event_list_add(&app->events, spec->kind, spec->name);
	event_spec_fini(kept);
	*kept = event_spec_copy(spec);
	return true;
}

static bool add_all(struct app *app, const struct event_list *list, char *why, size_t room)
{
	size_t left = evset_capacity(app->set) - EVSET_FIRST - app->events.count;

	if (refused(app, list) != NULL) {
		snprintf(why, room, "only at the start: -e %s", refused(app, list)->name);
		return false;
	}
	if (count_new(app, list) > left) {
		snprintf(why, room, "%zu events: there is room for %zu more", list->count, left);
		return false;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!add_one(app, &list->specs[i])) {
			snprintf(why, room, "%s: too many commands are waiting",
				 list->specs[i].name);
			return false;
		}
	}
	return true;
}

bool browse_add(struct app *app, const char *text, char *why, size_t room)
{
	struct event_list list = { 0 };
	bool is_added = parse(app, text, &list, why, room) && add_all(app, &list, why, room);

	event_list_fini(&list);
	return is_added;
}
