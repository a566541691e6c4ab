/* SPDX-License-Identifier: MIT */
/*
 * Groups, on the real kernel.  Events that take a counter are replaced by page faults when they are
 * opened, as most machines that run the tests have no PMU.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/evset.h"
#include "faults.h"
#include "tap.h"

#define OPENS_MAX 64
#define FAULTS	  32
#define MEMBERS	  3 /* that have room in a group; all */

struct opened {
	struct perf_event_attr attr; /* as it was asked for */
	int fd, leader;
};

static struct opened opens[OPENS_MAX];
static struct features features;
static struct access watched;
static int opened, closed, members_max = MEMBERS;

static int members_of(int leader)
{
	int members = 0;

	for (int i = 0; i < opened; i++)
		members += opens[i].leader == leader;
	return members;
}

static int open_event(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
		      int cpu, int leader, unsigned long flags)
{
	struct perf_event_attr instead = *attr;

	if (opened == OPENS_MAX)
		bail("too many events");
	if (leader >= 0 && members_of(leader) == members_max) {
		errno = EINVAL;
		return -1;
	}
	if (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_TRACEPOINT) {
		instead.type = PERF_TYPE_SOFTWARE;
		instead.config = PERF_COUNT_SW_PAGE_FAULTS;
	}
	/* Of the whole machine a user may not have all. */
	int fd = access_direct()->open_event(ctx, &instead, text, pid < 0 ? 0 : pid,
					     pid < 0 ? -1 : cpu, leader, flags);

	if (fd >= 0)
		opens[opened++] = (struct opened){ *attr, fd, leader };
	return fd;
}

static void close_event(void *ctx, int fd)
{
	for (int i = 0; i < opened; i++) {
		if (opens[i].fd == fd)
			opens[i].fd = opens[i].leader = -1;
	}
	closed++;
	access_direct()->close_event(ctx, fd);
}

static struct evset *open_set(const struct cpulist *cpus, const pid_t *pid,
			      enum attr_sampling sampling, bool is_on_exec)
{
	struct evset_config config = {
		.cpus = *cpus,
		.pids = pid,
		.npids = 1,
		.cgroup_fd = -1,
		.sampling = sampling,
		.rate = 1000,
		.pages = 1,
		.capacity = EVSET_FIRST + 5,
		.is_enabled_on_exec = is_on_exec,
		.features = &features,
		.access = &watched,
	};
	char *reason;

	features_probe(&features);
	watched = *access_direct();
	watched.open_event = open_event;
	watched.close_event = close_event;
	opened = closed = 0;

	struct evset *set = evset_new(&config, &reason);

	free(reason);
	if (set == NULL)
		bail("no set");
	return set;
}

/* {cycles,instructions,cs,cycles}: the third takes no counter. */
static void add_group(struct evset *set)
{
	struct event_spec spec = {
		.name = (char *)"cycles:uD",
		.kind = EVENT_HARDWARE,
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.modifiers = { .exclude_kernel = true, .is_pinned = true, .text = "uD" },
		.group = 1
	};

	evset_add(set, &spec);
	spec.name = (char *)"instructions:uD";
	spec.config = PERF_COUNT_HW_INSTRUCTIONS;
	evset_add(set, &spec);
	spec.name = (char *)"cs:uD";
	spec.kind = EVENT_SOFTWARE;
	spec.type = PERF_TYPE_SOFTWARE;
	spec.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	evset_add(set, &spec);
	spec.name = (char *)"cycles:uD";
	spec.kind = EVENT_HARDWARE;
	spec.type = PERF_TYPE_HARDWARE;
	spec.config = PERF_COUNT_HW_CPU_CYCLES;
	evset_add(set, &spec);
}

static const struct opened *open_of(const struct evset *set, uint32_t number)
{
	int fd = counters_fd(evset_counters(set, 0), number, 0);

	for (int i = 0; i < opened; i++) {
		if (opens[i].fd == fd)
			return &opens[i];
	}
	bail("event %u is not open", number);
}

static const struct opened *leader_of(const struct opened *member)
{
	for (int i = 0; i < opened; i++) {
		if (opens[i].fd == member->leader)
			return &opens[i];
	}
	bail("no leader");
}

static uint64_t count_of(const struct evset *set, uint32_t number)
{
	uint64_t words[8]; /* the value, times, id, losses */

	if (read(open_of(set, number)->fd, words, sizeof(words)) <= 0)
		bail("read: %s", strerror(errno));
	return words[0];
}

static void check_opening(const struct evset *set)
{
	const struct opened *first = open_of(set, EVSET_FIRST);
	const struct opened *leader = leader_of(first);

	is_u64(leader->attr.config, PERF_COUNT_SW_DUMMY, "the leader is a dummy");
	ok(leader->leader == -1 && leader->attr.disabled, "which is off at first");
	ok(leader->attr.pinned && !first->attr.pinned, "and has the modifier D, not the members");
	ok(!first->attr.disabled, "they are on: else the kernel does not check that they fit");
	is_int(open_of(set, EVSET_FIRST + 1)->leader, leader->fd, "the second is in the group");
	is_int(open_of(set, EVSET_FIRST + 2)->leader, -1, "not one that takes no counter");
	is_int(open_of(set, EVSET_FIRST + 3)->leader, leader->fd, "but the next");
	ok(evset_event(set, EVSET_FIRST + 1)->reason == NULL, "none has a note");
}

static void check_counts(struct evset *set)
{
	faults_make(FAULTS);
	is_u64(count_of(set, EVSET_FIRST), 0, "no member counts before all events are enabled");
	evset_enable_all(set);
	faults_make(FAULTS);
	ok(count_of(set, EVSET_FIRST) >= FAULTS && count_of(set, EVSET_FIRST + 1) >= FAULTS,
	   "then all do");

	evset_switch_off(set, EVSET_FIRST);

	uint64_t first = count_of(set, EVSET_FIRST), second = count_of(set, EVSET_FIRST + 1);

	faults_make(FAULTS);
	is_u64(count_of(set, EVSET_FIRST), first, "the first one is switched off");
	ok(count_of(set, EVSET_FIRST + 1) >= second + FAULTS, "and the second counts on");
}

/* One after the other, as keys do: each opened again finds its group. */
static void check_again(struct evset *set)
{
	struct closer *closer = closer_new(&watched);
	const struct opened *leader = leader_of(open_of(set, EVSET_FIRST + 1));

	evset_retire(set, EVSET_FIRST, closer);
	closer_stop(closer);
	evset_switch_on(set, EVSET_FIRST);
	is_int(open_of(set, EVSET_FIRST)->leader, leader->fd, "opened again, it is a member again");

	uint64_t count = count_of(set, EVSET_FIRST);

	faults_make(FAULTS);
	ok(count_of(set, EVSET_FIRST) >= count + FAULTS, "and counts");
}

static void check_cpu(struct evset *set)
{
	evset_close_slot(set, 0);
	is_int(closed, opened, "a CPU that goes offline takes its leaders along");
	evset_open_slot(set, 0);
	faults_make(FAULTS);
	ok(count_of(set, EVSET_FIRST) >= FAULTS, "and has new ones when it comes back");
}

/* More events than counters. */
static void check_apart(const struct cpulist *cpus, const pid_t *pid)
{
	struct evset *set;

	members_max = MEMBERS - 1;
	set = open_set(cpus, pid, ATTR_COUNT, false);
	add_group(set);

	const struct opened *last = open_of(set, EVSET_FIRST + 3);

	is_int(last->leader, -1, "one that does not fit is opened apart");
	ok(last->attr.disabled && last->attr.pinned, "as an event of its own");
	ok(evset_event(set, EVSET_FIRST + 3)->reason != NULL, "with a note");
	evset_free(set);
	members_max = MEMBERS;
}

static void check_exec(const struct cpulist *cpus, const pid_t *pid)
{
	struct evset *set = open_set(cpus, pid, ATTR_COUNT, true);

	add_group(set);

	const struct opened *first = open_of(set, EVSET_FIRST), *leader = leader_of(first);

	ok(leader->attr.enable_on_exec && !first->attr.enable_on_exec,
	   "it is the leader that an exec enables");
	evset_enable_all(set);
	faults_make(FAULTS);
	is_u64(count_of(set, EVSET_FIRST), 0, "nothing else does");
	evset_free(set);
}

/* Two that are members of a bundle, one with the modifier D, and one of another kind. */
static void add_tracepoints(struct evset *set)
{
	struct event_spec spec = {
		.name = (char *)"a:b:u",
		.kind = EVENT_TRACEPOINT,
		.type = PERF_TYPE_TRACEPOINT,
		.modifiers = { .exclude_kernel = true, .text = "u" },
	};

	evset_add(set, &spec);
	evset_add(set, &spec);
	spec.modifiers.is_pinned = true;
	evset_add(set, &spec);
	spec.modifiers.is_pinned = false;
	spec.kind = EVENT_SOFTWARE;
	spec.type = PERF_TYPE_SOFTWARE;
	spec.config = PERF_COUNT_SW_PAGE_FAULTS;
	evset_add(set, &spec);
}

static bool has_counted(const struct evset *set, uint32_t number)
{
	const struct count *counts =
		counters_read(evset_counters(set, 0), COUNTS_ALONE, features.has_format_lost);

	return counts[number].is_open && counts[number].value >= FAULTS;
}

static void check_bundle(const struct cpulist *cpus)
{
	struct evset *set = open_set(cpus, NULL, ATTR_COUNT, false);
	struct closer *closer = closer_new(&watched);

	add_tracepoints(set);

	const struct opened *leader = leader_of(open_of(set, EVSET_FIRST));

	ok(leader->attr.config == PERF_COUNT_SW_DUMMY &&
		   (leader->attr.read_format & PERF_FORMAT_GROUP),
	   "a tracepoint that is only counted has a leader, with the counts of all");
	is_int(open_of(set, EVSET_FIRST + 1)->leader, leader->fd, "the next has the same");
	is_int(open_of(set, EVSET_FIRST + 2)->leader, -1, "not one with the modifier D");
	is_int(open_of(set, EVSET_FIRST + 3)->leader, -1, "nor another kind of event");
	evset_enable_all(set);
	faults_make(FAULTS);
	ok(has_counted(set, EVSET_FIRST) && has_counted(set, EVSET_FIRST + 1) &&
		   has_counted(set, EVSET_FIRST + 2) && has_counted(set, EVSET_FIRST + 3),
	   "all count");
	evset_switch_off(set, EVSET_FIRST);
	evset_retire(set, EVSET_FIRST, closer);
	closer_stop(closer);
	evset_switch_on(set, EVSET_FIRST);
	is_int(open_of(set, EVSET_FIRST)->leader, leader->fd, "opened again, it has its leader");
	ok(!has_counted(set, EVSET_FIRST), "its count begins at 0");
	faults_make(FAULTS);
	ok(has_counted(set, EVSET_FIRST) && has_counted(set, EVSET_FIRST + 1), "and goes on");
	evset_close_slot(set, 0);
	is_int(closed, opened, "a CPU that goes offline takes its leaders along");
	evset_open_slot(set, 0);
	faults_make(FAULTS);
	ok(has_counted(set, EVSET_FIRST) && has_counted(set, EVSET_FIRST + 1),
	   "and has new ones when it comes back");
	evset_free(set);
	is_int(closed, opened, "all are closed");
}

static void check_no_bundle(const struct cpulist *cpus)
{
	struct evset *set = open_set(cpus, NULL, ATTR_PACED, false);

	add_tracepoints(set);
	is_int(open_of(set, EVSET_FIRST)->leader, -1, "a tracepoint that is sampled has no leader");
	evset_free(set);
}

int main(void)
{
	int id = -1;
	struct cpulist cpus = { &id, 1 };
	pid_t pid = getpid();

	plan_lazy();

	struct evset *set = open_set(&cpus, &pid, ATTR_COUNT, false);

	add_group(set);
	check_opening(set);
	check_counts(set);
	check_again(set);
	check_cpu(set);
	evset_free(set);
	is_int(closed, opened, "all events are closed, the leaders too");
	check_apart(&cpus, &pid);
	check_exec(&cpus, &pid);
	members_max = OPENS_MAX;
	check_bundle(&cpus);
	check_no_bundle(&cpus);
	return done();
}
