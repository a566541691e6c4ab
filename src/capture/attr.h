/* SPDX-License-Identifier: MIT */
/*
 * attr - the one place where a perf_event_attr is filled in.
 *
 * In this order: what every event has, what its kind wants, what its modifiers
 * say, and what the kernel lacks taken out again.
 */
#ifndef CAPTURE_ATTR_H
#define CAPTURE_ATTR_H

#include <linux/perf_event.h>

#include "base/abi.h"
#include "base/strbuf.h"
#include "capture/features.h"
#include "event/event.h"

enum attr_sampling {
	ATTR_COUNT,  /* no samples */
	ATTR_PERIOD, /* every `rate`-th */
	ATTR_FREQ,   /* `rate` a second, by a period that the kernel adapts */
	ATTR_PACED,  /* `rate` a second and CPU, by a period that the reader adapts (periods.h) */
};

/*
 * The sample_period with which a paced event is opened.  Once it is enabled it is set to 1 (counters_enable()).
 * Opened with 1 it would be throttled the first time that the period is raised while it is hot: the kernel
 * computes the number of samples due from the period before (perf_swevent_set_period()), which gives 2
 * after a period of 1, and throttling applies to the second one.  Since 6.16 a throttled event does
 * not count.
 */
#define ATTR_PACED_OPEN 2

struct attr_plan {
	enum attr_sampling sampling;
	uint64_t rate;
	bool is_inherited; /* children of the watched task too */
	bool is_enabled_on_exec;
	bool has_raw;	    /* the tracepoint's fields in each sample */
	bool has_value;	    /* the event's count in each sample, unless every event is a sample */
	uint32_t watermark; /* bytes: wake the reader; of the ring's owner only */
};

/* What the event itself says of how it is sampled: period=, freq=, or that it cannot be. */
void attr_plan_apply(struct attr_plan *plan, const struct event_spec *spec);

/*
 * The attr of an event that is counted and sampled.  The config1 of one with a path stays 0: whoever
 * opens it puts a pointer to the path there (struct access).
 */
void attr_event(struct perf_event_attr *attr, const struct event_spec *spec,
		const struct attr_plan *plan, const struct features *features);

/* The same in the longer form that config3 needs; its `attr.size` says so.  For the kernel's eyes. */
void attr_widen(union abi_attr *wide, const struct perf_event_attr *attr,
		const struct event_spec *spec);

/* The dummy that owns a CPU's ring: names and lives of tasks. */
void attr_owner(struct perf_event_attr *attr, const struct attr_plan *plan,
		const struct features *features);

/* The dummy that carries the context-switch records. */
void attr_switch(struct perf_event_attr *attr, const struct attr_plan *plan,
		 const struct features *features);

/* All fields that are not zero, "  name value" a line each: --dump-attr. */
void attr_print(struct strbuf *out, const struct perf_event_attr *attr);

#endif
