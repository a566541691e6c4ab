/* SPDX-License-Identifier: MIT */
#include "capture/event.h"

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
	*spec = (struct event_spec){ .name = xstrdup(name), .kind = kind };
	return spec;
}

void event_spec_fini(struct event_spec *spec)
{
	free(spec->name);
	free(spec->fault);
	free(spec->note);
	*spec = (struct event_spec){ 0 };
}

void event_list_fini(struct event_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		event_spec_fini(&list->specs[i]);
	free(list->specs);
	*list = (struct event_list){ 0 };
}

struct event_spec event_spec_copy(const struct event_spec *spec)
{
	struct event_spec copy = *spec;

	copy.name = xstrdup(spec->name);
	copy.fault = spec->fault != NULL ? xstrdup(spec->fault) : NULL;
	copy.note = spec->note != NULL ? xstrdup(spec->note) : NULL;
	return copy;
}

size_t event_system_length(const char *name)
{
	return strcspn(name, ":");
}
