/* SPDX-License-Identifier: MIT */
/*
 * One JSON object a line.  Keys are kept for ever, in this order; new ones go to
 * the end of their object.  Unknown is null, and a line is always valid UTF-8.
 */
#include "output/output.h"

#include "base/fmt.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SCHEMA 1

/*
 * The comma before a value follows from the byte before it: after an opening
 * bracket or a colon there is none.  So nobody has to count.
 */
static void separate(struct strbuf *out)
{
	if (out->len == 0)
		return;
	char last = out->text[out->len - 1];
	if (last != '{' && last != '[' && last != ':' && last != '\n')
		strbuf_putc(out, ',');
}

/*
 * What may not stand in a string, or not reach a terminal from `cat`: as an escape,
 * losing nothing.
 */
static void put_escaped(struct strbuf *out, uint32_t code)
{
	if (code >= 0x10000) {
		code -= 0x10000;
		strbuf_printf(out, "\\u%04x\\u%04x", 0xd800 | code >> 10, 0xdc00 | (code & 0x3ff));
	} else {
		strbuf_printf(out, "\\u%04x", code);
	}
}

static void put_string(struct strbuf *out, const char *text)
{
	size_t len = strlen(text);

	strbuf_putc(out, '"');
	for (size_t at = 0; at < len;) {
		int32_t code;
		size_t taken = text_decode(text + at, len - at, &code);
		if (code < 0)
			strbuf_puts(out, "\xef\xbf\xbd"); /* U+FFFD */
		else if (!text_is_harmless(code))
			put_escaped(out, (uint32_t)code);
		else {
			if (code == '"' || code == '\\')
				strbuf_putc(out, '\\');
			strbuf_add(out, text + at, taken);
		}
		at += taken;
	}
	strbuf_putc(out, '"');
}

/* Begin a value: with its key in an object, with NULL in an array. */
static void begin(struct strbuf *out, const char *key)
{
	separate(out);
	if (key) {
		put_string(out, key);
		strbuf_putc(out, ':');
	}
}

static void open_object(struct strbuf *out, const char *key)
{
	begin(out, key);
	strbuf_putc(out, '{');
}

static void open_array(struct strbuf *out, const char *key)
{
	begin(out, key);
	strbuf_putc(out, '[');
}

static void put_null(struct strbuf *out, const char *key)
{
	begin(out, key);
	strbuf_puts(out, "null");
}

static void put_text(struct strbuf *out, const char *key, const char *text)
{
	begin(out, key);
	if (text)
		put_string(out, text);
	else
		strbuf_puts(out, "null");
}

static void put_bool(struct strbuf *out, const char *key, bool value)
{
	begin(out, key);
	strbuf_puts(out, value ? "true" : "false");
}

static void put_u64(struct strbuf *out, const char *key, uint64_t value)
{
	begin(out, key);
	strbuf_printf(out, "%" PRIu64, value);
}

static void put_u64_if(struct strbuf *out, const char *key, bool is_known, uint64_t value)
{
	if (is_known)
		put_u64(out, key, value);
	else
		put_null(out, key);
}

static void put_int(struct strbuf *out, const char *key, long long value)
{
	begin(out, key);
	strbuf_printf(out, "%lld", value);
}

/* Negative is unknown: nothing here counts below zero. */
static void put_number(struct strbuf *out, const char *key, double value)
{
	char text[FMT_MAX];

	begin(out, key);
	strbuf_puts(out, isfinite(value) && value >= 0 ? fmt_number(text, value) : "null");
}

static void put_event_cpus(struct strbuf *out, const struct snapshot *snap,
			   const struct snap_event *event)
{
	open_array(out, "cpus");
	for (size_t slot = 0; event->cpus && slot < snap->ncpus; slot++) {
		const struct snap_event_cpu *cpu = &event->cpus[slot];
		open_object(out, NULL);
		put_int(out, "cpu", snap->cpus[slot].id);
		put_u64(out, "count", cpu->count);
		put_number(out, "rate", cpu->rate);
		put_u64(out, "total", cpu->total);
		put_u64(out, "sampled", cpu->sampled);
		put_u64(out, "lost", cpu->lost);
		put_u64(out, "throttles", cpu->throttles);
		strbuf_putc(out, '}');
	}
	strbuf_putc(out, ']');
}

static const char *state_name(enum event_state state)
{
	static const char *const names[] = {
		[EVENT_STATE_ON] = "on",
		[EVENT_STATE_OFF] = "off",
		[EVENT_STATE_FAILED] = "failed",
	};
	return names[state];
}

/* An event that was never opened has no numbers: they are null, not 0. */
static void put_event(struct strbuf *out, const struct snapshot *snap,
		      const struct snap_event *event)
{
	bool was_open = event->cpus != NULL;

	open_object(out, NULL);
	put_text(out, "name", event->name);
	put_text(out, "kind", event->kind);
	put_text(out, "state", state_name(event->state));
	put_text(out, "reason", event->reason);
	put_u64_if(out, "period", event->sampling == SAMPLING_PERIOD, event->period);
	put_u64_if(out, "count", was_open, event->count);
	put_number(out, "rate", was_open ? event->rate : RATE_UNKNOWN);
	put_u64_if(out, "total", was_open, event->total);
	put_u64_if(out, "sampled", was_open, event->sampled);
	put_u64_if(out, "lost", was_open, event->lost);
	put_bool(out, "lost_exact", event->is_lost_exact);
	if (was_open && event->is_balance_known)
		put_bool(out, "balanced", event->is_balanced);
	else
		put_null(out, "balanced");
	put_number(out, "running", was_open ? event->running : RATE_UNKNOWN);
	put_u64_if(out, "throttles", was_open, event->throttles);
	put_number(out, "throttled", was_open ? event->throttled_s : RATE_UNKNOWN);
	put_event_cpus(out, snap, event);
	put_text(out, "unit", event->unit ? event->unit : "");
	put_u64_if(out, "freq", event->sampling == SAMPLING_FREQ, event->period);
	put_u64_if(out, "weight", was_open, event->weight);
	put_text(out, "filter", event->filter);
	put_bool(out, "at_least", event->has_silent_cpu);
	put_bool(out, "sampled_at_least", event->is_behind);
	put_text(out, "asked", event->asked);
	strbuf_putc(out, '}');
}

static void put_task(struct strbuf *out, const struct snapshot *snap, const struct snap_task *task)
{
	open_object(out, NULL);
	put_int(out, "pid", task->pid);
	put_int(out, "tid", task->tid);
	put_text(out, "comm", *task->comm ? task->comm : NULL); /* "" is unknown */
	put_bool(out, "estimated", task->is_estimated);
	open_array(out, "events");
	for (size_t i = 0; i < task->nevents; i++) {
		open_object(out, NULL);
		put_text(out, "name", snap->events[task->events[i].event].name);
		put_number(out, "rate", task->events[i].rate);
		put_u64(out, "total", task->events[i].total);
		strbuf_putc(out, '}');
	}
	strbuf_putc(out, ']');
	open_object(out, "switches");
	put_number(out, "rate", snap->has_switches ? task->switch_rate : RATE_UNKNOWN);
	put_u64_if(out, "voluntary", snap->has_switches, task->voluntary);
	put_u64_if(out, "involuntary", snap->has_switches, task->involuntary);
	strbuf_putc(out, '}');
	put_number(out, "on_cpu", snap->has_switches ? task->on_cpu : RATE_UNKNOWN);
	put_bool(out, "self", task->is_self);
	strbuf_putc(out, '}');
}

static void put_switches(struct strbuf *out, const struct snapshot *snap)
{
	bool is_known = snap->has_switches;

	open_object(out, "switches");
	put_u64_if(out, "count", is_known, snap->switch_count);
	put_number(out, "rate", is_known ? snap->switch_rate : RATE_UNKNOWN);
	put_u64_if(out, "voluntary", is_known, snap->voluntary);
	put_u64_if(out, "involuntary", is_known, snap->involuntary);
	open_array(out, "cpus");
	for (size_t slot = 0; is_known && slot < snap->ncpus; slot++) {
		const struct snap_cpu *cpu = &snap->cpus[slot];
		open_object(out, NULL);
		put_int(out, "cpu", cpu->id);
		put_number(out, "rate", cpu->switch_rate);
		put_u64(out, "voluntary", cpu->voluntary);
		put_u64(out, "involuntary", cpu->involuntary);
		strbuf_putc(out, '}');
	}
	strbuf_puts(out, "]}");
}

static void put_symbols(struct strbuf *out, const struct snapshot *snap)
{
	open_array(out, "symbols");
	for (size_t i = 0; i < snap->nsymbols; i++) {
		open_object(out, NULL);
		put_text(out, "symbol", snap->symbols[i].symbol);
		put_text(out, "module", snap->symbols[i].module);
		put_number(out, "share", snap->symbols[i].share);
		strbuf_putc(out, '}');
	}
	strbuf_putc(out, ']');
}

static void put_throttling(struct strbuf *out, const struct snapshot *snap)
{
	open_object(out, "throttling");
	put_u64_if(out, "max_sample_rate", snap->max_sample_rate >= 0,
		   (uint64_t)snap->max_sample_rate);
	put_u64_if(out, "cpu_time_max_percent", snap->cpu_time_max_percent >= 0,
		   (uint64_t)snap->cpu_time_max_percent);
	open_array(out, "now");
	for (size_t i = 0; i < snap->nthrottled; i++) {
		const struct snap_throttle_now *now = &snap->throttled[i];
		open_object(out, NULL);
		put_text(out, "event", snap->events[now->event].name);
		put_int(out, "cpu", snap->cpus[now->slot].id);
		put_number(out, "since", now->since_s);
		strbuf_putc(out, '}');
	}
	strbuf_puts(out, "]}");
}

static void put_self(struct strbuf *out, const struct snap_self *self)
{
	open_object(out, "self");
	put_number(out, "cpu", self->cpu);
	put_u64(out, "rss", self->rss);
	put_u64(out, "rings", self->rings);
	put_u64(out, "queue_peak", self->queue_peak);
	put_u64(out, "blocks", self->blocks);
	strbuf_putc(out, '}');
}

static void put_head(struct strbuf *out, const struct snapshot *snap)
{
	put_int(out, "schema", SCHEMA);
	put_bool(out, "final", snap->is_final);
	put_u64(out, "seq", snap->seq);
	put_number(out, "time", snap->time_s);
	put_number(out, "interval", snap->interval_s);
	put_text(out, "host", snap->host);
	put_text(out, "kernel", snap->kernel);
	open_array(out, "cpus");
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_int(out, NULL, snap->cpus[slot].id);
	strbuf_putc(out, ']');
}

static void put_cpus_that(struct strbuf *out, const struct snapshot *snap, const char *key,
			  enum cpu_answer answer)
{
	open_array(out, key);
	for (size_t slot = 0; slot < snap->ncpus; slot++) {
		if (snap->cpus[slot].answer == answer)
			put_int(out, NULL, snap->cpus[slot].id);
	}
	strbuf_putc(out, ']');
}

/*
 * What came after the first release of the schema, and sums that readers would else
 * have to make.
 */
static void put_rest(struct strbuf *out, const struct snapshot *snap)
{
	put_number(out, "elapsed", snap->elapsed_s);
	put_number(out, "rate", snap->rate);
	put_u64(out, "lost", snap->lost);
	put_u64(out, "throttles", snap->throttles);
	if (snap->is_balance_known)
		put_bool(out, "balanced", snap->is_balanced);
	else
		put_null(out, "balanced");
	put_u64(out, "tasks_known", snap->ntasks_known);
	put_text(out, "symbol_event", snap->symbol_event);
	put_u64(out, "side_lost", snap->side_lost);
	put_u64(out, "lost_records", snap->lost_records);
	put_u64(out, "unknown_records", snap->unknown_records);
	put_u64(out, "corrupt", snap->corrupt);
	open_array(out, "notes");
	for (size_t i = 0; i < snap->nnotes; i++)
		put_text(out, NULL, snap->notes[i]);
	strbuf_putc(out, ']');
	put_cpus_that(out, snap, "silent", CPU_SILENT);
	put_cpus_that(out, snap, "behind", CPU_BEHIND);
}

static void put_all(struct strbuf *out, const struct snapshot *snap)
{
	put_head(out, snap);
	open_array(out, "events");
	for (size_t i = 0; i < snap->nevents; i++)
		put_event(out, snap, &snap->events[i]);
	strbuf_putc(out, ']');
	open_array(out, "tasks");
	for (size_t i = 0; i < snap->ntasks; i++)
		put_task(out, snap, &snap->tasks[i]);
	strbuf_putc(out, ']');
	put_switches(out, snap);
	put_symbols(out, snap);
	put_throttling(out, snap);
	put_self(out, &snap->self);
	put_rest(out, snap);
}

void output_json(struct strbuf *out, const struct snapshot *snap)
{
	open_object(out, NULL);
	put_all(out, snap);
	strbuf_puts(out, "}\n");
}

static void put_saved_event(struct strbuf *out, const struct snapshot *snap,
			    const struct snap_event *event)
{
	open_object(out, NULL);
	put_number(out, "rate_before", event->rate_before);
	put_bool(out, "throttled", event->is_throttled);
	put_u64(out, "sampling", event->sampling);
	put_bool(out, "opened", event->cpus != NULL);
	put_bool(out, "balance_known", event->is_balance_known);
	put_text(out, "last", event->last);
	open_array(out, "trend");
	for (size_t i = 0; i < event->ntrend; i++)
		put_number(out, NULL, event->trend[i]);
	strbuf_putc(out, ']');
	open_array(out, "cpus"); /* 1: throttled, 2: balanced */
	for (size_t slot = 0; event->cpus && slot < snap->ncpus; slot++)
		put_int(out, NULL,
			event->cpus[slot].is_throttled | event->cpus[slot].is_balanced << 1);
	strbuf_puts(out, "]}");
}

static void put_saved_cpu(struct strbuf *out, const struct snap_cpu *cpu)
{
	open_object(out, NULL);
	put_bool(out, "online", cpu->is_online);
	put_number(out, "rate", cpu->rate);
	put_number(out, "switch_rate", cpu->switch_rate);
	put_bool(out, "throttled", cpu->is_throttled);
	put_u64(out, "answer", cpu->answer);
	put_u64(out, "ring", cpu->ring_bytes);
	put_u64(out, "corrupt", cpu->corrupt);
	strbuf_putc(out, '}');
}

void output_saved(struct strbuf *out, const struct snapshot *snap)
{
	strbuf_puts(out, OUTPUT_SAVED_MARK "{");
	put_all(out, snap);
	open_object(out, "saved");
	put_number(out, "target", snap->target_s);
	open_array(out, "events");
	for (size_t i = 0; i < snap->nevents; i++)
		put_saved_event(out, snap, &snap->events[i]);
	strbuf_putc(out, ']');
	open_array(out, "cpus");
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_saved_cpu(out, &snap->cpus[slot]);
	strbuf_putc(out, ']');
	open_array(out, "task_rates");
	for (size_t i = 0; i < snap->ntasks; i++)
		put_number(out, NULL, snap->tasks[i].rate);
	strbuf_puts(out, "]}}\n");
}
