/* SPDX-License-Identifier: MIT */
#include "ui/minute.h"

#include "base/text.h"
#include "base/xalloc.h"
#include "ui/event-cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_CELLS 8
#define VALUE_CELLS 8
#define LINE_CELLS  (LABEL_CELLS + SNAP_TREND_MAX + VALUE_CELLS)
#define GAP	    3  /* between lines side by side */
#define LEAST_CELLS 10 /* below this there is nothing to see */
#define ABOVE	    1

/* How many units stand side by side. */
static int abreast(int width)
{
	int count = (width + GAP) / (LINE_CELLS + GAP);

	return count > 0 ? count : 1;
}

static int seconds_of(int width)
{
	int room = width - LABEL_CELLS - VALUE_CELLS;

	return room < SNAP_TREND_MAX ? room : SNAP_TREND_MAX;
}

int minute_lines(const struct unit_kinds *kinds, enum unit_kind least, int width, int most)
{
	int side = abreast(width);

	if (most <= ABOVE || seconds_of(width) < LEAST_CELLS)
		return 0;
	size_t room = (size_t)(most - ABOVE) * (size_t)side;
	size_t count = cpu_units_within(kinds, least, room)->count;

	if (count == 0)
		return 0;
	return count > room ? most : ABOVE + ((int)count + side - 1) / side;
}

/* Everything that is drawn. */
struct minute {
	const struct cpu_row *row;
	const struct cpu_units *units;
	double *values; /* [units->count * SNAP_TREND_MAX] */
	double *now;	/* [units->count] */
	double highest;
	size_t at; /* its index */
	int seconds;
};

static void find_highest(struct minute *minute)
{
	for (size_t i = 0; i < minute->units->count * SNAP_TREND_MAX; i++) {
		bool is_shown = i % SNAP_TREND_MAX >= SNAP_TREND_MAX - (size_t)minute->seconds;

		if (is_shown && minute->values[i] > 0 && minute->values[i] >= minute->highest) {
			minute->highest = minute->values[i];
			minute->at = i;
		}
	}
}

static void draw_unit(const struct minute *minute, size_t unit, const struct pen *pen)
{
	char name[UNIT_NAME_MAX];
	const double *values = minute->values + unit * SNAP_TREND_MAX;
	struct pen label = draw_in_role(pen, ROLE_DIM), cells = *pen, value = *pen;

	label.width = LABEL_CELLS - 1;
	draw_left(&label, cpu_unit_name(minute->units, unit, name));
	cells.x += LABEL_CELLS;
	cells.width = minute->seconds;
	draw_levels(&cells, values + SNAP_TREND_MAX - minute->seconds, (size_t)minute->seconds,
		    cpu_row_full(minute->row, minute->highest), true);
	value.x = cells.x + cells.width;
	value.width = VALUE_CELLS;
	cpu_row_put(minute->row, minute->now[unit], MARK_NONE, &value);
}

static void draw_title(const struct minute *minute, size_t hidden, const struct pen *pen)
{
	char words[256], name[128], unit[UNIT_NAME_MAX], more[64] = "";
	struct pen at = draw_in_role(pen, ROLE_DIM);
	const char *raw = cpu_row_name(minute->row);

	if (hidden)
		snprintf(more, sizeof(more), ", %zu more are not shown", hidden);
	text_safe(name, sizeof(name), raw, strlen(raw));
	snprintf(words, sizeof(words), "the last %d s of %s", minute->seconds, name);
	if (minute->highest > 0) {
		size_t len = strlen(words), age = SNAP_TREND_MAX - 1 - minute->at % SNAP_TREND_MAX;

		snprintf(words + len, sizeof(words) - len, ", the most on %s %zu s ago",
			 cpu_unit_name(minute->units, minute->at / SNAP_TREND_MAX, unit), age);
	}
	draw_left(&at, strncat(words, more, sizeof(words) - strlen(words) - 1));
}

void minute_draw(const struct cpu_row *row, const struct unit_kinds *kinds, enum unit_kind least,
		 int lines, const struct pen *pen)
{
	int side = abreast(pen->width), below = lines - ABOVE;
	size_t room = below > 0 ? (size_t)below * (size_t)side : 0;
	struct minute minute = { .row = row,
				 .units = cpu_units_within(kinds, least, room),
				 .seconds = seconds_of(pen->width) };
	size_t count = minute.units->count, shown = count < room ? count : room;

	if (shown == 0 || minute.seconds < LEAST_CELLS)
		return;
	minute.values = xcalloc(count * SNAP_TREND_MAX, sizeof(*minute.values));
	minute.now = xcalloc(count, sizeof(*minute.now));
	cpu_row_fold_minute(row, minute.units, minute.values);
	cpu_row_fold(row, minute.units, minute.now);
	find_highest(&minute);
	draw_title(&minute, count - shown, pen);
	for (size_t unit = 0; unit < shown; unit++) {
		struct pen at = *pen;

		at.x += (int)unit / below * (LINE_CELLS + GAP);
		at.y += ABOVE + (int)unit % below;
		draw_unit(&minute, unit, &at);
	}
	free(minute.values);
	free(minute.now);
}
