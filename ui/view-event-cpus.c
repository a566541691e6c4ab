/* SPDX-License-Identifier: MIT */
#include "ui/view-event-inside.h"

#include <stdio.h>

#include "ui/event-cells.h"
#include "ui/task-cells.h"

static size_t cpu_rows(const void *data)
{
	const struct event_view *self = event_view_of(data);

	return self->event && self->event->cpus ? self->view.snap->ncpus : 0;
}

static uint64_t cpu_id(const void *data, size_t row)
{
	return (uint64_t)event_view_of(data)->view.snap->cpus[row].id;
}

static void cpu_text(const void *data, size_t row, char *out, size_t room)
{
	char number[CPU_TEXT_MAX];

	snprintf(out, room, "cpu%s",
		 snap_cpu_text(event_view_of(data)->view.snap->cpus[row].id, number));
}

static const struct snap_event *event_of(const void *data)
{
	return event_view_of(data)->event;
}

static const struct snap_event_cpu *cpu_at(const void *data, size_t row)
{
	const struct event_view *self = event_view_of(data);

	return row < self->view.snap->ncpus ? &self->event->cpus[row] : &self->marked_cpus;
}

static void sum(void *data, const size_t *marked, size_t count)
{
	struct event_view *self = data;

	self->marked_cpus = snap_event_no_cpu();
	for (size_t i = 0; i < count; i++)
		snap_event_add_cpu(&self->marked_cpus, cpu_at(self, marked[i]));
}

/* --- columns ---------------------------------------------------------------------------------- */

static double number(const void *data, size_t row)
{
	return event_view_of(data)->view.snap->cpus[row].id;
}

static void draw_number(const void *data, size_t row, const struct pen *pen)
{
	task_draw_id(pen, event_view_of(data)->view.snap->cpus[row].id);
}

static double rate(const void *data, size_t row)
{
	return event_in_units(event_of(data), cpu_at(data, row)->rate);
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event_cpu *on = cpu_at(data, row);

	event_put_rate(event_of(data), on->rate, on->is_throttled ? MARK_AT_LEAST : MARK_NONE, pen);
}

static double total(const void *data, size_t row)
{
	return event_in_units(event_of(data), (double)cpu_at(data, row)->total);
}

static void draw_total(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event_cpu *on = cpu_at(data, row);
	bool is_wrong = snap_event_is_wrong_on(event_of(data), on);
	struct pen copy = *pen;

	copy.role = is_wrong ? ROLE_BAD : pen->role;
	event_put_total(event_of(data), on->total, is_wrong ? MARK_WRONG : MARK_NONE, &copy);
}

static double sampled(const void *data, size_t row)
{
	return (double)cpu_at(data, row)->sampled;
}

static void draw_sampled(const void *data, size_t row, const struct pen *pen)
{
	if (event_of(data)->sampling != SAMPLING_NONE)
		draw_count(pen, cpu_at(data, row)->sampled, MARK_NONE);
	else
		draw_unknown(pen);
}

static double lost(const void *data, size_t row)
{
	return (double)cpu_at(data, row)->lost;
}

static void draw_lost(const void *data, size_t row, const struct pen *pen)
{
	event_draw_lost_on(event_of(data), cpu_at(data, row), pen);
}

static double throttles(const void *data, size_t row)
{
	return (double)cpu_at(data, row)->throttles;
}

static void draw_throttles(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event_cpu *on = cpu_at(data, row);
	struct pen copy = *pen;

	copy.role = on->is_throttled ? ROLE_BAD : on->throttles ? ROLE_WARN : pen->role;
	draw_count(&copy, on->throttles, MARK_NONE);
}

static double further(const void *data, size_t row, const struct column *column)
{
	return (double)figure_count_of_cpu(column->figure, cpu_at(data, row));
}

static void draw_further(const void *data, size_t row, const struct column *column,
			 const struct pen *pen)
{
	event_draw_figure_on(event_of(data), column->figure, cpu_at(data, row), pen);
}

static const struct column columns[] = {
	{ "cpu", "CPU", 4, 4, .draw = draw_number, .number = number },
	{ "rate", "RATE/s", 6, 7, .draw = draw_rate_of, .number = rate },
	{ "total", "TOTAL", 7, 7, .drop = 3, .draw = draw_total, .number = total },
	{ "sampled", "SAMPLED", 7, 7, .drop = 4, .draw = draw_sampled, .number = sampled },
	{ "lost", "LOST", 6, 6, .drop = 1, .draw = draw_lost, .number = lost },
	{ "throttles", "THR", 4, 4, .drop = 2, .draw = draw_throttles, .number = throttles },
};

const struct table_ops *event_cpu_table(void)
{
	static struct column all[EVENT_COLUMNS_MAX];
	static struct table_ops table = {
		.columns = all,
		.rows = cpu_rows,
		.id = cpu_id,
		.text = cpu_text,
		.draw_alike = draw_further,
		.number_alike = further,
		.sum = sum,
		.empty = "on no CPU",
	};

	if (table.ncolumns == 0)
		table.ncolumns = event_columns(all, columns, sizeof(columns) / sizeof(columns[0]));
	return &table;
}
