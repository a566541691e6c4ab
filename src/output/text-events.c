/* SPDX-License-Identifier: MIT */
#include "output/text-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/text.h"
#include "base/xalloc.h"

#define NAME_WIDTH_MIN 20 /* cells */
#define CELL_MAX       64 /* bytes: a number and its marks */

enum {
	COLUMN_RATE,
	COLUMN_CHANGE,
	COLUMN_TOTAL,
	COLUMN_SEEN,
	COLUMN_LOST,
	COLUMN_THROTTLES,
	COLUMNS,
};

/* Rows of a summary that are all zero: more of them are a number. */
#define ZERO_ROWS_MAX 10

/* Widths are the most that base/fmt.h says, with the marks. */
static const struct {
	const char *title;
	size_t width;
} columns[COLUMNS] = {
	[COLUMN_RATE] = { "RATE/s", 7 }, [COLUMN_CHANGE] = { "CHANGE", 6 },
	[COLUMN_TOTAL] = { "TOTAL", 6 }, [COLUMN_SEEN] = { "SEEN", 9 },
	[COLUMN_LOST] = { "LOST", 7 },	 [COLUMN_THROTTLES] = { "THR", 6 },
};

/* How much of the event the samples show. */
static void make_seen(char cell[CELL_MAX], const struct snap_event *event)
{
	char text[FMT_MAX];

	if (event->sampling == SAMPLING_PERIOD && event->period == 1) {
		snprintf(cell, CELL_MAX, "%s", "all");
	} else if (event->sampling == SAMPLING_PERIOD) {
		snprintf(cell, CELL_MAX, "1/%s", fmt_count(text, event->period));
	} else if (event->sampling == SAMPLING_FREQ && event->sampled > 0) {
		uint64_t stride = event->weight / event->sampled;
		stride += event->weight % event->sampled >= event->sampled - event->sampled / 2;
		/* Of a clock's nanoseconds: so far apart are the samples. */
		if (event->unit[0] != '\0')
			snprintf(cell, CELL_MAX, "~%s", fmt_ns(text, stride));
		else
			snprintf(cell, CELL_MAX, "~1/%s", fmt_count(text, stride ? stride : 1));
	} else {
		snprintf(cell, CELL_MAX, "%s", UNKNOWN);
	}
}

/* Over the whole run: what was counted while it was multiplexed stands for all of the time. */
double text_whole_rate(const struct snapshot *snap, const struct snap_event *event, uint64_t total)
{
	double seconds = snap->whole_s * event->whole_running;

	return event->cpus && seconds > 0 ? (double)total / seconds : RATE_UNKNOWN;
}

static void make_rate(char cell[CELL_MAX], const struct text_events *table,
		      const struct snap_event *event)
{
	double rate = table->is_whole ? text_whole_rate(table->snap, event, event->total) :
					event->rate;
	bool was_throttled = table->is_whole ? event->throttles > 0 : event->is_throttled;
	char text[FMT_MAX];

	snprintf(cell, CELL_MAX, "%s%s",
		 (was_throttled || event->has_silent_cpu) && rate >= 0 ? AT_LEAST : "",
		 text_known(fmt_rate(text, rate)));
}

static void make_cells(char cells[COLUMNS][CELL_MAX], const struct text_events *table,
		       const struct snap_event *event)
{
	char text[FMT_MAX];

	make_rate(cells[COLUMN_RATE], table, event);
	snprintf(cells[COLUMN_CHANGE], CELL_MAX, "%s",
		 text_known(fmt_change(text, event->rate_before, event->rate)));
	snprintf(cells[COLUMN_TOTAL], CELL_MAX, "%s%s", event->has_silent_cpu ? AT_LEAST : "",
		 fmt_count(text, event->total));
	make_seen(cells[COLUMN_SEEN], event);
	/* What is not sampled cannot be lost, and 0 would read as a result. */
	if (event->sampling == SAMPLING_NONE)
		snprintf(cells[COLUMN_LOST], CELL_MAX, "%s", UNKNOWN);
	else
		snprintf(cells[COLUMN_LOST], CELL_MAX, "%s%s",
			 event->is_lost_exact && !event->has_silent_cpu ? "" : AT_LEAST,
			 fmt_count(text, event->lost));
	fmt_count(cells[COLUMN_THROTTLES], event->throttles);
}

/* What the columns cannot say, each after two blanks. */
static void put_remarks(struct strbuf *out, const struct text_events *table,
			const struct snap_event *event)
{
	double running = table->is_whole ? event->whole_running : event->running;

	if (event->unit && *event->unit) {
		strbuf_puts(out, "  in ");
		text_add_safe(out, event->unit);
	}
	if (event->filter) {
		strbuf_puts(out, "  filter ");
		text_add_safe(out, event->filter);
	}
	if (event->cpus && running < 1) {
		strbuf_puts(out, "  multiplexed, ran ");
		text_put_fixed(out, running * 100, 1);
		strbuf_putc(out, '%');
	}
	if (event->throttled_s > 0) {
		strbuf_puts(out, "  throttled ");
		text_put_fixed(out, event->throttled_s, 2);
		strbuf_puts(out, " s");
	}
	if (event->state != EVENT_STATE_ON)
		strbuf_puts(out, event->state == EVENT_STATE_FAILED ? "  failed:" : "  off:");
	if (event->reason) {
		strbuf_puts(out, event->state == EVENT_STATE_ON ? "  " : " ");
		text_add_safe(out, event->reason);
	}
}

static bool is_out_of_balance(const struct snap_event *event)
{
	return event->is_balance_known && !event->is_balanced;
}

/* Of a whole run there is no interval before, and so no change. */
static bool has_column(const struct text_events *table, size_t column)
{
	return !table->is_whole || column != COLUMN_CHANGE;
}

static void put_event(struct strbuf *out, const struct text_events *table,
		      const struct snap_event *event, size_t name_width)
{
	char cells[COLUMNS][CELL_MAX];
	size_t start;

	strbuf_puts(out, is_out_of_balance(event) ? "! " : "  ");
	start = out->len;
	text_add_safe(out, event->name);
	strbuf_repeat(out, ' ', name_width - text_width(out->text + start));

	if (event->cpus) {
		make_cells(cells, table, event);
		for (size_t i = 0; i < COLUMNS; i++) {
			if (!has_column(table, i))
				continue;
			strbuf_puts(out, "  ");
			text_put_right(out, cells[i], columns[i].width);
		}
	}
	put_remarks(out, table, event);
	strbuf_putc(out, '\n');
}

static size_t measure_names(const struct text_events *table)
{
	size_t most = NAME_WIDTH_MIN;
	struct strbuf name;

	strbuf_init(&name);
	for (size_t i = 0; i < table->count; i++) {
		strbuf_clear(&name);
		text_add_safe(&name, table->rows[i]->name);
		size_t width = text_width(name.text);
		most = width > most ? width : most;
	}
	strbuf_fini(&name);
	return most;
}

void text_events_put(struct strbuf *out, const struct text_events *table)
{
	size_t name_width = measure_names(table);

	strbuf_puts(out, "  EVENT");
	strbuf_repeat(out, ' ', name_width - strlen("EVENT"));
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!has_column(table, i))
			continue;
		strbuf_puts(out, "  ");
		text_put_right(out, columns[i].title, columns[i].width);
	}
	strbuf_putc(out, '\n');
	for (size_t i = 0; i < table->count; i++)
		put_event(out, table, table->rows[i], name_width);
	if (table->zeros > 0)
		strbuf_printf(out, "  %zu events at 0\n", table->zeros);
}

void text_events_init(struct text_events *table, const struct snapshot *snap, bool is_whole)
{
	*table = (struct text_events){ .snap = snap, .is_whole = is_whole, .count = snap->nevents };
	table->rows = xcalloc(snap->nevents + 1, sizeof(const struct snap_event *));
	for (size_t i = 0; i < snap->nevents; i++)
		table->rows[i] = &snap->events[i];
}

void text_events_fini(struct text_events *table)
{
	free(table->rows);
}

/* Occurrences, then what has another unit, then zeros, then what never was open. */
static unsigned int rank(const struct snap_event *event)
{
	if (!event->cpus)
		return 3;
	if (event->total == 0)
		return 2;
	return event->unit[0] != '\0';
}

static int by_total(const void *a, const void *b)
{
	const struct snap_event *left = *(const struct snap_event *const *)a;
	const struct snap_event *right = *(const struct snap_event *const *)b;

	if (rank(left) != rank(right))
		return rank(left) < rank(right) ? -1 : 1;
	if (left->total != right->total)
		return left->total > right->total ? -1 : 1;
	return left < right ? -1 : left > right; /* both are of one array: as they were asked for */
}

/* By total; a few zeros are rows, for somebody may have asked for just those. */
void text_events_sort(struct text_events *table)
{
	size_t kept = 0, zeros = 0;

	qsort(table->rows, table->count, sizeof(const struct snap_event *), by_total);
	for (size_t i = 0; i < table->count; i++)
		zeros += rank(table->rows[i]) == 2;
	if (zeros <= ZERO_ROWS_MAX)
		return;
	for (size_t i = 0; i < table->count; i++) {
		if (rank(table->rows[i]) != 2)
			table->rows[kept++] = table->rows[i];
	}
	table->count = kept;
	table->zeros = zeros;
}
