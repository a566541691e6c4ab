/* SPDX-License-Identifier: MIT */
#include "ui/ui.h"

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ui/event-cells.h"
#include "ui/state.h"
#include "ui/toggles.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of held snapshots: two minutes at 1 s on two CPUs.  Each CPU has figures in them. */
#define HISTORY_BYTES	  (8u << 20)
#define HISTORY_CPU_BYTES (128u << 10)

typedef const struct view_ops *view_source(void);

#define SOURCE(name) view_##name,
static view_source *const sources[UI_VIEWS] = { VIEWS(SOURCE) };
#undef SOURCE

static void say_no_view(const char *name, char *error, size_t room)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_puts(&text, "no view '");
	text_add_safe(&text, name);
	strbuf_puts(&text, "'; there are:");
	for (size_t i = 0; i < UI_VIEWS; i++)
		strbuf_printf(&text, "%s %s", i ? "," : "", sources[i]()->name);
	snprintf(error, room, "%s", text.text);
	strbuf_fini(&text);
}

static long find_view(const char *name, char *error, size_t room)
{
	for (long i = 0; i < UI_VIEWS; i++)
		if (strcmp(sources[i]()->name, name) == 0)
			return i;
	say_no_view(name, error, room);
	return -1;
}

bool ui_has_view(const char *view, char *error, size_t room)
{
	return find_view(view, error, room) >= 0;
}

/* Sets one choice of a view: false and one line in `error`. */
typedef bool set_choice(struct view *view, const char *value, char *error, size_t room);

static bool set_sort(struct view *view, const char *column, char *error, size_t room)
{
	return table_sort_by(&view->table, column, error, room) == 0;
}

static bool set_columns(struct view *view, const char *columns, char *error, size_t room)
{
	return table_choose(&view->table, columns, error, room);
}

/* Whether a view of this name can be set so; tried on one that is not shown. */
static bool can_set(const char *name, set_choice *set, const char *value, char *error, size_t room)
{
	long at = find_view(name, error, room);

	if (at < 0)
		return false;
	struct view *view = view_new(sources[at](), false);
	bool is_set = set(view, value, error, room);
	view_free(view);
	return is_set;
}

bool ui_has_column(const char *view, const char *column, char *error, size_t room)
{
	return can_set(view, set_sort, column, error, room);
}

bool ui_has_toggles(const char *view, const char *toggles, char *error, size_t room)
{
	return can_set(view, toggles_set, toggles, error, room);
}

bool ui_has_columns(const char *view, const char *columns, char *error, size_t room)
{
	return can_set(view, set_columns, columns, error, room);
}

/* Choices of views by their name, and then that of the view shown first, if not NULL. */
static bool set_choices(struct ui *ui, set_choice *set, const struct ui_choices *choices,
			const char *of_first, char *error, size_t room)
{
	for (size_t i = 0; i < choices->count; i++) {
		const struct ui_choice *choice = &choices->list[i];
		long at = find_view(choice->view, error, room);

		if (at < 0 || !set(ui->views[at], choice->value, error, room))
			return false;
	}
	return of_first == NULL || set(ui->views[ui->at], of_first, error, room);
}

void ui_hide_at_first(const struct ui *ui, struct view *view)
{
	if (!ui->no_kernel && !ui->no_user)
		return;
	toggles_switch(view, ACTION_HIDE_KERNEL, ui->no_kernel);
	toggles_switch(view, ACTION_HIDE_USER, ui->no_user);
}

static bool set_up(struct ui *ui, const struct ui_options *options, char *error, size_t room)
{
	if (!set_choices(ui, toggles_set, &options->toggles, options->set, error, room) ||
	    !set_choices(ui, set_columns, &options->columns, NULL, error, room) ||
	    !set_choices(ui, set_sort, &options->sorts, options->sort, error, room))
		return false;
	for (size_t i = 0; i < UI_VIEWS; i++)
		ui_hide_at_first(ui, ui->views[i]);
	return true;
}

struct ui *ui_new(const struct ui_options *options, const struct ui_hooks *hooks, char *error,
		  size_t room)
{
	long at = options->view ? find_view(options->view, error, room) : 0;

	if (at < 0)
		return NULL;
	struct ui *ui = xcalloc(1, sizeof(*ui));
	if (hooks)
		ui->hooks = *hooks;
	ui->is_ascii = options->is_ascii;
	ui->no_kernel = options->no_kernel;
	ui->no_user = options->no_user;
	ui->screen = options->screen ? xstrdup(options->screen) : NULL;
	ui->origin = options->origin;
	ui->file = options->file;
	ui->keys = options->keys ? *options->keys : *keymap_default();
	history_init(&ui->history, HISTORY_BYTES, HISTORY_CPU_BYTES);
	ui->at = (size_t)at;
	for (size_t i = 0; i < UI_VIEWS; i++)
		ui->views[i] = view_new(sources[i](), ui->is_ascii);
	ui_show(ui, ui->at);
	if (!set_up(ui, options, error, room)) {
		ui_free(ui);
		return NULL;
	}
	return ui;
}

void ui_free(struct ui *ui)
{
	if (!ui)
		return;
	below_drop(ui);
	while (ui->nover)
		ui_pop(ui);
	for (size_t i = 0; i < UI_VIEWS; i++)
		view_free(ui->views[i]);
	snapshot_release(ui->shown);
	history_fini(&ui->history);
	spots_fini(&ui->spots);
	free(ui->screen);
	free(ui);
}

/* --- views ------------------------------------------------------------------------------------ */

struct view *ui_top(const struct ui *ui)
{
	return ui->nover ? ui->over[ui->nover - 1] : ui->views[ui->at];
}

/* Symbols that are hidden in one view are so in all. */
static void hide_alike(struct view *view, const struct view *as)
{
	toggles_follow(view, as, ACTION_HIDE_KERNEL);
	toggles_follow(view, as, ACTION_HIDE_USER);
}

void ui_hide_alike(struct ui *ui)
{
	for (size_t i = 0; i < UI_VIEWS; i++)
		hide_alike(ui->views[i], ui_top(ui));
	for (size_t i = 0; i < ui->nover; i++)
		hide_alike(ui->over[i], ui_top(ui));
}

void ui_begin_view(struct ui *ui, struct view *view)
{
	for (size_t i = 0; i < UI_VIEWS; i++)
		hide_alike(view, ui->views[i]);
	view_take(view, ui->shown);
}

void ui_push(struct ui *ui, struct view *view)
{
	below_drop(ui);
	if (ui->nover == UI_OVER_MAX) {
		view_free(ui->over[0]);
		ui->nover--;
		memmove(&ui->over[0], &ui->over[1], ui->nover * sizeof(struct view *));
	}
	ui->over[ui->nover++] = view;
	ui_begin_view(ui, view);
}

void ui_pop(struct ui *ui)
{
	below_drop(ui);
	view_free(ui->over[--ui->nover]);
}

void ui_show(struct ui *ui, size_t at)
{
	below_drop(ui);
	while (ui->nover)
		ui_pop(ui);
	ui->at = at;
	if (!ui->views[at]->ops->has_stream || ui->has_stream || !ui->hooks.stream)
		return;
	ui->hooks.stream(ui->hooks.ctx);
	ui->has_stream = true;
	travel_again(ui);
}

/* --- snapshots -------------------------------------------------------------------------------- */

/* Hidden views get it too: none may keep a pointer to a freed one. */
void ui_show_snapshot(struct ui *ui, const struct snapshot *snap)
{
	const struct snapshot *old = ui->shown;

	ui->shown = snapshot_hold(snap);
	ui->is_drawn = false;
	for (size_t i = 0; i < UI_VIEWS; i++)
		view_take(ui->views[i], snap);
	for (size_t i = 0; i < ui->nover; i++)
		view_take(ui->over[i], snap);
	if (ui->below)
		view_take(ui->below, snap);
	snapshot_release(old);
}

static bool is_failed(const struct snap_event *event)
{
	return event->state == EVENT_STATE_FAILED;
}

/* The first that failed since `before`; NULL: none. */
static const struct snap_event *newly_failed(const struct snapshot *before,
					     const struct snapshot *snap)
{
	size_t at = 0;

	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];

		while (at < before->nevents && before->events[at].id < event->id)
			at++;
		if (!is_failed(event))
			continue;
		if (at == before->nevents || before->events[at].id != event->id ||
		    !is_failed(&before->events[at]))
			return event;
	}
	return NULL;
}

/* The hook that adds events answers before they are opened. */
static void say_failed(struct ui *ui, const struct snapshot *snap)
{
	const struct snapshot *before = history_newest(&ui->history);
	const struct snap_event *event = before ? newly_failed(before, snap) : NULL;
	char why[UI_MESSAGE_MAX / 2];

	if (event && event_reason(event, why, sizeof(why)))
		ui_message(ui, true, "%s: %s", event->name, why);
}

unsigned int ui_take(struct ui *ui, const struct snapshot *snap)
{
	if (!snap)
		return UI_IDLE;
	bool stays = ui->is_frozen && ui->shown && !ui->hooks.pause;

	ui->is_travelling = false;
	if (ui->interval_s > 0 && fabs(snap->target_s - ui->interval_s) < 1e-6)
		ui->interval_s = 0;
	if (ui->hooks.add)
		say_failed(ui, snap);
	if (!ui->hooks.move)
		history_add(&ui->history, snap, stays);
	if (stays)
		return UI_IDLE;
	ui_show_snapshot(ui, snap);
	if (ui->screen) {
		keep_restore(ui, ui->screen);
		free(ui->screen);
		ui->screen = NULL;
	}
	return UI_REDRAW;
}

void ui_freeze(struct ui *ui, bool is_frozen)
{
	if (ui->hooks.pause && is_frozen != ui->is_frozen)
		ui->hooks.pause(ui->hooks.ctx, is_frozen);
	ui->is_frozen = is_frozen;
	if (!is_frozen && ui->history.count)
		ui_show_snapshot(ui, history_go(&ui->history, INFINITY));
}

/* --- what a configuration keeps --------------------------------------------------------------- */

const char *ui_view(const struct ui *ui)
{
	return ui->views[ui->at]->ops->name;
}

double ui_interval(const struct ui *ui)
{
	const struct snapshot *newest = history_newest(&ui->history);

	if (ui->interval_s > 0)
		return ui->interval_s;
	newest = newest ? newest : ui->shown;
	return newest && newest->target_s > 0 ? newest->target_s : 1;
}

static void sort_of(const struct view *view, struct ui_choice *out)
{
	const char *at_first = view->ops->sort ? view->ops->sort : "";
	char column[UI_NAME_MAX];

	table_sort_text(&view->table, column, sizeof(column));
	out->is_default = strcmp(column, at_first) == 0;
	snprintf(out->value, sizeof(out->value), "%s", column[0] ? column : "none");
}

static void toggles_of(const struct view *view, struct ui_choice *out)
{
	toggles_text(view, out->value, sizeof(out->value));
	out->is_default = strcmp(out->value, "none") == 0;
}

static void columns_of(const struct view *view, struct ui_choice *out)
{
	table_choice_text(&view->table, out->value, sizeof(out->value));
	out->is_default = strcmp(out->value, "default") == 0;
}

bool ui_choices_at(const struct ui *ui, size_t at, struct ui_view_choices *out)
{
	if (at >= UI_VIEWS)
		return false;
	const struct view *view = ui->views[at];
	struct ui_choice named = { .is_default = true };

	snprintf(named.view, sizeof(named.view), "%s", view->ops->name);
	*out = (struct ui_view_choices){ named, named, named };
	sort_of(view, &out->sort);
	toggles_of(view, &out->toggles);
	columns_of(view, &out->columns);
	return true;
}

/* --- the rest --------------------------------------------------------------------------------- */

unsigned int ui_key(struct ui *ui, int32_t key)
{
	return act_key(ui, key);
}

void ui_message(struct ui *ui, bool is_error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(ui->message, sizeof(ui->message), format, args);
	va_end(args);
	ui->is_error = is_error;
}

void ui_draw(struct ui *ui, struct canvas *canvas)
{
	frame_draw(ui, canvas);
	spots_move(&ui->spots, &canvas->spots);
	ui->is_drawn = true;
}
