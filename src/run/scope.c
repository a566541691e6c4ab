/* SPDX-License-Identifier: MIT */
#include "run/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "cli/pids.h"
#include "run/opening.h"

/* How long the threads of the old source may take to exit: keys have to wait meanwhile. */
#define JOIN_NS (250 * NSEC_PER_MSEC)

/* What is to be watched next. */
struct next_scope {
	struct target target;
	char *note; /* of target_note() */
};

/* --- asking --------------------------------------------------------------------------------- */

static const char *refusal(const struct app *app)
{
	if (app->recorder != NULL)
		return "not while recording: the file has one scope";
	if (app->workload != NULL)
		return "not with a command: its events begin with it";
	return NULL;
}

/* The options of the start with another scope; `pids` is owned if it is another.  False: no pids. */
static bool choose(const struct app *app, enum ui_scope scope, const char *text,
		   struct options *options)
{
	*options = *app->options;
	if (scope == UI_SCOPE_START)
		return true;
	options->pids = NULL;
	options->npids = 0;
	options->has_processes = scope == UI_SCOPE_PROCESS;
	options->user = scope == UI_SCOPE_USER ? text : NULL;
	options->cgroup = NULL;
	return scope == UI_SCOPE_USER || pids_parse(text, &options->pids, &options->npids);
}

static bool find_target(const struct app *app, const struct options *options,
			struct next_scope *next, char *why, size_t room)
{
	char *error = NULL;
	bool is_found = target_init(&next->target, options, app->access->has_root, 0, &error) == 0;

	if (is_found && !app->access->has_root && target_is_forbidden(&next->target))
		error = xstrdup("you may not watch that: sudo perftop-ng");
	else if (is_found && opening_verify_fault(app, &next->target) != NULL)
		error = xstrdup(opening_verify_fault(app, &next->target));
	else if (is_found && target_events_fit(&next->target) <= EVSET_FIRST)
		error = target_files_text(&next->target, EVSET_FIRST + 1);
	snprintf(why, room, "%s", error != NULL ? error : "");
	is_found = is_found && error == NULL;
	free(error);
	if (is_found)
		next->note = target_note(&next->target, options);
	return is_found;
}

static void drop(struct next_scope *next)
{
	if (next == NULL)
		return;
	target_fini(&next->target);
	free(next->note);
	free(next);
}

bool scope_ask(struct app *app, enum ui_scope scope, const char *text, char *why, size_t room)
{
	struct next_scope *next;
	struct options options;
	bool is_found = false;

	if (refusal(app) != NULL) {
		snprintf(why, room, "%s", refusal(app));
		return false;
	}
	next = xcalloc(1, sizeof(*next));
	next->target.cgroup_fd = -1;
	if (choose(app, scope, text, &options))
		is_found = find_target(app, &options, next, why, room);
	else
		snprintf(why, room, "a list of numbers: 812,813");
	if (options.pids != app->options->pids)
		free(options.pids);
	if (!is_found) {
		drop(next);
		return false;
	}
	drop(app->next_scope);
	app->next_scope = next;
	source_finish(app->source, sys_monotonic_ns() + APP_FINISH_NS);
	return true;
}

void scope_free(struct app *app)
{
	drop(app->next_scope);
	app->next_scope = NULL;
}

/* --- changing ------------------------------------------------------------------------------- */

static bool has_row(const struct snapshot *snap, size_t id)
{
	for (size_t i = 0; i < snap->nevents; i++) {
		if (snap->events[i].id == id)
			return true;
	}
	return false;
}

/* Events are opened as they were last: one that was off is off, one that failed is tried again. */
static void keep_states(struct app *app)
{
	for (size_t i = 0; i < evset_count(app->set) - EVSET_FIRST; i++) {
		const struct evset_event *event = evset_event(app->set, EVSET_FIRST + (uint32_t)i);

		app->events.specs[i].is_off = event->state == EVSET_OFF;
	}
}

/* Close the events of the scope that is left, in the background if there is room for both. */
static void leave(struct app *app, const struct target *next)
{
	size_t count = evset_count(app->set);

	if (target_fits_beside(&app->target, count, next, EVSET_FIRST + app->events.count))
		evset_leave(app->set, app->closer);
	else
		evset_free(app->set);
	target_fini(&app->target);
}

static void enter(struct app *app)
{
	struct next_scope *next = app->next_scope;

	app->target = next->target;
	free(app->notes[NOTE_SCOPE]);
	app->notes[NOTE_SCOPE] = next->note;
	free(next);
	app->next_scope = NULL;
}

/* Open the events and start a source: false and app->error. */
static bool open_all(struct app *app)
{
	char *complaint = NULL;
	bool is_open = opening_events(app, &complaint);

	/* What does not fit is said by its row. */
	if (!is_open && app->error == NULL)
		app->error = xstrdup(complaint);
	free(complaint);
	if (!is_open)
		return false;
	if (opening_engine(app) != 0) {
		app_fail(app, "no eventfd or pipe for its threads");
		return false;
	}
	if (app_start(app, APP_FIRST_TICK_S) != 0)
		return false;
	if (app_watch_source(app) == 0)
		return true;
	app_fail(app, "cannot wait for snapshots: epoll");
	return false;
}

/* `last`: the final snapshot of the scope that is left. */
static bool change(struct app *app, const struct snapshot *last)
{
	loop_remove(app->loop, source_fd(app->source));
	bool is_over = source_free(app->source, sys_monotonic_ns() + JOIN_NS);
	size_t known = evset_count(app->set) - EVSET_FIRST;
	keep_states(app);
	/* A reader whose CPU is taken still uses the events and the target: they stay as they are. */
	if (is_over)
		leave(app, &app->next_scope->target);
	else
		app->has_left_thread = true;
	app->source = NULL;
	app->set = NULL;
	enter(app);
	if (!open_all(app))
		return false;
	for (size_t id = 0; id < known; id++) {
		if (!has_row(last, id))
			source_remove(app->source, (uint32_t)id);
	}
	if (app->is_streaming)
		source_stream(app->source);
	return true;
}

const struct snapshot *scope_take(struct app *app)
{
	const struct snapshot *snap = app_take(app);

	if (snap == NULL || !snap->is_final || app->next_scope == NULL || app->is_ending)
		return snap;
	if (!change(app, snap)) {
		app->has_failed = true;
		loop_stop(app->loop);
	}
	snapshot_release(snap);
	return NULL;
}
