/* SPDX-License-Identifier: MIT */
/*
 * Throttling and loss: a row per event and CPU with its books, those throttled,
 * lossy or unbalanced first, and above them the limits that cause throttling.
 */
#include "ui/view.h"

#include "base/fmt.h"
#include "base/xalloc.h"
#include "ui/event-cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ABOVE 2 /* lines over the table */

/* One event on one CPU. */
struct place {
	uint32_t event, slot;
	double since_s; /* how long it has been throttled; RATE_UNKNOWN when it is not */
};

struct throttling_view {
	struct view view;
	struct place *places; /* [nplaces] */
	size_t nplaces;
};

static const struct throttling_view *self_of(const void *data)
{
	return data;
}

static const struct snap_event *event_of(const void *data, size_t row)
{
	const struct throttling_view *self = data;

	return &self->view.snap->events[self->places[row].event];
}

static const struct snap_event_cpu *cpu_of(const void *data, size_t row)
{
	return &event_of(data, row)->cpus[self_of(data)->places[row].slot];
}

static int cpu_number(const void *data, size_t row)
{
	const struct throttling_view *self = data;

	return self->view.snap->cpus[self->places[row].slot].id;
}

static size_t rows(const void *data)
{
	const struct throttling_view *self = data;

	return self->view.snap ? self->nplaces : 0;
}

static uint64_t id(const void *data, size_t row)
{
	return event_id(event_of(data, row)->name) * 31 + (uint64_t)cpu_number(data, row);
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	snprintf(out, room, "%s cpu%d", event_of(data, row)->name, cpu_number(data, row));
}

/* --- which rows ------------------------------------------------------------------------------- */

static double throttled_since(const struct snapshot *snap, uint32_t event, uint32_t slot)
{
	for (size_t i = 0; i < snap->nthrottled; i++)
		if (snap->throttled[i].event == event && snap->throttled[i].slot == slot)
			return snap->throttled[i].since_s;
	return RATE_UNKNOWN;
}

static bool is_wrong(const struct snap_event *event, const struct snap_event_cpu *on)
{
	return event->is_balance_known && !on->is_balanced;
}

static bool is_in_trouble(const struct snap_event *event, const struct snap_event_cpu *on)
{
	return on->is_throttled || on->throttles || on->lost || is_wrong(event, on);
}

static void add_places(struct throttling_view *self, bool is_trouble)
{
	const struct snapshot *snap = self->view.snap;

	for (uint32_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];

		for (uint32_t slot = 0; event->cpus && slot < snap->ncpus; slot++) {
			const struct snap_event_cpu *on = &event->cpus[slot];

			if (is_in_trouble(event, on) != is_trouble)
				continue;
			self->places[self->nplaces++] = (struct place){
				.event = i,
				.slot = slot,
				.since_s = on->is_throttled ? throttled_since(snap, i, slot) :
							      RATE_UNKNOWN,
			};
		}
	}
}

static void take(struct view *view)
{
	struct throttling_view *self = (struct throttling_view *)view;
	const struct snapshot *snap = view->snap;

	free(self->places);
	self->places = xcalloc(snap->nevents * snap->ncpus + 1, sizeof(*self->places));
	self->nplaces = 0;
	add_places(self, true);
	add_places(self, false);
	table_update(&view->table);
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *name(const void *data, size_t row)
{
	return event_of(data, row)->name;
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, name(data, row));
}

static double cpu(const void *data, size_t row)
{
	return cpu_number(data, row);
}

static void draw_cpu(const void *data, size_t row, const struct pen *pen)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", cpu_number(data, row));
	draw_right(pen, digits);
}

static double since(const void *data, size_t row)
{
	return self_of(data)->places[row].since_s;
}

static void draw_since(const void *data, size_t row, const struct pen *pen)
{
	char words[FMT_MAX + 8] = "now", time[FMT_MAX];
	struct pen copy = *pen;

	if (!cpu_of(data, row)->is_throttled) {
		draw_unknown(pen);
		return;
	}
	copy.role = ROLE_BAD;
	if (since(data, row) >= 0)
		snprintf(words, sizeof(words), "now %s",
			 fmt_ns(time, (uint64_t)(since(data, row) * 1e9)));
	draw_right(&copy, words);
}

static double times(const void *data, size_t row)
{
	return (double)cpu_of(data, row)->throttles;
}

static void draw_times(const void *data, size_t row, const struct pen *pen)
{
	draw_count(pen, cpu_of(data, row)->throttles, MARK_NONE);
}

static double lost(const void *data, size_t row)
{
	return (double)cpu_of(data, row)->lost;
}

static void draw_lost(const void *data, size_t row, const struct pen *pen)
{
	event_draw_lost_on(event_of(data, row), cpu_of(data, row), pen);
}

static void draw_books(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event *event = event_of(data, row);
	const struct snap_event_cpu *on = cpu_of(data, row);
	char counted[DRAW_EXACT_MAX], sampled[DRAW_EXACT_MAX], missed[DRAW_EXACT_MAX], words[128];
	const char *sign = !is_wrong(event, on) ? "=" : pen->is_ascii ? "!=" : "≠";
	struct pen copy = *pen;

	copy.role = is_wrong(event, on) ? ROLE_BAD : ROLE_DIM;
	if (event->is_balance_known)
		snprintf(words, sizeof(words), "%s %s %s + %s", draw_exact(counted, on->total),
			 sign, draw_exact(sampled, on->sampled), draw_exact(missed, on->lost));
	else if (event->sampling == SAMPLING_NONE)
		snprintf(words, sizeof(words), "counted only");
	else
		snprintf(words, sizeof(words), "%s samples", draw_exact(sampled, on->sampled));
	draw_left(&copy, words);
}

static const struct column columns[] = {
	{ "event", "EVENT", 3, 20, .most = 40, .draw = draw_name, .text = name },
	{ "cpu", "CPU", 4, 4, .draw = draw_cpu, .number = cpu },
	{ "throttled", "THROTTLED", 9, 9, .drop = 3, .draw = draw_since, .number = since },
	{ "times", "TIMES", 5, 5, .drop = 2, .draw = draw_times, .number = times },
	{ "lost", "LOST", 6, 6, .drop = 1, .draw = draw_lost, .number = lost },
	{ "books", "TOTAL = SAMPLED + LOST", 24, 24, .most = 48, .drop = 4, .draw = draw_books },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.empty = "no event is open",
};

/* --- the lines above -------------------------------------------------------------------------- */

static void sysctl_text(long long value, const char *unit, char out[DRAW_EXACT_MAX + 8])
{
	char number[DRAW_EXACT_MAX];

	if (value < 0)
		snprintf(out, DRAW_EXACT_MAX + 8, "unreadable");
	else
		snprintf(out, DRAW_EXACT_MAX + 8, "%s%s", draw_exact(number, (uint64_t)value),
			 unit);
}

static void draw_limits(const struct snapshot *snap, const struct pen *pen)
{
	char rate[DRAW_EXACT_MAX + 8], time[DRAW_EXACT_MAX + 8], words[256];

	sysctl_text(snap->max_sample_rate, "/s", rate);
	sysctl_text(snap->cpu_time_max_percent, "%", time);
	snprintf(words, sizeof(words), "max_sample_rate %s   cpu_time_max %s   %zu throttled now",
		 rate, time, snap->nthrottled);
	draw_left(pen, words);
}

static void draw_way(const struct snapshot *snap, const struct pen *pen)
{
	struct pen copy = *pen;
	char words[256];

	copy.role = snap->corrupt ? ROLE_BAD : ROLE_TEXT;
	snprintf(words, sizeof(words),
		 "corrupt rings %" PRIu64 "   side-band lost %" PRIu64 "   queue peak %" PRIu64
		 " of %" PRIu64 " blocks   unknown records %" PRIu64,
		 snap->corrupt, snap->side_lost, snap->self.queue_peak, snap->self.blocks,
		 snap->unknown_records);
	draw_left(&copy, words);
}

static void draw_view(struct view *view, struct canvas *canvas, struct rect at)
{
	struct pen pen = { .canvas = canvas,
			   .x = at.x + TABLE_MARGIN,
			   .y = at.y,
			   .width = at.width - TABLE_MARGIN,
			   .is_ascii = view->is_ascii };

	if (view->snap && at.height >= ABOVE + 3) {
		draw_limits(view->snap, &pen);
		pen.y++;
		draw_way(view->snap, &pen);
		at.y += ABOVE;
		at.height -= ABOVE;
	}
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static int lines(struct view *view, int width)
{
	int wanted = table_lines(&view->table);

	(void)width;
	return ABOVE + (wanted > 3 ? wanted : 3);
}

/* --- the rest --------------------------------------------------------------------------------- */

static uint32_t selected_event(const struct view *view)
{
	size_t row = table_row(&view->table);

	return row == TABLE_NO_ROW ? VIEW_NO_EVENT : self_of(view)->places[row].event;
}

static void fini(struct view *view)
{
	free(((struct throttling_view *)view)->places);
}

static const enum action hints[] = {
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_NONE,
};

const struct view_ops *view_throttling(void)
{
	static const struct view_ops ops = {
		.name = "throttling",
		.title = "Throttling",
		.size = sizeof(struct throttling_view),
		.table = &table,
		.hints = hints,
		.enter = "into event",
		.take = take,
		.draw = draw_view,
		.lines = lines,
		.into = view_into_event,
		.event = selected_event,
		.fini = fini,
	};

	return &ops;
}
