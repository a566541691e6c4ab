/* SPDX-License-Identifier: MIT */
#include "run/opening.h"

#include <stdlib.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "run/sampling.h"
#include "source/engine.h"

/* Different events that a screen can add.  Each takes 200 bytes per CPU, once it is added 1 KiB. */
#define EVENTS_TO_ADD 64

/* The first frame waits so long for events to be opened, and then until those are enabled. */
#define OPEN_NS (20 * NSEC_PER_MSEC)

int opening_choose(struct app *app)
{
	bool is_screen = app->options->mode == MODE_SCREEN;

	app->capture = (struct evset_config){
		.has_switches = true,
		.is_strict = app->options->is_strict,
		.spare = is_screen ? EVENTS_TO_ADD : 0,
		.features = &app->features,
		.access = app->access,
	};
	return sampling_choose(app->options, &app->capture);
}

const char *opening_verify_fault(const struct app *app, const struct target *target)
{
	if (!app->options->is_verified)
		return NULL;
	if (target->npids > 0)
		return "--verify is for the events of CPUs, which have one count: -a, -C or -G";
	if (!app->features.has_format_lost)
		return "--verify needs Linux 6.0, where samples say what was lost";
	return NULL;
}

/* --- events --------------------------------------------------------------------------------- */

static bool is_opened(const struct event_spec *spec)
{
	return spec->fault == NULL && !spec->is_off;
}

static size_t count_opened(const struct event_list *events)
{
	size_t count = EVSET_FIRST;

	for (size_t i = 0; i < events->count; i++)
		count += is_opened(&events->specs[i]);
	return count;
}

/* Why not all `need` events are opened but only `fit`; NULL if there is room for all. */
static char *say_left_out(const struct app *app, size_t need, size_t fit)
{
	if (need <= fit)
		return NULL;

	char *why = target_files_text(&app->target, need);
	char *text = fit > EVSET_FIRST ? xasprintf("%zu of %zu events are left out: %s", need - fit,
						   need - EVSET_FIRST, why) :
					 xasprintf("no event fits: %s", why);

	free(why);
	return text;
}

/*
 * Whether events may be opened while the screen is there.  Not those of a group, which are opened in
 * one go; nor where a run is to have all of what its events count.
 */
static bool may_open_later(const struct app *app)
{
	const struct options *options = app->options;

	for (size_t i = 0; i < app->events.count; i++) {
		if (app->events.specs[i].group != 0)
			return false;
	}
	return options->mode == MODE_SCREEN && options->script == NULL && !options->is_strict &&
	       !options->is_dump_attr && app->workload == NULL && options->record == NULL;
}

/* The first `fit` are opened, the rest become failed rows.  The engine opens what takes too long. */
static void add_events(struct app *app, size_t need, size_t fit)
{
	char *why = need > fit ? target_files_text(&app->target, need) : NULL;
	uint64_t until_ns = may_open_later(app) ? sys_monotonic_ns() + OPEN_NS : UINT64_MAX;
	size_t count = EVSET_FIRST;

	for (size_t i = 0; i < app->events.count; i++) {
		struct event_spec spec = event_spec_copy(&app->events.specs[i]);

		if (is_opened(&spec) && ++count > fit)
			spec.fault = xstrdup(why);
		if (sys_monotonic_ns() < until_ns)
			evset_add(app->set, &spec);
		else
			evset_add_later(app->set, &spec);
		event_spec_fini(&spec);
	}
	free(why);
}

bool opening_events(struct app *app, char **complaint)
{
	const struct target *target = &app->target;
	size_t need = count_opened(&app->events), fit = target_events_fit(target);
	struct evset_config config = app->capture;

	*complaint = say_left_out(app, need, fit);
	if (fit <= EVSET_FIRST && need > fit)
		return false;
	config.cpus = target->cpus;
	config.pids = target->pids;
	config.npids = target->npids;
	config.cgroup_fd = target->cgroup_fd;
	config.is_inherited = target->is_inherited;
	config.is_enabled_on_exec = app->workload != NULL && target->npids > 0;
	config.capacity = EVSET_FIRST + app->events.count + config.spare;
	free(app->notes[NOTE_RINGS]);
	app->set = evset_new(&config, &app->notes[NOTE_RINGS]);
	if (app->set == NULL) {
		free(*complaint);
		*complaint = xstrdup("out of memory");
		return false;
	}
	add_events(app, need, fit);
	return true;
}

/* --- the engine ----------------------------------------------------------------------------- */

struct model_keep opening_rows(const struct options *options)
{
	bool is_screen = options->mode == MODE_SCREEN;

	return (struct model_keep){ .top = options->top,
				    .of_each = is_screen,
				    .no_kernel = !is_screen && options->no_kernel,
				    .no_user = !is_screen && options->no_user };
}

int opening_engine(struct app *app)
{
	struct engine_config config = {
		.set = app->set,
		.cpus = &app->target.cpus,
		.access = app->access,
		.closer = app->closer,
		.recorder = app->recorder,
		.has_lost = app->features.has_format_lost,
		.has_verify = app->options->is_verified,
		.is_task_bound = app->target.npids > 0,
		.interval_s = app->interval_s,
		.iterations = app->options->iterations,
		.sample_ns = app->sample_ns,
		.budget = sampling_budget(app->options),
		.is_batch = app->options->mode != MODE_SCREEN,
		.keep = opening_rows(app->options),
		.has_self = app->options->has_self,
		.blocks = app->options->blocks,
		.realtime = app->options->realtime,
		.host = app->system.nodename,
		.kernel = app->system.release,
		.notes = (const char *const *)app->notes,
		.nnotes = NOTES,
	};

	app->source = engine_new(&config);
	return app->source != NULL ? 0 : -1;
}
