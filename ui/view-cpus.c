/* SPDX-License-Identifier: MIT */
/*
 * CPUs: how each event, and the CPUs' own time and switches, are spread over the CPUs.
 *
 *       a cell is a cpu   MAX/MEAN: 1.0 is even, 2.0 all on one cpu
 *       EVENT                    RATE/s  MAX/MEAN         MOST ON     cpu0    cpu1
 *     ▸ busy                        85%       1.2     cpu0  99.3%      99%     70%
 *       raw_syscalls:sys_enter   1.203M       1.0     cpu0  51.0%   613.6k  589.4k
 *
 * Where numbers do not fit a bar stands for each CPU; where bars do not fit, one for each core,
 * cache, node or package.  Below is the last minute of the selected row.
 */
#include "ui/view.h"

#include "base/text.h"
#include "base/xalloc.h"
#include "ui/cpu-rows.h"
#include "ui/cpu-units.h"
#include "ui/event-cells.h"
#include "ui/event-interest.h"
#include "ui/keys.h"
#include "ui/minute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOVE	      1 /* lines over the table */
#define LINES_LEAST   5 /* on fewer lines the table is alone */
#define ROWS_ENOUGH   9
#define MINUTE_MOST   33 /* lines */
#define NUMBER_CELLS  7
#define PERCENT_CELLS 7
#define NUMBER_GAP    1
#define CELLS	      "cells"
#define OWN_INTEREST  1e9 /* the rows of CPUs themselves come first */

struct cpus_view {
	struct view view;
	struct unit_kinds kinds;
	enum unit_kind least; /* the smallest units that the user wants */
	struct event_sum sum; /* of those marked */
};

static const struct cpus_view *self_of(const void *data)
{
	return data;
}

static struct cpu_row row_at(const void *data, size_t row)
{
	const struct cpus_view *self = self_of(data);

	if (row == cpu_rows(self->view.snap))
		return (struct cpu_row){ .snap = self->view.snap, .event = &self->sum.event };
	return cpu_row_at(self->view.snap, row);
}

static size_t rows(const void *data)
{
	return cpu_rows(self_of(data)->view.snap);
}

static void sum(void *data, const size_t *marked, size_t count)
{
	struct cpus_view *self = data;

	cpu_rows_sum(&self->sum, self->view.snap, marked, count);
}

static const char *name(const void *data, size_t row)
{
	struct cpu_row at = row_at(data, row);

	return cpu_row_name(&at);
}

static uint64_t id(const void *data, size_t row)
{
	return event_id(name(data, row));
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	snprintf(out, room, "%s", name(data, row));
}

static double interest(const void *data, size_t row)
{
	struct cpu_row at = row_at(data, row);

	return at.event ? event_interest(at.event) : OWN_INTEREST;
}

static bool is_quiet(const void *data, size_t row)
{
	struct cpu_row at = row_at(data, row);

	return at.event ? event_is_quiet(at.event) : cpu_row_whole(&at) < 0;
}

static bool across(const void *data, size_t row, char *out, size_t room)
{
	struct cpu_row at = row_at(data, row);

	return at.event && event_reason(at.event, out, room);
}

/* --- columns ---------------------------------------------------------------------------------- */

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	draw_middle(pen, name(data, row));
}

static double rate(const void *data, size_t row)
{
	struct cpu_row at = row_at(data, row);
	double whole = cpu_row_whole(&at);

	return at.event ? event_in_units(at.event, whole) : whole;
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	struct cpu_row at = row_at(data, row);

	cpu_row_put(&at, cpu_row_whole(&at), cpu_row_whole_mark(&at), pen);
}

static double imbalance(const void *data, size_t row)
{
	struct cpu_row at = row_at(data, row);

	return cpu_row_imbalance(&at);
}

/* 1.0 is even; of two CPUs 2.0 is all on one. */
static void draw_imbalance(const void *data, size_t row, const struct pen *pen)
{
	double value = imbalance(data, row);
	char number[32];

	if (value < 0) {
		draw_unknown(pen);
		return;
	}
	long tenths = lround(fmin(value, 1e6) * 10);
	snprintf(number, sizeof(number), "%ld.%ld", tenths / 10, tenths % 10);
	draw_right(pen, number);
}

/* The share that the CPU with the most has of all; of its own time for the busy row. */
static double most_share(const void *data, size_t row)
{
	struct cpu_row at = row_at(data, row);
	size_t slot = cpu_row_busiest(&at);

	return slot == SIZE_MAX ? RATE_UNKNOWN : cpu_row_share(&at, slot);
}

static void draw_most(const void *data, size_t row, const struct pen *pen)
{
	struct cpu_row at = row_at(data, row);
	size_t slot = cpu_row_busiest(&at);
	struct pen share = *pen, cpu = *pen;
	char words[24], number[CPU_TEXT_MAX];

	if (slot == SIZE_MAX) {
		draw_unknown(pen);
		return;
	}
	cpu.width -= PERCENT_CELLS;
	snprintf(words, sizeof(words), "cpu%s", snap_cpu_text(at.snap->cpus[slot].id, number));
	draw_right(&cpu, words);
	share.x += cpu.width;
	share.width = PERCENT_CELLS;
	draw_share(&share, cpu_row_share(&at, slot), MARK_NONE);
}

/* --- the column of cells ---------------------------------------------------------------------- */

static int number_cells(size_t count)
{
	return (int)count * (NUMBER_CELLS + NUMBER_GAP) - NUMBER_GAP;
}

/* As many cells as the smallest units can use. */
static int cells_most(const void *data)
{
	const struct cpus_view *self = data;

	return number_cells(cpu_units_within(&self->kinds, self->least, SIZE_MAX)->count);
}

static const struct cpu_units *units_in(const struct cpus_view *self, int width)
{
	return cpu_units_within(&self->kinds, self->least, width > 0 ? (size_t)width : 0);
}

static bool has_numbers(const struct cpu_units *units, int width)
{
	return number_cells(units->count) <= width;
}

/* Where a unit's cell is; several units can share one. */
static struct pen cell_of(const struct cpu_units *units, size_t unit, const struct pen *pen)
{
	struct pen cell = *pen;

	if (has_numbers(units, pen->width)) {
		cell.x += (int)unit * (NUMBER_CELLS + NUMBER_GAP);
		cell.width = NUMBER_CELLS;
	} else {
		cell.x += (int)(unit / draw_fold(units->count, pen->width));
		cell.width = 1;
	}
	return cell;
}

/* The names of the units over numbers; over bars those of the first and the last. */
static void draw_heads(const void *data, const struct pen *pen)
{
	const struct cpu_units *units = units_in(self_of(data), pen->width);
	char first[UNIT_NAME_MAX], last[UNIT_NAME_MAX];
	struct pen at = *pen;

	for (size_t i = 0; i < units->count && has_numbers(units, pen->width); i++) {
		struct pen cell = cell_of(units, i, pen);

		draw_right(&cell, cpu_unit_name(units, i, first));
	}
	if (units->count == 0 || has_numbers(units, pen->width))
		return;
	draw_left(pen, cpu_unit_name(units, 0, first));
	cpu_unit_name(units, units->count - 1, last);
	at.width = cell_of(units, units->count - 1, pen).x + 1 - pen->x;
	if (at.width > (int)(text_width(first) + text_width(last)))
		draw_right(&at, last);
}

static void draw_numbers(const struct cpu_row *row, const struct cpu_units *units,
			 const double *values, const struct pen *pen)
{
	for (size_t unit = 0; unit < units->count; unit++) {
		struct pen cell = cell_of(units, unit, pen);
		enum mark mark = MARK_NONE;

		for (size_t slot = 0; slot < units->ncpus; slot++) {
			if (units->of[slot] != unit)
				continue;
			if (cpu_row_mark(row, slot) != MARK_NONE)
				mark = MARK_AT_LEAST;
			if (cpu_row_is_throttled(row, slot))
				cell.role = ROLE_BAD;
		}
		cpu_row_put(row, values[unit], mark, &cell);
	}
}

static void draw_bars(const struct cpu_row *row, const struct cpu_units *units,
		      const double *values, const struct pen *pen)
{
	double highest = 0;

	for (size_t unit = 0; unit < units->count; unit++)
		highest = fmax(highest, values[unit]);
	draw_levels(pen, values, units->count, cpu_row_full(row, highest), true);
	for (size_t slot = 0; slot < units->ncpus; slot++) {
		if (units->of[slot] == UNIT_NONE || !cpu_row_is_throttled(row, slot))
			continue;
		struct pen cell = cell_of(units, units->of[slot], pen);
		canvas_paint(cell.canvas, cell.x, cell.y, 1, ROLE_BAD);
	}
}

static void draw_units(const void *data, size_t row, const struct pen *pen)
{
	const struct cpu_units *units = units_in(self_of(data), pen->width);
	struct cpu_row at = row_at(data, row);
	double *values = xcalloc(units->count + 1, sizeof(*values));

	cpu_row_fold(&at, units, values);
	if (has_numbers(units, pen->width))
		draw_numbers(&at, units, values, pen);
	else
		draw_bars(&at, units, values, pen);
	free(values);
}

static const struct column columns[] = {
	{ "event", "EVENT", 3, 23, .most = 32, .draw = draw_name, .text = name },
	{ "rate", "RATE/s", 6, 7, .drop = 2, .draw = draw_rate_of, .number = rate },
	{ "imbalance", "MAX/MEAN", 8, 8, .drop = 1, .draw = draw_imbalance, .number = imbalance },
	{ "most-on", "MOST ON", 14, 14, .drop = 3, .draw = draw_most, .number = most_share,
	  .is_share = true },
	{ CELLS, "", 8, 15, .most_now = cells_most, .draw = draw_units, .head = draw_heads },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.across = across,
	.interest = interest,
	.is_quiet = is_quiet,
	.quiet = "rows at 0",
	.sum = sum,
	.empty = "nothing to show",
};

/* --- around the table ------------------------------------------------------------------------- */

/* The kinds of units there are, "cpu core node", and which keys change what a cell is. */
static void add_kinds(const struct unit_kinds *kinds, const struct keymap *keys, char *out,
		      size_t room)
{
	char left[KEY_NAME_MAX], right[KEY_NAME_MAX];
	size_t len = strlen(out);

	keys_first_name(keys, ACTION_LEFT, left);
	keys_first_name(keys, ACTION_RIGHT, right);
	if (cpu_units_larger(kinds, UNIT_CPU) == UNIT_KINDS || (!left[0] && !right[0]))
		return;
	len += (size_t)snprintf(out + len, room - len,
				left[0] && right[0] ? " (%s, %s:" : " (%s%s:", left, right);
	for (enum unit_kind kind = UNIT_CPU; kind != UNIT_KINDS && len < room;
	     kind = cpu_units_larger(kinds, kind))
		len += (size_t)snprintf(out + len, room - len, " %s", unit_kind_name(kind));
	if (len < room)
		snprintf(out + len, room - len, ")");
}

/* What the figures of that column mean. */
static void add_imbalance(const struct snapshot *snap, char *out, size_t room)
{
	size_t len = strlen(out), online = snap_online(snap);

	if (online > 1)
		snprintf(out + len, room - len, "%sMAX/MEAN: 1.0 is even, %zu.0 all on one cpu",
			 len > 0 ? "   " : "", online);
}

/* What one of so many cells is. */
static void say_cell(const struct cpus_view *self, int cells, const struct keymap *keys, char *out,
		     size_t room)
{
	const struct cpu_units *units = units_in(self, cells);
	size_t fold = has_numbers(units, cells) ? 1 : draw_fold(units->count, cells);

	if (fold > 1)
		snprintf(out, room, "a cell is the highest of %zu %ss", fold,
			 unit_kind_name(units->kind));
	else
		snprintf(out, room, "a cell is a %s", unit_kind_name(units->kind));
	add_kinds(&self->kinds, keys, out, room);
}

static void draw_above(const struct view *view, int width, const struct pen *pen)
{
	const struct cpus_view *self = self_of(view);
	int cells = table_cells(&self->view.table, CELLS, width);
	struct pen at = draw_in_role(pen, ROLE_DIM);
	char words[256] = "";

	if (cells > 0)
		say_cell(self, cells, at.canvas->keys, words, sizeof(words));
	add_imbalance(view->snap, words, sizeof(words));
	draw_left(&at, words);
}

/* Lines of the last minute under the table, of all `height`. */
static int lines_below(const struct cpus_view *self, int width, int height)
{
	int shown = table_lines(&self->view.table);
	int most = height - ABOVE - (shown < ROWS_ENOUGH ? shown : ROWS_ENOUGH);

	if (most > MINUTE_MOST)
		most = MINUTE_MOST;
	return minute_lines(&self->kinds, self->least, width - TABLE_MARGIN, most);
}

static void draw_view(struct view *view, struct canvas *canvas, struct rect at)
{
	const struct cpus_view *self = self_of(view);
	size_t row = table_row(&view->table);
	struct pen pen = { .canvas = canvas,
			   .x = at.x + TABLE_MARGIN,
			   .y = at.y,
			   .width = at.width - TABLE_MARGIN,
			   .is_ascii = view->is_ascii };

	if (view->snap && at.height >= LINES_LEAST) {
		int below = lines_below(self, at.width, at.height);

		draw_above(view, at.width, &pen);
		pen.y += at.height - below;
		at.y += ABOVE;
		at.height -= ABOVE + below;
		if (row != TABLE_NO_ROW && below > 0) {
			struct cpu_row selected = row_at(view, row);

			minute_draw(&selected, &self->kinds, self->least, below, &pen);
		}
	}
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static int lines(struct view *view, int width)
{
	int wanted = ABOVE + table_lines(&view->table);

	if (!view->snap)
		return wanted;
	return wanted + minute_lines(&self_of(view)->kinds, self_of(view)->least,
				     width - TABLE_MARGIN, MINUTE_MOST);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void take(struct view *view)
{
	cpu_units_take(&((struct cpus_view *)view)->kinds, view->snap);
	table_update(&view->table);
}

static void fini(struct view *view)
{
	struct cpus_view *self = (struct cpus_view *)view;

	cpu_units_fini(&self->kinds);
	event_sum_fini(&self->sum);
}

/* Left and Right: smaller and larger units. */
static bool act(struct view *view, enum action action)
{
	struct cpus_view *self = (struct cpus_view *)view;
	enum unit_kind next;

	if (action != ACTION_LEFT && action != ACTION_RIGHT)
		return false;
	next = action == ACTION_LEFT ? cpu_units_smaller(&self->kinds, self->least) :
				       cpu_units_larger(&self->kinds, self->least);
	if (next != UNIT_KINDS)
		self->least = next;
	return true;
}

static bool can_enter(const struct view *view)
{
	return row_at(view, table_row(&view->table)).event != NULL;
}

static uint32_t selected_event(const struct view *view)
{
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW || row < CPU_TRENDS)
		return VIEW_NO_EVENT;
	return (uint32_t)(row - CPU_TRENDS);
}

static const enum action hints[] = {
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_TOGGLE,	ACTION_NONE,
};

const struct view_ops *view_cpus(void)
{
	static const struct view_ops ops = {
		.name = "cpus",
		.title = "CPUs",
		.size = sizeof(struct cpus_view),
		.table = &table,
		.hints = hints,
		.enter = "into event",
		.take = take,
		.draw = draw_view,
		.lines = lines,
		.action = act,
		.can_enter = can_enter,
		.into = view_into_event,
		.event = selected_event,
		.fini = fini,
	};

	return &ops;
}
