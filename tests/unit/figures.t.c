/* SPDX-License-Identifier: MIT */
/* The lists of figures: what is public stays, and a figure with a heading gets its columns. */
#include "model/figures.h"

#include "fixture.h"
#include "tap.h"
#include "ui/event-cells.h"
#include "ui/table.h"

#include <stdio.h>
#include <string.h>

static void check_keys(const char *name, struct figure_list list)
{
	unsigned int twice = 0;

	for (size_t i = 0; i < list.count; i++)
		for (size_t k = 0; k < i; k++)
			twice += strcmp(list.rows[i].key, list.rows[k].key) == 0;
	is_u64(twice, 0, "%s: %zu keys, none twice", name, list.count);
}

static void test_lists(void)
{
	check_keys("head", figures_head());
	check_keys("event", figures_events());
	check_keys("saved event", figures_events_saved());
	check_keys("task", figures_tasks());
	check_keys("task's switches", figures_task_switches());
	check_keys("saved CPU", figures_cpus_saved());
	check_keys("CPU's switches", figures_cpu_switches());
	check_keys("self", figures_self());
	is_str(figure_of_event(EVENT_FIGURE_throttles)->key, "throttles",
	       "the index is that of the row");
}

static void test_values(void)
{
	const struct figure *lost = figure_of_event(EVENT_FIGURE_lost);
	const struct figure *total = figure_of_event(EVENT_FIGURE_total);
	const struct snap_event_cpu cpu = { .total = 7, .lost = 3 };
	struct snap_event event = { .total = 70, .lost = 30, .is_lost_exact = true };

	ok(figure_count(total, &event) == 70 && figure_count(lost, &event) == 30, "of an event");
	ok(figure_count_of_cpu(total, &cpu) == 7 && figure_count_of_cpu(lost, &cpu) == 3,
	   "of a CPU");
	ok(!figure_applies(lost, &event) && figure_applies(total, &event),
	   "what is not sampled has no losses");
	event.sampling = SAMPLING_PERIOD;
	ok(figure_applies(lost, &event), "what is sampled has");
	ok(!figure_is_at_least(lost, &event) && !figure_is_at_least(total, &event), "all exact");
	event.is_lost_exact = false;
	ok(figure_is_at_least(lost, &event) && !figure_is_at_least(total, &event),
	   "losses without PERF_FORMAT_LOST are at least");
	event.is_at_least = true;
	ok(figure_is_at_least(total, &event), "with a silent CPU a count is, too");
	ok(!figure_is_known(total, NULL, &event), "an event that never was open has no count");
	event.cpus = &cpu;
	ok(figure_is_known(total, NULL, &event), "one that was has");
}

/* A table of events that has one column of its own, and so shows all figures with a heading. */

static size_t rows(const void *data)
{
	return ((const struct snapshot *)data)->nevents;
}

static uint64_t id(const void *data, size_t row)
{
	(void)data;
	return row;
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	(void)data;
	(void)row;
	snprintf(out, room, "x");
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, ((const struct snapshot *)data)->events[row].name);
}

static void draw_figure(const void *data, size_t row, const struct column *column,
			const struct pen *pen)
{
	event_draw_figure(&((const struct snapshot *)data)->events[row], column->figure, pen);
}

static double figure_number(const void *data, size_t row, const struct column *column)
{
	return (double)figure_count(column->figure, &((const struct snapshot *)data)->events[row]);
}

static void test_columns(void)
{
	static const struct column own = { "event", "EVENT", 3, 24, .draw = draw_name };
	struct column columns[EVENT_COLUMNS_MAX];
	struct table_ops ops = { .columns = columns,
				 .rows = rows,
				 .id = id,
				 .text = text,
				 .draw_alike = draw_figure,
				 .number_alike = figure_number };
	struct snapshot *snap = fixture_snapshot();
	struct canvas canvas;
	struct strbuf screen;
	struct table table;
	char error[128];

	ops.ncolumns = event_columns(columns, &own, 1);
	table_init(&table, &ops, snap);
	is_int(table_sort_by(&table, "lost", error, sizeof(error)), 0, "sorted by a figure");
	is_u64(table_row(&table), FIXTURE_LOST, "the largest first");
	canvas_init(&canvas, 80, 12);
	strbuf_init(&screen);
	table_draw(&table, &canvas, (struct rect){ 0, 0, 80, 12 }, true);
	canvas_text(&canvas, &screen);
	ok(strstr(screen.text, "EVENT") && strstr(screen.text, "TOTAL") &&
		   strstr(screen.text, "LOST") && strstr(screen.text, "THR"),
	   "each figure with a heading has a column");
	ok(strstr(screen.text, "sched:sched_switch         55.23k        4        0") != NULL,
	   "and is drawn there");
	strbuf_fini(&screen);
	canvas_fini(&canvas);
	table_fini(&table);
	snapshot_release(snap);
}

int main(void)
{
	plan_lazy();
	test_lists();
	test_values();
	test_columns();
	return done();
}
