/* SPDX-License-Identifier: MIT */
#include "ui/cpu-rows.h"

#include "base/xalloc.h"
#include "ui/event-cells.h"

#include <math.h>
#include <stdlib.h>

size_t cpu_rows(const struct snapshot *snap)
{
	return snap ? CPU_TRENDS + snap->nevents : 0;
}

struct cpu_row cpu_row_at(const struct snapshot *snap, size_t row)
{
	if (row < CPU_TRENDS)
		return (struct cpu_row){ .snap = snap, .own = (enum cpu_trend)row };
	return (struct cpu_row){ .snap = snap, .event = &snap->events[row - CPU_TRENDS] };
}

void cpu_rows_sum(struct event_sum *sum, const struct snapshot *snap, const size_t *rows,
		  size_t count)
{
	size_t *events = xcalloc(count + 1, sizeof(*events));
	size_t nevents = 0;

	for (size_t i = 0; i < count; i++) {
		if (rows[i] >= CPU_TRENDS)
			events[nevents++] = rows[i] - CPU_TRENDS;
	}
	if (nevents < count)
		event_sum_none(sum, "no sum: only events add up");
	else
		event_sum_of(sum, snap, events, count);
	free(events);
}

static bool is_share(const struct cpu_row *row)
{
	return !row->event && row->own == CPU_BUSY;
}

const char *cpu_row_name(const struct cpu_row *row)
{
	static const char *const names[CPU_TRENDS] = {
		[CPU_BUSY] = "busy",
		[CPU_SWITCHES] = "switches",
		[CPU_PREEMPTIONS] = "preemptions",
	};

	return row->event ? row->event->name : names[row->own];
}

/* --- one CPU ---------------------------------------------------------------------------------- */

double cpu_row_value(const struct cpu_row *row, size_t slot)
{
	const struct snap_cpu *cpu = &row->snap->cpus[slot];
	const double own[CPU_TRENDS] = {
		[CPU_BUSY] = cpu->busy,
		[CPU_SWITCHES] = cpu->switch_rate,
		[CPU_PREEMPTIONS] = cpu->preempt_rate,
	};

	if (!cpu->is_online)
		return RATE_UNKNOWN;
	if (!row->event)
		return own[row->own];
	return row->event->cpus && event_is_on(row->event) ? row->event->cpus[slot].rate :
							     RATE_UNKNOWN;
}

bool cpu_row_is_throttled(const struct cpu_row *row, size_t slot)
{
	return row->event && row->event->cpus && row->event->cpus[slot].is_throttled;
}

enum mark cpu_row_mark(const struct cpu_row *row, size_t slot)
{
	const struct snap_cpu *cpu = &row->snap->cpus[slot];
	bool is_at_least = cpu->answer == CPU_SILENT || cpu_row_is_throttled(row, slot);

	if (!row->event && row->own == CPU_BUSY)
		is_at_least |= snap_cpu_is_busy_at_least(cpu);
	else if (!row->event && row->own == CPU_SWITCHES)
		is_at_least |= cpu->is_switch_rate_at_least;
	else if (!row->event)
		is_at_least |= snap_cpu_lacks_switches(cpu);
	return is_at_least ? MARK_AT_LEAST : MARK_NONE;
}

static const float *minute(const struct cpu_row *row, size_t slot)
{
	if (!row->event)
		return row->snap->cpus[slot].trends[row->own];
	return row->event->cpus ? row->event->cpus[slot].trend : NULL;
}

/* --- all CPUs --------------------------------------------------------------------------------- */

/* Sum or mean of figures, as they are added. */
struct sum {
	double sum, highest;
	size_t count;
};

static void add(struct sum *sum, double value)
{
	if (!(value >= 0))
		return;
	sum->sum += value;
	sum->highest = fmax(sum->highest, value);
	sum->count++;
}

static double result(const struct cpu_row *row, const struct sum *sum)
{
	if (sum->count == 0)
		return RATE_UNKNOWN;
	return is_share(row) ? sum->sum / (double)sum->count : sum->sum;
}

static struct sum sum_of(const struct cpu_row *row)
{
	struct sum sum = { 0 };

	for (size_t slot = 0; slot < row->snap->ncpus; slot++)
		add(&sum, cpu_row_value(row, slot));
	return sum;
}

double cpu_row_whole(const struct cpu_row *row)
{
	if (row->event)
		return row->event->rate;
	struct sum sum = sum_of(row);
	return result(row, &sum);
}

enum mark cpu_row_whole_mark(const struct cpu_row *row)
{
	if (row->event)
		return event_rate_mark(row->event);
	for (size_t slot = 0; slot < row->snap->ncpus; slot++)
		if (row->snap->cpus[slot].is_online && cpu_row_mark(row, slot) != MARK_NONE)
			return MARK_AT_LEAST;
	return MARK_NONE;
}

size_t cpu_row_busiest(const struct cpu_row *row)
{
	size_t busiest = SIZE_MAX;
	double highest = 0;

	for (size_t slot = 0; slot < row->snap->ncpus; slot++) {
		double value = cpu_row_value(row, slot);

		if (value > highest) {
			highest = value;
			busiest = slot;
		}
	}
	return busiest;
}

double cpu_row_share(const struct cpu_row *row, size_t slot)
{
	double value = cpu_row_value(row, slot);
	struct sum sum = sum_of(row);

	return is_share(row) || sum.sum <= 0 ? value : value / sum.sum;
}

/* Whether the differences between CPUs may be chance, of so few in the interval. */
static bool is_chance(const struct cpu_row *row, const struct sum *sum)
{
	if (is_share(row) || (row->event && snap_event_is_clock(row->event)))
		return false;
	return sum->sum * row->snap->interval_s < SAMPLES_ENOUGH;
}

double cpu_row_imbalance(const struct cpu_row *row)
{
	struct sum sum = sum_of(row);

	if (sum.count < 2 || sum.sum <= 0 || is_chance(row, &sum))
		return RATE_UNKNOWN;
	return sum.highest / (sum.sum / (double)sum.count);
}

/* --- units ------------------------------------------------------------------------------------ */

void cpu_row_fold(const struct cpu_row *row, const struct cpu_units *units, double *out)
{
	struct sum *sums = xcalloc(units->count + 1, sizeof(*sums));

	for (size_t slot = 0; slot < units->ncpus; slot++)
		if (units->of[slot] != UNIT_NONE)
			add(&sums[units->of[slot]], cpu_row_value(row, slot));
	for (size_t unit = 0; unit < units->count; unit++)
		out[unit] = result(row, &sums[unit]);
	free(sums);
}

void cpu_row_fold_minute(const struct cpu_row *row, const struct cpu_units *units, double *out)
{
	struct sum *sums = xcalloc(units->count * SNAP_TREND_MAX + 1, sizeof(*sums));

	for (size_t slot = 0; slot < units->ncpus; slot++) {
		const float *values = minute(row, slot);

		for (size_t i = 0; values && units->of[slot] != UNIT_NONE && i < SNAP_TREND_MAX;
		     i++)
			add(&sums[units->of[slot] * SNAP_TREND_MAX + i], (double)values[i]);
	}
	for (size_t i = 0; i < units->count * SNAP_TREND_MAX; i++)
		out[i] = result(row, &sums[i]);
	free(sums);
}

/* --- drawing ---------------------------------------------------------------------------------- */

double cpu_row_full(const struct cpu_row *row, double highest)
{
	return is_share(row) ? 1 : highest;
}

void cpu_row_put(const struct cpu_row *row, double value, enum mark mark, const struct pen *pen)
{
	if (is_share(row))
		draw_percent(pen, value, mark);
	else if (row->event)
		event_put_rate(row->event, value, mark, pen);
	else
		draw_rate(pen, value, mark);
}
