/* SPDX-License-Identifier: MIT */
/*
 * The batch text: what the first screen shows, for a pipe.  UTF-8 whatever the
 * locale, and numbers in columns whose width never changes: two ticks below each
 * other can be compared by eye.  And the summary of a whole run, which looks alike.
 */
#include "output/output.h"

#include "base/fmt.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define UNKNOWN	 "–"
#define AT_LEAST "≥"

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

/* The rows of one table, in the order in which they are shown. */
struct table {
	const struct snapshot *snap;
	bool is_whole;			/* figures are of the whole run, not of an interval */
	const struct snap_event **rows; /* [count], owned */
	size_t count;
	size_t zeros; /* further events, at 0 */
};

/* Widths are the most that base/fmt.h says, with the marks. */
static const struct {
	const char *title;
	size_t width;
} columns[COLUMNS] = {
	[COLUMN_RATE] = { "RATE/s", 7 }, [COLUMN_CHANGE] = { "CHANGE", 6 },
	[COLUMN_TOTAL] = { "TOTAL", 6 }, [COLUMN_SEEN] = { "SEEN", 9 },
	[COLUMN_LOST] = { "LOST", 7 },	 [COLUMN_THROTTLES] = { "THR", 6 },
};

static void put_right(struct strbuf *out, const char *text, size_t width)
{
	size_t used = text_width(text);

	strbuf_repeat(out, ' ', used < width ? width - used : 0);
	strbuf_puts(out, text);
}

/* fmt says "-" for unknown, where nothing but ASCII is to be had. */
static const char *known(const char *text)
{
	return strcmp(text, "-") == 0 ? UNKNOWN : text;
}

static void put_rate(struct strbuf *out, double rate, size_t width)
{
	char text[FMT_MAX];

	put_right(out, known(fmt_rate(text, rate)), width);
}

/* "0,2" or "0-63": ranges, as everything else that names CPUs. */
static void put_cpu_ids(struct strbuf *out, const struct snapshot *snap)
{
	for (size_t first = 0, last; first < snap->ncpus; first = last + 1) {
		for (last = first; last + 1 < snap->ncpus; last++)
			if (snap->cpus[last + 1].id != snap->cpus[last].id + 1)
				break;
		strbuf_printf(out, first ? ",%d" : "%d", snap->cpus[first].id);
		if (last > first)
			strbuf_printf(out, "-%d", snap->cpus[last].id);
	}
}

/* In UTC: what the text says must not depend on where it is read. */
static void put_time(struct strbuf *out, double time_s)
{
	time_t seconds = (time_t)time_s;
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strbuf_printf(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900,
			      tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* `value` with so many decimals, and no locale. */
static void put_fixed(struct strbuf *out, double value, unsigned int decimals)
{
	uint64_t one = 1;

	if (!isfinite(value) || value < 0 || value > 1e12) {
		strbuf_puts(out, UNKNOWN);
		return;
	}
	for (unsigned int i = 0; i < decimals; i++)
		one *= 10;
	uint64_t scaled = (uint64_t)(value * (double)one + 0.5);
	strbuf_printf(out, "%" PRIu64 ".%0*" PRIu64, scaled / one, (int)decimals, scaled % one);
}

static void put_origin(struct strbuf *out, const struct snapshot *snap)
{
	strbuf_puts(out, "perftop-ng  ");
	text_add_safe(out, snap->host ? snap->host : UNKNOWN);
	strbuf_puts(out, "  ");
	text_add_safe(out, snap->kernel ? snap->kernel : UNKNOWN);
	strbuf_printf(out, "  %zu %s ", snap->ncpus, snap->ncpus == 1 ? "cpu" : "cpus");
	put_cpu_ids(out, snap);
	strbuf_puts(out, "  ");
	put_time(out, snap->time_s);
}

static void put_seconds(struct strbuf *out, const char *title, double seconds)
{
	strbuf_printf(out, "  %s ", title);
	if (seconds > 0) {
		put_fixed(out, seconds, 3);
		strbuf_puts(out, " s");
	} else {
		strbuf_puts(out, UNKNOWN);
	}
	strbuf_putc(out, '\n');
}

static bool is_lost_exact(const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];
		if (event->cpus && event->sampling != SAMPLING_NONE &&
		    (!event->is_lost_exact || event->has_silent_cpu))
			return false;
	}
	return true;
}

static void put_rate_and_lost(struct strbuf *out, const struct snapshot *snap, double rate)
{
	char text[FMT_MAX];

	put_rate(out, rate, 0);
	strbuf_printf(out, " ev/s  lost %s%s", is_lost_exact(snap) ? "" : AT_LEAST,
		      fmt_count(text, snap->lost));
}

static void put_sums(struct strbuf *out, const struct snapshot *snap)
{
	char text[FMT_MAX];

	put_rate_and_lost(out, snap, snap->rate);
	strbuf_printf(out, "  throttled %zu now, %s in all", snap->nthrottled,
		      fmt_count(text, snap->throttles));
	strbuf_puts(out, "  self ");
	put_fixed(out, snap->self.cpu * 100, 1);
	strbuf_printf(out, "%% %s\n", fmt_bytes(text, snap->self.rss));
}

static void put_cpu_rate(struct strbuf *out, const struct snap_cpu *cpu, double rate)
{
	char text[FMT_MAX];

	snprintf(text, sizeof(text), "cpu%d", cpu->id);
	strbuf_printf(out, "%-7s ", text);
	put_rate(out, rate, 6);
	strbuf_puts(out, " ev/s");
}

static void put_cpu_state(struct strbuf *out, const struct snap_cpu *cpu)
{
	char text[FMT_MAX];

	if (!cpu->is_online)
		strbuf_puts(out, "  offline");
	if (cpu->answer == CPU_SILENT)
		strbuf_puts(out, "  does not answer");
	if (cpu->answer == CPU_BEHIND)
		strbuf_puts(out, "  decoder behind");
	if (cpu->corrupt)
		strbuf_printf(out, "  corrupt %s", fmt_count(text, cpu->corrupt));
	strbuf_putc(out, '\n');
}

static void put_cpu(struct strbuf *out, const struct snap_cpu *cpu)
{
	put_cpu_rate(out, cpu, cpu->rate);
	strbuf_putc(out, ' ');
	put_rate(out, cpu->switch_rate, 6);
	strbuf_puts(out, " cs/s");
	if (cpu->is_throttled)
		strbuf_puts(out, "  throttled");
	put_cpu_state(out, cpu);
}

static void put_notes(struct strbuf *out, const struct snapshot *snap)
{
	for (size_t i = 0; i < snap->nnotes; i++) {
		strbuf_puts(out, "note: ");
		text_add_safe(out, snap->notes[i]);
		strbuf_putc(out, '\n');
	}
}

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
static double whole_rate(const struct snapshot *snap, const struct snap_event *event,
			 uint64_t total)
{
	double seconds = snap->whole_s * event->whole_running;

	return event->cpus && seconds > 0 ? (double)total / seconds : RATE_UNKNOWN;
}

static void make_rate(char cell[CELL_MAX], const struct table *table,
		      const struct snap_event *event)
{
	double rate = table->is_whole ? whole_rate(table->snap, event, event->total) : event->rate;
	bool was_throttled = table->is_whole ? event->throttles > 0 : event->is_throttled;
	char text[FMT_MAX];

	snprintf(cell, CELL_MAX, "%s%s",
		 (was_throttled || event->has_silent_cpu) && rate >= 0 ? AT_LEAST : "",
		 known(fmt_rate(text, rate)));
}

static void make_cells(char cells[COLUMNS][CELL_MAX], const struct table *table,
		       const struct snap_event *event)
{
	char text[FMT_MAX];

	make_rate(cells[COLUMN_RATE], table, event);
	snprintf(cells[COLUMN_CHANGE], CELL_MAX, "%s",
		 known(fmt_change(text, event->rate_before, event->rate)));
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
static void put_remarks(struct strbuf *out, const struct table *table,
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
		put_fixed(out, running * 100, 1);
		strbuf_putc(out, '%');
	}
	if (event->throttled_s > 0) {
		strbuf_puts(out, "  throttled ");
		put_fixed(out, event->throttled_s, 2);
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
static bool has_column(const struct table *table, size_t column)
{
	return !table->is_whole || column != COLUMN_CHANGE;
}

static void put_event(struct strbuf *out, const struct table *table, const struct snap_event *event,
		      size_t name_width)
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
			put_right(out, cells[i], columns[i].width);
		}
	}
	put_remarks(out, table, event);
	strbuf_putc(out, '\n');
}

static size_t measure_names(const struct table *table)
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

static void put_table(struct strbuf *out, const struct table *table)
{
	size_t name_width = measure_names(table);

	strbuf_puts(out, "  EVENT");
	strbuf_repeat(out, ' ', name_width - strlen("EVENT"));
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!has_column(table, i))
			continue;
		strbuf_puts(out, "  ");
		put_right(out, columns[i].title, columns[i].width);
	}
	strbuf_putc(out, '\n');
	for (size_t i = 0; i < table->count; i++)
		put_event(out, table, table->rows[i], name_width);
	if (table->zeros > 0)
		strbuf_printf(out, "  %zu events at 0\n", table->zeros);
}

static void table_init(struct table *table, const struct snapshot *snap, bool is_whole)
{
	*table = (struct table){ .snap = snap, .is_whole = is_whole, .count = snap->nevents };
	table->rows = xcalloc(snap->nevents + 1, sizeof(const struct snap_event *));
	for (size_t i = 0; i < snap->nevents; i++)
		table->rows[i] = &snap->events[i];
}

static void table_fini(struct table *table)
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
static void sort_table(struct table *table)
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

/* The books of one event on one CPU, to the last digit. */
static void put_imbalance(struct strbuf *out, const struct snap_event *event,
			  const struct snap_event_cpu *cpu, int id)
{
	uint64_t accounted = cpu->sampled + cpu->lost;
	bool is_short = accounted < cpu->total;

	strbuf_puts(out, "final: ");
	text_add_safe(out, event->name);
	strbuf_printf(out,
		      " cpu %d is not balanced: total %" PRIu64 " != sampled %" PRIu64
		      " + lost %s%" PRIu64 ", %" PRIu64 " %s\n",
		      id, cpu->total, cpu->sampled, event->is_lost_exact ? "" : AT_LEAST, cpu->lost,
		      is_short ? cpu->total - accounted : accounted - cpu->total,
		      is_short ? "missing" : "too many");
}

static void put_imbalances(struct strbuf *out, const struct snapshot *snap,
			   const struct snap_event *event)
{
	size_t found = 0;

	for (size_t slot = 0; event->cpus && slot < snap->ncpus; slot++)
		if (!event->cpus[slot].is_balanced) {
			put_imbalance(out, event, &event->cpus[slot], snap->cpus[slot].id);
			found++;
		}
	if (!found) {
		/* Its CPUs agree and the sum does not: never "balanced" for that. */
		strbuf_puts(out, "final: ");
		text_add_safe(out, event->name);
		strbuf_puts(out, " is not balanced\n");
	}
}

/* The last word of a run: whether total == sampled + lost wherever that can be known. */
static void put_final(struct strbuf *out, const struct snapshot *snap)
{
	size_t checked = 0, wrong = 0, behind = 0;
	uint64_t total = 0, sampled = 0, lost = 0;

	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];
		behind += event->is_behind;
		if (!event->is_balance_known)
			continue;
		checked++;
		if (!event->is_balanced) {
			put_imbalances(out, snap, event);
			wrong++;
		}
		total += event->total;
		sampled += event->sampled;
		lost += event->lost;
	}
	if (wrong)
		return;
	if (!checked)
		strbuf_printf(out, "final: nothing to balance, %s\n",
			      behind ? "not all was decoded" : "no event has period 1");
	else
		strbuf_printf(out,
			      "final: balanced, %zu %s: total %" PRIu64 " = sampled %" PRIu64
			      " + lost %" PRIu64 "\n",
			      checked, checked == 1 ? "event" : "events", total, sampled, lost);
}

static void put_end(struct strbuf *out, const struct table *table)
{
	put_notes(out, table->snap);
	put_table(out, table);
	if (table->snap->is_final)
		put_final(out, table->snap);
	strbuf_putc(out, '\n');
}

void output_text(struct strbuf *out, const struct snapshot *snap)
{
	struct table table;

	put_origin(out, snap);
	put_seconds(out, "interval", snap->interval_s);
	put_sums(out, snap);
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_cpu(out, &snap->cpus[slot]);
	table_init(&table, snap, false);
	put_end(out, &table);
	table_fini(&table);
}

/* --- the summary ---------------------------------------------------------------------------- */

static double add_rate(double sum, double rate)
{
	if (rate < 0)
		return sum;
	return (sum >= 0 ? sum : 0) + rate;
}

static double whole_cpu_rate(const struct snapshot *snap, size_t slot)
{
	double rate = RATE_UNKNOWN;

	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];
		if (event->cpus && event->unit[0] == '\0')
			rate = add_rate(rate, whole_rate(snap, event, event->cpus[slot].total));
	}
	return rate;
}

static void put_whole_sums(struct strbuf *out, const struct snapshot *snap)
{
	double rate = RATE_UNKNOWN;
	char text[FMT_MAX];

	for (size_t slot = 0; slot < snap->ncpus; slot++)
		rate = add_rate(rate, whole_cpu_rate(snap, slot));
	put_rate_and_lost(out, snap, rate);
	strbuf_printf(out, "  throttled %s", fmt_count(text, snap->throttles));
	strbuf_puts(out, "  self ");
	put_fixed(out, snap->self.cpu_s, 2);
	strbuf_printf(out, " s of CPU, %s\n", fmt_bytes(text, snap->self.rss));
}

static void put_whole_cpu(struct strbuf *out, const struct snapshot *snap, size_t slot)
{
	put_cpu_rate(out, &snap->cpus[slot], whole_cpu_rate(snap, slot));
	put_cpu_state(out, &snap->cpus[slot]);
}

void output_summary(struct strbuf *out, const struct snapshot *snap)
{
	struct table table;

	put_origin(out, snap);
	put_seconds(out, "ran", snap->whole_s);
	put_whole_sums(out, snap);
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_whole_cpu(out, snap, slot);
	table_init(&table, snap, true);
	sort_table(&table);
	put_end(out, &table);
	table_fini(&table);
}
