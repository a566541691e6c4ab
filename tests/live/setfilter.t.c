/* SPDX-License-Identifier: MIT */
/* A new filter of an open event makes a new generation of it: counted exactly, before and after. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "capture/evset.h"
#include "capture/features.h"
#include "getppid-event.h"
#include "messages.h"
#include "tap.h"

#define CALLS 100

static struct evset *set;
static struct closer *closer;
static uint32_t event;

static void call(void)
{
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
}

static uint64_t count(void)
{
	uint64_t sum = 0, values[8];

	for (size_t slot = 0; slot < evset_slots(set); slot++) {
		int fd = counters_fd(evset_counters(set, slot), event, 0);

		if (fd >= 0 && read(fd, values, sizeof(values)) > 0)
			sum += values[0];
	}
	return sum;
}

static uint64_t calls_counted(void)
{
	uint64_t before = count();

	call();
	return count() - before;
}

/* Only our own calls match: the machine may make others. */
static void check_filters(void)
{
	const struct evset_event *info = evset_event(set, event);
	char *ours = xasprintf("common_pid == %d", (int)getpid());
	uint64_t id = info->ids[0];

	is_u64(calls_counted(), CALLS, "ours are counted");
	evset_set_filter(set, event, "common_pid == -5", closer);
	ok(info->state == EVSET_ON && info->generation == 2,
	   "another filter is another generation");
	ok(info->ids[0] != id, "with other ids");
	is_u64(calls_counted(), 0, "which matches none");
	evset_set_filter(set, event, ours, closer);
	is_u64(calls_counted(), CALLS, "and the next one ours again");
	is_str(info->spec.filter, ours, "the event says so");

	evset_set_filter(set, event, "no_such_field == 1", closer);
	ok(info->state == EVSET_FAILED, "one that the kernel rejects makes it fail");
	is_message(info->reason, "filter: rejected by the kernel");
	evset_set_filter(set, event, ours, closer);
	ok(info->state == EVSET_ON, "a right one opens it again");
	is_u64(calls_counted(), CALLS, "and counts");

	evset_switch_off(set, event);
	evset_set_filter(set, event, NULL, closer);
	ok(info->state == EVSET_OFF && info->spec.filter == NULL, "one that is off stays off");
	evset_switch_on(set, event);
	ok(calls_counted() >= CALLS, "and counts all when it is on, without a filter");
	free(ours);
}

int main(void)
{
	struct features features;
	struct cpulist cpus;
	char *reason;
	struct event_spec spec = getppid_event();

	plan_lazy();
	features_probe(&features);
	if (cpulist_online(&cpus) != 0)
		bail("no CPUs");

	struct evset_config config = {
		.cpus = cpus,
		.cgroup_fd = -1,
		.sampling = ATTR_PERIOD,
		.rate = 1,
		.pages = 8,
		.capacity = EVSET_FIRST + 1,
		.features = &features,
		.access = access_direct(),
	};
	char *filter = xasprintf("common_pid == %d", (int)getpid());
	spec.filter = filter;
	closer = closer_new(config.access);
	set = evset_new(&config, &reason);
	if (set == NULL)
		bail("no set");
	event = evset_add(set, &spec);
	is_int(evset_event(set, event)->state, EVSET_ON, "opens with its filter");
	evset_enable_all(set);
	check_filters();

	evset_free(set);
	closer_stop(closer);
	cpulist_fini(&cpus);
	free(filter);
	free(reason);
	return done();
}
