/* SPDX-License-Identifier: MIT */
#include "model/figures.h"

#include "model/snapshot.h"

#include <string.h>

#define COUNT_OF(rows) (sizeof(rows) / sizeof((rows)[0]))

static const char *const state_names[] = {
	[EVENT_STATE_ON] = "on",
	[EVENT_STATE_OFF] = "off",
	[EVENT_STATE_FAILED] = "failed",
	[EVENT_STATE_LATER] = "opening",
};

const char *event_state_name(enum event_state state)
{
	return state_names[state];
}

enum event_state event_state_named(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(state_names); i++) {
		if (strcmp(name, state_names[i]) == 0)
			return (enum event_state)i;
	}
	return EVENT_STATE_ON;
}

/* Initialisers of a row: its member's offset in `record` and its default, or which part it is. */
#define MEMBER(record, member)		   .at = offsetof(record, member)
#define PLACE_TEXT(record, member, or)	   MEMBER(record, member), .otherwise_text = (or)
#define PLACE_FLAG(record, member, or)	   MEMBER(record, member), .otherwise = (or)
#define PLACE_COUNT(record, member, or)	   MEMBER(record, member), .otherwise = (or)
#define PLACE_NUMBER(record, member, or)   MEMBER(record, member), .otherwise = (or)
#define PLACE_ID(record, member, or)	   MEMBER(record, member), .otherwise = (or)
#define PLACE_STATE(record, member, or)	   MEMBER(record, member), .otherwise = (or)
#define PLACE_SAMPLING(record, member, or) MEMBER(record, member), .otherwise = (or)
#define PLACE_ANSWER(record, member, or)   MEMBER(record, member), .otherwise = (or)
#define PLACE_PART(record, member, or)	   .part = PART_##member

#define ROW_OF(record, type_, member, key_, known_, or) \
	{ .key = (key_),                                \
	  .type = FIGURE_##type_,                       \
	  .known = FIGURE_##known_,                     \
	  PLACE_##type_(record, member, or) },

#define EVENT_ROW(...) ROW_OF(struct snap_event, __VA_ARGS__)
#define EVENT_SUM(type_, member, key_, place_, heading_, source_)          \
	{ .key = (key_),                                                   \
	  .type = FIGURE_##type_,                                          \
	  .known = FIGURE_IF_OPENED,                                       \
	  .otherwise = FIGURE_##type_ == FIGURE_NUMBER ? RATE_UNKNOWN : 0, \
	  .at = offsetof(struct snap_event, member),                       \
	  .place = (place_),                                               \
	  .at_cpu = offsetof(struct snap_event_cpu, member),               \
	  .heading = (heading_),                                           \
	  .source = (source_) },
#define EVENT_BOOKED(...)  EVENT_SUM(COUNT, __VA_ARGS__)
#define CPU_ROW(...)	   ROW_OF(struct snap_cpu, __VA_ARGS__)
#define TASK_ROW(...)	   ROW_OF(struct snap_task, __VA_ARGS__)
#define PARENT_ROW(...)	   ROW_OF(struct snap_parent, __VA_ARGS__)
#define SPAN_ROW(...)	   ROW_OF(struct snap_span, __VA_ARGS__)
#define SELF_ROW(...)	   ROW_OF(struct snap_self, __VA_ARGS__)
#define VERIFY_ROW(...)	   ROW_OF(struct snap_verify, __VA_ARGS__)
#define VIOLATION_ROW(...) ROW_OF(struct snap_violation, __VA_ARGS__)
#define HEAD_ROW(...)	   ROW_OF(struct snapshot, __VA_ARGS__)

#define LIST(name, ...)                                              \
	struct figure_list name(void)                                \
	{                                                            \
		static const struct figure rows[] = { __VA_ARGS__ }; \
                                                                     \
		return (struct figure_list){ rows, COUNT_OF(rows) }; \
	}

LIST(figures_head, HEAD_FIGURES(HEAD_ROW))
LIST(figures_events, EVENT_FIGURES(EVENT_ROW, EVENT_SUM, EVENT_BOOKED))
LIST(figures_events_saved, EVENT_SAVED_FIGURES(EVENT_ROW))
LIST(figures_tasks, TASK_FIGURES(TASK_ROW))
LIST(figures_task_switches, TASK_SWITCH_FIGURES(TASK_ROW))
LIST(figures_parents, PARENT_FIGURES(PARENT_ROW))
LIST(figures_spans, SPAN_FIGURES(SPAN_ROW))
LIST(figures_cpus_saved, CPU_SAVED_FIGURES(CPU_ROW))
LIST(figures_cpu_switches, CPU_SWITCH_FIGURES(CPU_ROW))
LIST(figures_self, SELF_FIGURES(SELF_ROW))
LIST(figures_verify, VERIFY_FIGURES(VERIFY_ROW))
LIST(figures_violation, VIOLATION_FIGURES(VIOLATION_ROW))

bool figure_is_known(const struct figure *figure, const struct snapshot *snap, const void *record)
{
	const struct snap_event *event = record;
	const struct snap_task *task = record;
	const char *text;

	switch (figure->known) {
	case FIGURE_ALWAYS:
		return true;
	case FIGURE_IF_OPENED:
		return event->cpus != NULL;
	case FIGURE_IF_PERIOD:
		return event->sampling == SAMPLING_PERIOD;
	case FIGURE_IF_FREQ:
		return event->sampling == SAMPLING_FREQ && event->freq > 0;
	case FIGURE_IF_CHECKED:
		return event->cpus != NULL && event->is_balance_known;
	case FIGURE_IF_ANY_CHECKED:
		return snap->is_balance_known;
	case FIGURE_IF_SWITCHES:
		return snap->has_switches;
	case FIGURE_IF_TEXT:
		text = *(const char *const *)((const char *)record + figure->at);
		return text != NULL && text[0] != '\0';
	case FIGURE_IF_MOST_BY_ONE:
		return event->most_by_tid >= 0;
	case FIGURE_IF_ONE_TASK:
		return task->tid >= 0;
	case FIGURE_IF_ONE_PROCESS:
		return task->pid >= 0;
	case FIGURE_IF_POSITIVE:
		return *(const int32_t *)((const char *)record + figure->at) > 0;
	case FIGURE_IF_GROUPED:
		return event->group > 0;
	case FIGURE_IF_OTHER_CODE:
		return event->has_code && !event->is_symbol_event;
	case FIGURE_IF_VERIFIED:
		return snap->is_verified;
	case FIGURE_IF_VIOLATED:
		return snap->verify.first != NULL;
	}
	return false;
}

bool figure_applies(const struct figure *figure, const struct snap_event *event)
{
	bool is_of_samples = figure->source == FROM_SAMPLES || figure->source == FROM_LOSSES;

	return !is_of_samples || event->sampling != SAMPLING_NONE;
}

bool figure_is_at_least(const struct figure *figure, const struct snap_event *event)
{
	switch (figure->source) {
	case FROM_COUNTER:
		return event->is_at_least;
	case FROM_SAMPLES:
		return event->is_behind;
	case FROM_LOSSES:
		return event->is_at_least || !event->is_lost_exact;
	case FROM_RECORDS:
		return false;
	}
	return false;
}

const struct figure *figure_of_event(enum event_figure which)
{
	const struct figure_list list = figures_events();

	return list.rows + which;
}

uint64_t figure_count(const struct figure *figure, const struct snap_event *event)
{
	return *(const uint64_t *)((const char *)event + figure->at);
}

uint64_t figure_count_of_cpu(const struct figure *figure, const struct snap_event_cpu *cpu)
{
	return *(const uint64_t *)((const char *)cpu + figure->at_cpu);
}

double figure_number_of_cpu(const struct figure *figure, const struct snap_event_cpu *cpu)
{
	const void *at = (const char *)cpu + figure->at_cpu;

	return *(const double *)at;
}
