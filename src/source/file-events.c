/* SPDX-License-Identifier: MIT */
#include "source/file-events.h"

#include "base/abi.h"

bool file_event_is_dummy(const struct perfdata_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == PERF_COUNT_SW_DUMMY;
}

/*
 * With PERF_SAMPLE_PERIOD every occurrence of a software event or tracepoint is a sample, whatever its
 * period (kernel: perf_swevent_event()).
 */
static uint64_t weight_of(const struct perfdata_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	bool is_software = attr->type == PERF_TYPE_TRACEPOINT ||
			   (attr->type == PERF_TYPE_SOFTWARE && !abi_is_clock(attr));

	if (attr->freq || attr->sample_period == 0 ||
	    (is_software && (attr->sample_type & PERF_SAMPLE_PERIOD)))
		return 1;
	return attr->sample_period;
}

struct file_event file_event_of(const struct perfdata_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	struct record_layout layout;

	record_layout_from_attr(attr, &layout);
	struct file_event of = {
		.is_counted = attr->sample_period == 0 && !layout.has_members,
		.has_value = layout.has_value,
		.has_period = !layout.has_value &&
			      (layout.has_members || (attr->sample_type & PERF_SAMPLE_PERIOD)),
		.is_grouped = layout.has_members,
		.has_cpu = attr->sample_type & PERF_SAMPLE_CPU,
		.weight = weight_of(event),
	};

	/* perf stat asks for no times (create_perf_stat_counter() of perf). */
	of.lacks_counts = of.is_counted && (attr->sample_type & PERF_SAMPLE_TIME);
	of.is_of_samples = !of.is_counted && !of.has_value && !of.is_grouped;
	of.is_freq = (attr->freq && (of.has_value || of.has_period)) ||
		     (of.is_grouped && attr->sample_period == 0);
	return of;
}

bool file_events_are_counted(const struct perfdata *data)
{
	size_t counted = 0;

	for (; counted < perfdata_count(data); counted++) {
		struct file_event of = file_event_of(perfdata_event(data, counted));

		if (!of.is_counted || of.lacks_counts)
			return false;
	}
	return counted > 0;
}

struct record_ids file_events_ids(const struct perfdata *data)
{
	struct record_ids ids = { 0 };

	if (perfdata_count(data) > 1)
		ids = record_ids_from_attr(&perfdata_event(data, 0)->attr);
	for (size_t i = 1; i < perfdata_count(data) && ids.has_ids; i++) {
		struct record_ids other = record_ids_from_attr(&perfdata_event(data, i)->attr);

		if (!other.has_ids || other.in_sample != ids.in_sample ||
		    other.from_end != ids.from_end)
			ids.has_ids = false;
	}
	return ids;
}

bool file_events_have_cpus(const struct perfdata *data)
{
	for (size_t i = 0; i < perfdata_count(data); i++) {
		const struct perfdata_event *event = perfdata_event(data, i);

		if (event->attr.sample_type & PERF_SAMPLE_CPU)
			return true;
		if (event->nids > 0 && record_ids_from_attr(&event->attr).has_ids &&
		    perfdata_cpu_of(data, event->ids[0]) != PERFDATA_CPU_UNKNOWN)
			return true;
	}
	return false;
}

uint32_t file_events_cpus(const struct perfdata *data)
{
	uint32_t machine = perfdata_origin(data)->cpus_available;
	size_t ids = 0;

	for (size_t i = 0; i < perfdata_count(data); i++)
		if (perfdata_event(data, i)->nids > ids)
			ids = perfdata_event(data, i)->nids;
	if (ids > 0 && ids < machine)
		machine = (uint32_t)ids;
	return machine > 0 ? machine : 1;
}
