/* SPDX-License-Identifier: MIT */
#include "played.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "hooks.h"
#include "loop.h"
#include "signals.h"
#include "ui/canvas.h"
#include "ui/script.h"

/* What a terminal has that says nothing. */
#define COLUMNS_DEFAULT 80
#define LINES_DEFAULT	24
#define FIRST_TICK_S	0.05

struct played {
	struct app *app;
	struct loop *loop;
	struct script *script;
	struct ui *ui;
	struct canvas canvas;
	int signals;
	bool is_over; /* the script is done, or a signal came */
	int status;
};

static int fail(struct played *played, const char *error)
{
	fprintf(stderr, "perftop-ng: %s\n", error);
	played->status = EXIT_FAILURE;
	return -1;
}

static void finish(struct played *played)
{
	played->is_over = true;
	app_finish(played->app);
}

static void play(struct played *played)
{
	unsigned int flags = UI_IDLE;
	char error[256];

	switch (script_play(played->script, played->ui, &played->canvas, &flags, error,
			    sizeof(error))) {
	case SCRIPT_WAITS:
		break;
	case SCRIPT_FAILED:
		fail(played, error);
		finish(played);
		break;
	case SCRIPT_DONE:
		finish(played);
		break;
	}
}

static void on_snapshot(void *ctx, uint32_t events)
{
	struct played *played = ctx;
	struct snapshot *snap = source_take(&played->app->source);

	(void)events;
	if (snap == NULL)
		return;

	bool is_final = snap->is_final;
	ui_take(played->ui, snap);
	if (!played->is_over)
		play(played);
	if (!is_final)
		return;
	if (!played->is_over)
		fail(played, "the script waits for a snapshot after the last one");
	loop_stop(played->loop);
}

static void on_signal(void *ctx, uint32_t events)
{
	struct played *played = ctx;
	int number;

	(void)events;
	while ((number = signals_next(played->signals)) != 0) {
		played->is_over = true;
		app_signal(played->app, number);
	}
}

static int size_from(const char *name, int otherwise)
{
	const char *text = getenv(name);
	int value = text != NULL ? atoi(text) : 0;

	return value > 0 && value <= CANVAS_MAX ? value : otherwise;
}

static int open_all(struct played *played)
{
	const struct options *options = played->app->options;
	struct ui_options ui = { .view = options->view, .sort = options->sort };
	struct ui_hooks hooks = hooks_for(played->app);
	char error[256];

	played->script = script_load(options->script, error, sizeof(error));
	if (played->script == NULL)
		return fail(played, error);
	if (options->dump_screen != NULL)
		script_dump_to(played->script, options->dump_screen);
	played->ui = ui_new(&ui, &hooks, error, sizeof(error));
	if (played->ui == NULL)
		return fail(played, error);
	canvas_init(&played->canvas, size_from("COLUMNS", COLUMNS_DEFAULT),
		    size_from("LINES", LINES_DEFAULT));
	return 0;
}

static void run(struct played *played)
{
	played->loop = loop_new();
	if (played->loop == NULL ||
	    loop_add(played->loop, source_fd(&played->app->source), EPOLLIN, on_snapshot, played) ||
	    loop_add(played->loop, played->signals, EPOLLIN, on_signal, played) ||
	    app_watch_deadline(played->app, played->loop) || loop_run(played->loop) != 0)
		played->status = app_fail(played->app, "cannot wait for snapshots: epoll");
	loop_free(played->loop);
}

static int start(struct played *played)
{
	played->signals = signals_open(false);
	played->status = played->signals < 0 ? app_fail(played->app, "no signalfd for ^C") :
					       app_start(played->app, FIRST_TICK_S);
	return played->status == 0 ? 0 : -1;
}

int played_run(struct app *app)
{
	struct played played = { .app = app, .signals = -1 };

	if (open_all(&played) == 0 && start(&played) == 0)
		run(&played);
	ui_free(played.ui);
	script_free(played.script);
	canvas_fini(&played.canvas);
	if (played.signals >= 0)
		close(played.signals);
	return played.status;
}
