/* SPDX-License-Identifier: MIT */
#include "event/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "event/kind.h"

const char *event_kind_name(enum event_kind kind)
{
	static const char *const names[] = {
#define NAME(id, word) [EVENT_##id] = #word,
		EVENT_KINDS(NAME)
#undef NAME
	};

	return names[kind];
}

struct event_spec *event_list_add(struct event_list *list, enum event_kind kind, const char *name)
{
	list->specs = xreallocarray(list->specs, list->count + 1, sizeof(*list->specs));

	struct event_spec *spec = &list->specs[list->count++];
	*spec = (struct event_spec){ .name = xstrdup(name), .kind = kind, .scale = 1 };
	return spec;
}

void event_spec_fini(struct event_spec *spec)
{
	free(spec->name);
	free(spec->origin);
	free(spec->fault);
	free(spec->note);
	free(spec->path);
	free(spec->filter);
	free(spec->unit);
	cpulist_fini(&spec->cpus);
	*spec = (struct event_spec){ 0 };
}

void event_list_fini(struct event_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		event_spec_fini(&list->specs[i]);
	free(list->specs);
	*list = (struct event_list){ 0 };
}

static char *copy_text(const char *text)
{
	return text != NULL ? xstrdup(text) : NULL;
}

struct event_spec event_spec_copy(const struct event_spec *spec)
{
	struct event_spec copy = *spec;

	copy.name = copy_text(spec->name);
	copy.origin = copy_text(spec->origin);
	copy.fault = copy_text(spec->fault);
	copy.note = copy_text(spec->note);
	copy.path = copy_text(spec->path);
	copy.filter = copy_text(spec->filter);
	copy.unit = copy_text(spec->unit);
	copy.cpus = (struct cpulist){ 0 };
	event_spec_bind(&copy, &spec->cpus);
	return copy;
}

void event_spec_bind(struct event_spec *spec, const struct cpulist *cpus)
{
	cpulist_fini(&spec->cpus);
	if (cpus->count == 0)
		return;
	spec->cpus.ids = xcalloc(cpus->count, sizeof(*spec->cpus.ids));
	spec->cpus.count = cpus->count;
	memcpy(spec->cpus.ids, cpus->ids, cpus->count * sizeof(*cpus->ids));
}

void event_spec_note(struct event_spec *spec, const char *text)
{
	char *note = spec->note == NULL ? xstrdup(text) : xasprintf("%s; %s", spec->note, text);

	free(spec->note);
	spec->note = note;
}

/*
 * A few tracepoints count a measured value instead of 1 per hit (__perf_count in the kernel's
 * include/trace/events/sched.h: sched_stat_runtime, _wait, _sleep, _iowait, _blocked), all in ns.
 */
static bool measures_ns(const struct event_spec *spec)
{
	static const char prefix[] = "sched:sched_stat_";

	return spec->kind == EVENT_TRACEPOINT &&
	       strncmp(event_origin(spec), prefix, sizeof(prefix) - 1) == 0;
}

bool event_counts_ns(const struct event_spec *spec)
{
	return spec->is_clock || measures_ns(spec);
}

static bool is_one_of(const char *origin, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(names[i]);

		/* Modifiers or terms may follow; strchr() also finds the end. */
		if (strncmp(origin, names[i], length) == 0 && strchr(":/", origin[length]) != NULL)
			return true;
	}
	return false;
}

bool event_shares_samples(const struct event_spec *spec)
{
	return spec->type == PERF_TYPE_SOFTWARE && !spec->is_clock;
}

bool event_is_lifetime(const struct event_spec *spec)
{
	static const char *const names[] = { "sched:sched_process_fork", "sched:sched_process_exec",
					     "sched:sched_process_exit" };

	return spec->kind == EVENT_TRACEPOINT &&
	       is_one_of(event_origin(spec), names, sizeof(names) / sizeof(names[0]));
}

bool event_is_wakeup(const char *origin)
{
	static const char *const names[] = { "sched:sched_wakeup", "sched:sched_wakeup_new" };

	return is_one_of(origin, names, sizeof(names) / sizeof(names[0]));
}

const char *event_unit(const struct event_spec *spec, char out[EVENT_UNIT_MAX])
{
	const char *unit = event_counts_ns(spec) ? "ns" : spec->unit != NULL ? spec->unit : "";

	if (spec->unit == NULL || spec->scale == 1 || spec->scale == 0)
		snprintf(out, EVENT_UNIT_MAX, "%s", unit);
	else
		snprintf(out, EVENT_UNIT_MAX, "%.4g %s", spec->scale, unit);
	return out;
}

const char *event_origin(const struct event_spec *spec)
{
	return spec->origin != NULL ? spec->origin : spec->name;
}

bool event_takes_counter(const struct event_spec *spec)
{
	switch (spec->type) {
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return false;
	default:
		return kind_of(spec->kind)->is_on_counter;
	}
}

bool event_has_format(const struct event_spec *spec)
{
	return kind_of(spec->kind)->fields == KIND_FIELDS_FORMAT;
}

bool event_fires_in_user_mode(const struct event_spec *spec)
{
	const struct kind *kind = kind_of(spec->kind);

	return kind->fires_in_user_mode == NULL || kind->fires_in_user_mode(spec);
}

size_t event_system_length(const char *name)
{
	return strcspn(name, ":");
}
