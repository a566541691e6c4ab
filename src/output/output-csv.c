/* SPDX-License-Identifier: MIT */
/*
 * CSV with the quoting of RFC 4180, any separator, and \n as line end.  Unknown is
 * an empty field.
 */
#include "output/output.h"

#include "base/fmt.h"
#include "base/text.h"
#include "model/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One row being written; every field goes through `field`, so that any separator is safe. */
struct row {
	struct strbuf *out;
	const char *separator;
	bool has_fields;
};

static void field(struct row *row, const char *text)
{
	if (row->has_fields)
		strbuf_puts(row->out, row->separator);
	row->has_fields = true;

	bool has_separator = *row->separator && strstr(text, row->separator);
	if (!has_separator && !strpbrk(text, "\"\r\n")) {
		strbuf_puts(row->out, text);
		return;
	}
	strbuf_putc(row->out, '"');
	for (const char *at = text; *at; at++) {
		if (*at == '"')
			strbuf_putc(row->out, '"');
		strbuf_putc(row->out, *at);
	}
	strbuf_putc(row->out, '"');
}

/* Names and reasons, escaped so that they are safe on a terminal. */
static void field_text(struct row *row, const char *text)
{
	struct strbuf safe;

	strbuf_init(&safe);
	if (text)
		text_add_safe(&safe, text);
	field(row, safe.text);
	strbuf_fini(&safe);
}

static void field_u64(struct row *row, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	field(row, text);
}

static void field_number(struct row *row, double value)
{
	char text[FMT_MAX];

	field(row, isfinite(value) && value >= 0 ? fmt_number(text, value) : "");
}

static void row_end(struct row *row)
{
	strbuf_putc(row->out, '\n');
	row->has_fields = false;
}

/* A CPU's figures before the column "reason"; later ones are at the end: columns never move. */
#define FIGURES_FIRST 6

static void field_figure(struct row *row, const struct figure *figure,
			 const struct snap_event_cpu *cpu)
{
	if (cpu == NULL)
		field(row, "");
	else if (figure->type == FIGURE_NUMBER)
		field_number(row, figure_number_of_cpu(figure, cpu));
	else
		field_u64(row, figure_count_of_cpu(figure, cpu));
}

/* The per-CPU figures from the `from`-th to before the `to`-th: values, or keys if `is_head`. */
static void put_figures(struct row *row, size_t from, size_t to, bool is_head,
			const struct snap_event_cpu *cpu)
{
	const struct figure_list list = figures_events();
	size_t nth = 0;

	for (size_t i = 0; i < list.count; i++) {
		if (list.rows[i].place != EVERYWHERE)
			continue;
		if (nth >= from && nth < to && is_head)
			field(row, list.rows[i].key);
		else if (nth >= from && nth < to)
			field_figure(row, &list.rows[i], cpu);
		nth++;
	}
}

static void put_head(struct strbuf *out, const char *separator)
{
	struct row row = { .out = out, .separator = separator };

	field(&row, "time");
	field(&row, "interval");
	field(&row, "event");
	field(&row, "cpu");
	field(&row, "state");
	put_figures(&row, 0, FIGURES_FIRST, true, NULL);
	field(&row, "reason");
	field(&row, "unit");
	field(&row, "asked");
	put_figures(&row, FIGURES_FIRST, SIZE_MAX, true, NULL);
	row_end(&row);
}

static void put_row(struct row *row, const struct snapshot *snap, const struct snap_event *event,
		    const struct snap_event_cpu *cpu, int id)
{
	char number[CPU_TEXT_MAX];

	field_number(row, snap->time_s);
	field_number(row, snap->interval_s);
	field_text(row, event->name);
	field(row, cpu != NULL ? snap_cpu_text(id, number) : "");
	field(row, event_state_name(event->state));
	put_figures(row, 0, FIGURES_FIRST, false, cpu);
	field_text(row, event->reason);
	field_text(row, event->unit);
	field_text(row, event->asked);
	put_figures(row, FIGURES_FIRST, SIZE_MAX, false, cpu);
	row_end(row);
}

/* A line per event and CPU. */
static void put_rows(struct strbuf *out, const struct snapshot *snap, const char *separator)
{
	struct row row = { .out = out, .separator = separator };

	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];
		if (!event->cpus)
			put_row(&row, snap, event, NULL, 0);
		else
			for (size_t slot = 0; slot < snap->ncpus; slot++)
				put_row(&row, snap, event, &event->cpus[slot], snap->cpus[slot].id);
	}
}

const struct output *output_csv(void)
{
	static const struct output csv = { .head = put_head, .put = put_rows };

	return &csv;
}
