/* SPDX-License-Identifier: MIT */
/*
 * The batch text: what the first screen shows, for a pipe.  UTF-8 whatever the
 * locale, and numbers in columns whose width never changes: two ticks below each
 * other can be compared by eye.
 */
#include "output/output.h"

#include "base/fmt.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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
	strbuf_puts(out, "  interval ");
	if (snap->interval_s > 0) {
		put_fixed(out, snap->interval_s, 3);
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

static void put_sums(struct strbuf *out, const struct snapshot *snap)
{
	char text[FMT_MAX];

	put_rate(out, snap->rate, 0);
	strbuf_printf(out, " ev/s  lost %s%s", is_lost_exact(snap) ? "" : AT_LEAST,
		      fmt_count(text, snap->lost));
	strbuf_printf(out, "  throttled %zu now, %s in all", snap->nthrottled,
		      fmt_count(text, snap->throttles));
	strbuf_puts(out, "  self ");
	put_fixed(out, snap->self.cpu * 100, 1);
	strbuf_printf(out, "%% %s\n", fmt_bytes(text, snap->self.rss));
}

static void put_cpu(struct strbuf *out, const struct snap_cpu *cpu)
{
	char text[FMT_MAX];

	snprintf(text, sizeof(text), "cpu%d", cpu->id);
	strbuf_printf(out, "%-7s ", text);
	put_rate(out, cpu->rate, 6);
	strbuf_puts(out, " ev/s ");
	put_rate(out, cpu->switch_rate, 6);
	strbuf_puts(out, " cs/s");
	if (cpu->is_throttled)
		strbuf_puts(out, "  throttled");
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

static void make_cells(char cells[COLUMNS][CELL_MAX], const struct snap_event *event)
{
	char text[FMT_MAX];

	snprintf(cells[COLUMN_RATE], CELL_MAX, "%s%s",
		 (event->is_throttled || event->has_silent_cpu) && event->rate >= 0 ? AT_LEAST : "",
		 known(fmt_rate(text, event->rate)));
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
static void put_remarks(struct strbuf *out, const struct snap_event *event)
{
	if (event->unit && *event->unit) {
		strbuf_puts(out, "  in ");
		text_add_safe(out, event->unit);
	}
	if (event->filter) {
		strbuf_puts(out, "  filter ");
		text_add_safe(out, event->filter);
	}
	if (event->cpus && event->running < 1) {
		strbuf_puts(out, "  multiplexed, ran ");
		put_fixed(out, event->running * 100, 1);
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

static void put_event(struct strbuf *out, const struct snap_event *event, size_t name_width)
{
	char cells[COLUMNS][CELL_MAX];
	size_t start;

	strbuf_puts(out, is_out_of_balance(event) ? "! " : "  ");
	start = out->len;
	text_add_safe(out, event->name);
	strbuf_repeat(out, ' ', name_width - text_width(out->text + start));

	if (event->cpus) {
		make_cells(cells, event);
		for (size_t i = 0; i < COLUMNS; i++) {
			strbuf_puts(out, "  ");
			put_right(out, cells[i], columns[i].width);
		}
	}
	put_remarks(out, event);
	strbuf_putc(out, '\n');
}

static size_t measure_names(const struct snapshot *snap)
{
	size_t most = NAME_WIDTH_MIN;
	struct strbuf name;

	strbuf_init(&name);
	for (size_t i = 0; i < snap->nevents; i++) {
		strbuf_clear(&name);
		text_add_safe(&name, snap->events[i].name);
		size_t width = text_width(name.text);
		most = width > most ? width : most;
	}
	strbuf_fini(&name);
	return most;
}

static void put_events(struct strbuf *out, const struct snapshot *snap)
{
	size_t name_width = measure_names(snap);

	strbuf_puts(out, "  EVENT");
	strbuf_repeat(out, ' ', name_width - strlen("EVENT"));
	for (size_t i = 0; i < COLUMNS; i++) {
		strbuf_puts(out, "  ");
		put_right(out, columns[i].title, columns[i].width);
	}
	strbuf_putc(out, '\n');
	for (size_t i = 0; i < snap->nevents; i++)
		put_event(out, &snap->events[i], name_width);
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

void output_text(struct strbuf *out, const struct snapshot *snap)
{
	put_origin(out, snap);
	put_sums(out, snap);
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_cpu(out, &snap->cpus[slot]);
	put_notes(out, snap);
	put_events(out, snap);
	if (snap->is_final)
		put_final(out, snap);
	strbuf_putc(out, '\n');
}
