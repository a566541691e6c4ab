/* SPDX-License-Identifier: MIT */
#include "ui/event-cells.h"

#include "base/xalloc.h"
#include "ui/task-cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of further figures: as wide as a count with its mark, and the first to be dropped. */
#define FIGURE_WIDTH 7
#define FIGURE_DROP  10

/* Less than this share of the time on the PMU is multiplexing, not rounding. */
#define RUNNING_WHOLE 0.999

bool event_is_on(const struct snap_event *event)
{
	return event->state == EVENT_STATE_ON;
}

bool event_reason(const struct snap_event *event, char *out, size_t room)
{
	const char *reason = event->reason ? event->reason : "";

	if (event_is_on(event))
		return false;
	if (event->state != EVENT_STATE_FAILED)
		snprintf(out, room, "%s%s%s",
			 event->state == EVENT_STATE_OFF ? "off" : "not opened yet",
			 reason[0] ? ": " : "", reason);
	else
		snprintf(out, room, "%s", reason[0] ? reason : "could not be opened");
	return true;
}

double event_in_units(const struct snap_event *event, double figure)
{
	return snap_event_is_clock(event) ? figure / 1e9 : figure;
}

uint64_t event_id(const char *name)
{
	uint64_t hash = 14695981039346656037ull;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211ull;
	return hash;
}

enum mark event_rate_mark(const struct snap_event *event)
{
	if (event->is_throttled || event->is_at_least)
		return MARK_AT_LEAST;
	return event->running < RUNNING_WHOLE ? MARK_ESTIMATE : MARK_NONE;
}

void event_put_rate(const struct snap_event *event, double rate, enum mark mark,
		    const struct pen *pen)
{
	if (snap_event_is_clock(event))
		draw_time_rate(pen, rate, mark);
	else
		draw_rate(pen, rate, mark);
}

void event_put_total(const struct snap_event *event, uint64_t total, enum mark mark,
		     const struct pen *pen)
{
	if (snap_event_is_clock(event))
		draw_time(pen, total, mark);
	else
		draw_count(pen, total, mark);
}

void event_draw_rate(const struct snap_event *event, const struct pen *pen)
{
	struct pen copy = *pen;

	if (event->is_throttled)
		copy.role = ROLE_WARN;
	else if (event->has_changed)
		copy.role = ROLE_STRONG;
	event_put_rate(event, event->rate, event_rate_mark(event), &copy);
}

void event_draw_total(const struct snap_event *event, const struct pen *pen)
{
	bool is_wrong = snap_event_is_wrong(event);
	struct pen copy = is_wrong ? draw_in_role(pen, ROLE_BAD) : *pen;

	enum mark mark = is_wrong ? MARK_WRONG : event->is_at_least ? MARK_AT_LEAST : MARK_NONE;

	event_put_total(event, event->total, mark, &copy);
}

void event_draw_change(const struct snap_event *event, const struct pen *pen)
{
	if (event->rate >= 0 && event->rate_before >= 0 && !event->has_changed)
		draw_unchanged(pen);
	else
		draw_change(pen, event->rate_before, event->rate);
}

double event_per_first(const struct snapshot *snap, const struct snap_event *event)
{
	const struct snap_event *first = snap_first_of_group(snap, event);

	if (first == NULL || event->per_first < 0)
		return RATE_UNKNOWN;
	return event_in_units(event, event->per_first) / event_in_units(first, 1);
}

void event_draw_per_first(const struct snapshot *snap, const struct snap_event *event,
			  const struct pen *pen)
{
	char number[16];

	snprintf(number, sizeof(number), "{%d}", event->group);
	if (snap_first_of_group(snap, event) == event)
		draw_right(pen, number);
	else
		draw_ratio(pen, event_per_first(snap, event), event_rate_mark(event));
}

void event_draw_most_by(const struct snap_event *event, const struct pen *pen)
{
	if (event->most_by != NULL)
		task_draw_who(event->most_by, event->most_by_tid, event->most_by_born, pen);
}

void event_draw_most_share(const struct snap_event *event, const struct pen *pen)
{
	if (event->most_by != NULL)
		draw_share(pen, event->most_share, MARK_NONE);
}

/* Frequency sampling has no fixed period. */
static void draw_seen_by_freq(const struct snap_event *event, const struct pen *pen)
{
	double stride = snap_event_stride(event, false);
	bool is_lessened = event->is_limited && stride != 1;
	enum mark mark = is_lessened ? MARK_LESSENED : MARK_ESTIMATE;
	struct pen copy = is_lessened ? draw_in_role(pen, ROLE_WARN) : *pen;

	if (stride == 0 && is_lessened && event->freq == 0)
		draw_word(&copy, "none", mark);
	else if (stride == 0)
		draw_unknown(pen);
	else if (stride == 1)
		draw_word(pen, "all", MARK_NONE);
	else if (event->unit[0]) /* a clock counts ns: the time between two samples */
		draw_time(&copy, (uint64_t)llround(stride), mark);
	else if (stride < SNAP_STRIDE_SHARE)
		draw_percent(&copy, fmin(0.99, 1 / fmax(stride, 1)), mark);
	else
		draw_one_in(&copy, (uint64_t)llround(stride), mark);
}

enum mark event_mark_samples(bool is_estimated, uint64_t samples)
{
	if (!is_estimated)
		return MARK_NONE;
	return samples < SAMPLES_ENOUGH ? MARK_ROUGH : MARK_ESTIMATE;
}

void event_draw_seen(const struct snap_event *event, const struct pen *pen)
{
	if (event->sampling == SAMPLING_NONE)
		draw_unknown(pen);
	else if (event->sampling == SAMPLING_FREQ)
		draw_seen_by_freq(event, pen);
	else
		draw_one_in(pen, event->period, MARK_NONE);
}

void event_draw_bad(uint64_t count, enum mark mark, const struct pen *pen)
{
	struct pen copy = count ? draw_in_role(pen, ROLE_BAD) : *pen;

	draw_count(&copy, count, mark);
}

static enum mark loss_mark(const struct snap_event *event)
{
	return figure_is_at_least(figure_of_event(EVENT_FIGURE_lost), event) ? MARK_AT_LEAST :
									       MARK_NONE;
}

static void put_lost(const struct snap_event *event, uint64_t lost, enum mark mark,
		     const struct pen *pen)
{
	if (figure_applies(figure_of_event(EVENT_FIGURE_lost), event))
		event_draw_bad(lost, mark, pen);
	else
		draw_unknown(pen);
}

void event_draw_lost(const struct snap_event *event, const struct pen *pen)
{
	put_lost(event, event->lost, loss_mark(event), pen);
}

void event_draw_lost_now(const struct snap_event *event, double seconds, const struct pen *pen)
{
	bool is_wrong = snap_event_is_wrong(event);
	struct pen bad = draw_in_role(pen, ROLE_BAD);

	if (!figure_applies(figure_of_event(EVENT_FIGURE_lost), event) || seconds <= 0)
		draw_unknown(pen);
	else
		draw_rate(event->lost_count || is_wrong ? &bad : pen,
			  (double)event->lost_count / seconds,
			  is_wrong ? MARK_WRONG : loss_mark(event));
}

void event_draw_lost_on(const struct snap_event *event, const struct snap_event_cpu *on,
			const struct pen *pen)
{
	put_lost(event, on->lost, event->is_lost_exact ? MARK_NONE : MARK_AT_LEAST, pen);
}

void event_draw_figure(const struct snap_event *event, const struct figure *figure,
		       const struct pen *pen)
{
	enum mark mark = figure_is_at_least(figure, event) ? MARK_AT_LEAST : MARK_NONE;

	if (figure_applies(figure, event))
		draw_count(pen, figure_count(figure, event), mark);
	else
		draw_unknown(pen);
}

void event_draw_figure_on(const struct snap_event *event, const struct figure *figure,
			  const struct snap_event_cpu *on, const struct pen *pen)
{
	if (figure_applies(figure, event))
		draw_count(pen, figure_count_of_cpu(figure, on), MARK_NONE);
	else
		draw_unknown(pen);
}

static bool has_column(const struct column *columns, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(columns[i].name, name) == 0)
			return true;
	}
	return false;
}

size_t event_columns(struct column *out, const struct column *own, size_t count)
{
	const struct figure_list list = figures_events();
	size_t all = count;

	memcpy(out, own, count * sizeof(*own));
	for (size_t i = 0; i < list.count && all < EVENT_COLUMNS_MAX; i++) {
		const struct figure *figure = &list.rows[i];

		if (figure->heading == NULL || figure->type != FIGURE_COUNT ||
		    has_column(own, count, figure->key))
			continue;
		out[all++] = (struct column){
			.name = figure->key,
			.title = figure->heading,
			.least = FIGURE_WIDTH,
			.width = FIGURE_WIDTH,
			.drop = FIGURE_DROP,
			.figure = figure,
		};
	}
	return all;
}

void event_draw_throttles(const struct snap_event *event, const struct pen *pen)
{
	struct pen copy = *pen;

	if (event->is_throttled)
		copy.role = ROLE_BAD;
	else if (event->throttles)
		copy.role = ROLE_WARN;
	draw_count(&copy, event->throttles, MARK_NONE);
}

void event_draw_cpus(const struct snap_event *event, size_t ncpus, const struct pen *pen)
{
	if (!event->cpus || !ncpus)
		return;
	struct pen copy = draw_in_role(pen, ROLE_HEAT2);
	double *rates = xcalloc(ncpus, sizeof(*rates));
	double most = 0;

	for (size_t i = 0; i < ncpus; i++) {
		rates[i] = event->cpus[i].rate;
		most = fmax(most, rates[i]);
	}
	draw_levels(&copy, rates, ncpus, most, false);
	free(rates);
}

/*
 * Several seconds to a cell when there is no room for 60.  Cells are aligned to
 * the clock, so they fill up and move left instead of flickering.
 */
void event_draw_trend(const struct snap_event *event, double now_s, const struct pen *pen)
{
	double cells[SNAP_TREND_MAX], most = 0;
	size_t fold = draw_fold(SNAP_TREND_MAX, pen->width);
	size_t count = (SNAP_TREND_MAX + fold - 1) / fold;
	/* Offset by one trend length, so that no time is negative. */
	long long newest = llround(now_s) + SNAP_TREND_MAX;
	struct pen right = draw_in_role(pen, ROLE_HEAT2);

	for (size_t i = 0; i < count; i++)
		cells[i] = -1;
	for (size_t age = 0; age < event->ntrend; age++) {
		double value = event->trend[event->ntrend - 1 - age];
		long long back =
			newest / (long long)fold - (newest - (long long)age) / (long long)fold;

		if (age >= SNAP_TREND_MAX || back >= (long long)count)
			break;
		double *cell = &cells[count - 1 - (size_t)back];
		*cell = fmax(*cell, value);
		most = fmax(most, value);
	}
	if (right.width > (int)count)
		right.width = (int)count;
	draw_levels(&right, cells, count, most, false);
}
