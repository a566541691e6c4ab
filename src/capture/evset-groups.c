/* SPDX-License-Identifier: MIT */
#include "capture/evset-inside.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/xalloc.h"

/*
 * The kernel counts the members of a group together or not at all, so that their ratios hold when
 * counters are multiplexed.  The leader is a dummy, not the first member as in perf: while a leader
 * is switched off, its members do not count.  Events that take no counter always count, and stay
 * apart: since Linux 6.16 a throttled event stops its whole group (perf_event_throttle_group()).
 *
 * {}:S is led by its first event, which alone samples, with the counts of all, whatever they are.
 * Not of tasks: their events are inherited, and then before Linux 6.13 no sample can have counts.
 *
 * Tracepoints that are only counted (-F 0) are never throttled.  Each bundle of them is a group, too, so that
 * one read(2) of its leader returns the counts of all.  The reader's part of a tick with 1,000 events takes a
 * fourth of the CPU time (doc/performance.md).
 */
struct group {
	uint32_t number; /* event_spec.group, or BUNDLES + the bundle */
	int *leaders;	 /* [slots * targets]; -1: not open */
};

/* Whether the first of its {} is to sample for all. */
static bool is_leader_sampled(const struct evset *set, uint32_t number)
{
	const struct event_spec *spec = &set->events[number].spec;

	return spec->group != 0 && spec->modifiers.is_leader_sampled && set->config.pids == NULL;
}

static uint32_t first_of_group(const struct evset *set, uint32_t number)
{
	uint32_t group = set->events[number].spec.group;
	uint32_t first = EVSET_FIRST;

	while (set->events[first].spec.group != group)
		first++;
	return first;
}

uint32_t evset_sampler(const struct evset *set, uint32_t number)
{
	return set->events[number].is_read ? first_of_group(set, number) : number;
}

/* A sample with the id of another event could not be told from that one's. */
bool evset_is_sampler(const struct evset *set, uint32_t number)
{
	return is_leader_sampled(set, number) && first_of_group(set, number) == number &&
	       !event_shares_samples(&set->events[number].spec);
}

const char *evset_why_no_sampler(const struct evset *set, uint32_t number)
{
	const struct event_spec *spec = &set->events[number].spec;

	if (!spec->modifiers.is_leader_sampled || spec->group == 0)
		return NULL;
	if (set->config.pids != NULL)
		return "':S' has no effect on tasks: each event samples separately";
	if (first_of_group(set, number) == number && event_shares_samples(spec))
		return "':S' has no effect: a software event cannot sample for others";
	return NULL;
}

bool evset_can_be_read(const struct evset *set, uint32_t number)
{
	if (!is_leader_sampled(set, number))
		return false;

	uint32_t first = first_of_group(set, number);
	const struct evset_event *sampler = &set->events[first];

	return first != number && sampler->has_group && sampler->state == EVSET_ON &&
	       number - first < COUNTERS_GROUP_MAX;
}

bool evset_is_member(const struct evset_event *event)
{
	if (event->is_apart || event->has_group)
		return false;
	return event->is_read || (event->spec.group != 0 && event_takes_counter(&event->spec));
}

#define BUNDLES (1u << 31)

static bool has_bundles(const struct evset *set)
{
	return set->config.sampling == ATTR_COUNT && set->config.pids == NULL &&
	       set->config.cgroup_fd < 0;
}

/* The kernel refuses members that are pinned or exclusive. */
bool evset_is_bundled(const struct evset *set, uint32_t number)
{
	const struct evset_event *event = &set->events[number];
	const struct event_modifiers *modifiers = &event->spec.modifiers;

	return has_bundles(set) && event->spec.type == PERF_TYPE_TRACEPOINT &&
	       event->sampling == ATTR_COUNT && !event->is_read && !modifiers->is_pinned &&
	       !modifiers->is_exclusive;
}

size_t evset_bundles(const struct evset *set, size_t events)
{
	return has_bundles(set) ? counters_bundles(events) : 0;
}

static uint32_t group_number(const struct evset *set, uint32_t number)
{
	return evset_is_bundled(set, number) ? BUNDLES + number / COUNTERS_BUNDLE :
					       set->events[number].spec.group;
}

static struct group *find_group(const struct evset *set, uint32_t number)
{
	for (size_t i = 0; i < set->ngroups; i++) {
		if (set->groups[i].number == number)
			return &set->groups[i];
	}
	return NULL;
}

static struct group *group_of(struct evset *set, uint32_t number)
{
	size_t leaders = set->config.cpus.count * set->targets;
	struct group *group = find_group(set, number);

	if (group != NULL)
		return group;
	set->groups = xreallocarray(set->groups, set->ngroups + 1, sizeof(*set->groups));
	group = &set->groups[set->ngroups++];
	group->number = number;
	group->leaders = xcalloc(leaders, sizeof(*group->leaders));
	for (size_t i = 0; i < leaders; i++)
		group->leaders[i] = -1;
	return group;
}

/* Of a CPU where only the member can be opened there is none. */
static int open_sampler(const struct evset *set, uint32_t number, size_t slot, size_t target)
{
	int fd = counters_fd(set->slots[slot].counters, evset_sampler(set, number), target);

	errno = EINVAL;
	return fd;
}

static int open_dummy(struct evset *set, uint32_t number, size_t slot, size_t target,
		      const struct reach *reach)
{
	const struct event_spec *spec = &set->events[number].spec;
	const struct access *access = set->config.access;
	struct attr_plan plan = {
		.is_inherited = set->config.is_inherited,
		.is_enabled_on_exec = set->config.is_enabled_on_exec,
		.has_group = evset_is_bundled(set, number),
	};
	struct group *group = group_of(set, group_number(set, number));
	int *leader = &group->leaders[slot * set->targets + target];
	struct perf_event_attr attr;

	if (*leader >= 0)
		return *leader;
	attr_leader(&attr, &spec->modifiers, &plan, set->config.features);
	*leader = access->open_event(access->ctx, &attr, NULL, reach->pid, reach->cpu, -1,
				     reach->flags);
	if (plan.has_group)
		counters_set_leader(set->slots[slot].counters, number / COUNTERS_BUNDLE, *leader);
	return *leader;
}

int evset_leader(struct evset *set, uint32_t number, size_t slot, size_t target,
		 const struct reach *reach)
{
	if (set->events[number].is_read)
		return open_sampler(set, number, slot, target);
	return open_dummy(set, number, slot, target, reach);
}

static void enable_leaders(const struct evset *set, const struct group *group, size_t slot)
{
	for (size_t target = 0; target < set->targets; target++) {
		int fd = group->leaders[slot * set->targets + target];

		if (fd >= 0)
			ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	}
}

void evset_enable_leaders(const struct evset *set, size_t slot)
{
	for (size_t i = 0; i < set->ngroups; i++)
		enable_leaders(set, &set->groups[i], slot);
}

void evset_enable_leaders_of(const struct evset *set, uint32_t number)
{
	const struct group *group = find_group(set, group_number(set, number));

	for (size_t slot = 0; group != NULL && slot < set->config.cpus.count; slot++)
		enable_leaders(set, group, slot);
}

static void close_leader(const struct evset *set, int *leader, struct closer *closer)
{
	if (*leader >= 0 && closer != NULL)
		closer_take(closer, *leader);
	else if (*leader >= 0)
		evset_close_fd(set, *leader);
	*leader = -1;
}

void evset_close_leaders(struct evset *set, size_t slot)
{
	for (size_t i = 0; i < set->ngroups; i++) {
		if (set->groups[i].number >= BUNDLES)
			counters_set_leader(set->slots[slot].counters,
					    set->groups[i].number - BUNDLES, -1);
		for (size_t target = 0; target < set->targets; target++)
			close_leader(set, &set->groups[i].leaders[slot * set->targets + target],
				     NULL);
	}
}

void evset_free_groups(struct evset *set, struct closer *closer)
{
	for (size_t i = 0; i < set->ngroups; i++) {
		for (size_t at = 0; at < set->config.cpus.count * set->targets; at++)
			close_leader(set, &set->groups[i].leaders[at], closer);
		free(set->groups[i].leaders);
	}
	free(set->groups);
	set->groups = NULL;
	set->ngroups = 0;
}
