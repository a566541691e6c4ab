/* SPDX-License-Identifier: MIT */
/* A counter that counts nothing is not read at each request, but it is once its event is switched off. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/evset.h"
#include "capture/features.h"
#include "capture/readings.h"
#include "getppid-event.h"
#include "tap.h"

static struct evset *set;
static struct features features;
static uint32_t event;
static struct periods *periods;
static struct readings readings;

static struct count request(bool is_all)
{
	uint64_t now_ns = sys_monotonic_ns();
	const struct count *counts = readings_take(&readings, COUNTS_EVEN, now_ns, is_all);

	periods_settle(periods, counts, now_ns);
	return counts[event];
}

static void begin(const struct cpulist *cpus, char *filter)
{
	struct event_spec spec = getppid_event();
	struct evset_config config = {
		.cpus = *cpus,
		.cgroup_fd = -1,
		.sampling = ATTR_PACED,
		.rate = 1000,
		.pages = 8,
		.capacity = EVSET_FIRST + 1,
		.features = &features,
		.access = access_direct(),
	};
	char *reason;

	spec.filter = filter;
	set = evset_new(&config, &reason);
	if (set == NULL)
		bail("no set");
	free(reason);
	event = evset_add(set, &spec);
	is_int(evset_event(set, event)->state, EVSET_ON, "the event opens");
	evset_enable_all(set);

	struct counters *counters = evset_counters(set, 0);

	periods = periods_new(counters, features.has_format_lost, 1);
	readings = (struct readings){ .counters = counters,
				      .periods = periods,
				      .has_lost = features.has_format_lost };
}

int main(void)
{
	struct cpulist cpus;

	plan_lazy();
	features_probe(&features);
	if (cpulist_online(&cpus) != 0)
		bail("no CPUs");
	begin(&cpus, "common_pid == -5"); /* no task's */
	ok(!request(true).is_unread, "its counter is read");
	ok(request(false).is_unread, "as long as it counts nothing not each time");
	evset_limit_pace(set, 500);
	ok(request(false).is_unread, "nor with another limit of samples");
	evset_switch_off(set, event);
	evset_limit_pace(set, 1000);

	struct count last = request(false);
	ok(last.is_open && !last.is_unread, "its last reading is not left out");

	evset_free(set);
	periods_free(periods);
	cpulist_fini(&cpus);
	return done();
}
