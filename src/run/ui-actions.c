/* SPDX-License-Identifier: MIT */
#include "run/ui-actions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/textfile.h"
#include "base/xalloc.h"
#include "output/output.h"
#include "output/savefile.h"
#include "run/browse.h"
#include "run/examine.h"
#include "run/scope.h"

static void toggle(void *ctx, uint32_t id)
{
	source_toggle(((struct app *)ctx)->source, id);
}

static void remove_event(void *ctx, uint32_t id)
{
	source_remove(((struct app *)ctx)->source, id);
}

static const struct machine_events *events(void *ctx)
{
	return browse_events(ctx);
}

static const struct machine_checks *checks(void *ctx)
{
	return examine(ctx);
}

static bool add(void *ctx, const char *text, char *why, size_t room)
{
	return browse_add(ctx, text, why, room);
}

static void stream(void *ctx)
{
	struct app *app = ctx;

	app->is_streaming = true;
	source_stream(app->source);
}

static void zero(void *ctx)
{
	source_zero(((struct app *)ctx)->source);
}

static void interval(void *ctx, double seconds)
{
	struct app *app = ctx;

	app->interval_s = seconds; /* also of the source after a change of scope */
	source_interval(app->source, seconds);
}

static bool watch(void *ctx, enum ui_scope scope, const char *text, char *why, size_t room)
{
	return scope_ask(ctx, scope, text, why, room);
}

static void pause_replay(void *ctx, bool is_paused)
{
	source_pause(((struct app *)ctx)->source, is_paused);
}

static void move(void *ctx, double time_s)
{
	source_move(((struct app *)ctx)->source, time_s);
}

static int save(void *ctx, const struct ui_saved *what, char *path, size_t room)
{
	struct strbuf file;

	strbuf_init(&file);
	strbuf_add(&file, what->text, what->len);
	output_saved(&file, what->snap, what->screen); /* what -i reopens */
	int result = savefile_write(file.text, file.len, (time_t)what->snap->time_s, path, room);
	int saved = errno;
	strbuf_fini(&file);
	if (result == 0)
		return 0;

	const struct app *app = ctx;
	char *why = rights_file_text(&app->rights, saved), *failed = xstrdup(path);
	snprintf(path, room, "%s: %s", failed, why);
	free(failed);
	free(why);
	return -1;
}

struct ui_hooks ui_actions(struct app *app)
{
	bool is_live = app->options->input == NULL;

	return (struct ui_hooks){
		.ctx = app,
		.toggle = toggle,
		.remove = is_live ? remove_event : NULL,
		.events = is_live ? events : NULL,
		.checks = is_live ? checks : NULL,
		.add = is_live ? add : NULL,
		.watch = is_live ? watch : NULL,
		.stream = stream,
		.zero = app->is_saved ? NULL : zero,
		.interval = app->is_saved ? NULL : interval,
		.pause = app->file.can_move ? pause_replay : NULL,
		.move = app->file.can_move ? move : NULL,
		.save = save,
	};
}

static enum ui_origin origin(const struct app *app)
{
	if (app->options->input == NULL)
		return UI_LIVE;
	return app->is_saved ? UI_SAVED : UI_REPLAY;
}

/* How a saved snapshot was shown; not where it is said on the command line. */
static const char *screen(const struct app *app)
{
	const struct options *options = app->options;
	bool is_said = options->view != NULL || options->sort != NULL || options->set != NULL;

	return is_said ? NULL : app->saved_screen;
}

struct ui_options ui_actions_options(const struct app *app, bool is_ascii)
{
	const struct settings *settings = &app->config.settings;

	return (struct ui_options){
		.view = config_view(&app->config, app->options),
		.sort = app->options->sort,
		.set = app->options->set,
		.sorts = settings->sorts,
		.toggles = settings->toggles,
		.columns = settings->columns,
		.screen = screen(app),
		.no_kernel = app->options->no_kernel,
		.no_user = app->options->no_user,
		.is_ascii = is_ascii,
		.origin = origin(app),
		.file = { app->options->input, app->file.first_s, app->file.last_s },
		.keys = &settings->keys,
	};
}

/* --- the configuration ---------------------------------------------------------------------- */

static void take_settings(struct settings *now, const struct ui *ui, const struct themes *themes,
			  bool has_mouse)
{
	struct ui_view_choices choices;

	settings_init(now);
	if (themes->is_kept)
		snprintf(now->theme, sizeof(now->theme), "%s", themes->theme.name);
	snprintf(now->view, sizeof(now->view), "%s", ui_view(ui));
	now->delay_s = ui_interval(ui);
	now->no_mouse = !has_mouse;
	for (size_t at = 0; ui_choices_at(ui, at, &choices); at++) {
		settings_add_choice(&now->sorts, &choices.sort);
		settings_add_choice(&now->toggles, &choices.toggles);
		settings_add_choice(&now->columns, &choices.columns);
	}
}

void ui_actions_theme(struct ui *ui, struct themes *themes)
{
	char error[256];

	if (themes_next(themes, error, sizeof(error)) != 0)
		ui_message(ui, true, "%s", error);
	else
		ui_message(ui, false, "theme %s", themes->theme.name);
}

void ui_actions_write(const struct app *app, struct ui *ui, const struct themes *themes,
		      bool has_mouse)
{
	const char *path = app->config.path;
	struct settings now;

	if (path == NULL) {
		ui_message(ui, true,
			   app->options->script != NULL ?
				   "a script writes only what --config names" :
				   "no configuration without a home: set HOME, or --config FILE");
		return;
	}
	take_settings(&now, ui, themes, has_mouse);
	int result = config_write(&app->config, &now);
	int saved = errno;
	settings_fini(&now);
	if (result == 0) {
		ui_message(ui, false, "configuration written to %s", path);
		return;
	}
	/* EINVAL: what is there is not a file that can be read. */
	char *why = saved == EINVAL ? xstrdup(textfile_why(saved)) :
				      rights_file_text(&app->rights, saved);
	ui_message(ui, true, "configuration not written: %s: %s", path, why);
	free(why);
}
