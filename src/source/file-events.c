/* SPDX-License-Identifier: MIT */
#include "source/file-events.h"

#include "base/xalloc.h"
#include "event/kind.h"

char *file_event_name(const struct perfdata *data, const struct perfdata_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const char *name = event->name;

	if (name == NULL && attr->type == PERF_TYPE_TRACEPOINT)
		name = fieldformats_name(perfdata_formats(data), attr->config);
	if (name == NULL)
		name = kind_fixed_name(attr->type, attr->config);
	if (name != NULL)
		return xstrdup(name);
	return xasprintf("type%u/config=0x%llx/", attr->type, (unsigned long long)attr->config);
}

bool file_event_is_dummy(const struct perfdata_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == PERF_COUNT_SW_DUMMY;
}

uint32_t file_event_wakes_at(const struct perfdata *data, const struct perfdata_event *event,
			     const char *name)
{
	if (event->attr.type != PERF_TYPE_TRACEPOINT || !event_is_wakeup(name))
		return 0;
	return fieldformats_offset(perfdata_formats(data), event->attr.config, EVENT_WOKEN_FIELD,
				   sizeof(int32_t));
}
