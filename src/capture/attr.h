/* SPDX-License-Identifier: MIT */
/*
 * attr - fills in the perf_event_attr of every event that is opened.
 *
 * In this order: the fields that all events have (as far as the kernel has the features), sampling,
 * the kind's fields, the modifiers'.
 */
#ifndef CAPTURE_ATTR_H
#define CAPTURE_ATTR_H

#include <linux/perf_event.h>

#include "base/abi.h"
#include "base/strbuf.h"
#include "capture/features.h"
#include "event/event.h"

/*
 * The most samples a second and CPU of a clock, unless --force: perf record's default frequency.  A
 * clock that samples faster takes a noticeable part of a CPU, or all of it, whatever runs there.
 */
#define ATTR_CLOCK_MAX 4000

enum attr_sampling {
	ATTR_COUNT,  /* no samples */
	ATTR_PERIOD, /* every `rate`-th event */
	ATTR_FREQ,   /* `rate` samples a second: the kernel adapts the period */
	ATTR_PACED,  /* `rate` a second and CPU: the reader adapts the period (periods.h) */
};

/* The rate of a paced event without one: as many samples as its shortest period gives. */
#define ATTR_ALL (UINT32_MAX - 1)

/*
 * The sample_period with which a paced event is opened.  After it is enabled the period is set to 1
 * (counters_enable()).  An event opened with 1 would be throttled when its period is first raised
 * at a high rate: the kernel computes the number of samples due from the previous period
 * (perf_swevent_set_period()), which gives 2 after a period of 1, and throttling applies to the
 * second one.  Since 6.16 a throttled event does not count.  One whose shortest period is longer than
 * 1 is opened with that.
 */
#define ATTR_PACED_OPEN 2

struct attr_plan {
	enum attr_sampling sampling;
	uint64_t rate;
	uint64_t shortest; /* of ATTR_PACED: the shortest period; 0: 1 */
	bool is_inherited; /* children of the watched task too */
	bool is_enabled_on_exec;
	bool is_forced;	    /* clocks may sample faster than ATTR_CLOCK_MAX */
	bool has_raw;	    /* the tracepoint's fields in each sample */
	bool has_value;	    /* the event's count in each sample, where it is needed */
	bool is_member;	    /* of a group, whose leader says when to count */
	bool has_group;	    /* the counts of its group in each sample: it leads it, {}:S */
	bool is_verified;   /* with has_value: also where it is only needed to verify (verify.h) */
	bool has_chain;	    /* the call chain in each sample */
	uint16_t max_stack; /* with has_chain: its most addresses; 0: kernel.perf_event_max_stack */
	uint32_t watermark; /* bytes in the ring that wake the reader; for the owner only */
};

/*
 * Apply the event's own settings: period=, freq=, or that it cannot be sampled.  Returns the samples
 * a second asked of a clock if these are lowered to ATTR_CLOCK_MAX, else 0.
 */
uint64_t attr_plan_apply(struct attr_plan *plan, const struct event_spec *spec);

/*
 * Whether it is verified, as count and losses in each of its samples say which sample it must be:
 * software events, tracepoints, breakpoints and probes by period, but of times.  A PMU's counter has
 * counted on when its interrupt comes.
 */
bool attr_is_verified(const struct event_spec *spec, const struct attr_plan *plan);

/*
 * Fill in the attr of an event, by its plan.  If it has a path, config1 stays 0: open_event()
 * of struct access sets it to a pointer to the path.
 */
void attr_event(struct perf_event_attr *attr, const struct event_spec *spec,
		const struct attr_plan *plan, const struct features *features);

/* Copy an attr for perf_event_open(2): in the longer form (attr.size) if the event has config3. */
void attr_widen(union abi_attr *wide, const struct perf_event_attr *attr,
		const struct event_spec *spec);

/* The attr of the dummy that owns a CPU's ring: COMM, FORK and EXIT records. */
void attr_owner(struct perf_event_attr *attr, const struct attr_plan *plan,
		const struct features *features);

/* The attr of the dummy with the context-switch records. */
void attr_switch(struct perf_event_attr *attr, const struct attr_plan *plan,
		 const struct features *features);

/*
 * The attr of the dummy that leads a group of events with these modifiers.  With plan->has_group a read of it
 * returns the counts of all.
 */
void attr_leader(struct perf_event_attr *attr, const struct event_modifiers *modifiers,
		 const struct attr_plan *plan, const struct features *features);

/* Append all fields that are not zero, one line "  name value" each: --dump-attr. */
void attr_print(struct strbuf *out, const struct perf_event_attr *attr);

#endif
