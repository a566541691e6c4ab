/* SPDX-License-Identifier: MIT */
/*
 * Throttling and loss: rows of ui/trouble.h, and above them the limits in force and what would
 * help.
 */
#include "ui/view.h"

#include "base/fmt.h"
#include "ui/event-cells.h"
#include "ui/trouble.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ABOVE 3 /* lines over the table, one more with our costs, one with --verify */

struct throttling_view {
	struct view view;
	struct trouble_row *rows; /* [nrows], and the sum of those marked */
	size_t nrows;
	bool is_sum_mixed; /* of several events */
};

static const struct throttling_view *self_of(const void *data)
{
	return data;
}

static const struct trouble_row *row_of(const void *data, size_t row)
{
	return &self_of(data)->rows[row];
}

static const struct snap_event *event_of(const void *data, size_t row)
{
	return &self_of(data)->view.snap->events[row_of(data, row)->event];
}

static const struct snap_event_cpu *sums_of(const void *data, size_t row)
{
	return &row_of(data, row)->sums;
}

static size_t rows(const void *data)
{
	const struct throttling_view *self = data;

	return self->view.snap ? self->nrows : 0;
}

static uint64_t id(const void *data, size_t row)
{
	return event_id(event_of(data, row)->name) * 31 + (uint64_t)row_of(data, row)->cpu;
}

static const char *cpu_words(const struct trouble_row *at, char out[CPU_TEXT_MAX])
{
	if (at->cpu == TROUBLE_CPU_ALL)
		return "all";
	if (at->cpu == TROUBLE_CPU_OTHERS)
		return "others";
	return snap_cpu_text(at->cpu, out);
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	char number[CPU_TEXT_MAX];

	snprintf(out, room, "%s cpu%s", event_of(data, row)->name,
		 cpu_words(row_of(data, row), number));
}

/* What is known of its losses is as of its first event that has samples. */
static void sum(void *data, const size_t *marked, size_t count)
{
	struct throttling_view *self = data;
	struct trouble_row *sum = &self->rows[self->nrows];

	*sum = (struct trouble_row){ .event = row_of(self, marked[0])->event,
				     .since_s = RATE_UNKNOWN,
				     .sums = snap_event_no_cpu() };
	self->is_sum_mixed = false;
	for (size_t i = 0; i < count; i++) {
		const struct trouble_row *row = row_of(self, marked[i]);

		self->is_sum_mixed |= row->event != row_of(self, marked[0])->event;
		if (event_of(self, self->nrows)->sampling == SAMPLING_NONE)
			sum->event = row->event;
		snap_event_add_cpu(&sum->sums, &row->sums);
		sum->ncpus += row->ncpus;
	}
}

static bool is_sum(const void *data, size_t row)
{
	return row == self_of(data)->nrows;
}

static void take(struct view *view)
{
	struct throttling_view *self = (struct throttling_view *)view;

	free(self->rows);
	self->rows = trouble_rows(view->snap, &self->nrows);
	table_update(&view->table);
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *name(const void *data, size_t row)
{
	return event_of(data, row)->name;
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	draw_middle(pen, name(data, row));
}

static double cpu(const void *data, size_t row)
{
	return row_of(data, row)->cpu;
}

static void draw_cpu(const void *data, size_t row, const struct pen *pen)
{
	char number[CPU_TEXT_MAX];
	struct pen copy = draw_in_role(pen, row_of(data, row)->ncpus > 1 ? ROLE_DIM : pen->role);

	if (is_sum(data, row))
		return;
	draw_right(&copy, cpu_words(row_of(data, row), number));
}

static double since(const void *data, size_t row)
{
	return row_of(data, row)->since_s;
}

static void draw_since(const void *data, size_t row, const struct pen *pen)
{
	char words[FMT_MAX + 8] = "now", time[FMT_MAX];
	struct pen bad = draw_in_role(pen, ROLE_BAD);

	if (!sums_of(data, row)->is_throttled) {
		draw_unknown(pen);
		return;
	}
	if (since(data, row) >= 0)
		snprintf(words, sizeof(words), "now %s",
			 fmt_ns(time, (uint64_t)(since(data, row) * 1e9)));
	draw_right(&bad, words);
}

/* Of this interval, of its CPUs. */
static double share(const void *data, size_t row)
{
	const struct snapshot *snap = self_of(data)->view.snap;
	const struct trouble_row *at = row_of(data, row);
	double whole = snap->interval_s * (double)at->ncpus;

	return whole > 0 ? fmin(1, at->sums.throttled_now_s / whole) : 0;
}

static void draw_share_of(const void *data, size_t row, const struct pen *pen)
{
	struct pen bad = draw_in_role(pen, ROLE_BAD);

	if (share(data, row) > 0)
		draw_share(&bad, share(data, row), MARK_NONE);
	else
		draw_count(pen, 0, MARK_NONE);
}

static double time_of(const void *data, size_t row)
{
	return sums_of(data, row)->throttled_s;
}

static void draw_time_of(const void *data, size_t row, const struct pen *pen)
{
	if (time_of(data, row) > 0)
		draw_time(pen, (uint64_t)(time_of(data, row) * 1e9), MARK_NONE);
	else
		draw_count(pen, 0, MARK_NONE);
}

static double times(const void *data, size_t row)
{
	return (double)sums_of(data, row)->throttles;
}

static void draw_times(const void *data, size_t row, const struct pen *pen)
{
	draw_count(pen, sums_of(data, row)->throttles, MARK_NONE);
}

static double lost(const void *data, size_t row)
{
	return (double)sums_of(data, row)->lost;
}

static void draw_lost(const void *data, size_t row, const struct pen *pen)
{
	event_draw_lost_on(event_of(data, row), sums_of(data, row), pen);
}

static const char *amount(const struct snap_event *event, uint64_t count, char out[DRAW_EXACT_MAX])
{
	return snap_event_is_clock(event) ? fmt_ns(out, count) : draw_exact(out, count);
}

/*
 * The events that were counted, those that the samples stand for, and the others.  Where each event
 * is a sample, and the balance was checked, these are the samples and those lost.
 */
static void draw_books(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event *event = event_of(data, row);
	const struct snap_event_cpu *on = sums_of(data, row);
	bool is_wrong = snap_event_is_wrong_on(event, on);
	struct pen copy = draw_in_role(pen, is_wrong ? ROLE_BAD : ROLE_DIM);
	char total[DRAW_EXACT_MAX], of_seen[DRAW_EXACT_MAX], of_unseen[DRAW_EXACT_MAX], words[128];
	uint64_t seen = on->weight, unseen = on->total > seen ? on->total - seen : 0;
	const char *sign = "=";

	if (is_sum(data, row) && self_of(data)->is_sum_mixed)
		return;
	if (event->is_balance_known) {
		seen = on->sampled;
		unseen = on->lost;
	}
	if (is_wrong)
		sign = pen->is_ascii ? "!=" : "≠";
	else if (seen > on->total)
		sign = "<"; /* frequency mode: the kernel's periods are no exact weights */
	if (event->sampling == SAMPLING_NONE)
		snprintf(words, sizeof(words), "counted only");
	else if (seen == 0 && on->sampled) /* a saved snapshot has no weights of CPUs */
		snprintf(words, sizeof(words), "%s samples", draw_exact(of_seen, on->sampled));
	else
		snprintf(words, sizeof(words), "%s %s %s + %s", amount(event, on->total, total),
			 sign, amount(event, seen, of_seen), amount(event, unseen, of_unseen));
	draw_left(&copy, words);
}

static const struct column columns[] = {
	{ "event", "EVENT", 3, 22, .most = 40, .draw = draw_name, .text = name },
	{ "cpu", "CPU", 6, 6, .draw = draw_cpu, .number = cpu },
	{ "throttled", "THROTTLED", 9, 9, .drop = 2, .draw = draw_since, .number = since },
	{ "share", "SHARE", 6, 6, .drop = 3, .draw = draw_share_of, .number = share,
	  .is_share = true },
	{ "time", "TIME", 6, 6, .drop = 4, .draw = draw_time_of, .number = time_of },
	{ "times", "TIMES", 5, 5, .drop = 5, .draw = draw_times, .number = times },
	{ "lost", "LOST", 6, 6, .drop = 1, .draw = draw_lost, .number = lost },
	{ "books", "TOTAL = SEEN + NOT SEEN", 23, 23, .most = 48, .drop = 6, .draw = draw_books },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.sum = sum,
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

/* As estimated; not known of a file. */
static bool has_cost(const struct snapshot *snap)
{
	return snap && snap->self.counting >= 0;
}

/* What watching all this costs, and to what the governor limits samples. */
static void draw_cost(const struct snapshot *snap, const struct pen *pen)
{
	const struct snap_self *self = &snap->self;
	bool is_limited = self->sample_limit >= 0;
	struct pen copy = draw_in_role(pen, is_limited ? ROLE_WARN : ROLE_TEXT);
	double own = fmax(self->cpu, 0);
	char limit[64] = "", words[256];

	if (self->sample_limit >= 1)
		snprintf(limit, sizeof(limit), "   at most %.0f samples/s", self->sample_limit);
	else if (is_limited)
		snprintf(limit, sizeof(limit), "   no samples");
	snprintf(words, sizeof(words),
		 "cost ~%.1f%% of a CPU, budget %.3g%%%s   own %.1f%%, counting %.1f%%, "
		 "switches %.1f%%, samples %.1f%%",
		 100 * (own + self->counting + self->switching + self->sampling),
		 100 * self->budget, limit, 100 * own, 100 * self->counting, 100 * self->switching,
		 100 * self->sampling);
	draw_left(&copy, words);
}

/* What --verify has found so far. */
static void draw_verified(const struct snapshot *snap, const struct pen *pen)
{
	const struct snap_verify *verify = &snap->verify;
	struct pen copy = draw_in_role(pen, verify->first != NULL ? ROLE_BAD : ROLE_TEXT);
	char words[256];

	snprintf(words, sizeof(words),
		 "verified %" PRIu64 " samples of %" PRIu64 " %s: %" PRIu64 " missing, %" PRIu64
		 " too many",
		 verify->checked, verify->events, verify->events == 1 ? "event" : "events",
		 verify->missing, verify->extra);
	draw_left(&copy, words);
}

/* What would help the event of the first row, which is in most trouble. */
static void draw_help(const struct throttling_view *self, const struct pen *pen)
{
	static const char *const words[TROUBLES] = {
		[TROUBLE_THROTTLED] =
			"a larger -c would help, or a higher kernel.perf_event_max_sample_rate",
		[TROUBLE_LOST] = "larger rings (-m) would help, or a larger -c",
		[TROUBLE_NONE] = "nothing was throttled or lost",
	};
	const struct snapshot *snap = self->view.snap;
	struct pen dim = draw_in_role(pen, ROLE_DIM);

	draw_left(
		&dim,
		words[self->nrows ? trouble_of(&snap->events[self->rows[0].event]) : TROUBLE_NONE]);
}

static int lines_above(const struct snapshot *snap)
{
	return ABOVE + has_cost(snap) + (snap != NULL && snap->is_verified);
}

static void draw_view(struct view *view, struct canvas *canvas, struct rect at)
{
	struct pen pen = { .canvas = canvas,
			   .x = at.x + TABLE_MARGIN,
			   .y = at.y,
			   .width = at.width - TABLE_MARGIN,
			   .is_ascii = view->is_ascii };

	int above = lines_above(view->snap);

	if (view->snap && at.height >= above + 3) {
		draw_limits(view->snap, &pen);
		pen.y++;
		draw_way(view->snap, &pen);
		pen.y++;
		if (has_cost(view->snap)) {
			draw_cost(view->snap, &pen);
			pen.y++;
		}
		if (view->snap->is_verified) {
			draw_verified(view->snap, &pen);
			pen.y++;
		}
		draw_help((const struct throttling_view *)view, &pen);
		at.y += above;
		at.height -= above;
	}
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static int lines(struct view *view, int width)
{
	int wanted = table_lines(&view->table);

	(void)width;
	return lines_above(view->snap) + (wanted > 3 ? wanted : 3);
}

/* --- the rest --------------------------------------------------------------------------------- */

static uint32_t selected_event(const struct view *view)
{
	size_t row = table_row(&view->table);

	return row == TABLE_NO_ROW ? VIEW_NO_EVENT : self_of(view)->rows[row].event;
}

static void fini(struct view *view)
{
	free(((struct throttling_view *)view)->rows);
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
