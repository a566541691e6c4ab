/* SPDX-License-Identifier: MIT */
/*
 * Events: one row per event, what it does now and whether that is the truth.
 */
#include "ui/view.h"

#include "ui/event-cells.h"

#include <math.h>
#include <stdio.h>

/* More CPUs than this are folded in the row's bars. */
#define CPU_CELLS_MOST 32

enum { EVENT, RATE, CHANGE, TOTAL, SEEN, LOST, THROTTLED, CPUS, TREND };

/* Widths: four places, a unit and a mark.  At 80 columns with 2 CPUs all but the trend fits. */
static const struct column columns[] = {
	[EVENT] = { .name = "event", .title = "EVENT", .least = 3, .width = 24, .most = 60 },
	[RATE] = { .name = "rate", .title = "RATE/s", .least = 6, .width = 7, .is_number = true },
	[CHANGE] = { .name = "change",
		     .title = "CHANGE",
		     .least = 6,
		     .width = 6,
		     .drop = 2,
		     .is_number = true },
	[TOTAL] = { .name = "total",
		    .title = "TOTAL",
		    .least = 7,
		    .width = 7,
		    .drop = 3,
		    .is_number = true },
	[SEEN] = { .name = "seen",
		   .title = "SEEN",
		   .least = 7,
		   .width = 7,
		   .drop = 8,
		   .is_number = true },
	[LOST] = { .name = "lost",
		   .title = "LOST",
		   .least = 6,
		   .width = 6,
		   .drop = 1,
		   .is_number = true },
	[THROTTLED] = { .name = "throttles",
			.title = "THR",
			.least = 4,
			.width = 4,
			.drop = 4,
			.is_number = true },
	[CPUS] = { .name = "cpu",
		   .title = "CPU",
		   .least = 3,
		   .width = 3,
		   .drop = 7,
		   .is_unsorted = true },
	[TREND] = { .name = "trend",
		    .title = "TREND 60 s",
		    .least = 10,
		    .width = 10,
		    .most = SNAP_TREND_MAX,
		    .drop = 9,
		    .is_unsorted = true },
};

static const struct snap_event *event_at(const void *data, size_t row)
{
	return &((const struct view *)data)->snap->events[row];
}

static size_t rows(const void *data)
{
	const struct view *view = data;

	return view->snap ? view->snap->nevents : 0;
}

static uint64_t id(const void *data, size_t row)
{
	return event_id(event_at(data, row)->name);
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_event *event = event_at(data, row);

	snprintf(out, room, "%s %s", event->name, event->reason ? event->reason : "");
}

static double relative_change(const struct snap_event *event)
{
	if (!(event->rate >= 0) || !(event->rate_before >= 0))
		return -INFINITY;
	return (event->rate - event->rate_before) / fmax(event->rate_before, 1);
}

static double seen_share(const struct snap_event *event)
{
	if (event->sampling == SAMPLING_NONE)
		return 0;
	if (event->sampling == SAMPLING_PERIOD)
		return event->period ? 1.0 / (double)event->period : 0;
	return event->weight ? (double)event->sampled / (double)event->weight : 0;
}

/* A second of a clock ranks with one occurrence, not with a billion. */
static double in_units(const struct snap_event *event, double figure)
{
	return event_is_clock(event) ? figure / 1e9 : figure;
}

static double number(const struct snap_event *event, size_t column)
{
	switch (column) {
	case RATE:
		return in_units(event, event->rate);
	case CHANGE:
		return relative_change(event);
	case TOTAL:
		return in_units(event, (double)event->total);
	case SEEN:
		return seen_share(event);
	case LOST:
		return (double)event->lost;
	case THROTTLED:
		return (double)event->throttles;
	default:
		return 0;
	}
}

/* Rows without figures are last when the largest is first. */
static struct sort_key key(const void *data, size_t row, size_t column)
{
	const struct snap_event *event = event_at(data, row);

	if (column == EVENT)
		return (struct sort_key){ .text = event->name };
	return (struct sort_key){ .number = event_is_on(event) ? number(event, column) :
								 -INFINITY };
}

static void draw_name(const struct snap_event *event, const struct pen *pen)
{
	struct pen copy = *pen;

	if (draw_is_big_change(event->rate_before, event->rate) && event_is_on(event))
		copy.role = ROLE_STRONG;
	draw_left(&copy, event->name);
}

static void draw(const void *data, size_t row, size_t column, const struct pen *pen)
{
	const struct view *view = data;
	const struct snap_event *event = event_at(data, row);

	switch (column) {
	case EVENT:
		draw_name(event, pen);
		break;
	case RATE:
		event_draw_rate(event, pen);
		break;
	case CHANGE:
		draw_change(pen, event->rate_before, event->rate);
		break;
	case TOTAL:
		event_draw_total(event, pen);
		break;
	case SEEN:
		event_draw_seen(event, pen);
		break;
	case LOST:
		event_draw_lost(event, pen);
		break;
	case THROTTLED:
		event_draw_throttles(event, pen);
		break;
	case CPUS:
		event_draw_cpus(event, view->snap->ncpus, pen);
		break;
	case TREND:
		event_draw_trend(event, view->snap->elapsed_s, pen);
		break;
	}
}

/* Off and failed rows have no figures; their reason is worth more than a line of dashes. */
static bool across(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_event *event = event_at(data, row);
	const char *reason = event->reason ? event->reason : "";

	if (event_is_on(event))
		return false;
	if (event->state == EVENT_STATE_OFF)
		snprintf(out, room, "off%s%s", reason[0] ? ": " : "", reason);
	else
		snprintf(out, room, "%s", reason[0] ? reason : "could not be opened");
	return true;
}

static int most(const void *data, size_t column)
{
	const struct view *view = data;

	if (column != CPUS || !view->snap)
		return 0;
	return view->snap->ncpus < CPU_CELLS_MOST ? (int)view->snap->ncpus : CPU_CELLS_MOST;
}

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.key = key,
	.draw = draw,
	.across = across,
	.most = most,
	.empty = "no events",
};

static uint32_t selected_event(const struct view *view)
{
	size_t row = table_row(&view->table);

	return row == TABLE_NO_ROW ? VIEW_NO_EVENT : (uint32_t)row;
}

static struct view *into(struct view *view)
{
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW)
		return NULL;
	return view_event_new(event_at(view, row)->name, (uint32_t)row, view->is_ascii);
}

static const enum action hints[] = {
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_TOGGLE,	ACTION_NONE,
};

const struct view_ops *view_events(void)
{
	static const struct view_ops ops = {
		.name = "events",
		.title = "Events",
		.size = sizeof(struct view),
		.table = &table,
		.hints = hints,
		.enter = "into event",
		.into = into,
		.event = selected_event,
	};

	return &ops;
}
