/* SPDX-License-Identifier: MIT */
#include "ui/event-ref.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void event_ref_set(struct event_ref *ref, const char *name, uint32_t at)
{
	char *copy = xstrdup(name);

	free(ref->name);
	*ref = (struct event_ref){ copy, at };
}

void event_ref_fini(struct event_ref *ref)
{
	free(ref->name);
	*ref = (struct event_ref){ 0 };
}

const struct snap_event *event_ref_find(struct event_ref *ref, const struct snapshot *snap)
{
	const struct snap_event *found = NULL;
	uint32_t best = UINT32_MAX, from = ref->at;

	for (uint32_t i = 0; ref->name != NULL && i < snap->nevents; i++) {
		uint32_t away = i > from ? i - from : from - i;

		if (away < best && strcmp(snap->events[i].name, ref->name) == 0) {
			best = away;
			found = &snap->events[i];
			ref->at = i;
		}
	}
	return found;
}
