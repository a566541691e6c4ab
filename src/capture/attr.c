/* SPDX-License-Identifier: MIT */
#include "capture/attr.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/abi.h"
#include "base/sys.h"

/* The fields that all our events have in common, so that they can share a ring. */
static void base(struct perf_event_attr *attr, const struct attr_plan *plan,
		 const struct features *features)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = PERF_ATTR_SIZE_VER5; /* Linux 4.1: only attr_widen() needs more */
	attr->disabled = 1;
	attr->sample_id_all = 1;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			    PERF_FORMAT_ID;
	if (features->has_format_lost)
		attr->read_format |= ABI_FORMAT_LOST;
	if (features->has_clockid) {
		/* One ring, one clock: MONOTONIC works with every PMU, and ticks use it. */
		attr->use_clockid = 1;
		attr->clockid = CLOCK_MONOTONIC;
	}
	attr->inherit = plan->is_inherited;
	attr->enable_on_exec = plan->is_enabled_on_exec;
}

/*
 * The period until the reader has measured the rate.  With period 1 a tracepoint that counts
 * nanoseconds would write samples until it is throttled.
 */
static uint64_t first_period(const struct event_spec *spec, const struct attr_plan *plan)
{
	if (plan->shortest > 1)
		return plan->shortest;
	return event_counts_ns(spec) ? NSEC_PER_MSEC : ATTR_PACED_OPEN;
}

bool attr_is_verified(const struct event_spec *spec, const struct attr_plan *plan)
{
	return plan->is_verified && plan->has_value && plan->sampling == ATTR_PERIOD &&
	       !event_takes_counter(spec) && !spec->is_uncore && !event_counts_ns(spec);
}

/*
 * Weights are computed from the counts in samples.  With a fixed period no count is needed, unless
 * to verify them; of shared events the id next to it is.
 */
static bool has_value(const struct event_spec *spec, const struct attr_plan *plan)
{
	return plan->has_value && (plan->sampling != ATTR_PERIOD || event_shares_samples(spec) ||
				   attr_is_verified(spec, plan));
}

static void sampling(struct perf_event_attr *attr, const struct event_spec *spec,
		     const struct attr_plan *plan)
{
	switch (plan->sampling) {
	case ATTR_COUNT:
		break;
	case ATTR_PERIOD:
		/* No PERF_SAMPLE_PERIOD: with it a software event or tracepoint samples every
		 * occurrence, whatever its period (kernel: perf_swevent_event). */
		attr->sample_period = plan->rate;
		break;
	case ATTR_FREQ:
		/* The kernel adapts the period, and each sample has the period or the count. */
		attr->freq = 1;
		attr->sample_freq = plan->rate;
		/* Shared events need the same layout, to find the id: count, no PERIOD. */
		if (!event_shares_samples(spec) || !has_value(spec, plan))
			attr->sample_type |= PERF_SAMPLE_PERIOD;
		break;
	case ATTR_PACED:
		attr->sample_period = first_period(spec, plan);
		break;
	}
	if (plan->sampling != ATTR_COUNT && (plan->has_group || has_value(spec, plan)))
		attr->sample_type |= PERF_SAMPLE_READ;
	if (plan->has_group)
		attr->read_format |= PERF_FORMAT_GROUP;
}

static void kind(struct perf_event_attr *attr, const struct event_spec *spec,
		 const struct attr_plan *plan)
{
	attr->type = spec->type;
	attr->config = spec->config;
	/* Unions: config1 is also a breakpoint's address, config2 its length. */
	attr->config1 = spec->path != NULL ? 0 : spec->config1;
	attr->config2 = spec->config2;
	attr->bp_type = spec->bp_type;
	if (plan->sampling == ATTR_COUNT)
		return;
	if (event_has_format(spec)) {
		if (plan->has_raw)
			attr->sample_type |= PERF_SAMPLE_RAW;
	} else {
		attr->sample_type |= PERF_SAMPLE_IP;
	}
}

/* Of a group the kernel takes these from the leader, and refuses them in a member. */
static void precedence(struct perf_event_attr *attr, const struct event_modifiers *modifiers)
{
	attr->pinned = modifiers->is_pinned;
	attr->exclusive = modifiers->is_exclusive;
}

/*
 * A member is enabled from the start, and counts when its leader does.  Of disabled ones the kernel
 * would not check whether the PMU has enough counters for the group (x86: collect_event(), arm:
 * validate_event()), and never count it.
 */
static void member(struct perf_event_attr *attr)
{
	attr->disabled = 0;
	attr->enable_on_exec = 0;
}

static void modifiers(struct perf_event_attr *attr, const struct event_modifiers *modifiers)
{
	attr->exclude_user = modifiers->exclude_user;
	attr->exclude_kernel = modifiers->exclude_kernel;
	attr->exclude_hv = modifiers->exclude_hv;
	attr->exclude_guest = modifiers->exclude_guest;
	attr->exclude_host = modifiers->exclude_host;
	attr->exclude_idle = modifiers->exclude_idle;
	attr->precise_ip = modifiers->precise & 3;
}

/* An event in user mode only needs no rights on the kernel's part.  perf reads no chain without IP. */
static void chain(struct perf_event_attr *attr, const struct attr_plan *plan)
{
	if (!plan->has_chain || plan->sampling == ATTR_COUNT)
		return;
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = plan->max_stack;
	attr->exclude_callchain_kernel = attr->exclude_kernel;
}

/* A clock's samples a second: its period is in ns. */
static uint64_t clock_rate(const struct attr_plan *plan)
{
	return plan->sampling == ATTR_PERIOD ? NSEC_PER_SEC / plan->rate : plan->rate;
}

static uint64_t limit_clock(struct attr_plan *plan)
{
	uint64_t asked = clock_rate(plan);

	if (plan->is_forced || asked <= ATTR_CLOCK_MAX)
		return 0;
	plan->rate = plan->sampling == ATTR_PERIOD ? NSEC_PER_SEC / ATTR_CLOCK_MAX : ATTR_CLOCK_MAX;
	return asked;
}

uint64_t attr_plan_apply(struct attr_plan *plan, const struct event_spec *spec)
{
	if (spec->is_count_only) {
		plan->sampling = ATTR_COUNT;
	} else if (spec->period != 0) {
		plan->sampling = ATTR_PERIOD;
		plan->rate = spec->period;
	} else if (spec->freq != 0) {
		plan->sampling = ATTR_FREQ;
		plan->rate = spec->freq;
	}
	return spec->is_clock && plan->sampling != ATTR_COUNT ? limit_clock(plan) : 0;
}

void attr_event(struct perf_event_attr *attr, const struct event_spec *spec,
		const struct attr_plan *plan, const struct features *features)
{
	base(attr, plan, features);
	sampling(attr, spec, plan);
	kind(attr, spec, plan);
	modifiers(attr, &spec->modifiers);
	if (plan->is_member)
		member(attr);
	else
		precedence(attr, &spec->modifiers);
	chain(attr, plan);
}

void attr_widen(union abi_attr *wide, const struct perf_event_attr *attr,
		const struct event_spec *spec)
{
	memset(wide, 0, sizeof(*wide));
	wide->attr = *attr;
	if (spec->config3 == 0)
		return;
	wide->attr.size = ABI_ATTR_SIZE_VER8;
	memcpy(wide->bytes + ABI_ATTR_CONFIG3, &spec->config3, sizeof(spec->config3));
}

static void dummy(struct perf_event_attr *attr, const struct attr_plan *plan,
		  const struct features *features)
{
	base(attr, plan, features);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	/* A dummy counts nothing; without the kernel it opens with fewer rights. */
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

void attr_owner(struct perf_event_attr *attr, const struct attr_plan *plan,
		const struct features *features)
{
	dummy(attr, plan, features);
	attr->comm = 1;
	attr->comm_exec = features->has_comm_exec;
	attr->task = 1;
	/* Mappings of code, with device and inode; for build-ids the kernel would read each file. */
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->watermark = 1;
	attr->wakeup_watermark = plan->watermark;
}

void attr_switch(struct perf_event_attr *attr, const struct attr_plan *plan,
		 const struct features *features)
{
	dummy(attr, plan, features);
	attr->context_switch = 1;
}

void attr_leader(struct perf_event_attr *attr, const struct event_modifiers *modifiers,
		 const struct attr_plan *plan, const struct features *features)
{
	dummy(attr, plan, features);
	precedence(attr, modifiers);
	if (plan->has_group)
		attr->read_format |= PERF_FORMAT_GROUP;
}

static void print_field(struct strbuf *out, const char *name, uint64_t value)
{
	if (value != 0)
		strbuf_printf(out, "  %-24s %" PRIu64 "\n", name, value);
}

void attr_print(struct strbuf *out, const struct perf_event_attr *attr)
{
#define FIELD(name) print_field(out, #name, attr->name)
	FIELD(type);
	FIELD(size);
	if (attr->config != 0)
		strbuf_printf(out, "  %-24s 0x%" PRIx64 "\n", "config", (uint64_t)attr->config);
	if (attr->config1 != 0)
		strbuf_printf(out, "  %-24s 0x%" PRIx64 "\n", "config1", (uint64_t)attr->config1);
	if (attr->config2 != 0)
		strbuf_printf(out, "  %-24s 0x%" PRIx64 "\n", "config2", (uint64_t)attr->config2);
	FIELD(bp_type);
	if (attr->freq)
		FIELD(sample_freq);
	else
		FIELD(sample_period);
	if (attr->sample_type != 0)
		strbuf_printf(out, "  %-24s 0x%" PRIx64 "\n", "sample_type",
			      (uint64_t)attr->sample_type);
	if (attr->read_format != 0)
		strbuf_printf(out, "  %-24s 0x%" PRIx64 "\n", "read_format",
			      (uint64_t)attr->read_format);
	FIELD(disabled);
	FIELD(inherit);
	FIELD(pinned);
	FIELD(exclusive);
	FIELD(exclude_user);
	FIELD(exclude_kernel);
	FIELD(exclude_hv);
	FIELD(exclude_idle);
	FIELD(mmap);
	FIELD(comm);
	FIELD(freq);
	FIELD(enable_on_exec);
	FIELD(task);
	FIELD(watermark);
	FIELD(precise_ip);
	FIELD(sample_id_all);
	FIELD(exclude_host);
	FIELD(exclude_guest);
	FIELD(exclude_callchain_kernel);
	FIELD(mmap2);
	FIELD(comm_exec);
	FIELD(use_clockid);
	FIELD(context_switch);
	FIELD(wakeup_watermark);
	FIELD(clockid);
	FIELD(sample_max_stack);
#undef FIELD
}
