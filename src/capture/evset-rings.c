/* SPDX-License-Identifier: MIT */
#include "capture/evset-inside.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sys.h"

/* With 2 MiB per CPU no loss on two CPUs saturated at 2.5 M events/s (doc/performance.md). */
#define RING_BYTES_ROOT (2u << 20)
/* With many CPUs the sum matters more, and each has fewer events. */
#define RING_BYTES_MANY (512u << 10)
#define MANY_CPUS	32
/* The default kernel.perf_event_mlock_kb allows 128 data pages and the control page. */
#define RING_BYTES_USER (512u << 10)

size_t evset_ring_bytes(const struct access *access, size_t cpus)
{
	if (!access->has_root && !sys_has_capability(CAP_IPC_LOCK))
		return RING_BYTES_USER;
	return cpus > MANY_CPUS ? RING_BYTES_MANY : RING_BYTES_ROOT;
}

static size_t default_pages(const struct evset_config *config)
{
	return evset_ring_bytes(config->access, config->cpus.count) / (size_t)sysconf(_SC_PAGESIZE);
}

/* The fd that owns a CPU's ring: the dummy of the first target that has not ended; -1: none. */
static int find_owner(const struct evset *set, size_t slot)
{
	int fd = -1;

	for (size_t target = 0; fd < 0 && target < set->targets; target++)
		fd = counters_fd(set->slots[slot].counters, EVSET_OWNER, target);
	return fd;
}

/* Map the owner's ring on each CPU, all of the same size: 0, or -1 and errno with none mapped. */
static int map_rings(struct evset *set, size_t pages)
{
	const struct access *access = set->config.access;

	for (size_t i = 0; i < set->config.cpus.count; i++) {
		struct slot *slot = &set->slots[i];

		if (slot->ring_fd < 0)
			continue;
		slot->ring = access->map_ring(access->ctx, slot->ring_fd, pages);
		if (slot->ring == NULL) {
			int error = errno;

			while (i-- > 0) {
				ring_close(set->slots[i].ring);
				set->slots[i].ring = NULL;
			}
			errno = error;
			return -1;
		}
	}
	return 0;
}

/* Open a dummy on each CPU for each target: 0, or -1 and the reason in *place, with none open. */
static int open_dummy(struct evset *set, uint32_t number, struct why_place *place)
{
	if (evset_open_everywhere(set, number, place) == 0) {
		set->events[number].state = EVSET_ON;
		return 0;
	}
	set->events[number].state = EVSET_FAILED;
	return -1;
}

/* Let the other targets' owners write into the first one's ring. */
static void join_owners(struct evset *set, size_t slot)
{
	for (size_t target = 0; target < set->targets; target++) {
		int fd = counters_fd(set->slots[slot].counters, EVSET_OWNER, target);

		if (fd >= 0 && fd != set->slots[slot].ring_fd)
			evset_join_ring(&set->slots[slot], fd);
	}
}

/*
 * Open the owner and map its ring of `pages` on each CPU: 0, or -1 and errno with none mapped.  The
 * kernel reads the watermark only when it maps the ring, from the attr of the mapped event
 * (kernel/events/ring_buffer.c, ring_buffer_init): another size needs a new owner.
 */
static int open_owner(struct evset *set, struct attr_plan *plan, size_t pages,
		      struct why_place *place)
{
	/* A quarter of the ring: the rest is for records written while the reader wakes up. */
	plan->watermark = (uint32_t)(pages * (size_t)sysconf(_SC_PAGESIZE) / 4);
	attr_owner(&set->events[EVSET_OWNER].attr, plan, set->config.features);
	evset_close_event(set, EVSET_OWNER);
	bool is_open = open_dummy(set, EVSET_OWNER, place) == 0;
	for (size_t slot = 0; slot < set->config.cpus.count; slot++)
		set->slots[slot].ring_fd = find_owner(set, slot);
	return is_open ? map_rings(set, pages) : -1;
}

/* Halve the size until it is allowed; *reason: why there is no ring, or not the configured size. */
static void open_rings_that_fit(struct evset *set, struct attr_plan *plan, char **reason)
{
	struct why_place place = { .cpu = -1, .pid = evset_target_pid(set, 0) };
	size_t pages = set->config.pages != 0 ? set->config.pages : default_pages(&set->config);

	while (open_owner(set, plan, pages, &place) != 0) {
		int error = errno;

		if (set->events[EVSET_OWNER].state != EVSET_ON) {
			place.fds_need = evset_fds_need(set);
			free(*reason);
			*reason = why_open(place.error, &set->events[EVSET_OWNER].spec, &place);
			return;
		}
		bool is_last = (error != EPERM && error != ENOMEM) || pages == 1;
		if (is_last || (set->config.pages != 0 && *reason == NULL)) {
			free(*reason);
			*reason = why_mmap(error, pages);
		}
		if (is_last)
			return;
		pages /= 2;
	}
	set->has_rings = true;
	set->pages = pages;
}

void evset_open_rings(struct evset *set, char **reason)
{
	static const struct event_spec owner = { .name = (char *)"dummy", .kind = EVENT_SOFTWARE };
	static const struct event_spec switches = { .name = (char *)"dummy:switch",
						    .kind = EVENT_SOFTWARE };
	struct attr_plan plan = {
		.is_inherited = set->config.is_inherited,
		.is_enabled_on_exec = set->config.is_enabled_on_exec,
	};
	struct why_place place = { .cpu = -1, .pid = evset_target_pid(set, 0) };

	evset_new_event(set, &owner)->state = EVSET_OFF;
	struct evset_event *event = evset_new_event(set, &switches);
	attr_switch(&event->attr, &plan, set->config.features);
	event->state = EVSET_OFF;

	open_rings_that_fit(set, &plan, reason);
	for (size_t slot = 0; slot < set->config.cpus.count; slot++)
		join_owners(set, slot);
	if (set->config.has_switches && set->config.features->has_context_switch && set->has_rings)
		open_dummy(set, EVSET_SWITCH, &place);
}

int evset_open_slot_ring(struct evset *set, size_t at, struct why_place *place)
{
	const struct access *access = set->config.access;
	struct slot *slot = &set->slots[at];

	if (evset_open_on_slot(set, EVSET_OWNER, at, place) <= 0)
		return -1;
	slot->ring_fd = find_owner(set, at);
	slot->ring = access->map_ring(access->ctx, slot->ring_fd, set->pages);
	if (slot->ring == NULL)
		return -1;
	join_owners(set, at);
	return 0;
}
