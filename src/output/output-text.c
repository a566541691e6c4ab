/* SPDX-License-Identifier: MIT */
/*
 * The batch text: the content of the first screen, for a pipe.  UTF-8 whatever the
 * locale, and columns of constant width, so that successive intervals line up.
 * Also the summary of a whole run, in the same format.
 */
#include "output/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/fmt.h"
#include "base/text.h"
#include "output/output-text-inside.h"

void text_put_right(struct strbuf *out, const char *text, size_t width)
{
	size_t len = strlen(text), used = text_width(text);
	size_t blanks = used < width ? width - used : 0;
	char *first = strbuf_extend(out, blanks + len);

	memset(first, ' ', blanks);
	memcpy(first + blanks, text, len + 1);
}

void text_percent(char *out, size_t room, double share)
{
	long tenths = lround(fmax(share, 0) * 1000);

	snprintf(out, room, "%ld.%ld%%", tenths / 10, tenths % 10);
}

/* base/fmt.h is ASCII only: "-" for unknown. */
const char *text_known(const char *text)
{
	return strcmp(text, "-") == 0 ? UNKNOWN : text;
}

void text_put_rate(struct strbuf *out, double rate, size_t width)
{
	char text[FMT_MAX];

	text_put_right(out, text_known(fmt_rate(text, rate)), width);
}

/* "0,2" or "0-63": the kernel's list format. */
static void put_cpu_ids(struct strbuf *out, const struct snapshot *snap)
{
	char number[CPU_TEXT_MAX];

	for (size_t first = 0, last; first < snap->ncpus; first = last + 1) {
		for (last = first; last + 1 < snap->ncpus; last++)
			if (snap->cpus[last].id == CPU_UNKNOWN ||
			    snap->cpus[last + 1].id != snap->cpus[last].id + 1)
				break;
		strbuf_printf(out, first ? ",%s" : "%s",
			      snap_cpu_text(snap->cpus[first].id, number));
		if (last > first)
			strbuf_printf(out, "-%d", snap->cpus[last].id);
	}
}

/* In UTC: the text must not depend on the time zone. */
static void put_time(struct strbuf *out, double time_s)
{
	time_t seconds = (time_t)time_s;
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strbuf_printf(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900,
			      tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void text_put_fixed(struct strbuf *out, double value, unsigned int decimals)
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
		text_put_fixed(out, seconds, 3);
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
		    (!event->is_lost_exact || event->is_at_least))
			return false;
	}
	return true;
}

static void put_rate_and_lost(struct strbuf *out, const struct snapshot *snap, double rate)
{
	char text[FMT_MAX];

	text_put_rate(out, rate, 0);
	strbuf_printf(out, " ev/s  lost %s%s", is_lost_exact(snap) ? "" : AT_LEAST,
		      fmt_count(text, snap->lost));
}

/* What the kernel spends on our events, and the limit that keeps it low. */
static void put_cost(struct strbuf *out, const struct snap_self *self)
{
	if (self->counting < 0)
		return;
	strbuf_puts(out, "  kernel ~");
	text_put_fixed(out, (self->counting + self->switching + self->sampling) * 100, 1);
	strbuf_putc(out, '%');
	if (self->sample_limit >= 0)
		strbuf_printf(out, ", at most %.0f samples/s", self->sample_limit);
}

static void put_sums(struct strbuf *out, const struct snapshot *snap)
{
	char text[FMT_MAX];

	put_rate_and_lost(out, snap, snap->rate);
	strbuf_printf(out, "  throttled %zu now, %s in all", snap->nthrottled,
		      fmt_count(text, snap->throttles));
	strbuf_puts(out, "  self ");
	text_put_fixed(out, snap->self.cpu * 100, 1);
	strbuf_printf(out, "%% %s", fmt_bytes(text, snap->self.rss));
	put_cost(out, &snap->self);
	strbuf_putc(out, '\n');
}

static void put_cpu_rate(struct strbuf *out, const struct snap_cpu *cpu, double rate)
{
	char text[FMT_MAX], number[CPU_TEXT_MAX];

	snprintf(text, sizeof(text), "cpu%s", snap_cpu_text(cpu->id, number));
	strbuf_printf(out, "%-7s ", text);
	text_put_rate(out, rate, 6);
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
	char text[FMT_MAX];

	put_cpu_rate(out, cpu, cpu->rate);
	strbuf_putc(out, ' ');
	text_put_rate(out, cpu->switch_rate, 6);
	strbuf_puts(out, " cs/s");
	if (cpu->busy >= 0) {
		snprintf(text, sizeof(text), "%s%ld%%",
			 snap_cpu_is_busy_at_least(cpu) ? AT_LEAST : "",
			 lround(fmin(cpu->busy, 1) * 100));
		strbuf_puts(out, "  busy ");
		text_put_right(out, text, 5);
	}
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

/* The sums of one event on one CPU that do not add up, unrounded. */
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
		/* Each CPU is balanced, but the event is not. */
		strbuf_puts(out, "final: ");
		text_add_safe(out, event->name);
		strbuf_puts(out, " is not balanced\n");
	}
}

/* At the end of a run: whether total == sampled + lost, for all events where it is known. */
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
			      behind ? "not all was decoded" : "no event has a fixed period of 1");
	else
		strbuf_printf(out,
			      "final: balanced, %zu %s: total %" PRIu64 " = sampled %" PRIu64
			      " + lost %" PRIu64 "\n",
			      checked, checked == 1 ? "event" : "events", total, sampled, lost);
}

/* With --verify, also when all is balanced: what is missing here may be too many there. */
static void put_verified(struct strbuf *out, const struct snapshot *snap)
{
	const struct snap_verify *verify = &snap->verify;

	if (!snap->is_verified)
		return;
	if (verify->events == 0) {
		strbuf_puts(out, "final: nothing to verify, no event is sampled by period\n");
		return;
	}
	strbuf_printf(out, "final: verified, %" PRIu64 " %s: %" PRIu64 " samples", verify->events,
		      verify->events == 1 ? "event" : "events", verify->checked);
	if (verify->first == NULL)
		strbuf_puts(out, ", each with count = sampled + lost\n");
	else
		strbuf_printf(out, ", %" PRIu64 " missing, %" PRIu64 " too many\n", verify->missing,
			      verify->extra);
}

static void put_end(struct strbuf *out, const struct text_events *table)
{
	put_notes(out, table->snap);
	text_events_put(out, table);
	text_callers_put(out, table->snap);
	if (table->snap->is_final) {
		put_final(out, table->snap);
		put_verified(out, table->snap);
	}
	strbuf_putc(out, '\n');
}

static void put_interval(struct strbuf *out, const struct snapshot *snap, const char *argument)
{
	struct text_events table;

	(void)argument;
	put_origin(out, snap);
	put_seconds(out, "interval", snap->interval_s);
	put_sums(out, snap);
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_cpu(out, &snap->cpus[slot]);
	text_events_init(&table, snap, false);
	put_end(out, &table);
	text_events_fini(&table);
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
			rate = add_rate(rate,
					text_whole_rate(snap, event, event->cpus[slot].total));
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
	text_put_fixed(out, snap->self.cpu_s, 2);
	strbuf_printf(out, " s of CPU, %s\n", fmt_bytes(text, snap->self.rss));
}

static void put_whole_cpu(struct strbuf *out, const struct snapshot *snap, size_t slot)
{
	put_cpu_rate(out, &snap->cpus[slot], whole_cpu_rate(snap, slot));
	put_cpu_state(out, &snap->cpus[slot]);
}

/* Sorted by total; many events at 0 take one line. */
static void put_summary(struct strbuf *out, const struct snapshot *snap)
{
	struct text_events table;

	put_origin(out, snap);
	put_seconds(out, "ran", snap->whole_s);
	put_whole_sums(out, snap);
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_whole_cpu(out, snap, slot);
	text_events_init(&table, snap, true);
	text_events_sort(&table);
	put_end(out, &table);
	text_events_fini(&table);
}

const struct output *output_text(void)
{
	static const struct output text = { .put = put_interval, .summary = put_summary };

	return &text;
}
