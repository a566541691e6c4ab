/* SPDX-License-Identifier: MIT */
#include "ui/ui.h"

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ui/state.h"

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

bool ui_has_column(const char *view, const char *column, char *error, size_t room)
{
	long at = find_view(view, error, room);

	if (at < 0)
		return false;
	struct view *sorted = view_new(sources[at](), true);
	bool has_column = table_sort_by(&sorted->table, column, error, room) == 0;
	view_free(sorted);
	return has_column;
}

/* False and one line in `error`: there is no such view or column. */
static bool sort_views(struct ui *ui, const struct ui_options *options, char *error, size_t room)
{
	for (size_t i = 0; i < options->nsorts; i++) {
		const struct ui_sort *sort = &options->sorts[i];
		long at = find_view(sort->view, error, room);

		if (at < 0 || table_sort_by(&ui->views[at]->table, sort->column, error, room) != 0)
			return false;
	}
	return !options->sort ||
	       table_sort_by(&ui->views[ui->at]->table, options->sort, error, room) == 0;
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
	ui->origin = options->origin;
	ui->file = options->file;
	ui->keys = options->keys ? *options->keys : *keymap_default();
	history_init(&ui->history, HISTORY_BYTES, HISTORY_CPU_BYTES);
	ui->at = (size_t)at;
	for (size_t i = 0; i < UI_VIEWS; i++) {
		ui->views[i] = view_new(sources[i](), ui->is_ascii);
		if (ui->views[i]->ops == view_symbols())
			view_symbols_hide(ui->views[i], options->no_kernel, options->no_user);
	}
	ui_show(ui, ui->at);
	if (!sort_views(ui, options, error, room)) {
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
	free(ui);
}

/* --- views ------------------------------------------------------------------------------------ */

struct view *ui_top(const struct ui *ui)
{
	return ui->nover ? ui->over[ui->nover - 1] : ui->views[ui->at];
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
	view_take(view, ui->shown);
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

unsigned int ui_take(struct ui *ui, const struct snapshot *snap)
{
	if (!snap)
		return UI_IDLE;
	bool stays = ui->is_frozen && ui->shown && !ui->hooks.pause;

	ui->is_travelling = false;
	if (ui->interval_s > 0 && fabs(snap->target_s - ui->interval_s) < 1e-6)
		ui->interval_s = 0;
	if (!ui->hooks.move)
		history_add(&ui->history, snap, stays);
	if (stays)
		return UI_IDLE;
	ui_show_snapshot(ui, snap);
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

bool ui_sort_at(const struct ui *ui, size_t at, struct ui_sort *sort)
{
	if (at >= UI_VIEWS)
		return false;
	const struct view_ops *ops = ui->views[at]->ops;
	char column[UI_NAME_MAX];

	table_sort_text(&ui->views[at]->table, column, sizeof(column));
	*sort = (struct ui_sort){ .is_default = strcmp(column, ops->sort ? ops->sort : "") == 0 };
	snprintf(sort->view, sizeof(sort->view), "%s", ops->name);
	snprintf(sort->column, sizeof(sort->column), "%s", column[0] ? column : "none");
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
