/* SPDX-License-Identifier: MIT */
#include "run/script-run.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "run/loop.h"
#include "run/scope.h"
#include "run/signals.h"
#include "run/themes.h"
#include "run/ui-actions.h"
#include "ui/canvas.h"
#include "ui/script.h"

/* The size without COLUMNS and LINES. */
#define COLUMNS_DEFAULT 80
#define LINES_DEFAULT	24

struct script_run {
	struct app *app;
	struct loop *loop;
	struct script *script;
	struct ui *ui;
	struct canvas canvas;
	struct themes themes; /* of pictures */
	int signals;
	bool is_over; /* the script is done, or a signal came */
	int status;
};

static int fail(struct script_run *run, int status, const char *error)
{
	fprintf(stderr, "perftop-ng: %s\n", error);
	run->status = status;
	return -1;
}

static void finish(struct script_run *run)
{
	run->is_over = true;
	app_finish(run->app);
}

static void play(struct script_run *run)
{
	enum script_state state;
	unsigned int flags;
	char error[256];

	do {
		flags = UI_IDLE;
		state = script_play(run->script, run->ui, &run->canvas, &flags, error,
				    sizeof(error));
		if (flags & UI_THEME)
			ui_actions_theme(run->ui, &run->themes);
		if (flags & UI_WRITE)
			ui_actions_write(run->app, run->ui, &run->themes,
					 config_has_mouse(&run->app->config, run->app->options));
	} while (state == SCRIPT_ASKS);

	switch (state) {
	case SCRIPT_WAITS:
	case SCRIPT_ASKS:
		break;
	case SCRIPT_FAILED:
		fail(run, EXIT_FAILURE, error);
		finish(run);
		break;
	case SCRIPT_DONE:
		finish(run);
		break;
	}
}

static void on_snapshot(void *ctx, uint32_t events)
{
	struct script_run *run = ctx;
	const struct snapshot *snap = scope_take(run->app);

	(void)events;
	if (snap == NULL)
		return;

	bool is_final = snap->is_final;
	ui_take(run->ui, snap);
	snapshot_release(snap);
	if (!run->is_over)
		play(run);
	if (!is_final)
		return;
	if (!run->is_over)
		fail(run, EXIT_FAILURE, "the script waits for a snapshot after the last one");
	loop_stop(run->loop);
}

static void on_signal(void *ctx, uint32_t events)
{
	struct script_run *run = ctx;
	int number;

	(void)events;
	while ((number = signals_next(run->signals)) != 0) {
		run->is_over = true;
		app_signal(run->app, number);
	}
}

static int size_from(const char *name, int otherwise)
{
	const char *text = getenv(name);
	int value = text != NULL ? atoi(text) : 0;

	return value > 0 && value <= CANVAS_MAX ? value : otherwise;
}

/* Pictures have the characters that a terminal in this locale has. */
static bool is_ascii(void)
{
	setlocale(LC_CTYPE, "");
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

static int open_all(struct script_run *run)
{
	const struct options *options = run->app->options;
	struct ui_options ui = ui_actions_options(run->app, is_ascii());
	struct ui_hooks hooks = ui_actions(run->app);
	char error[512];

	run->script = script_load(options->script, error, sizeof(error));
	if (run->script == NULL)
		return fail(run, EXIT_FAILURE, error);
	if (themes_open(&run->themes, config_theme(&run->app->config, options), error,
			sizeof(error)) != 0)
		return fail(run, EXIT_USAGE, error);
	script_theme(run->script, &run->themes.theme);
	if (options->dump_screen != NULL)
		script_dump_to(run->script, options->dump_screen);
	run->ui = ui_new(&ui, &hooks, error, sizeof(error));
	if (run->ui == NULL)
		return fail(run, EXIT_USAGE, error);
	canvas_init(&run->canvas, size_from("COLUMNS", COLUMNS_DEFAULT),
		    size_from("LINES", LINES_DEFAULT));
	return 0;
}

static void wait_and_play(struct script_run *run)
{
	static const struct app_events on = { .on_snapshot = on_snapshot, .on_signal = on_signal };

	run->loop = loop_new();
	if (run->loop == NULL || app_watch(run->app, run->loop, run->signals, &on, run) != 0 ||
	    loop_run(run->loop) != 0)
		run->status = app_fail(run->app, "cannot wait for snapshots: epoll");
	loop_free(run->loop);
}

static int start(struct script_run *run)
{
	run->signals = signals_open(false);
	run->status = run->signals < 0 ? app_fail(run->app, "no signalfd for ^C") :
					 app_start(run->app, APP_FIRST_TICK_S);
	return run->status == 0 ? 0 : -1;
}

int script_run(struct app *app)
{
	struct script_run run = { .app = app, .signals = -1 };

	if (open_all(&run) == 0 && start(&run) == 0)
		wait_and_play(&run);
	ui_free(run.ui);
	script_free(run.script);
	canvas_fini(&run.canvas);
	if (run.signals >= 0)
		close(run.signals);
	return run.status;
}
