/* SPDX-License-Identifier: MIT */
#include "ui/view-event-inside.h"

#include <stdio.h>

#include "ui/event-cells.h"

void event_draw_id(const struct pen *pen, int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", id);
	draw_right(pen, text);
}

enum { CPU, CPU_RATE, CPU_TOTAL, CPU_SAMPLED, CPU_LOST, CPU_THROTTLES };

static const struct column cpu_columns[] = {
	[CPU] = { .name = "cpu", .title = "CPU", .least = 4, .width = 4, .is_number = true },
	[CPU_RATE] = { .name = "rate",
		       .title = "RATE/s",
		       .least = 6,
		       .width = 7,
		       .is_number = true },
	[CPU_TOTAL] = { .name = "total",
			.title = "TOTAL",
			.least = 7,
			.width = 7,
			.drop = 3,
			.is_number = true },
	[CPU_SAMPLED] = { .name = "sampled",
			  .title = "SAMPLED",
			  .least = 7,
			  .width = 7,
			  .drop = 4,
			  .is_number = true },
	[CPU_LOST] = { .name = "lost",
		       .title = "LOST",
		       .least = 6,
		       .width = 6,
		       .drop = 1,
		       .is_number = true },
	[CPU_THROTTLES] = { .name = "throttles",
			    .title = "THR",
			    .least = 4,
			    .width = 4,
			    .drop = 2,
			    .is_number = true },
};

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
	snprintf(out, room, "cpu%d", event_view_of(data)->view.snap->cpus[row].id);
}

static struct sort_key cpu_key(const void *data, size_t row, size_t column)
{
	const struct event_view *self = event_view_of(data);
	const struct snap_event_cpu *on = &self->event->cpus[row];
	const double numbers[] = {
		[CPU] = self->view.snap->cpus[row].id, [CPU_RATE] = on->rate,
		[CPU_TOTAL] = (double)on->total,       [CPU_SAMPLED] = (double)on->sampled,
		[CPU_LOST] = (double)on->lost,	       [CPU_THROTTLES] = (double)on->throttles,
	};

	return (struct sort_key){ .number = numbers[column] };
}

static void draw_cpu_throttles(const struct snap_event_cpu *on, const struct pen *pen)
{
	struct pen copy = *pen;

	copy.role = on->is_throttled ? ROLE_BAD : on->throttles ? ROLE_WARN : pen->role;
	draw_count(&copy, on->throttles, MARK_NONE);
}

static void draw_cpu_total(const struct event_view *self, const struct snap_event_cpu *on,
			   const struct pen *pen)
{
	bool is_wrong = self->event->is_balance_known && !on->is_balanced;
	struct pen copy = *pen;

	copy.role = is_wrong ? ROLE_BAD : pen->role;
	event_put_total(self->event, on->total, is_wrong ? MARK_WRONG : MARK_NONE, &copy);
}

static void draw_cpu(const void *data, size_t row, size_t column, const struct pen *pen)
{
	const struct event_view *self = event_view_of(data);
	const struct snap_event_cpu *on = &self->event->cpus[row];
	bool has_samples = self->event->sampling != SAMPLING_NONE;

	switch (column) {
	case CPU:
		event_draw_id(pen, self->view.snap->cpus[row].id);
		break;
	case CPU_RATE:
		event_put_rate(self->event, on->rate, on->is_throttled ? MARK_AT_LEAST : MARK_NONE,
			       pen);
		break;
	case CPU_TOTAL:
		draw_cpu_total(self, on, pen);
		break;
	case CPU_SAMPLED:
		if (has_samples)
			draw_count(pen, on->sampled, MARK_NONE);
		else
			draw_unknown(pen);
		break;
	case CPU_LOST:
		if (has_samples)
			event_draw_bad(on->lost,
				       self->event->is_lost_exact ? MARK_NONE : MARK_AT_LEAST, pen);
		else
			draw_unknown(pen);
		break;
	case CPU_THROTTLES:
		draw_cpu_throttles(on, pen);
		break;
	}
}

const struct table_ops *event_cpu_table(void)
{
	static const struct table_ops table = {
		.columns = cpu_columns,
		.ncolumns = sizeof(cpu_columns) / sizeof(cpu_columns[0]),
		.rows = cpu_rows,
		.id = cpu_id,
		.text = cpu_text,
		.key = cpu_key,
		.draw = draw_cpu,
		.empty = "on no CPU",
	};

	return &table;
}
