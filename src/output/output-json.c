/* SPDX-License-Identifier: MIT */
/*
 * One JSON object per line.  Its keys and their order are the lists of model/figures.h; nested
 * lists and objects are written here.  Unknown is null, and a line is always valid UTF-8.
 */
#include "output/output.h"

#include "model/figures.h"
#include "output/json-write.h"
#include "output/saved-minute.h"

/* --- figures ---------------------------------------------------------------------------------- */

static void put_value(struct strbuf *out, const struct figure *figure, const void *at)
{
	switch (figure->type) {
	case FIGURE_TEXT:
		json_put_text(out, figure->key, *(const char *const *)at);
		break;
	case FIGURE_FLAG:
		json_put_bool(out, figure->key, *(const bool *)at);
		break;
	case FIGURE_COUNT:
		json_put_u64(out, figure->key, *(const uint64_t *)at);
		break;
	case FIGURE_NUMBER:
		json_put_number(out, figure->key, *(const double *)at);
		break;
	case FIGURE_ID:
		json_put_int(out, figure->key, *(const int32_t *)at);
		break;
	case FIGURE_STATE:
		json_put_text(out, figure->key, event_state_name(*(const enum event_state *)at));
		break;
	case FIGURE_SAMPLING:
		json_put_u64(out, figure->key, *(const enum sampling *)at);
		break;
	case FIGURE_ANSWER:
		json_put_u64(out, figure->key, *(const enum cpu_answer *)at);
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

		if (!figure_is_known(figure, snap, record))
			json_put_null(out, figure->key);
		else if (figure->type == FIGURE_PART)
			put_part(out, figure, snap, record);
		else
			put_value(out, figure, (const char *)record + figure->at);
	}
}

static void put_object(struct strbuf *out, const char *key, struct figure_list list,
		       const struct snapshot *snap, const void *record)
{
	json_open_object(out, key);
	put_figures(out, list, snap, record);
	strbuf_putc(out, '}');
}

/* --- parts: nested lists and objects ---------------------------------------------------------- */

static void put_cpu_id(struct strbuf *out, const char *key, int id)
{
	if (id == CPU_UNKNOWN)
		json_put_null(out, key);
	else
		json_put_int(out, key, id);
}

static void put_cpu_ids(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_cpu_id(out, NULL, snap->cpus[slot].id);
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

		json_open_object(out, NULL);
		put_cpu_id(out, "cpu", snap->cpus[slot].id);
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

static void put_processes(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t i = 0; i < snap->nprocesses; i++)
		put_object(out, NULL, figures_tasks(), snap, &snap->processes[i]);
}

static void put_parents(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	for (size_t i = 0; i < snap->nparents; i++)
		put_object(out, NULL, figures_parents(), snap, &snap->parents[i]);
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
		json_open_object(out, NULL);
		json_put_text(out, "name", snap->events[task->events[i].event].name);
		json_put_number(out, "rate", task->events[i].rate);
		json_put_u64(out, "total", task->events[i].total);
		json_put_u64(out, "count", task->events[i].count);
		json_put_u64(out, "samples", task->events[i].samples);
		json_put_bool(out, "estimated", task->events[i].is_estimated);
		json_put_bool(out, "total_estimated", task->events[i].is_total_estimated);
		strbuf_putc(out, '}');
	}
}

static void put_task_switches(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	put_figures(out, figures_task_switches(), snap, record);
}

static void put_span(struct strbuf *out, const struct snapshot *snap, const struct snap_span *span)
{
	size_t last = HISTOGRAM_OCTAVES;

	put_figures(out, figures_spans(), snap, span);
	json_open_array(out, "octaves");
	while (span->octaves != NULL && last > 0 && span->octaves[last - 1] == 0)
		last--;
	for (size_t i = 0; span->octaves != NULL && i < last; i++)
		json_put_u64(out, NULL, span->octaves[i]);
	strbuf_putc(out, ']');
}

static void put_slice(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	put_span(out, snap, &((const struct snap_task *)record)->slice);
}

static void put_wait(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	put_span(out, snap, &((const struct snap_task *)record)->wait);
}

static void put_preempted_by(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	const struct snap_task *task = record;

	(void)snap;
	for (size_t i = 0; i < task->npreempters; i++) {
		json_open_object(out, NULL);
		json_put_text(out, "comm", task->preempters[i].comm);
		json_put_int(out, "tid", task->preempters[i].tid);
		json_put_u64(out, "count", task->preempters[i].count);
		strbuf_putc(out, '}');
	}
}

static void put_switches(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	bool is_known = snap->has_switches;

	(void)record;
	json_put_u64_if(out, "count", is_known, snap->switch_count);
	json_put_number(out, "rate", is_known ? snap->switch_rate : RATE_UNKNOWN);
	json_put_u64_if(out, "voluntary", is_known, snap->voluntary);
	json_put_u64_if(out, "involuntary", is_known, snap->involuntary);
	json_open_array(out, "cpus");
	for (size_t slot = 0; is_known && slot < snap->ncpus; slot++)
		put_object(out, NULL, figures_cpu_switches(), snap, &snap->cpus[slot]);
	strbuf_putc(out, ']');
	json_open_object(out, "slice");
	put_span(out, snap, &snap->slice);
	strbuf_putc(out, '}');
	json_open_object(out, "wait");
	put_span(out, snap, &snap->wait);
	strbuf_putc(out, '}');
	json_put_bool(out, "wakeups", snap->has_wakeups);
}

static void put_callers(struct strbuf *out, const struct snap_symbol *symbol)
{
	if (symbol->ncallers == 0)
		return;
	json_open_array(out, "callers");
	for (size_t i = 0; i < symbol->ncallers; i++) {
		json_open_object(out, NULL);
		json_put_u64(out, "depth", symbol->callers[i].depth);
		json_put_text(out, "symbol", symbol->callers[i].symbol);
		json_put_text(out, "module", symbol->callers[i].module);
		json_put_number(out, "share", symbol->callers[i].share);
		strbuf_putc(out, '}');
	}
	strbuf_putc(out, ']');
}

static void put_symbol_list(struct strbuf *out, const struct snap_symbol *symbols, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		json_open_object(out, NULL);
		json_put_text(out, "symbol", symbols[i].symbol);
		json_put_text(out, "module", symbols[i].module);
		json_put_number(out, "share", symbols[i].share);
		json_put_bool(out, "user", symbols[i].is_user);
		put_callers(out, &symbols[i]);
		strbuf_putc(out, '}');
	}
}

static void put_symbols(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	put_symbol_list(out, snap->symbols, snap->nsymbols);
}

static void put_event_symbols(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	const struct snap_event *event = record;

	(void)snap;
	put_symbol_list(out, event->symbols, event->nsymbols);
}

static void put_throttling(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	json_put_u64_if(out, "max_sample_rate", snap->max_sample_rate >= 0,
			(uint64_t)snap->max_sample_rate);
	json_put_u64_if(out, "cpu_time_max_percent", snap->cpu_time_max_percent >= 0,
			(uint64_t)snap->cpu_time_max_percent);
	json_open_array(out, "now");
	for (size_t i = 0; i < snap->nthrottled; i++) {
		const struct snap_throttle_now *now = &snap->throttled[i];
		json_open_object(out, NULL);
		json_put_text(out, "event", snap->events[now->event].name);
		put_cpu_id(out, "cpu", snap->cpus[now->slot].id);
		json_put_number(out, "since", now->since_s);
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
		json_put_text(out, NULL, snap->notes[i]);
}

static void put_verify(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	put_figures(out, figures_verify(), snap, &snap->verify);
}

static void put_violation(struct strbuf *out, const struct snapshot *snap, const void *record)
{
	(void)record;
	put_figures(out, figures_violation(), snap, snap->verify.first);
}

static void put_cpus_that(struct strbuf *out, const struct snapshot *snap, enum cpu_answer answer)
{
	for (size_t slot = 0; slot < snap->ncpus; slot++) {
		if (snap->cpus[slot].answer == answer)
			put_cpu_id(out, NULL, snap->cpus[slot].id);
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
		[PART_EVENT_SYMBOLS] = { '[', ']', put_event_symbols },
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
		[PART_SLICE] = { '{', '}', put_slice },
		[PART_WAIT] = { '{', '}', put_wait },
		[PART_PREEMPTED_BY] = { '[', ']', put_preempted_by },
		[PART_PROCESSES] = { '[', ']', put_processes },
		[PART_PARENTS] = { '[', ']', put_parents },
		[PART_VERIFY] = { '{', '}', put_verify },
		[PART_VIOLATION] = { '{', '}', put_violation },
	};

	json_begin(out, figure->key);
	strbuf_putc(out, parts[figure->part].open);
	if (parts[figure->part].put != NULL)
		parts[figure->part].put(out, snap, record);
	strbuf_putc(out, parts[figure->part].close);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void put_all(struct strbuf *out, const struct snapshot *snap)
{
	json_put_int(out, "schema", OUTPUT_SCHEMA);
	put_figures(out, figures_head(), snap, snap);
}

static void put_line(struct strbuf *out, const struct snapshot *snap, const char *argument)
{
	(void)argument;
	json_open_object(out, NULL);
	put_all(out, snap);
	strbuf_puts(out, "}\n");
}

const struct output *output_json(void)
{
	static const struct output json = { .put = put_line };

	return &json;
}

/* --- a saved snapshot ------------------------------------------------------------------------- */

static void put_minute(struct strbuf *out, const float *trend)
{
	char text[SAVED_MINUTE_MAX];

	json_put_text(out, NULL, saved_minute_text(text, trend));
}

static void put_saved_cpu(struct strbuf *out, const struct snapshot *snap,
			  const struct snap_cpu *cpu)
{
	json_open_object(out, NULL);
	put_figures(out, figures_cpus_saved(), snap, cpu);
	json_open_array(out, "trends");
	for (int i = 0; i < CPU_TRENDS; i++)
		put_minute(out, cpu->trends[i]);
	strbuf_puts(out, "]}");
}

static void put_saved_event(struct strbuf *out, const struct snapshot *snap,
			    const struct snap_event *event)
{
	json_open_object(out, NULL);
	put_figures(out, figures_events_saved(), snap, event);
	json_put_bool(out, "opened", event->cpus != NULL);
	json_open_array(out, "trend");
	for (size_t i = 0; i < event->ntrend; i++)
		json_put_number(out, NULL, event->trend[i]);
	strbuf_putc(out, ']');
	json_open_array(out, "cpu_trends");
	for (size_t slot = 0; event->cpus && slot < snap->ncpus; slot++)
		put_minute(out, event->cpus[slot].trend);
	strbuf_putc(out, ']');
	json_open_array(out, "cpus"); /* 1: throttled, 2: balanced */
	for (size_t slot = 0; event->cpus && slot < snap->ncpus; slot++)
		json_put_int(out, NULL,
			     event->cpus[slot].is_throttled | event->cpus[slot].is_balanced << 1);
	strbuf_puts(out, "]}");
}

/* A slot is a number: its runner times 128, plus the percentage. */
static void put_saved_timeline(struct strbuf *out, const struct snapshot *snap)
{
	json_open_object(out, "timeline");
	json_put_number(out, "slot", snap->slot_s);
	json_open_array(out, "runners");
	for (size_t i = 0; i < snap->nrunners; i++) {
		json_open_object(out, NULL);
		json_put_text(out, "comm", snap->runners[i].comm);
		json_put_int(out, "tid", snap->runners[i].tid);
		strbuf_putc(out, '}');
	}
	strbuf_putc(out, ']');
	json_open_array(out, "cpus");
	for (size_t cpu = 0; cpu < snap->ncpus; cpu++) {
		const struct snap_slot *slots = snap->cpus[cpu].slots;

		json_open_array(out, NULL);
		for (size_t i = 0; slots != NULL && i < SNAP_SLOTS; i++)
			json_put_u64(out, NULL, (uint64_t)slots[i].runner << 7 | slots[i].percent);
		strbuf_putc(out, ']');
	}
	strbuf_puts(out, "]}");
}

/* Of the rows of `tasks`, in that order. */
static void put_saved_recent(struct strbuf *out, const char *key, const struct snap_task *tasks,
			     size_t count)
{
	json_open_array(out, key);
	for (size_t i = 0; i < count; i++)
		json_put_number(out, NULL, tasks[i].recent_cpu);
	strbuf_putc(out, ']');
}

void output_saved(struct strbuf *out, const struct snapshot *snap, const char *screen)
{
	strbuf_puts(out, OUTPUT_SAVED_MARK "{");
	put_all(out, snap);
	json_open_object(out, "saved");
	json_put_number(out, "target", snap->target_s);
	json_open_array(out, "events");
	for (size_t i = 0; i < snap->nevents; i++)
		put_saved_event(out, snap, &snap->events[i]);
	strbuf_putc(out, ']');
	json_open_array(out, "cpus");
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		put_saved_cpu(out, snap, &snap->cpus[slot]);
	strbuf_putc(out, ']');
	json_open_array(out, "task_rates");
	for (size_t i = 0; i < snap->ntasks; i++)
		json_put_number(out, NULL, snap->tasks[i].rate);
	strbuf_putc(out, ']');
	put_saved_recent(out, "task_recent", snap->tasks, snap->ntasks);
	put_saved_recent(out, "process_recent", snap->processes, snap->nprocesses);
	put_saved_timeline(out, snap);
	if (screen != NULL)
		json_put_text(out, "screen", screen);
	strbuf_puts(out, "}}\n");
}
