/* SPDX-License-Identifier: MIT */
#include "source/file-row.h"

#include <stdlib.h>

#include "base/abi.h"
#include "base/xalloc.h"
#include "event/event.h"
#include "event/kind.h"
#include "source/symbol-event.h"

/* In the file, else by its attr; the caller frees. */
static char *name_of(const struct perfdata *data, const struct perfdata_event *event)
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

/* perf calls a clock's unit msec; its counts are ns here, as in a live run. */
static const char *unit_of(const struct perfdata_event *event, char out[EVENT_UNIT_MAX])
{
	bool is_clock = abi_is_clock(&event->attr);
	const struct event_spec spec = { .kind = EVENT_PMU, /* others have no unit in a file */
					 .unit = is_clock ? NULL : event->unit,
					 .scale = event->scale,
					 .is_clock = is_clock };

	return event_unit(&spec, out);
}

/* Where samples of a wakeup, by its name, have the tid of the woken task; 0: it is none. */
static uint32_t wakes_at(const struct perfdata *data, const struct perfdata_event *event,
			 const char *name)
{
	if (event->attr.type != PERF_TYPE_TRACEPOINT || !event_is_wakeup(name))
		return 0;
	return fieldformats_offset(perfdata_formats(data), event->attr.config, EVENT_WOKEN_FIELD,
				   sizeof(int32_t));
}

bool file_row_has_code(const struct file_row *row)
{
	return !row->of->is_counted && symbol_event_has_code(&row->event->attr);
}

static enum event_state state_of(const struct file_row *row, bool is_missing)
{
	if (is_missing)
		return EVENT_STATE_FAILED;
	return row->is_off ? EVENT_STATE_OFF : EVENT_STATE_ON;
}

static enum sampling sampling_of(const struct file_event *of)
{
	if (of->is_counted)
		return SAMPLING_NONE;
	return of->is_freq ? SAMPLING_FREQ : SAMPLING_PERIOD;
}

/* Why the file has no figures of it, or NULL.  What perf stat could not count has no fd. */
static const char *missing_why(const struct file_row *row)
{
	if (row->of->lacks_counts)
		return "only counted, not sampled: the file does not have its count";
	if (row->of->is_counted && row->event->nids == 0)
		return "perf stat could not count it";
	return NULL;
}

void file_row_tell(struct model *model, uint32_t number, const struct file_row *row)
{
	const struct perf_event_attr *attr = &row->event->attr;
	const struct file_event *of = row->of;
	char *name = name_of(row->data, row->event), unit[EVENT_UNIT_MAX];
	const char *missing = missing_why(row);
	struct model_event event = {
		.name = name,
		.kind = event_kind_name(kind_of_type(attr->type)),
		.unit = unit_of(row->event, unit),
		.state = state_of(row, missing != NULL),
		.reason = missing,
		.sampling = sampling_of(of),
		.rate = of->is_freq ? attr->sample_freq : of->weight,
		.has_periods = of->has_period,
		.has_code = file_row_has_code(row),
		.is_symbol_event = row->is_symbol_event,
		.is_of_samples = of->is_of_samples,
		.lacks_lost = row->lacks_lost,
		.may_be_multiplexed = of->is_counted &&
				      kind_of(kind_of_type(attr->type))->is_on_counter,
		.wakes_at = wakes_at(row->data, row->event, name),
	};

	model_set_event(model, number, &event);
	free(name);
}
