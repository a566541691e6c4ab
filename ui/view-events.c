/* SPDX-License-Identifier: MIT */
/*
 * Events: one row per event, with its rate, total, loss and throttling.
 */
#include "ui/view.h"

#include "base/xalloc.h"
#include "ui/event-cells.h"
#include "ui/event-interest.h"
#include "ui/event-sum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* More CPUs than this are folded in the row's bars. */
#define CPU_CELLS_MOST 32

struct events_view {
	struct view view;
	struct event_sum sum; /* of those marked */
	double *interests;    /* [events of the snapshot] */
};

static const struct snap_event *event_at(const void *data, size_t row)
{
	const struct events_view *self = data;

	return row < self->view.snap->nevents ? &self->view.snap->events[row] : &self->sum.event;
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

	snprintf(out, room, "%s %s %s", event->name, event->most_by ? event->most_by : "",
		 event->reason ? event->reason : "");
}

static double relative_change(const struct snap_event *event)
{
	if (!event->has_changed)
		return 0;
	return (event->rate - event->rate_before) / fmax(event->rate_before, 1);
}

static double seen_share(const struct snap_event *event)
{
	if (event->sampling == SAMPLING_NONE)
		return 0;
	return event->count ? (double)event->sampled_count / (double)event->count : 0;
}

/* Rows without figures sort as the smallest. */
static double figure_of(const struct snap_event *event, double figure)
{
	return event_is_on(event) ? figure : -INFINITY;
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *name(const void *data, size_t row)
{
	return event_at(data, row)->name;
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event *event = event_at(data, row);
	struct pen copy = *pen;

	if (event_is_on(event) && event->has_changed)
		copy.role = ROLE_STRONG;
	draw_middle(&copy, event->name);
}

static double rate(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, event_in_units(event, event->rate));
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	event_draw_rate(event_at(data, row), pen);
}

static double change(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, relative_change(event));
}

static void draw_change_of(const void *data, size_t row, const struct pen *pen)
{
	event_draw_change(event_at(data, row), pen);
}

static const char *most_by(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return event->most_by != NULL ? event->most_by : "";
}

static void draw_most_by(const void *data, size_t row, const struct pen *pen)
{
	event_draw_most_by(event_at(data, row), pen);
}

static double share(const void *data, size_t row)
{
	return event_at(data, row)->most_share;
}

static void draw_most_share(const void *data, size_t row, const struct pen *pen)
{
	event_draw_most_share(event_at(data, row), pen);
}

static double lost_now(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, (double)event->lost_count);
}

static double lost_rate(const void *data, size_t row)
{
	double seconds = ((const struct view *)data)->snap->interval_s;

	return seconds > 0 ? lost_now(data, row) / seconds : NAN;
}

static void draw_lost_now(const void *data, size_t row, const struct pen *pen)
{
	event_draw_lost_now(event_at(data, row), ((const struct view *)data)->snap->interval_s,
			    pen);
}

static double total(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, event_in_units(event, (double)event->total));
}

static void draw_total(const void *data, size_t row, const struct pen *pen)
{
	event_draw_total(event_at(data, row), pen);
}

static double seen(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, seen_share(event));
}

static void draw_seen(const void *data, size_t row, const struct pen *pen)
{
	event_draw_seen(event_at(data, row), pen);
}

static double lost(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, (double)event->lost);
}

static void draw_lost(const void *data, size_t row, const struct pen *pen)
{
	event_draw_lost(event_at(data, row), pen);
}

static double throttles(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, (double)event->throttles);
}

static void draw_throttles(const void *data, size_t row, const struct pen *pen)
{
	event_draw_throttles(event_at(data, row), pen);
}

static void draw_cpus(const void *data, size_t row, const struct pen *pen)
{
	event_draw_cpus(event_at(data, row), ((const struct view *)data)->snap->ncpus, pen);
}

static void draw_trend(const void *data, size_t row, const struct pen *pen)
{
	event_draw_trend(event_at(data, row), ((const struct view *)data)->snap->elapsed_s, pen);
}

static double per_first(const void *data, size_t row)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, event_per_first(((const struct view *)data)->snap, event));
}

static void draw_per_first(const void *data, size_t row, const struct pen *pen)
{
	event_draw_per_first(((const struct view *)data)->snap, event_at(data, row), pen);
}

static bool has_groups(const void *data)
{
	const struct snapshot *snap = ((const struct view *)data)->snap;

	for (size_t i = 0; snap != NULL && i < snap->nevents; i++) {
		if (snap->events[i].group > 0)
			return true;
	}
	return false;
}

static double further(const void *data, size_t row, const struct column *column)
{
	const struct snap_event *event = event_at(data, row);

	return figure_of(event, (double)figure_count(column->figure, event));
}

static void draw_further(const void *data, size_t row, const struct column *column,
			 const struct pen *pen)
{
	event_draw_figure(event_at(data, row), column->figure, pen);
}

/* One cell per CPU. */
static int ncpus(const void *data)
{
	const struct view *view = data;

	if (!view->snap)
		return 0;
	return view->snap->ncpus < CPU_CELLS_MOST ? (int)view->snap->ncpus : CPU_CELLS_MOST;
}

/* Widths: four digits, a unit and a mark.  With 2 CPUs those up to "cpu" fit in 80 columns. */
static const struct column columns[] = {
	{ "event", "EVENT", 3, 23, .most = 60, .draw = draw_name, .text = name },
	{ "rate", "RATE/s", 6, 7, .draw = draw_rate_of, .number = rate },
	{ "change", "vs 10s", 6, 6, .drop = 4, .draw = draw_change_of, .number = change,
	  .is_share = true, .is_signed = true },
	{ "per-first", "PER 1ST", 7, 7, .most = 9, .is_wanted = has_groups, .drop = 1,
	  .draw = draw_per_first, .number = per_first },
	{ "most-by", "MOST BY", 15, 15, .most = 30, .drop = 1, .draw = draw_most_by,
	  .text = most_by },
	{ "share", "SHARE", 5, 5, .drop = 3, .draw = draw_most_share, .number = share,
	  .is_share = true },
	{ "lost-now", "LOST/s", 6, 6, .drop = 2, .draw = draw_lost_now, .number = lost_now,
	  .value = lost_rate },
	{ "cpu", "CPU", 3, 3, .most_now = ncpus, .drop = 5, .draw = draw_cpus },
	{ "throttles", "THR", 4, 4, .drop = 6, .draw = draw_throttles, .number = throttles },
	{ "seen", "SEEN", 7, 7, .drop = 7, .draw = draw_seen, .number = seen, .is_share = true },
	{ "total", "TOTAL", 7, 7, .drop = 8, .draw = draw_total, .number = total },
	{ "lost", "LOST", 6, 6, .drop = 9, .draw = draw_lost, .number = lost },
	{ "trend", "TREND 60 s", 10, 10, .most = SNAP_TREND_MAX, .drop = 10, .draw = draw_trend },
};

/* --- rows ------------------------------------------------------------------------------------- */

/* Off and failed rows have no figures: show the reason instead of a line of dashes. */
static bool across(const void *data, size_t row, char *out, size_t room)
{
	return event_reason(event_at(data, row), out, room);
}

static double interest(const void *data, size_t row)
{
	return ((const struct events_view *)data)->interests[row];
}

/* The events of a group are in a row. */
static size_t end_of_group(const struct snapshot *snap, size_t first)
{
	int32_t group = snap->events[first].group;
	size_t end = first + 1;

	while (group > 0 && end < snap->nevents && snap->events[end].group == group)
		end++;
	return end;
}

/* Events of one group have the same interest, so that they stand together. */
static void take(struct view *view)
{
	struct events_view *self = (struct events_view *)view;
	const struct snapshot *snap = view->snap;
	size_t end;

	self->interests = xreallocarray(self->interests, snap->nevents, sizeof(*self->interests));
	for (size_t first = 0; first < snap->nevents; first = end) {
		double most = -INFINITY;

		end = end_of_group(snap, first);
		for (size_t i = first; i < end; i++)
			most = fmax(most, event_interest(&snap->events[i]));
		for (size_t i = first; i < end; i++)
			self->interests[i] = most;
	}
	table_update(&view->table);
}

static bool is_quiet(const void *data, size_t row)
{
	return event_is_quiet(event_at(data, row));
}

static void sum(void *data, const size_t *marked, size_t count)
{
	struct events_view *self = data;

	event_sum_of(&self->sum, self->view.snap, marked, count);
}

static void fini(struct view *view)
{
	struct events_view *self = (struct events_view *)view;

	event_sum_fini(&self->sum);
	free(self->interests);
}

static const struct table_ops *table_of_events(void)
{
	static struct column all[EVENT_COLUMNS_MAX];
	static struct table_ops table = {
		.columns = all,
		.rows = rows,
		.id = id,
		.text = text,
		.draw_alike = draw_further,
		.number_alike = further,
		.across = across,
		.interest = interest,
		.is_quiet = is_quiet,
		.quiet = "events at 0",
		.sum = sum,
		.empty = "no events",
	};

	if (table.ncolumns == 0)
		table.ncolumns = event_columns(all, columns, sizeof(columns) / sizeof(columns[0]));
	return &table;
}

static uint32_t selected_event(const struct view *view)
{
	size_t row = table_row(&view->table);

	return row == TABLE_NO_ROW ? VIEW_NO_EVENT : (uint32_t)row;
}

static const enum action hints[] = {
	ACTION_ENTER, ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT, ACTION_FREEZE,
	ACTION_SAVE,  ACTION_BROWSE, ACTION_TOGGLE,    ACTION_NONE,
};

const struct view_ops *view_events(void)
{
	static struct view_ops ops = {
		.name = "events",
		.title = "Events",
		.size = sizeof(struct events_view),
		.hints = hints,
		.enter = "into event",
		.into = view_into_event,
		.event = selected_event,
		.take = take,
		.fini = fini,
	};

	ops.table = table_of_events();
	return &ops;
}
