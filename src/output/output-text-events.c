/* SPDX-License-Identifier: MIT */
#include "output/output-text-inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/text.h"
#include "base/xalloc.h"

#define NAME_WIDTH_MIN 20 /* cells */
#define CELL_MAX       64 /* bytes: a number (at most FMT_MAX) and its marks */

#define GAP	      2 /* cells between two columns */
#define FURTHER_WIDTH 7 /* cells: a count and its mark */

/* If more rows of a summary are at 0, only their number is shown. */
#define ZERO_ROWS_MAX 10

/* Sampled by frequency, which has no fixed period. */
static void make_seen_by_freq(char *cell, const struct snap_event *event, double stride)
{
	char text[FMT_MAX];

	if (stride == 0)
		strcpy(cell, UNKNOWN);
	else if (stride == 1)
		strcpy(cell, "all");
	else if (event->unit[0] != '\0') /* a clock counts ns: the time between two samples */
		snprintf(cell, CELL_MAX, "~%s", fmt_ns(text, (uint64_t)llround(stride)));
	else if (stride < SNAP_STRIDE_SHARE)
		snprintf(cell, CELL_MAX, "~%ld%%", lround(fmin(99, 100 / fmax(stride, 1))));
	else
		snprintf(cell, CELL_MAX, "~1/%s", fmt_count(text, (uint64_t)llround(stride)));
}

/* How many of the interval's, or of the whole run's, events were sampled. */
static void make_seen(char *cell, const struct text_events *table, const struct snap_event *event,
		      const struct figure *figure)
{
	char text[FMT_MAX];

	(void)figure;
	if (event->sampling == SAMPLING_FREQ)
		make_seen_by_freq(cell, event, snap_event_stride(event, table->is_whole));
	else if (event->sampling == SAMPLING_NONE)
		strcpy(cell, UNKNOWN);
	else if (event->period == 1)
		strcpy(cell, "all");
	else
		snprintf(cell, CELL_MAX, "1/%s", fmt_count(text, event->period));
}

/* Over the whole run: scaled by the time that it ran when multiplexed. */
double text_whole_rate(const struct snapshot *snap, const struct snap_event *event, uint64_t total)
{
	double seconds = snap->whole_s * event->whole_running;

	return event->cpus && seconds > 0 ? (double)total / seconds : RATE_UNKNOWN;
}

static double rate_of(const struct text_events *table, const struct snap_event *event)
{
	return table->is_whole ? text_whole_rate(table->snap, event, event->total) : event->rate;
}

/* Where the number of a cell starts: behind the mark of a lower bound, if it is one. */
static char *put_mark(char *cell, bool is_at_least)
{
	return is_at_least ? stpcpy(cell, AT_LEAST) : cell;
}

static void make_rate(char *cell, const struct text_events *table, const struct snap_event *event,
		      const struct figure *figure)
{
	double rate = rate_of(table, event);
	bool was_throttled = table->is_whole ? event->throttles > 0 : event->is_throttled;
	bool is_at_least = rate >= 0 && (was_throttled || figure_is_at_least(figure, event));
	char text[FMT_MAX];

	strcpy(put_mark(cell, is_at_least), text_known(fmt_rate(text, rate)));
}

static void make_change(char *cell, const struct text_events *table, const struct snap_event *event,
			const struct figure *figure)
{
	bool is_chance = event->rate >= 0 && event->rate_before >= 0 && !event->has_changed;
	char text[FMT_MAX];

	(void)table;
	(void)figure;
	strcpy(cell,
	       is_chance ? "·" : text_known(fmt_change(text, event->rate_before, event->rate)));
}

static void make_share(char *cell, const struct text_events *table, const struct snap_event *event,
		       const struct figure *figure)
{
	(void)table;
	(void)figure;
	if (event->most_by != NULL)
		text_percent(cell, CELL_MAX, event->most_share);
	else
		strcpy(cell, UNKNOWN);
}

/* The last column, because names vary in length: "bash 812", "true ×757/s". */
static void put_most_by(struct strbuf *out, const struct snap_event *event)
{
	char text[FMT_MAX];

	if (event->most_by == NULL)
		return;
	strbuf_puts(out, "  ");
	text_add_safe(out, event->most_by);
	if (event->most_by_tid >= 0)
		strbuf_printf(out, " %d", event->most_by_tid);
	else if (event->most_by_born > 0)
		strbuf_printf(out, " ×%s/s", fmt_rate(text, event->most_by_born));
	else
		strbuf_puts(out, " ×");
}

static void make_count(char *cell, const struct text_events *table, const struct snap_event *event,
		       const struct figure *figure)
{
	(void)table;
	if (!figure_applies(figure, event)) {
		strcpy(cell, UNKNOWN);
		return;
	}
	fmt_count(put_mark(cell, figure_is_at_least(figure, event)), figure_count(figure, event));
}

/* "0.53 per cycles", of a clock per second; the first one: which group it is. */
static void put_per_first(struct strbuf *out, const struct text_events *table,
			  const struct snap_event *event)
{
	const struct snap_event *first = snap_first_of_group(table->snap, event);
	char text[FMT_MAX];

	if (first == event)
		strbuf_printf(out, "  group %" PRId32, event->group);
	if (first == NULL || first == event || rate_of(table, event) < 0 ||
	    rate_of(table, first) <= 0)
		return;

	bool is_alike = strcmp(event->unit, first->unit) == 0;
	bool is_per_second = !is_alike && snap_event_is_clock(first);
	double ratio = rate_of(table, event) / rate_of(table, first);

	strbuf_printf(out, "  %s", fmt_ratio(text, is_per_second ? ratio * 1e9 : ratio));
	if (!is_alike && event->unit[0] != '\0') {
		strbuf_putc(out, ' ');
		text_add_safe(out, event->unit);
	}
	strbuf_puts(out, is_per_second ? " per s of " : " per ");
	text_add_safe(out, first->name);
}

static const char *state_word(enum event_state state)
{
	static const char *const words[] = {
		[EVENT_STATE_ON] = "",
		[EVENT_STATE_OFF] = "  off:",
		[EVENT_STATE_FAILED] = "  failed:",
		[EVENT_STATE_LATER] = "  not opened yet:",
	};
	return words[state];
}

/* Remarks after the columns, each preceded by two blanks. */
static void put_remarks(struct strbuf *out, const struct text_events *table,
			const struct snap_event *event)
{
	double running = table->is_whole ? event->whole_running : event->running;

	put_per_first(out, table, event);
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
	strbuf_puts(out, state_word(event->state));
	if (event->reason) {
		strbuf_puts(out, event->state == EVENT_STATE_ON ? "  " : " ");
		text_add_safe(out, event->reason);
	}
}

static bool is_out_of_balance(const struct snap_event *event)
{
	return snap_event_is_wrong(event);
}

static void put_event(struct strbuf *out, const struct text_events *table,
		      const struct snap_event *event, size_t name_width)
{
	char cell[CELL_MAX];
	size_t start;

	strbuf_puts(out, is_out_of_balance(event) ? "! " : "  ");
	start = out->len;
	text_add_safe(out, event->name);
	strbuf_repeat(out, ' ', name_width - text_width(out->text + start));

	if (event->cpus) {
		for (size_t i = 0; i < table->ncolumns; i++) {
			const struct text_column *column = &table->columns[i];

			column->make(cell, table, event, column->figure);
			text_put_right(out, cell, GAP + column->width);
		}
	}
	if (!table->is_whole)
		put_most_by(out, event);
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
	for (size_t i = 0; i < table->ncolumns; i++)
		text_put_right(out, table->columns[i].title, GAP + table->columns[i].width);
	strbuf_puts(out, table->is_whole ? "\n" : "  MOST BY\n");
	for (size_t i = 0; i < table->count; i++)
		put_event(out, table, table->rows[i], name_width);
	if (table->zeros > 0)
		strbuf_printf(out, "  %zu events at 0\n", table->zeros);
}

static void add_column(struct text_events *table, struct text_column column)
{
	if (table->ncolumns < TEXT_COLUMNS_MAX)
		table->columns[table->ncolumns++] = column;
}

static void add_figure(struct text_events *table, enum event_figure which, size_t width)
{
	const struct figure *figure = figure_of_event(which);
	bool is_rate = which == EVENT_FIGURE_rate;

	add_column(table, (struct text_column){ figure->heading, width,
						is_rate ? make_rate : make_count, figure });
}

/* Add figures with a heading that have no column yet. */
static void add_further_figures(struct text_events *table)
{
	const struct figure_list list = figures_events();

	for (size_t i = 0; i < list.count; i++) {
		const struct figure *figure = &list.rows[i];
		bool is_there = figure->heading == NULL || figure->type != FIGURE_COUNT;

		for (size_t k = 0; k < table->ncolumns; k++)
			is_there |= table->columns[k].figure == figure;
		if (!is_there)
			add_figure(table, (enum event_figure)i, FURTHER_WIDTH);
	}
}

/* A whole run has nothing to compare with, and "most by" is of the last seconds. */
static void choose_columns(struct text_events *table)
{
	add_figure(table, EVENT_FIGURE_rate, 7);
	if (!table->is_whole)
		add_column(table, (struct text_column){ "vs 10s", 6, make_change, NULL });
	add_figure(table, EVENT_FIGURE_total, 6);
	add_column(table, (struct text_column){ "SEEN", 9, make_seen, NULL });
	add_figure(table, EVENT_FIGURE_lost, 7);
	add_figure(table, EVENT_FIGURE_throttles, 6);
	add_further_figures(table);
	if (!table->is_whole)
		add_column(table, (struct text_column){ "SHARE", 6, make_share, NULL });
}

void text_events_init(struct text_events *table, const struct snapshot *snap, bool is_whole)
{
	*table = (struct text_events){ .snap = snap, .is_whole = is_whole, .count = snap->nevents };
	choose_columns(table);
	table->rows = xcalloc(snap->nevents + 1, sizeof(const struct snap_event *));
	for (size_t i = 0; i < snap->nevents; i++)
		table->rows[i] = &snap->events[i];
}

void text_events_fini(struct text_events *table)
{
	free(table->rows);
}

/* Occurrences, then events with another unit, then zeros, then events that never opened. */
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
	return left < right ? -1 : left > right; /* same array: in the order requested */
}

/* A few zeros are kept as rows: they may be just the events of interest. */
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
