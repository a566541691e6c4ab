/* SPDX-License-Identifier: MIT */
/*
 * One JSON object per line.  Its keys and their order are the lists of model/figures.h; nested
 * lists and objects are written here.  Unknown is null, and a line is always valid UTF-8.
 */
#include "output/output.h"

#include "base/fmt.h"
#include "base/text.h"
#include "model/figures.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SCHEMA 1

/*
 * Whether a comma is needed before a value follows from the previous byte: none
 * after an opening bracket or a colon.
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
 * Escape a character that JSON strings exclude or that could harm a terminal; the
 * value is preserved.
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

/* Begin a value: with its key in an object, key NULL in an array. */
static void begin(struct strbuf *out, const char *key)
{
	separate(out);
	if (key) { /* a constant, so nothing to escape */
		strbuf_putc(out, '"');
		strbuf_puts(out, key);
		strbuf_puts(out, "\":");
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

/* Negative is unknown: no value here is below zero. */
static void put_number(struct strbuf *out, const char *key, double value)
{
	char text[FMT_MAX];

	begin(out, key);
	strbuf_puts(out, isfinite(value) && value >= 0 ? fmt_number(text, value) : "null");
}

/* --- figures ---------------------------------------------------------------------------------- */

static const char *state_name(enum event_state state)
{
	static const char *const names[] = {
		[EVENT_STATE_ON] = "on",
		[EVENT_STATE_OFF] = "off",
		[EVENT_STATE_FAILED] = "failed",
	};
	return names[state];
}

static void put_value(struct strbuf *out, const struct figure *figure, const void *at)
{
	switch (figure->type) {
	case FIGURE_TEXT:
		put_text(out, figure->key, *(const char *const *)at);
		break;
	case FIGURE_FLAG:
		put_bool(out, figure->key, *(const bool *)at);
		break;
	case FIGURE_COUNT:
		put_u64(out, figure->key, *(const uint64_t *)at);
		break;
	case FIGURE_NUMBER:
		put_number(out, figure->key, *(const double *)at);
		break;
	case FIGURE_ID:
		put_int(out, figure->key, *(const int32_t *)at);
		break;
	case FIGURE_STATE:
		put_text(out, figure->key, state_name(*(const enum event_state *)at));
		break;
	case FIGURE_SAMPLING:
		put_u64(out, figure->key, *(const enum sampling *)at);
		break;
	case FIGURE_ANSWER:
		put_u64(out, figure->key, *(const enum cpu_answer *)at);
		break;
	case FIGURE_PART:
		break;
	}
}

/* Put the list or object of that part; `record` is the struct that it belongs to. */
static void put_part(struct strbuf *out, const struct figure *figure, const struct snapshot *snap,
		     const void *record);

/* Put all figures of a list, as members of an object; `record` is the struct with the values. */
static void put_figures(struct strbuf *out, struct figure_list list, const struct snapshot *snap,
			const void *record)
{
	for (size_t i = 0; i < list.count; i++) {
		const struct figure *figure = &list.rows[i];

		if (figure->type == FIGURE_PART)
			put_part(out, figure, snap, record);
		else if (!figure_is_known(figure, snap, record))
			put_null(out, figure->key);
		else
			put_value(out, figure, (const char *)record + figure->at);
	}
}

static void put_object(struct strbuf *out, const char *key, struct figure_list list,
		       const struct snapshot *snap, const void *record)
{
	open_object(out, key);
	put_figures(out, list, snap, record);
	strbuf_putc(out, '}');
}

/* --- parts: nested lists and objects ---------------------------------------------------------- */

static void put_cpu_ids(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_int(out, NULL, snap->cpus[slot].id);
}

static void put_events(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t i = 0; i < snap->nevents; i++)
		put_object(out, NULL, figures_events(), snap, &snap->events[i]);
}

static void put_event_cpus(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	const struct snap_event *event = record;
	const struct figure_list list = figures_events();

	for (size_t slot = 0; event->cpus != NULL && slot < snap->ncpus; slot++) {
		const char *cpu = (const char *)&event->cpus[slot];

		open_object(out, NULL);
		put_int(out, "cpu", snap->cpus[slot].id);
		for (size_t i = 0; i < list.count; i++) {
			if (list.rows[i].place == EVERYWHERE)
				put_value(out, &list.rows[i], cpu + list.rows[i].at_cpu);
		}
		strbuf_putc(out, '}');
	}
}

static void put_tasks(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t i = 0; i < snap->ntasks; i++)
		put_object(out, NULL, figures_tasks(), snap, &snap->tasks[i]);
}

static void put_rest(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	put_figures(out, figures_tasks(), snap, &snap->rest);
}

static void put_task_events(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	const struct snap_task *task = record;

	for (size_t i = 0; i < task->nevents; i++) {
		open_object(out, NULL);
		put_text(out, "name", snap->events[task->events[i].event].name);
		put_number(out, "rate", task->events[i].rate);
		put_u64(out, "total", task->events[i].total);
		put_u64(out, "count", task->events[i].count);
		put_u64(out, "samples", task->events[i].samples);
		put_bool(out, "estimated", task->events[i].is_estimated);
		put_bool(out, "total_estimated", task->events[i].is_total_estimated);
		strbuf_putc(out, '}');
	}
}

static void put_task_switches(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	put_figures(out, figures_task_switches(), snap, record);
}

static void put_switches(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	bool is_known = snap->has_switches;

	(void)record;
	put_u64_if(out, "count", is_known, snap->switch_count);
	put_number(out, "rate", is_known ? snap->switch_rate : RATE_UNKNOWN);
	put_u64_if(out, "voluntary", is_known, snap->voluntary);
	put_u64_if(out, "involuntary", is_known, snap->involuntary);
	open_array(out, "cpus");
	for (size_t slot = 0; is_known && slot < snap->ncpus; slot++)
		put_object(out, NULL, figures_cpu_switches(), snap, &snap->cpus[slot]);
	strbuf_putc(out, ']');
}

static void put_symbols(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t i = 0; i < snap->nsymbols; i++) {
		open_object(out, NULL);
		put_text(out, "symbol", snap->symbols[i].symbol);
		put_text(out, "module", snap->symbols[i].module);
		put_number(out, "share", snap->symbols[i].share);
		strbuf_putc(out, '}');
	}
}

static void put_throttling(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
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
	strbuf_putc(out, ']');
}

static void put_self(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	put_figures(out, figures_self(), snap, &snap->self);
}

static void put_notes(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t i = 0; i < snap->nnotes; i++)
		put_text(out, NULL, snap->notes[i]);
}

static void put_cpus_that(struct strbuf *out, const struct snapshot *snap, enum cpu_answer answer)
{
	for (size_t slot = 0; slot < snap->ncpus; slot++) {
		if (snap->cpus[slot].answer == answer)
			put_int(out, NULL, snap->cpus[slot].id);
	}
}

static void put_silent(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	put_cpus_that(out, snap, CPU_SILENT);
}

static void put_behind(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	put_cpus_that(out, snap, CPU_BEHIND);
}

static void put_part(struct strbuf *out, const struct figure *figure, const struct snapshot *snap,
		     const void *record)
{
	static const struct {
		char open, close;
		void (*put)(struct strbuf *out, const struct snapshot *snap, const void *record);
	} parts[PARTS] = {
		[PART_CPU_IDS] = { '[', ']', put_cpu_ids },
		[PART_EVENTS] = { '[', ']', put_events },
		[PART_EVENT_CPUS] = { '[', ']', put_event_cpus },
		[PART_TASKS] = { '[', ']', put_tasks },
		[PART_TASK_EVENTS] = { '[', ']', put_task_events },
		[PART_TASK_SWITCHES] = { '{', '}', put_task_switches },
		[PART_SWITCHES] = { '{', '}', put_switches },
		[PART_SYMBOLS] = { '[', ']', put_symbols },
		[PART_THROTTLING] = { '{', '}', put_throttling },
		[PART_SELF] = { '{', '}', put_self },
		[PART_NOTES] = { '[', ']', put_notes },
		[PART_SILENT] = { '[', ']', put_silent },
		[PART_BEHIND] = { '[', ']', put_behind },
		[PART_REST] = { '{', '}', put_rest },
	};

	begin(out, figure->key);
	strbuf_putc(out, parts[figure->part].open);
	if (parts[figure->part].put != NULL)
		parts[figure->part].put(out, snap, record);
	strbuf_putc(out, parts[figure->part].close);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void put_all(struct strbuf *out, const struct snapshot *snap)
{
	put_int(out, "schema", SCHEMA);
	put_figures(out, figures_head(), snap, snap);
}

static void put_line(struct strbuf *out, const struct snapshot *snap, const char *argument)
{
	(void)argument;
	open_object(out, NULL);
	put_all(out, snap);
	strbuf_puts(out, "}\n");
}

const struct output *output_json(void)
{
	static const struct output json = { .put = put_line };

	return &json;
}

/* --- a saved snapshot ------------------------------------------------------------------------- */

static void put_saved_event(struct strbuf *out, const struct snapshot *snap,
			    const struct snap_event *event)
{
	open_object(out, NULL);
	put_figures(out, figures_events_saved(), snap, event);
	put_bool(out, "opened", event->cpus != NULL);
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
		put_object(out, NULL, figures_cpus_saved(), snap, &snap->cpus[slot]);
	strbuf_putc(out, ']');
	open_array(out, "task_rates");
	for (size_t i = 0; i < snap->ntasks; i++)
		put_number(out, NULL, snap->tasks[i].rate);
	strbuf_puts(out, "]}}\n");
}
