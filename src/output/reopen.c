/* SPDX-License-Identifier: MIT */
#include "output/reopen.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "output/output.h"
#include "output/reopen-inside.h"
#include "output/saved-minute.h"

#define RUNNERS_MAX 4096
#define SLOT_MAX_S  3600.0
#define CPU_ID_MAX  65535
#define CPUS_MAX    8192 /* of Linux on x86-64, arm64: CONFIG_NR_CPUS */

const char *reopen_find(const char *text, size_t text_len, size_t *len)
{
	const size_t mark = strlen(OUTPUT_SAVED_MARK);
	const char *at = text, *end = text + text_len, *found = NULL;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline != NULL ? newline : end;

		if ((size_t)(stop - at) > mark && memcmp(at, OUTPUT_SAVED_MARK, mark) == 0 &&
		    at[mark] == '{') {
			/* Take the last one: text before it may have arbitrary task names. */
			*len = (size_t)(stop - at) - mark;
			found = at + mark;
		}
		at = stop + 1;
	}
	return found;
}

/* --- CPUs ----------------------------------------------------------------------------------- */

/* A slot of a runner that is not there is unknown. */
static struct snap_slot slot_from(const struct snapshot *snap, uint64_t value)
{
	uint64_t runner = value >> 7, percent = value & 127;

	if (runner >= SNAP_RUNNER_FIRST + snap->nrunners)
		return (struct snap_slot){ 0 };
	return (struct snap_slot){ (uint16_t)runner, (uint8_t)(percent < 100 ? percent : 100) };
}

static void read_timeline(struct reading *reading, struct snap_cpu *cpus)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *from = json_get(reading->saved, "timeline");
	const struct json_value *list = json_get(from, "runners");
	const struct json_value *lines = json_first(json_get(from, "cpus"));
	struct snap_runner *runners = snap_alloc(snap, json_count(list), sizeof(*runners));

	snap->runners = runners;
	snap->slot_s = fmin(fmax(json_number(json_get(from, "slot"), 0), 0), SLOT_MAX_S);
	for (const struct json_value *at = json_first(list);
	     at != NULL && snap->nrunners < RUNNERS_MAX; at = json_next(at))
		runners[snap->nrunners++] =
			(struct snap_runner){ reopen_text(snap, json_get(at, "comm"), ""),
					      reopen_whole(at, "tid", -1) };
	for (size_t cpu = 0; cpu < snap->ncpus && lines != NULL; cpu++) {
		const struct json_value *at = json_first(lines);
		struct snap_slot *slots = json_count(lines) == SNAP_SLOTS ?
						  snap_alloc(snap, SNAP_SLOTS, sizeof(*slots)) :
						  NULL;

		for (size_t i = 0; i < SNAP_SLOTS && slots != NULL; i++, at = json_next(at))
			slots[i] = slot_from(snap, json_u64(at, 0));
		cpus[cpu].slots = slots;
		lines = json_next(lines);
	}
}

/* The trend of one CPU; NULL for a text of another form. */
static const float *read_minute(struct reading *reading, const struct json_value *value)
{
	float values[SNAP_TREND_MAX];

	if (!saved_minute_read(json_string(value, ""), values))
		return NULL;
	float *trend = snap_alloc(reading->snap, SNAP_TREND_MAX, sizeof(*trend));
	return memcpy(trend, values, sizeof(values));
}

static void read_cpu_trends(struct reading *reading, const struct json_value *list,
			    struct snap_cpu *cpu)
{
	const struct json_value *at = json_first(list);

	for (int i = 0; i < CPU_TRENDS; i++, at = json_next(at))
		cpu->trends[i] = read_minute(reading, at);
}

/* A whole number, or null. */
static int read_cpu_id(const struct json_value *value)
{
	uint64_t id = json_u64(value, UINT64_MAX);

	return id <= CPU_ID_MAX ? (int)id : CPU_UNKNOWN;
}

static void read_cpus(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *ids = json_get(reading->root, "cpus");
	const struct json_value *saved = json_first(json_get(reading->saved, "cpus"));
	const struct json_value *switches =
		json_first(json_get(json_get(reading->root, "switches"), "cpus"));
	struct snap_cpu *cpus = snap_alloc(snap, json_count(ids), sizeof(*cpus));

	snap->cpus = cpus;
	for (const struct json_value *id = json_first(ids); id != NULL && snap->ncpus < CPUS_MAX;
	     id = json_next(id)) {
		struct snap_cpu *cpu = &cpus[snap->ncpus++];
		reopen_figures(reading, figures_cpus_saved(), saved, cpu);
		cpu->id = read_cpu_id(id);
		cpu->voluntary = reopen_count(switches, "voluntary");
		cpu->involuntary = reopen_count(switches, "involuntary");
		cpu->busy = reopen_number(switches, "busy");
		cpu->idle = reopen_number(switches, "idle");
		cpu->preempt_rate = reopen_number(switches, "involuntary_rate");
		read_cpu_trends(reading, json_get(saved, "trends"), cpu);
		saved = json_next(saved);
		switches = json_next(switches);
	}
	read_timeline(reading, cpus);
}

static bool find_slot(const struct snapshot *snap, int id, uint32_t *slot)
{
	for (*slot = 0; *slot < snap->ncpus; (*slot)++) {
		if (snap->cpus[*slot].id == id)
			return true;
	}
	return false;
}

/* --- events --------------------------------------------------------------------------------- */

/* Refuse a list without all CPUs: memory stays proportional to the input's size. */
static const struct snap_event_cpu *read_event_cpus(struct reading *reading,
						    const struct json_value *list,
						    const struct json_value *bits,
						    const struct json_value *trends)
{
	const struct figure_list list_of = figures_events();
	struct snapshot *snap = reading->snap;

	if (json_count(list) != snap->ncpus)
		return NULL;

	struct snap_event_cpu *cpus = snap_alloc(snap, snap->ncpus, sizeof(*cpus));
	const struct json_value *at = json_first(list);

	for (size_t slot = 0; slot < snap->ncpus; slot++, at = json_next(at)) {
		uint64_t bit = json_u64(bits, 2);

		for (size_t i = 0; i < list_of.count; i++) {
			const struct figure *figure = &list_of.rows[i];

			if (figure->place == EVERYWHERE)
				reopen_value(reading, figure, at,
					     (char *)&cpus[slot] + figure->at_cpu);
		}
		cpus[slot].is_throttled = bit & 1;
		cpus[slot].is_balanced = bit & 2;
		bits = json_next(bits);
		cpus[slot].trend = read_minute(reading, trends);
		trends = json_next(trends);
	}
	return cpus;
}

static void read_trend(struct reading *reading, const struct json_value *list,
		       struct snap_event *event)
{
	size_t count = json_count(list);

	if (count == 0)
		return;
	if (count > SNAP_TREND_MAX)
		count = SNAP_TREND_MAX;

	float *trend = snap_alloc(reading->snap, count, sizeof(*trend));
	event->trend = trend;
	for (const struct json_value *at = json_first(list); event->ntrend < count;
	     at = json_next(at))
		trend[event->ntrend++] = (float)json_number(at, RATE_UNKNOWN);
}

static void read_event(struct reading *reading, const struct json_value *from,
		       const struct json_value *saved, struct snap_event *event)
{
	reopen_figures(reading, figures_events(), from, event);
	reopen_figures(reading, figures_events_saved(), saved, event);
	if (event->asked == NULL)
		event->asked = event->name;
	if (json_bool(json_get(saved, "opened"), false))
		event->cpus = read_event_cpus(reading, json_get(from, "cpus"),
					      json_first(json_get(saved, "cpus")),
					      json_first(json_get(saved, "cpu_trends")));
	read_trend(reading, json_get(saved, "trend"), event);
}

static struct snap_event *read_events(struct reading *reading)
{
	const struct json_value *list = json_get(reading->root, "events");
	const struct json_value *saved = json_first(json_get(reading->saved, "events"));
	struct snap_event *events = snap_alloc(reading->snap, json_count(list), sizeof(*events));

	reading->snap->events = events;
	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at)) {
		struct snap_event *event = &events[reading->snap->nevents];

		event->id = (uint32_t)reading->snap->nevents++;
		read_event(reading, at, saved, event);
		saved = json_next(saved);
	}
	return events;
}

/* Events with the same name stay in order. */
static int compare_named(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int order = strcmp(a->name, b->name);

	return order != 0 ? order : (a->event > b->event) - (a->event < b->event);
}

static void sort_names(struct reading *reading)
{
	const struct snapshot *snap = reading->snap;

	reading->names = xcalloc(snap->nevents + 1, sizeof(*reading->names));
	for (uint32_t i = 0; i < snap->nevents; i++)
		reading->names[i] = (struct named){ snap->events[i].name, i };
	qsort(reading->names, snap->nevents, sizeof(*reading->names), compare_named);
}

bool reopen_find_event(const struct reading *reading, const char *name, uint32_t *number)
{
	const struct named *names = reading->names;
	size_t low = 0, high = reading->snap->nevents;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(names[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == reading->snap->nevents || strcmp(names[low].name, name) != 0)
		return false;
	*number = names[low].event;
	return true;
}

/* --- symbols -------------------------------------------------------------------------------- */

static void read_callers(struct reading *reading, const struct json_value *from,
			 struct snap_symbol *symbol)
{
	const struct json_value *list = json_get(from, "callers");
	struct snap_caller *callers = snap_alloc(reading->snap, json_count(list), sizeof(*callers));
	uint32_t deepest = 1; /* of the next one: its caller is before it */

	symbol->callers = callers;
	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at)) {
		double depth = json_number(json_get(at, "depth"), 0);
		struct snap_caller *caller = &callers[symbol->ncallers];

		if (!(depth >= 1 && depth <= deepest))
			continue;
		*caller = (struct snap_caller){
			.symbol = reopen_text(reading->snap, json_get(at, "symbol"), "?"),
			.module = reopen_text(reading->snap, json_get(at, "module"), "?"),
			.share = json_number(json_get(at, "share"), 0),
			.depth = (uint32_t)depth,
		};
		deepest = caller->depth + 1;
		symbol->ncallers++;
	}
}

static const struct snap_symbol *read_symbol_list(struct reading *reading,
						  const struct json_value *list, size_t *count)
{
	struct snapshot *snap = reading->snap;
	struct snap_symbol *symbols = snap_alloc(snap, json_count(list), sizeof(*symbols));

	*count = 0;
	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at)) {
		struct snap_symbol *symbol = &symbols[(*count)++];

		symbol->symbol = reopen_text(snap, json_get(at, "symbol"), "?");
		symbol->module = reopen_text(snap, json_get(at, "module"), "?");
		symbol->is_user =
			json_bool(json_get(at, "user"), strcmp(symbol->module, "[user]") == 0);
		symbol->share = json_number(json_get(at, "share"), 0);
		read_callers(reading, at, symbol);
	}
	return symbols;
}

/* The head has those of the symbol event, each other event its own. */
static void read_symbols(struct reading *reading, struct snap_event *events)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *from = json_first(json_get(reading->root, "events"));
	uint32_t number;

	snap->symbols =
		read_symbol_list(reading, json_get(reading->root, "symbols"), &snap->nsymbols);
	for (size_t i = 0; i < snap->nevents; i++, from = json_next(from)) {
		const struct json_value *list = json_get(from, "symbols");

		events[i].symbols = read_symbol_list(reading, list, &events[i].nsymbols);
		events[i].has_code = json_is_array(list);
	}
	if (snap->symbol_event == NULL || !reopen_find_event(reading, snap->symbol_event, &number))
		return;
	events[number].has_code = events[number].is_symbol_event = true;
	events[number].symbols = snap->symbols;
	events[number].nsymbols = snap->nsymbols;
}

/* --- the rest ------------------------------------------------------------------------------- */

static void read_throttling(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *from = json_get(reading->root, "throttling");
	const struct json_value *list = json_get(from, "now");
	struct snap_throttle_now *now = snap_alloc(snap, json_count(list), sizeof(*now));

	snap->throttled = now;
	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at)) {
		struct snap_throttle_now *one = &now[snap->nthrottled];

		if (!reopen_find_event(reading, json_string(json_get(at, "event"), ""),
				       &one->event) ||
		    !find_slot(snap, read_cpu_id(json_get(at, "cpu")), &one->slot))
			continue;
		one->since_s = json_number(json_get(at, "since"), 0);
		snap->nthrottled++;
	}
	snap->max_sample_rate = reopen_whole(from, "max_sample_rate", -1);
	snap->cpu_time_max_percent = reopen_whole(from, "cpu_time_max_percent", -1);
}

static void read_notes(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *list = json_get(reading->root, "notes");
	const char **notes = snap_alloc(snap, json_count(list), sizeof(*notes));

	snap->notes = notes;
	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at))
		notes[snap->nnotes++] = reopen_text(snap, at, "");
}

/* Its text is one of the notes. */
static void read_verify(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *from = json_get(reading->root, "verify");
	const struct json_value *first = json_get(from, "first");

	snap->is_verified = json_get(from, "checked") != NULL;
	reopen_figures(reading, figures_verify(), from, &snap->verify);
	if (json_get(first, "event") == NULL)
		return;

	struct snap_violation *violation = snap_alloc(snap, 1, sizeof(*violation));

	reopen_figures(reading, figures_violation(), first, violation);
	snap->verify.first = violation;
}

static void read_switches(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *from = json_get(reading->root, "switches");

	snap->has_switches = json_number(json_get(from, "voluntary"), RATE_UNKNOWN) >= 0;
	snap->switch_rate = reopen_number(from, "rate");
	snap->switch_count = reopen_count(from, "count");
	snap->voluntary = reopen_count(from, "voluntary");
	snap->involuntary = reopen_count(from, "involuntary");
	reopen_span(reading, json_get(from, "slice"), &snap->slice);
	reopen_span(reading, json_get(from, "wait"), &snap->wait);
	snap->has_wakeups = json_bool(json_get(from, "wakeups"), false);
}

static void read_head(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *root = reading->root;

	reopen_figures(reading, figures_head(), root, snap);
	reopen_figures(reading, figures_self(), json_get(root, "self"), &snap->self);
	snap->target_s = json_number(json_get(reading->saved, "target"), 1);
	/* "balanced" is unknown if null: then json_bool() returns either default */
	snap->is_balance_known = snap->is_balanced == json_bool(json_get(root, "balanced"), false);
}

static char *read_screen(const struct json_value *saved)
{
	const char *text = json_string(json_get(saved, "screen"), NULL);

	return text != NULL ? xstrdup(text) : NULL;
}

struct snapshot *reopen_snapshot(const char *object, size_t len, char **screen)
{
	struct json *json = json_parse(object, len);

	if (screen != NULL)
		*screen = NULL;
	if (json == NULL)
		return NULL;

	const struct json_value *root = json_root(json);
	struct reading reading = { .root = root, .saved = json_get(root, "saved") };
	if (json_u64(json_get(root, "schema"), 0) == OUTPUT_SCHEMA && reading.saved != NULL) {
		reading.snap = snapshot_new(0);
		read_head(&reading);
		read_cpus(&reading);
		struct snap_event *events = read_events(&reading);
		sort_names(&reading);
		reopen_tasks(&reading);
		read_switches(&reading);
		read_symbols(&reading, events);
		read_throttling(&reading);
		read_notes(&reading);
		read_verify(&reading);
		if (screen != NULL)
			*screen = read_screen(reading.saved);
	}
	free(reading.names);
	json_free(json);
	return reading.snap;
}
