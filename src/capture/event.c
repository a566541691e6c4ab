/* SPDX-License-Identifier: MIT */
#include "capture/event.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

const char *event_kind_name(enum event_kind kind)
{
	static const char *const names[] = {
		[EVENT_HARDWARE] = "hardware",     [EVENT_SOFTWARE] = "software",
		[EVENT_CACHE] = "cache",           [EVENT_RAW] = "raw",
		[EVENT_PMU] = "pmu",               [EVENT_BREAKPOINT] = "breakpoint",
		[EVENT_TRACEPOINT] = "tracepoint", [EVENT_KPROBE] = "kprobe",
		[EVENT_UPROBE] = "uprobe",
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
	free(spec->fault);
	free(spec->note);
	free(spec->path);
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
	copy.fault = copy_text(spec->fault);
	copy.note = copy_text(spec->note);
	copy.path = copy_text(spec->path);
	copy.unit = copy_text(spec->unit);
	copy.cpus = (struct cpulist){ 0 };
	if (spec->cpus.count > 0) {
		copy.cpus.ids = xcalloc(spec->cpus.count, sizeof(*copy.cpus.ids));
		copy.cpus.count = spec->cpus.count;
		memcpy(copy.cpus.ids, spec->cpus.ids, spec->cpus.count * sizeof(*copy.cpus.ids));
	}
	return copy;
}

void event_spec_note(struct event_spec *spec, const char *text)
{
	char *note = spec->note == NULL ? xstrdup(text) : xasprintf("%s; %s", spec->note, text);

	free(spec->note);
	spec->note = note;
}

bool event_fires_in_user_mode(const struct event_spec *spec)
{
	switch (spec->kind) {
	case EVENT_TRACEPOINT:
		return strncmp(spec->name, "syscalls:", 9) == 0 ||
		       strncmp(spec->name, "raw_syscalls:", 13) == 0 ||
		       strncmp(spec->name, "exceptions:", 11) == 0;
	case EVENT_SOFTWARE:
		return spec->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
		       spec->config != PERF_COUNT_SW_CPU_MIGRATIONS &&
		       spec->config != PERF_COUNT_SW_CGROUP_SWITCHES;
	case EVENT_KPROBE:
		return false;
	default:
		return true;
	}
}

size_t event_system_length(const char *name)
{
	return strcspn(name, ":");
}
