/* SPDX-License-Identifier: MIT */
#include "capture/evset-inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/*
 * The pace of forks, execs and exits.  A loop that does nothing else makes 10,000 a second on a CPU
 * here: so each one is sampled, and it is exact who makes them.
 */
#define LIFETIME_RATE 20000

static void add_reason(struct evset_event *event, const char *text)
{
	char *reason = event->reason == NULL ? xstrdup(text) :
					       xasprintf("%s; %s", event->reason, text);

	free(event->reason);
	event->reason = reason;
}

/*
 * PERF_EVENT_IOC_PERIOD does not reach inherited copies of a task's event; clocks and PMU counters
 * are sampled by the kernel's frequency mode.
 */
static bool can_be_paced(const struct evset *set, const struct event_spec *spec)
{
	return set->config.pids == NULL && !spec->is_clock && !event_takes_counter(spec);
}

/* Let the reader keep the period, so that the governor can lengthen it. */
static void govern(struct attr_plan *plan, const struct event_spec *spec)
{
	if (plan->sampling == ATTR_PERIOD && !event_counts_ns(spec)) {
		plan->shortest = plan->rate;
		plan->rate = ATTR_ALL;
		plan->sampling = ATTR_PACED;
	} else if (plan->sampling == ATTR_FREQ && plan->rate < ATTR_ALL) {
		plan->sampling = ATTR_PACED;
	}
}

/* When a task was woken is known from these events' fields: see model/switches.h. */
static bool wants_fields(const struct evset *set, const struct event_spec *spec)
{
	return set->config.has_fields || event_is_wakeup(event_origin(spec));
}

static struct attr_plan plan_for(const struct evset *set, struct evset_event *event)
{
	const struct event_spec *spec = &event->spec;
	struct attr_plan plan = {
		.sampling = set->config.sampling,
		.rate = set->config.rate,
		.is_inherited = set->config.is_inherited,
		.is_enabled_on_exec = set->config.is_enabled_on_exec,
		.is_forced = set->config.is_forced,
		.has_raw = wants_fields(set, spec),
		/* Inherited events have one count per task (and Linux before 6.12 refuses this). */
		.has_value = set->config.pids == NULL,
		.is_verified = set->config.is_verified,
		.has_chain = set->config.has_chains,
		.max_stack = set->config.max_stack,
	};

	/* Clocks and hardware events never pause: they have a sampling rate of their own. */
	if ((plan.sampling == ATTR_FREQ || plan.sampling == ATTR_PACED) &&
	    set->config.clock_rate > 0 && (spec->is_clock || spec->kind == EVENT_HARDWARE))
		plan.rate = set->config.clock_rate;
	if (plan.sampling == ATTR_PACED && event_is_lifetime(spec))
		plan.rate = LIFETIME_RATE;
	if (plan.sampling == ATTR_PACED && !can_be_paced(set, spec))
		plan.sampling = ATTR_FREQ;
	/* A period in ns is no use for a clock: the kernel samples at most every 10 us. */
	if (plan.sampling == ATTR_PERIOD && spec->is_clock && set->config.clock_rate > 0) {
		plan.sampling = ATTR_FREQ;
		plan.rate = set->config.clock_rate;
	}

	uint64_t lowered = 0;

	if (set->has_rings)
		lowered = attr_plan_apply(&plan, spec);
	else
		plan.sampling = ATTR_COUNT;
	if (set->config.is_governed && can_be_paced(set, spec))
		govern(&plan, spec);
	if (lowered != 0) {
		char *text = xasprintf("sampled %d times a second, not %" PRIu64
				       ": only with --force",
				       ATTR_CLOCK_MAX, lowered);
		add_reason(event, text);
		free(text);
	}
	return plan;
}

void evset_begin_reason(struct evset_event *event)
{
	free(event->reason);
	event->reason = event->spec.note != NULL ? xstrdup(event->spec.note) : NULL;
}

/* Without a PMU replace cycles by cpu-clock, also in the row's name. */
static bool fall_back_to_clock(const struct evset *set, struct evset_event *event, int error)
{
	struct event_spec *spec = &event->spec;

	if (error != ENOENT || spec->type != PERF_TYPE_HARDWARE ||
	    spec->config != PERF_COUNT_HW_CPU_CYCLES ||
	    (set->config.is_strict && !spec->may_be_clock))
		return false;

	char *note = xasprintf("stands in for %s: this machine shows no hardware PMU", spec->name);
	event_spec_note(spec, note);
	free(note);
	evset_begin_reason(event);
	free(spec->name);
	spec->name = spec->modifiers.text[0] == '\0' ?
			     xstrdup("cpu-clock") :
			     xasprintf("cpu-clock:%s", spec->modifiers.text);
	spec->kind = EVENT_SOFTWARE;
	spec->type = PERF_TYPE_SOFTWARE;
	spec->config = PERF_COUNT_SW_CPU_CLOCK;
	spec->modifiers.precise = 0;
	spec->is_clock = true;
	return true;
}

size_t evset_fds_need(const struct evset *set)
{
	size_t asked = set->config.capacity - set->config.spare;
	size_t events = asked > set->count ? asked : set->count;

	return set->config.cpus.count * (set->targets * events + evset_bundles(set, events));
}

static void fail(struct evset *set, struct evset_event *event, struct why_place *place)
{
	place->fds_need = evset_fds_need(set);
	place->has_root = set->config.access->has_root;
	place->root_lacks = set->config.access->root_lacks;
	place->is_cgroup = set->config.cgroup_fd >= 0;
	free(event->reason);
	event->reason =
		event->is_filter_refused ?
			xasprintf("EINVAL: the kernel rejects the filter: %s", event->spec.filter) :
			why_open(place->error, &event->spec, place);
	event->state = EVSET_FAILED;
}

static int open_as(struct evset *set, uint32_t number, const struct attr_plan *asked,
		   struct why_place *place)
{
	struct evset_event *event = &set->events[number];
	struct attr_plan plan = *asked;

	*place = (struct why_place){ .cpu = -1, .pid = -1, .error = ENODEV };
	event->is_filter_refused = false;
	event->has_group = evset_is_sampler(set, number) && plan.sampling != ATTR_COUNT;
	event->is_read = !event->is_apart && evset_can_be_read(set, number);
	if (event->is_read)
		plan.sampling = ATTR_COUNT;
	event->sampling = plan.sampling;
	event->rate = plan.rate;
	event->shortest = plan.shortest;
	plan.has_group = event->has_group;
	plan.is_member = evset_is_member(event);
	event->is_verified = !event->has_group && attr_is_verified(&event->spec, &plan);
	attr_event(&event->attr, &event->spec, &plan, set->config.features);
	return evset_open_everywhere(set, number, place);
}

/*
 * In its group; if the kernel refuses that, alone: more events than counters, of two PMUs.  An error
 * that it has alone too is not the group's.
 */
static int try_open(struct evset *set, uint32_t number, const struct attr_plan *plan,
		    struct why_place *place)
{
	struct evset_event *event = &set->events[number];
	int result;

	event->is_apart = false;
	result = open_as(set, number, plan, place);
	if (result == 0 || place->error != EINVAL || !evset_is_member(event))
		return result;
	event->is_apart = true;
	return open_as(set, number, plan, place);
}

/* As perf does: exclude the kernel if it needs more rights and was not requested explicitly. */
static bool leave_kernel_out(struct event_spec *spec, int error)
{
	if ((error != EACCES && error != EPERM) || spec->modifiers.exclude_kernel ||
	    strpbrk(spec->modifiers.text, "ukh") != NULL || !event_fires_in_user_mode(spec) ||
	    why_paranoid() <= 1)
		return false;
	spec->modifiers.exclude_kernel = spec->modifiers.exclude_hv = true;
	return true;
}

static bool sample_less(struct event_spec *spec, struct attr_plan *plan, int error)
{
	/* irq_vectors:irq_work_exit can only be counted: a sample would trigger it again. */
	bool is_refused = error == EPERM && event_has_format(spec);

	if (error != EINVAL && error != EOPNOTSUPP && !is_refused)
		return false;
	if (spec->modifiers.is_precise_max && spec->modifiers.precise > 0) {
		spec->modifiers.precise--;
		return true;
	}
	/* msr, most uncore PMUs and some virtual machines' PMUs have no interrupt for sampling. */
	if (plan->sampling == ATTR_COUNT || !(is_refused || event_takes_counter(spec)))
		return false;
	spec->is_count_only = true;
	plan->sampling = ATTR_COUNT;
	return true;
}

/* Give up one optional thing of an event that was refused: false when there is nothing left. */
static bool ask_for_less(struct evset *set, struct evset_event *event, struct attr_plan *plan,
			 int error)
{
	if (fall_back_to_clock(set, event, error)) {
		*plan = plan_for(set, event);
		return true;
	}
	if (leave_kernel_out(&event->spec, error))
		return true;
	if ((error == EPERM || error == EACCES) && (event->attr.sample_type & PERF_SAMPLE_RAW)) {
		/* The raw fields of most tracepoints need more rights than counting. */
		plan->has_raw = false;
		return true;
	}
	return sample_less(&event->spec, plan, error);
}

/* Add what was given up to the reason, and the modifier u to the name. */
static void say_less(struct evset *set, uint32_t number, const struct event_spec *asked)
{
	struct evset_event *event = &set->events[number];
	struct event_spec *spec = &event->spec;

	const char *why = evset_why_no_sampler(set, number);
	if (why != NULL)
		add_reason(event, why);
	if (event->is_apart)
		add_reason(event,
			   "EINVAL: not one group with the others of its {}: more events than "
			   "counters, or of different PMUs?");
	if (spec->is_count_only && !asked->is_count_only)
		add_reason(event, event_has_format(spec) ?
					  "counted only: the kernel refuses to sample it" :
					  "counted only: its PMU does not sample it");
	if (event_has_format(spec) && event->sampling != ATTR_COUNT && wants_fields(set, spec) &&
	    !(event->attr.sample_type & PERF_SAMPLE_RAW))
		add_reason(event, "samples without fields: these take more rights");
	if (!spec->modifiers.exclude_kernel || asked->modifiers.exclude_kernel)
		return;

	bool has_letters = spec->modifiers.text[0] != '\0' || strchr(spec->name, '/') != NULL;
	char *name = xasprintf("%s%su", spec->name, has_letters ? "" : ":");
	free(spec->name);
	spec->name = name;
	add_reason(event, "user mode only: the kernel's part takes more rights");
}

/*
 * Two events on one software counter share a perf_sample_data in the kernel (do_perf_sw_event of
 * 6.18), and so the id of the first: 48 and 48 page faults were recorded as 96 and 0 samples.  So
 * only one of them is sampled where samples have no count with the right id next to it (events of
 * tasks).  Tracepoints are not affected, nor are the clocks, which have their own timers.
 */
static bool has_twin(const struct evset *set, uint32_t number)
{
	const struct event_spec *spec = &set->events[number].spec;

	for (uint32_t i = EVSET_FIRST; i < set->count; i++) {
		const struct evset_event *other = &set->events[i];

		if (i != number && other->state == EVSET_ON && other->attr.sample_period != 0 &&
		    event_shares_samples(spec) && other->spec.type == spec->type &&
		    other->spec.config == spec->config)
			return true;
	}
	return false;
}

void evset_open_event(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];
	struct event_spec asked = event->spec; /* its strings may be freed below: not used */
	struct attr_plan plan = plan_for(set, event);
	struct why_place place;

	if (plan.sampling != ATTR_COUNT && !plan.has_value && has_twin(set, number)) {
		plan.sampling = ATTR_COUNT;
		add_reason(event,
			   "counted only: the kernel would mix up its samples with another's");
	}

	int result = try_open(set, number, &plan, &place);

	while (result < 0 && ask_for_less(set, event, &plan, place.error))
		result = try_open(set, number, &plan, &place);
	if (result == 0) {
		event->state = EVSET_ON;
		say_less(set, number, &asked);
		return;
	}
	place.is_user_mode = event->spec.modifiers.exclude_kernel;
	/* The PMU cannot exclude the kernel: report the first errno, not this one. */
	if (place.error == EINVAL && event->spec.modifiers.exclude_kernel &&
	    !asked.modifiers.exclude_kernel)
		place.error = EACCES;
	event->spec.modifiers = asked.modifiers;
	event->spec.is_count_only = asked.is_count_only;
	fail(set, event, &place);
}

struct evset_event *evset_new_event(struct evset *set, const struct event_spec *spec)
{
	struct evset_event *event = &set->events[set->count++];

	event->spec = event_spec_copy(spec);
	event->ids = xcalloc(set->config.cpus.count * set->targets, sizeof(*event->ids));
	event->generation = 1;
	event->asked = xstrdup(spec->name);
	evset_begin_reason(event);
	return event;
}

uint32_t evset_add_later(struct evset *set, const struct event_spec *spec)
{
	struct evset_event *event = evset_new_event(set, spec);

	event->state = EVSET_LATER;
	if (spec->fault != NULL) {
		free(event->reason);
		event->reason = xstrdup(spec->fault);
		event->state = EVSET_FAILED;
	} else if (spec->is_off) {
		event->state = EVSET_OFF;
	}
	return (uint32_t)set->count - 1;
}

uint32_t evset_add(struct evset *set, const struct event_spec *spec)
{
	uint32_t number = evset_add_later(set, spec);

	if (set->events[number].state == EVSET_LATER)
		evset_open_event(set, number);
	return number;
}
