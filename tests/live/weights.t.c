/* SPDX-License-Identifier: MIT */
/*
 * What samples stand for: in each interval the tasks' counts of an event and what no sample stands for
 * add up to the event's count, whatever the rate, also while others watch the same software events.
 */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "capture/evset.h"
#include "capture/features.h"
#include "getppid-event.h"
#include "source/engine.h"
#include "tap.h"

#define INTERVAL_S 0.1
#define CALLS	   300
#define LOADS	   2
#define FOREIGN	   2
#define HOT	   100000 /* a count of an interval that cannot all have been sampled */

enum { GETPPID, SWITCHES, FAULTS, EVENTS };

static struct source *source;
static const struct snapshot *snap;
static struct cpulist cpus;

/* Of all snapshots so far. */
static bool was_behind[EVENTS];
static uint64_t intervals, unequal, cpu_unequal, unknown, called, called_estimated;

static void add_up(const struct snap_event *event, uint32_t number)
{
	uint64_t tasks = 0, unseen = 0;

	for (size_t i = 0; i < snap->ntasks; i++) {
		const struct snap_task *task = &snap->tasks[i];

		for (size_t k = 0; k < task->nevents; k++) {
			if (task->events[k].event == number)
				tasks += task->events[k].count;
		}
	}
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		unseen += event->cpus[slot].unseen;
	if (tasks + event->unseen != event->count) {
		unequal++;
		diag("%s: tasks %llu + unseen %llu, counted %llu", event->name,
		     (unsigned long long)tasks, (unsigned long long)event->unseen,
		     (unsigned long long)event->count);
	}
	/* The records of a CPU that was behind come in the next interval, and weigh more than its count. */
	if (!event->is_behind && !was_behind[number])
		cpu_unequal += unseen != event->unseen;
	was_behind[number] = event->is_behind;
}

static void look_at_ours(void)
{
	for (size_t i = 0; i < snap->ntasks; i++) {
		const struct snap_task *task = &snap->tasks[i];

		for (size_t k = 0; k < task->nevents && task->tid == getpid(); k++) {
			if (task->events[k].event != GETPPID)
				continue;
			called += task->events[k].count;
			called_estimated += task->events[k].is_estimated;
		}
	}
}

static void take(void)
{
	struct pollfd fd = { .fd = source_fd(source), .events = POLLIN };

	if (poll(&fd, 1, 10000) <= 0)
		bail("no snapshot");
	snapshot_release(snap);
	snap = source_take(source);
	if (snap == NULL)
		bail("no snapshot");
	for (uint32_t i = 0; i < EVENTS; i++)
		add_up(&snap->events[i], i);
	intervals++;
	unknown = snap->unknown_records;
	look_at_ours();
}

static pid_t load_on(int cpu)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	alarm(30);
	for (;;)
		syscall(SYS_getppid);
}

static void check_slow(void)
{
	take();
	called = called_estimated = 0;
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < 10 && called < CALLS; i++)
		take();
	is_u64(called, CALLS, "an event that is slow is sampled each time");
	is_u64(called_estimated, 0, "and not estimated");
}

static void check_hot(void)
{
	pid_t loads[LOADS];
	uint64_t hot = 0, too_many = 0;
	double seen = 0;

	for (int i = 0; i < LOADS; i++)
		loads[i] = load_on(cpus.ids[(size_t)i % cpus.count]);
	for (int i = 0; i < 15; i++) {
		uint64_t before = snap->events[GETPPID].sampled;

		take();
		const struct snap_event *event = &snap->events[GETPPID];
		if (i < 3 || event->count < HOT)
			continue;
		hot++;
		too_many += event->sampled - before > event->count / 10;
		seen += 1 - (double)event->unseen / (double)event->count;
	}
	for (int i = 0; i < LOADS; i++) {
		kill(loads[i], SIGKILL);
		waitpid(loads[i], NULL, 0);
	}
	if (hot < 5) {
		skip(2, "the machine is too slow: only %d hot intervals", (int)hot);
		return;
	}
	is_u64(too_many, 0, "a hot event is sampled in part (%d intervals)", (int)hot);
	ok(seen / (double)hot > 0.9, "and its samples stand for nearly all of it (%.1f %%)",
	   seen / (double)hot * 100);
}

/* Somebody else's sampling of the same software events, opened after ours. */
static int open_foreign(uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = config,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 || mmap(NULL, 9 * (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
			   MAP_SHARED, fd, 0) == MAP_FAILED)
		bail("no second listener");
	return fd;
}

static void check_foreign(void)
{
	static const uint64_t configs[FOREIGN] = { PERF_COUNT_SW_CONTEXT_SWITCHES,
						   PERF_COUNT_SW_PAGE_FAULTS };
	int fds[FOREIGN][64];
	size_t ncpus = cpus.count < 64 ? cpus.count : 64;
	uint64_t before = unknown, sampled = snap->events[SWITCHES].sampled;

	for (size_t i = 0; i < FOREIGN; i++) {
		for (size_t k = 0; k < ncpus; k++)
			fds[i][k] = open_foreign(configs[i], cpus.ids[k]);
	}
	for (int i = 0; i < 5; i++)
		take();
	is_u64(unknown - before, 0, "with another listener no record has an unknown id");
	ok(snap->events[SWITCHES].sampled > sampled, "and samples still come");
	for (size_t i = 0; i < FOREIGN; i++) {
		for (size_t k = 0; k < ncpus; k++)
			close(fds[i][k]);
	}
}

static void add_software(struct evset *set, const char *name, uint64_t config)
{
	struct event_spec spec = { .name = (char *)name,
				   .kind = EVENT_SOFTWARE,
				   .type = PERF_TYPE_SOFTWARE,
				   .config = config,
				   .scale = 1 };

	evset_add(set, &spec);
}

int main(void)
{
	struct features features;
	char *reason;
	struct event_spec getppid_spec = getppid_event();

	plan_lazy();
	features_probe(&features);
	if (cpulist_online(&cpus) != 0)
		bail("no CPUs");

	struct evset_config config = {
		.cpus = cpus,
		.cgroup_fd = -1,
		.sampling = ATTR_PACED,
		.rate = 1000,
		.capacity = EVSET_FIRST + EVENTS,
		.features = &features,
		.access = access_direct(),
	};
	struct evset *set = evset_new(&config, &reason);
	if (set == NULL)
		bail("no set");
	evset_add(set, &getppid_spec);
	add_software(set, "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES);
	add_software(set, "page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	struct closer *closer = closer_new(config.access);
	struct engine_config engine = { .set = set,
					.cpus = &cpus,
					.access = config.access,
					.closer = closer,
					.has_lost = features.has_format_lost,
					.interval_s = INTERVAL_S,
					.keep.top = SIZE_MAX,
					.has_self = true,
					.host = "host",
					.kernel = "kernel" };
	source = engine_new(&engine);
	if (source == NULL || source_start(source, INTERVAL_S) != NULL)
		bail("no engine");

	check_slow();
	check_hot();
	check_foreign();
	source_finish(source, UINT64_MAX);
	do
		take();
	while (!snap->is_final);
	is_u64(unequal, 0, "tasks and unseen add up to the count in %d intervals", (int)intervals);
	is_u64(cpu_unequal, 0, "and the CPUs' to the event's");

	snapshot_release(snap);
	source_free(source, UINT64_MAX);
	closer_stop(closer);
	evset_free(set);
	cpulist_fini(&cpus);
	free(reason);
	return done();
}
