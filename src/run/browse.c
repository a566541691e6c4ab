/* SPDX-License-Identifier: MIT */
#include "run/browse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "capture/attr.h"
#include "event/grammar.h"
#include "event/kind.h"
#include "event/why.h"

/* An event, and what its struct machine_event borrows. */
struct entry {
	enum event_kind kind;
	char *name, *group, *text, *reason;
};

struct browse {
	struct app *app;
	struct entry *entries;	       /* [events.count] */
	struct machine_event *visible; /* [events.count] events.all */
	size_t count;
	enum event_kind kind; /* whose names are being read */
	struct machine_events events;
};

/* --- reading ---------------------------------------------------------------------------------- */

static char *group_of(enum event_kind kind, const char *name)
{
	if (kind == EVENT_TRACEPOINT)
		return xstrndup(name, event_system_length(name));
	if (kind == EVENT_PMU)
		return xstrndup(name, strcspn(name, "/"));
	return xstrdup(event_kind_name(kind));
}

static void collect(void *ctx, const char *name, const char *alias)
{
	struct browse *browse = ctx;

	(void)alias; /* the description has it */
	/* Doubled whenever the count is a power of two. */
	if ((browse->count & (browse->count - 1)) == 0)
		browse->entries = xreallocarray(browse->entries,
						browse->count == 0 ? 1 : browse->count * 2,
						sizeof(*browse->entries));
	browse->entries[browse->count++] = (struct entry){
		.kind = browse->kind,
		.name = xstrdup(name),
		.group = group_of(browse->kind, name),
	};
}

static char *describe_now(const struct browse *browse, const struct entry *entry)
{
	struct strbuf text;

	strbuf_init(&text);
	kind_describe(entry->kind, &browse->app->catalog, entry->name, &text);
	char *result = xstrdup(text.text);
	strbuf_fini(&text);
	return result;
}

/* NULL when it opens, to be counted; else why it does not. */
static char *try_open(const struct app *app, const struct event_spec *spec)
{
	struct attr_plan plan = { .sampling = ATTR_COUNT };
	struct why_place place = {
		.cpu = spec->cpus.count > 0 ? spec->cpus.ids[0] : app->target.cpus.ids[0],
		.pid = app->target.npids > 0 && !spec->is_uncore ? app->target.pids[0] : -1,
		.has_root = app->access->has_root,
	};
	struct perf_event_attr attr;
	union abi_attr wide;

	attr_event(&attr, spec, &plan, &app->features);
	attr_widen(&wide, &attr, spec);
	int fd = app->access->open_event(app->access->ctx, &wide.attr, spec->path, place.pid,
					 place.cpu, 0);
	if (fd < 0) {
		place.error = errno;
		return why_open(place.error, spec, &place);
	}
	app->access->close_event(app->access->ctx, fd);
	return NULL;
}

static char *why_not(const struct app *app, const char *name)
{
	struct event_list list = { 0 };
	struct grammar_faults faults = { 0 };
	char *reason = NULL;

	grammar_parse(name, &app->catalog, &list, &faults);
	if (faults.count > 0)
		reason = xstrdup(faults.faults[0].reason);
	else if (list.count > 0)
		reason = try_open(app, &list.specs[0]);
	grammar_faults_fini(&faults);
	event_list_fini(&list);
	return reason;
}

/* --- for the browser -------------------------------------------------------------------------- */

static const char *describe(void *ctx, size_t at)
{
	struct browse *browse = ctx;
	struct entry *entry = &browse->entries[at];

	if (entry->text == NULL)
		entry->text = describe_now(browse, entry);
	return entry->text;
}

static void declare(void *ctx, size_t at, struct strbuf *out)
{
	const struct browse *browse = ctx;
	const struct entry *entry = &browse->entries[at];

	kind_declare(entry->kind, &browse->app->catalog, entry->name, out);
}

/* A tracepoint takes 19 ms to close, and its description is a file: not all of them are read. */
static void look_at(struct browse *browse, struct entry *entry)
{
	if (entry->kind == EVENT_TRACEPOINT)
		return;
	entry->text = describe_now(browse, entry);
	entry->reason = why_not(browse->app, entry->name);
}

const struct machine_events *browse_events(struct app *app)
{
	struct browse *browse = app->browse;

	if (browse != NULL)
		return &browse->events;
	browse = app->browse = xcalloc(1, sizeof(*browse));
	browse->app = app;
	for (browse->kind = 0; browse->kind < EVENT_KINDS_COUNT; browse->kind++)
		kind_each(browse->kind, &app->catalog, collect, browse);
	browse->visible = xcalloc(browse->count, sizeof(*browse->visible));
	for (size_t i = 0; i < browse->count; i++) {
		struct entry *entry = &browse->entries[i];

		look_at(browse, entry);
		browse->visible[i] = (struct machine_event){ entry->name, entry->group, entry->text,
							     entry->reason };
	}
	browse->events = (struct machine_events){
		.all = browse->visible,
		.count = browse->count,
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
	for (size_t i = 0; i < browse->count; i++) {
		free(browse->entries[i].name);
		free(browse->entries[i].group);
		free(browse->entries[i].text);
		free(browse->entries[i].reason);
	}
	free(browse->entries);
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

/* The opener opens no new probe after the seal. */
static const struct event_spec *refused(const struct app *app, const struct event_list *list)
{
	for (size_t i = 0; app->access->has_root && i < list->count; i++) {
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
