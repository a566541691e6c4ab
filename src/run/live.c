/* SPDX-License-Identifier: MIT */
#include "run/live.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "output/output.h"
#include "run/loop.h"
#include "run/scope.h"
#include "run/signals.h"
#include "run/themes.h"
#include "run/ui-actions.h"
#include "ui/key.h"
#include "ui/picture.h"
#include "ui/screen.h"
#include "ui/ui.h"

struct live {
	struct app *app;
	struct loop *loop;
	struct screen *screen;
	struct canvas canvas;
	struct themes themes;
	struct ui *ui;
	bool wants_mouse; /* the user; it need not have one */
	bool has_mouse;
	int signals;
	bool has_drawn;
	bool is_quitting; /* by key, signal or the command's end; the final snapshot is requested */
	const struct snapshot *last;
	int status;
};

/* --- drawing --------------------------------------------------------------------------------- */

static void draw(struct live *live)
{
	int columns, lines;

	screen_size(live->screen, &columns, &lines);
	canvas_reset(&live->canvas, columns, lines);
	ui_draw(live->ui, &live->canvas);
	screen_blit(live->screen, &live->canvas);
	live->has_drawn = true;
}

static void toggle_mouse(struct live *live)
{
	if (!screen_set_mouse(live->screen, !live->has_mouse)) {
		ui_message(live->ui, true, "this terminal has no mouse");
		return;
	}
	live->has_mouse = !live->has_mouse;
	live->wants_mouse = live->has_mouse;
	ui_message(live->ui, false, "%s",
		   live->has_mouse ? "mouse: clicks act here" :
				     "mouse: the terminal has it, to select text");
}

/* The terminal has answered what its background is. */
static unsigned int on_background(struct live *live, bool is_light)
{
	char error[256];

	if (live->themes.is_chosen || !is_light)
		return UI_IDLE;
	if (themes_set(&live->themes, "light", error, sizeof(error)) == 0)
		screen_theme(live->screen, &live->themes.theme);
	else
		ui_message(live->ui, true, "%s", error);
	return UI_REDRAW;
}

/* --- the end, and the stop ------------------------------------------------------------------- */

/* Restore the terminal at once; the threads exit afterwards. */
static void leave_screen(struct live *live)
{
	if (live->is_quitting)
		return;
	live->is_quitting = true;
	loop_remove(live->loop, STDIN_FILENO);
	screen_close(live->screen);
	live->screen = NULL;
}

static void quit(struct live *live)
{
	leave_screen(live);
	app_finish(live->app);
}

static void suspend(struct live *live)
{
	screen_suspend(live->screen);
	signals_stop_self();
	screen_resume(live->screen);
	draw(live);
}

static void act(struct live *live, unsigned int flags)
{
	if (live->is_quitting)
		return;
	if (flags & UI_QUIT) {
		quit(live);
		return;
	}
	if (flags & UI_SUSPEND) {
		suspend(live);
		return;
	}
	if (flags & UI_THEME) {
		ui_actions_theme(live->ui, &live->themes);
		screen_theme(live->screen, &live->themes.theme);
	}
	if (flags & UI_MOUSE)
		toggle_mouse(live);
	if (flags & UI_WRITE)
		ui_actions_write(live->app, live->ui, &live->themes, live->wants_mouse);
	if (flags & UI_REPAINT)
		screen_repaint(live->screen);
	if (flags & (UI_REDRAW | UI_THEME | UI_MOUSE | UI_WRITE | UI_REPAINT))
		draw(live);
}

/* --- events of the loop ---------------------------------------------------------------------- */

static void on_snapshot(void *ctx, uint32_t events)
{
	struct live *live = ctx;
	const struct snapshot *snap = scope_take(live->app);

	(void)events;
	if (snap == NULL)
		return;
	if (snap->is_final) {
		live->last = snap;
		loop_stop(live->loop);
	} else {
		act(live, ui_take(live->ui, snap));
		snapshot_release(snap);
	}
}

static void on_input(void *ctx, uint32_t events)
{
	struct live *live = ctx;
	unsigned int flags = UI_IDLE;
	int32_t key;

	(void)events; /* a hang-up is read as KEYS_HANGUP */
	while (!(flags & UI_QUIT) && (key = screen_key(live->screen)) != KEYS_NONE) {
		if (key == KEYS_HANGUP)
			flags |= UI_QUIT;
		else if (key == KEYS_LIGHT || key == KEYS_DARK)
			flags |= on_background(live, key == KEYS_LIGHT);
		else
			flags |= ui_key(live->ui, key);
	}
	act(live, flags);
}

static void on_signal(void *ctx, uint32_t events)
{
	struct live *live = ctx;
	int number;

	(void)events;
	while ((number = signals_next(live->signals)) != 0) {
		if (number == SIGWINCH)
			act(live, UI_REDRAW);
		else if (number == SIGCONT)
			act(live, UI_REPAINT);
		else if (number == SIGTSTP)
			act(live, UI_SUSPEND);
		else {
			leave_screen(live);
			app_signal(live->app, number);
		}
	}
}

static void on_command_end(void *ctx, uint32_t events)
{
	struct live *live = ctx;

	(void)events;
	if (app_reap_command(live->app))
		leave_screen(live);
}

/* Called for a hang-up only: the opener was killed. */
static void on_opener_gone(void *ctx, uint32_t events)
{
	struct live *live = ctx;

	(void)events;
	loop_remove(live->loop, rights_fd(&live->app->rights));
	ui_message(live->ui, true, "%s", rights_lost_text());
	act(live, UI_REDRAW);
}

/* --- life ------------------------------------------------------------------------------------ */

static int fail(struct live *live, int status, const char *error)
{
	fprintf(stderr, "perftop-ng: %s\n", error);
	live->status = status;
	return -1;
}

static int open_ui(struct live *live, bool is_ascii)
{
	struct ui_options options = ui_actions_options(live->app, is_ascii);
	struct ui_hooks hooks = ui_actions(live->app);
	char error[512];

	ui_free(live->ui);
	live->ui = ui_new(&options, &hooks, error, sizeof(error));
	return live->ui != NULL ? 0 : fail(live, EXIT_USAGE, error);
}

static int open_screen(struct live *live)
{
	char error[512];

	const struct app *app = live->app;
	const char *theme = config_theme(&app->config, app->options);

	/* Report errors in options before the screen is opened. */
	if (themes_open(&live->themes, theme, error, sizeof(error)) != 0)
		return fail(live, EXIT_USAGE, error);
	if (open_ui(live, false) != 0)
		return -1;
	live->screen = screen_open(error, sizeof(error));
	if (live->screen == NULL)
		return fail(live, EXIT_FAILURE, error);
	signals_on_fatal(screen_restore_raw);
	screen_theme(live->screen, &live->themes.theme);
	live->wants_mouse = config_has_mouse(&app->config, app->options);
	live->has_mouse = live->wants_mouse && screen_set_mouse(live->screen, true);
	if (!live->themes.is_chosen)
		screen_ask_background(live->screen);
	if (open_ui(live, !screen_is_utf8(live->screen)) != 0)
		return -1;
	if (app->config.fault[0] != '\0')
		ui_message(live->ui, true, "%s", app->config.fault);
	return 0;
}

static int watch(struct live *live)
{
	static const struct app_events on = { on_snapshot, on_signal, on_command_end,
					      on_opener_gone };

	live->loop = loop_new();
	if (live->loop == NULL || loop_add(live->loop, STDIN_FILENO, EPOLLIN, on_input, live) != 0)
		return -1;
	return app_watch(live->app, live->loop, live->signals, &on, live);
}

/* The screen as it was last, for --dump-screen. */
static void dump_screen(struct live *live)
{
	struct strbuf text;
	FILE *file = fopen(live->app->options->dump_screen, "we");

	strbuf_init(&text);
	picture_or_text(live->app->options->dump_screen, &live->canvas, &live->themes.theme, &text);
	if (file == NULL || fputs(text.text, file) == EOF || fclose(file) != 0) {
		screen_close(live->screen);
		live->screen = NULL;
		fprintf(stderr, "perftop-ng: %s: %s\n", live->app->options->dump_screen,
			strerror(errno));
		live->status = EXIT_FAILURE;
	}
	strbuf_fini(&text);
}

static void print_summary(const struct live *live)
{
	struct strbuf text;

	strbuf_init(&text);
	output_text()->summary(&text, live->last);
	fputs(text.text, stdout);
	strbuf_fini(&text);
}

static void run(struct live *live)
{
	int result = watch(live);

	if (result == 0) {
		draw(live);
		result = loop_run(live->loop);
	}
	if (result != 0)
		live->status = app_fail(live->app, "cannot wait for keys and snapshots: epoll");
	loop_free(live->loop);
}

static void close_all(struct live *live)
{
	if (live->app->options->dump_screen != NULL && live->has_drawn)
		dump_screen(live);
	screen_close(live->screen);
	/* For a command that has exited. */
	if (live->app->command_status >= 0 && live->last != NULL)
		print_summary(live);
	snapshot_release(live->last);
	ui_free(live->ui);
	canvas_fini(&live->canvas);
	if (live->signals >= 0)
		close(live->signals);
}

static int start(struct live *live)
{
	live->signals = signals_open(true);
	if (live->signals < 0) {
		live->status = app_fail(live->app, "no signalfd for ^C");
		return -1;
	}
	if (open_screen(live) != 0)
		return -1;
	live->status = app_start(live->app, APP_FIRST_TICK_S);
	return live->status == 0 ? 0 : -1;
}

int live_run(struct app *app)
{
	struct live live = { .app = app };

	setlocale(LC_CTYPE, "");
	canvas_init(&live.canvas, 1, 1);
	if (start(&live) == 0)
		run(&live);
	close_all(&live);
	return live.status;
}
