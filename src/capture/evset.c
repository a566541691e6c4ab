/* SPDX-License-Identifier: MIT */
#include "capture/evset-inside.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/xalloc.h"

struct evset *evset_new(const struct evset_config *config, char **reason)
{
	struct evset *set = xcalloc(1, sizeof(*set));

	*reason = NULL;
	set->config = *config;
	set->targets = config->pids != NULL ? config->npids : 1;
	set->pace_limit = EVSET_NO_LIMIT;
	set->slots = xcalloc(config->cpus.count, sizeof(*set->slots));
	set->events = xcalloc(config->capacity, sizeof(*set->events));
	for (size_t i = 0; i < config->cpus.count; i++) {
		set->slots[i].cpu = config->cpus.ids[i];
		set->slots[i].ring_fd = -1;
		set->slots[i].counters = counters_new(config->capacity, set->targets);
		if (set->slots[i].counters == NULL) {
			evset_free(set);
			errno = ENOMEM;
			return NULL;
		}
	}
	evset_open_rings(set, reason);
	return set;
}

void evset_free(struct evset *set)
{
	if (set == NULL)
		return;

	/* Close the rings' owners last: the other events write into their rings. */
	for (size_t i = set->count; i-- > 0;) {
		evset_close_event(set, (uint32_t)i);
		event_spec_fini(&set->events[i].spec);
		free(set->events[i].asked);
		free(set->events[i].reason);
		free(set->events[i].ids);
	}
	evset_free_groups(set, NULL);
	for (size_t i = 0; i < set->config.cpus.count; i++) {
		ring_close(set->slots[i].ring);
		counters_free(set->slots[i].counters);
	}
	free(set->events);
	free(set->slots);
	free(set);
}

static void enable(struct evset *set, uint32_t number)
{
	for (size_t slot = 0; slot < set->config.cpus.count; slot++)
		counters_enable_event(set->slots[slot].counters, number);
}

static void enable_leaders(struct evset *set)
{
	for (size_t slot = 0; slot < set->config.cpus.count; slot++)
		evset_enable_leaders(set, slot);
}

static void disable(struct evset *set, uint32_t number)
{
	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		/* Its next reading is its last: it must not be left out (readings.h). */
		counters_set_pace(set->slots[slot].counters, number, 0);
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_fd(set->slots[slot].counters, number, target);

			if (fd >= 0)
				ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		}
	}
}

void evset_enable_owner(struct evset *set)
{
	if (!set->config.is_enabled_on_exec)
		enable(set, EVSET_OWNER);
}

void evset_enable_all(struct evset *set)
{
	if (set->config.is_enabled_on_exec)
		return;
	for (uint32_t number = 0; number < set->count; number++) {
		if (set->events[number].state == EVSET_ON)
			enable(set, number);
	}
	enable_leaders(set);
}

void evset_close_slot(struct evset *set, size_t at)
{
	struct slot *slot = &set->slots[at];

	for (uint32_t number = (uint32_t)set->count; number-- > 0;) {
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_clear(slot->counters, number, target);

			if (fd >= 0)
				evset_close_fd(set, fd);
			*evset_id_at(set, &set->events[number], at, target) = 0;
		}
	}
	evset_close_leaders(set, at);
	ring_close(slot->ring);
	slot->ring = NULL;
	slot->ring_fd = -1;
}

int evset_open_slot(struct evset *set, size_t at)
{
	struct why_place place = { .cpu = -1, .pid = -1 };
	struct slot *slot = &set->slots[at];

	slot->generation++;
	if (set->has_rings && evset_open_slot_ring(set, at, &place) != 0) {
		evset_close_slot(set, at);
		return -1;
	}
	for (uint32_t number = EVSET_SWITCH; number < set->count; number++) {
		if (set->events[number].state == EVSET_ON &&
		    evset_open_on_slot(set, number, at, &place) < 0) {
			evset_close_slot(set, at);
			return -1;
		}
	}
	counters_enable(slot->counters);
	evset_enable_leaders(set, at);
	return 0;
}

bool evset_is_slot_open(const struct evset *set, size_t at)
{
	const struct slot *slot = &set->slots[at];

	for (uint32_t number = 0; number < set->count; number++) {
		for (size_t target = 0; target < set->targets; target++) {
			if (counters_fd(slot->counters, number, target) >= 0)
				return true;
		}
	}
	return false;
}

static bool has_fds(const struct evset *set, uint32_t number)
{
	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		for (size_t target = 0; target < set->targets; target++) {
			if (counters_fd(set->slots[slot].counters, number, target) >= 0)
				return true;
		}
	}
	return false;
}

void evset_switch_on(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];

	if (event->state == EVSET_ON || event->spec.fault != NULL)
		return;
	if (has_fds(set, number)) {
		evset_begin_reason(event);
		event->state = EVSET_ON;
	} else {
		event->generation++;
		evset_begin_reason(event);
		evset_open_event(set, number);
	}
	if (event->state != EVSET_ON)
		return;
	enable(set, number);
	evset_enable_leaders_of(set, number);
}

void evset_switch_off(struct evset *set, uint32_t number)
{
	struct evset_event *event = &set->events[number];

	if (event->state != EVSET_ON)
		return;
	disable(set, number);
	event->state = EVSET_OFF;
	free(event->reason);
	event->reason = xstrdup("f switches it on");
}

static void hand_over(struct evset *set, uint32_t number, struct closer *closer)
{
	for (size_t slot = 0; slot < set->config.cpus.count; slot++) {
		for (size_t target = 0; target < set->targets; target++) {
			int fd = counters_clear(set->slots[slot].counters, number, target);

			if (fd >= 0)
				closer_take(closer, fd);
		}
	}
}

void evset_retire(struct evset *set, uint32_t number, struct closer *closer)
{
	if (set->events[number].state == EVSET_OFF)
		hand_over(set, number, closer);
}

void evset_leave(struct evset *set, struct closer *closer)
{
	for (size_t i = set->count; i-- > 0;)
		hand_over(set, (uint32_t)i, closer);
	evset_free_groups(set, closer);
	evset_free(set);
}

void evset_set_filter(struct evset *set, uint32_t number, const char *text, struct closer *closer)
{
	struct evset_event *event = &set->events[number];
	bool was_on = event->state != EVSET_OFF && event->spec.fault == NULL;

	evset_switch_off(set, number);
	if (event->spec.fault == NULL)
		event->state = EVSET_OFF; /* a failed event can open with another filter */
	evset_retire(set, number, closer);
	free(event->spec.filter);
	event->spec.filter = text != NULL ? xstrdup(text) : NULL;
	if (was_on)
		evset_switch_on(set, number);
}

size_t evset_count(const struct evset *set)
{
	return set->count;
}

size_t evset_capacity(const struct evset *set)
{
	return set->config.capacity;
}

const struct evset_event *evset_event(const struct evset *set, uint32_t number)
{
	return &set->events[number];
}

uint32_t evset_pace(const struct evset *set)
{
	uint64_t most = 0;

	for (uint32_t number = EVSET_FIRST; number < set->count; number++) {
		const struct evset_event *event = &set->events[number];

		if (event->state == EVSET_ON && event->sampling == ATTR_PACED && event->rate > most)
			most = event->rate;
	}
	return (uint32_t)most;
}

void evset_limit_pace(struct evset *set, uint32_t pace)
{
	set->pace_limit = pace;
	for (uint32_t number = EVSET_FIRST; number < set->count; number++) {
		if (set->events[number].state != EVSET_ON)
			continue; /* set when it is opened */
		for (size_t slot = 0; slot < set->config.cpus.count; slot++)
			evset_set_pace(set, number, slot);
	}
}

uint64_t evset_rate(const struct evset *set, uint32_t number)
{
	return evset_is_limited(set, number) ? set->pace_limit : set->events[number].rate;
}

bool evset_is_limited(const struct evset *set, uint32_t number)
{
	const struct evset_event *event = &set->events[number];

	return event->sampling == ATTR_PACED && event->rate > set->pace_limit;
}

size_t evset_slots(const struct evset *set)
{
	return set->config.cpus.count;
}

size_t evset_targets(const struct evset *set)
{
	return set->targets;
}

bool evset_watches_all(const struct evset *set)
{
	return set->config.pids == NULL;
}

bool evset_watches(const struct evset *set, pid_t task)
{
	for (size_t i = 0; i < set->config.npids; i++) {
		if (set->config.pids[i] == task)
			return true;
	}
	return false;
}

int evset_cpu(const struct evset *set, size_t slot)
{
	return set->slots[slot].cpu;
}

struct ring *evset_ring(const struct evset *set, size_t slot)
{
	return set->slots[slot].ring;
}

struct counters *evset_counters(const struct evset *set, size_t slot)
{
	return set->slots[slot].counters;
}
