/* SPDX-License-Identifier: MIT */
#include "capture/evset-inside.h"

#include <errno.h>
#include <sys/ioctl.h>

#include "base/abi.h"

int evset_target_pid(const struct evset *set, size_t target)
{
	return set->config.pids != NULL ? set->config.pids[target] : -1;
}

/*
 * The rings' owner is opened for the whole CPU, so its records name all tasks; switch
 * records and counts are only of the cgroup's tasks.
 */
static struct reach reach_of(const struct evset *set, uint32_t number, size_t slot, size_t target)
{
	struct reach reach = { .pid = evset_target_pid(set, target), .cpu = set->slots[slot].cpu };

	if (set->config.cgroup_fd >= 0 && number != EVSET_OWNER &&
	    !set->events[number].spec.is_uncore) {
		reach.pid = set->config.cgroup_fd;
		reach.flags = PERF_FLAG_PID_CGROUP;
	}
	return reach;
}

static int open_fd(struct evset *set, uint32_t number, size_t slot, size_t target)
{
	const struct evset_event *event = &set->events[number];
	const struct access *access = set->config.access;
	struct reach reach = reach_of(set, number, slot, target);
	union abi_attr attr;
	int leader = -1;

	/* No such PMU: fail like perf_event_open(2), whatever the opener checks. */
	if (event->spec.type == EVENT_TYPE_NONE) {
		errno = ENOENT;
		return -1;
	}
	attr_widen(&attr, &event->attr, &event->spec);
	if (evset_is_member(event) || evset_is_bundled(set, number)) {
		leader = evset_leader(set, number, slot, target, &reach);
		if (leader < 0)
			return -1;
	}
	return access->open_event(access->ctx, &attr.attr, event->spec.path, reach.pid, reach.cpu,
				  leader, reach.flags);
}

void evset_close_fd(const struct evset *set, int fd)
{
	set->config.access->close_event(set->config.access->ctx, fd);
}

uint64_t *evset_id_at(const struct evset *set, struct evset_event *event, size_t slot,
		      size_t target)
{
	return &event->ids[slot * set->targets + target];
}

void evset_close_event(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];

	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_clear(set->slots[slot].counters, number, target);

			if (fd >= 0)
				evset_close_fd(set, fd);
			*evset_id_at(set, event, slot, target) = 0;
		}
	}
}

int evset_join_ring(const struct slot *slot, int fd)
{
	if (slot->ring == NULL)
		return 0;
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, slot->ring_fd);
}

static int set_filter(struct evset_event *event, int fd)
{
	if (event->spec.filter == NULL ||
	    ioctl(fd, PERF_EVENT_IOC_SET_FILTER, event->spec.filter) == 0)
		return 0;
	/* The errno of the kernel's filter parser (ENOENT, EPERM, ESRCH) would be misleading. */
	event->is_filter_refused = true;
	errno = EINVAL;
	return -1;
}

void evset_set_pace(const struct evset *set, uint32_t number, size_t slot)
{
	uint64_t rate = evset_rate(set, number);
	uint32_t pace = (uint32_t)rate;

	if (set->events[number].sampling != ATTR_PACED)
		pace = 0;
	else if (rate == 0)
		pace = COUNTERS_NO_SAMPLES;
	else if (rate == ATTR_ALL)
		pace = COUNTERS_ALL;
	counters_set_pace(set->slots[slot].counters, number, pace);
}

static void set_bound(struct counters *counters, uint32_t number, const struct evset_event *event)
{
	uint64_t bound = event->attr.freq ? 0 : event->attr.sample_period;

	/* counters_enable() sets it to 1 then. */
	if (event->sampling == ATTR_PACED && bound == ATTR_PACED_OPEN && event->shortest <= 1)
		bound = 1;
	counters_set_bound(counters, number, bound);
}

static int open_one(struct evset *set, uint32_t number, size_t slot, size_t target)
{
	struct evset_event *event = &set->events[number];
	int fd = open_fd(set, number, slot, target);

	if (fd < 0)
		return -1;
	if (set_filter(event, fd) < 0 || evset_join_ring(&set->slots[slot], fd) < 0 ||
	    ioctl(fd, PERF_EVENT_IOC_ID, evset_id_at(set, event, slot, target)) < 0) {
		int error = errno;

		evset_close_fd(set, fd);
		errno = error;
		return -1;
	}
	counters_set_group(set->slots[slot].counters, number, event->has_group);
	counters_set_id(set->slots[slot].counters, number, *evset_id_at(set, event, slot, target));
	counters_set_shortest(set->slots[slot].counters, number, event->shortest);
	evset_set_pace(set, number, slot);
	set_bound(set->slots[slot].counters, number, event);
	counters_set(set->slots[slot].counters, number, target, fd,
		     event->generation + set->slots[slot].generation);
	return 0;
}

/* Whether the CPU went offline or the task ended, and there are others: then go on without it. */
static bool is_gone(const struct evset *set, int error)
{
	if (error == ENODEV)
		return set->config.cpus.count > 1;
	return error == ESRCH && set->targets > 1;
}

int evset_open_on_slot(struct evset *set, uint32_t number, size_t slot, struct why_place *place)
{
	const struct cpulist *only = &set->events[number].spec.cpus;
	int opened = 0;

	/* Not for this CPU: a core PMU of some CPUs, or an uncore PMU opened on one. */
	if (only->count > 0 && cpulist_find(only, set->slots[slot].cpu) < 0)
		return 0;
	for (size_t target = 0; target < set->targets; target++) {
		if (open_one(set, number, slot, target) == 0) {
			opened++;
			continue;
		}
		place->error = errno;
		place->cpu = set->slots[slot].cpu;
		place->pid = evset_target_pid(set, target);
		if (!is_gone(set, place->error))
			return -1;
	}
	return opened;
}

int evset_open_everywhere(struct evset *set, uint32_t number, struct why_place *place)
{
	int opened = 0;

	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		int here = evset_open_on_slot(set, number, slot, place);

		if (here < 0) {
			evset_close_event(set, number);
			return -1;
		}
		opened += here;
	}
	return opened > 0 ? 0 : -1;
}
