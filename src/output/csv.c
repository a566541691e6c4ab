/* SPDX-License-Identifier: MIT */
/*
 * CSV as RFC 4180 quotes it, with any separator, and lines that end as this
 * system's do.  Unknown is an empty field.
 */
#include "output/output.h"

#include "base/fmt.h"
#include "base/text.h"

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

/* Names and reasons: in a terminal they may do no harm either. */
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

void output_csv_head(struct strbuf *out, const char *separator)
{
	static const char *const columns[] = { "time",	    "interval", "event", "cpu",	    "state",
					       "count",	    "rate",	"total", "sampled", "lost",
					       "throttles", "reason",	"unit",	 "asked" };
	struct row row = { .out = out, .separator = separator };

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		field(&row, columns[i]);
	row_end(&row);
}

static void put_row(struct row *row, const struct snapshot *snap, const struct snap_event *event,
		    const struct snap_event_cpu *cpu, int id)
{
	static const char *const states[] = {
		[EVENT_STATE_ON] = "on",
		[EVENT_STATE_OFF] = "off",
		[EVENT_STATE_FAILED] = "failed",
	};

	field_number(row, snap->time_s);
	field_number(row, snap->interval_s);
	field_text(row, event->name);
	if (cpu) {
		field_u64(row, (uint64_t)id);
		field(row, states[event->state]);
		field_u64(row, cpu->count);
		field_number(row, cpu->rate);
		field_u64(row, cpu->total);
		field_u64(row, cpu->sampled);
		field_u64(row, cpu->lost);
		field_u64(row, cpu->throttles);
	} else {
		field(row, "");
		field(row, states[event->state]);
		for (int unknown = 0; unknown < 6; unknown++)
			field(row, "");
	}
	field_text(row, event->reason);
	field_text(row, event->unit);
	field_text(row, event->asked);
	row_end(row);
}

void output_csv(struct strbuf *out, const struct snapshot *snap, const char *separator)
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
