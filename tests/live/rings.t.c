/* SPDX-License-Identifier: MIT */
/*
 * Rings that the kernel refuses: halved until they fit, on all CPUs alike, and woken in time also
 * then.  The refusals are scripted, all else is the kernel.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/evset.h"
#include "capture/features.h"
#include "getppid-event.h"
#include "tap.h"

#define ASKED 64

static struct access access_that_refuses;
static struct features features;
static struct cpulist cpus;
static struct event_spec spec;

/* What map_ring() refuses: more pages than this, with this errno, from this call on. */
static struct {
	size_t pages;
	int error;
	size_t from_call;
	size_t calls;
} refuse;

static struct ring *map_ring(void *ctx, int fd, size_t pages)
{
	if (refuse.calls++ >= refuse.from_call && pages > refuse.pages) {
		errno = refuse.error;
		return NULL;
	}
	return access_direct()->map_ring(ctx, fd, pages);
}

static struct evset *open_set(size_t asked, size_t allowed, int error, char **reason)
{
	struct evset_config config = {
		.cpus = cpus,
		.cgroup_fd = -1,
		.sampling = ATTR_PERIOD,
		.rate = 1,
		.pages = asked,
		.has_switches = true,
		.capacity = EVSET_FIRST + 1,
		.features = &features,
		.access = &access_that_refuses,
	};

	refuse.pages = allowed;
	refuse.error = error;
	refuse.calls = 0;
	struct evset *set = evset_new(&config, reason);
	if (set == NULL)
		bail("no set");
	return set;
}

/* Data pages of each ring; 0 where any two differ, or where there is none. */
static size_t pages_of(const struct evset *set)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 0;

	for (size_t slot = 0; slot < evset_slots(set); slot++) {
		const struct ring *ring = evset_ring(set, slot);
		size_t here = ring != NULL ? ring_bytes(ring) / page - 1 : 0;

		if (here == 0 || (slot > 0 && here != pages))
			return 0;
		pages = here;
	}
	return pages;
}

/*
 * Fills this CPU's ring call by call, without draining it, until its fd can be read: the bytes
 * that are in it by then.
 */
static size_t bytes_when_woken(struct evset *set)
{
	uint32_t event = evset_add(set, &spec);

	if (evset_event(set, event)->state != EVSET_ON)
		bail("the event does not open");
	evset_enable_all(set);
	for (int call = 0; call < 100000; call++) {
		for (size_t slot = 0; slot < evset_slots(set); slot++) {
			struct pollfd fd = { .events = POLLIN };

			fd.fd = counters_fd(evset_counters(set, slot), EVSET_OWNER, 0);
			if (poll(&fd, 1, 0) == 1) {
				ring_look(evset_ring(set, slot));
				return ring_unread(evset_ring(set, slot));
			}
		}
		syscall(SYS_getppid);
	}
	return SIZE_MAX;
}

static void check_refusal(int error, size_t asked, size_t allowed)
{
	char *reason;
	struct evset *set = open_set(asked, allowed, error, &reason);
	const char *name = strerrorname_np(error);

	is_u64(pages_of(set), allowed, "%s above %zu pages: each ring has as many", name, allowed);
	ok(asked == 0 ? reason == NULL : reason != NULL && strncmp(reason, name, strlen(name)) == 0,
	   "with a reason where a size was asked for (%zu)", asked);
	is_int(evset_event(set, EVSET_SWITCH)->state, EVSET_ON, "switch records go into them");

	size_t bytes = bytes_when_woken(set), page = (size_t)sysconf(_SC_PAGESIZE);
	ok(bytes <= allowed * page / 2,
	   "the reader is woken before the ring is half full: %zu of %zu", bytes, allowed * page);
	evset_free(set);
	free(reason);
}

static void check_none(void)
{
	char *reason;
	struct evset *set = open_set(0, 0, ENOMEM, &reason);
	uint32_t event = evset_add(set, &spec);

	ok(reason != NULL && strncmp(reason, "ENOMEM", 6) == 0, "no page at all: with a reason");
	ok(evset_ring(set, 0) == NULL, "and no ring");
	is_int(evset_event(set, event)->state, EVSET_ON, "an event is open all the same");
	is_u64(evset_event(set, event)->attr.sample_period, 0, "to be counted");
	evset_free(set);
	free(reason);
}

int main(void)
{
	spec = getppid_event();
	plan_lazy();
	features_probe(&features);
	if (cpulist_online(&cpus) != 0)
		bail("no CPUs");
	access_that_refuses = *access_direct();
	access_that_refuses.map_ring = map_ring;

	check_refusal(ENOMEM, ASKED, ASKED / 2);
	check_refusal(EPERM, ASKED, ASKED / 8);
	check_refusal(ENOMEM, ASKED, 1);
	check_refusal(EPERM, 0, 1);
	refuse.from_call = cpus.count - 1; /* the first CPUs' rings had been mapped */
	check_refusal(ENOMEM, ASKED, ASKED / 4);
	refuse.from_call = 0;
	check_none();
	cpulist_fini(&cpus);
	return done();
}
