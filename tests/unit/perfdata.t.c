/* SPDX-License-Identifier: MIT */
/* Whole perf.data files: what perf itself reads out of them.  Real files are in tests/data. */
#include "perfdata/reader.h"

#include "data-file.h"
#include "tap.h"

#include <string.h>
#include <unistd.h>

static void whole(const char *name, uint64_t want, uint64_t lost, size_t ncpus)
{
	load(name);
	struct result result = replay();

	is_str(result.text, "", "%s is read whole", name);
	is_u64(sampled(result.snap), want, "%s: the samples that perf script counts", name);
	if (result.snap != NULL) {
		is_u64(result.snap->lost, lost, "%s: what LOST_SAMPLES say", name);
		ok(result.snap->is_balanced, "%s: the books balance", name);
		is_str(result.snap->host, "vm", "%s: where it was made", name);
		is_str(result.snap->kernel, "6.18.44-fc-v445", "%s: with which kernel", name);
		is_u64(result.snap->ncpus, ncpus, "%s: on how many CPUs", name);
	}
	result_fini(&result);
}

static void partly(const char *name, uint64_t want)
{
	load(name);
	struct result result = replay();

	ok(strstr(result.text, "partly read") != NULL, "%s is read in part", name);
	is_u64(sampled(result.snap), want, "%s: the samples of its event", name);
	result_fini(&result);
}

static const struct snap_task *task_named(const struct snapshot *snap, const char *comm)
{
	for (size_t i = 0; i < snap->ntasks; i++) {
		if (strcmp(snap->tasks[i].comm, comm) == 0)
			return &snap->tasks[i];
	}
	return NULL;
}

static void test_events(void)
{
	load("events.data");
	struct result result = replay();

	if (!ok(result.snap != NULL && result.snap->nevents == 3, "events.data has three events")) {
		result_fini(&result);
		return;
	}
	const struct snap_event *events = result.snap->events;
	is_str(events[0].name, "sched:sched_switch", "the first by its name");
	is_u64(events[0].total, 13, "sched_switch as often as in perf script");
	is_u64(events[1].total, 7, "sched_wakeup as often");
	is_u64(events[2].total, 13, "context-switches as often");
	is_str(events[2].kind, "software", "a software event");
	ok(events[0].last != NULL && strstr(events[0].last, "prev_comm=") == events[0].last,
	   "fields by the file's own format: %s", events[0].last != NULL ? events[0].last : "none");
	const struct snap_task *swapper = task_named(result.snap, "swapper");
	ok(swapper != NULL && swapper->nevents == 3 && swapper->events[0].total == 4,
	   "swapper's share as perf script has it");
	result_fini(&result);
}

static void test_stat(void)
{
	load("stat.data");
	struct result result = replay();

	is_str(result.text, "", "stat.data is read whole");
	if (ok(result.snap != NULL && result.snap->nevents == 2, "stat.data has two events")) {
		is_u64(result.snap->events[0].total, 247, "page-faults as in perf stat report");
		is_u64(result.snap->events[1].total / 10000, 25573,
		       "cpu-clock too: 255.73 ms"); /* 127806545 + 127927601 ns */
		is_u64(result.snap->ncpus, 2, "on two CPUs");
	}
	result_fini(&result);
}

static void test_pipe_as_pipe(void)
{
	int fds[2];
	char *error = NULL;
	const struct perf_event_header *header;
	unsigned int samples = 0;

	load("pipe.data");
	if (pipe(fds) != 0 || write(fds[1], file.bytes, file.len) != (ssize_t)file.len)
		bail("no pipe");
	close(fds[1]);
	struct perfdata *data = perfdata_open(&fds[0], 1, NULL, &error);
	if (ok(data != NULL, "a pipe opens")) {
		while (perfdata_next(data, 0, &header) == 1)
			samples += header->type == PERF_RECORD_SAMPLE;
		is_int(samples, 79, "and gives what the same bytes give as a file");
		is_u64(perfdata_damage(data)->count, 0, "all of it");
	}
	perfdata_free(data);
	free(error);
	close(fds[0]);
}

/* How many records; after `most` of them it stops. */
static unsigned int read_some(struct perfdata *data, unsigned int most)
{
	const struct perf_event_header *header;
	unsigned int count = 0;

	while (count < most && perfdata_next(data, 0, &header) == 1)
		count++;
	return count;
}

/* Read from the start again: the same records, and nothing is described or damaged twice. */
static void again(const char *name, unsigned int before)
{
	char *error = NULL;

	load(name);
	int fd = as_fd();
	struct perfdata *data = perfdata_open(&fd, 1, NULL, &error);
	if (data == NULL)
		bail("%s: %s", name, error);
	read_some(data, before);
	ok(perfdata_rewind(data) == 0, "%s: rewound after %u records", name, before);
	unsigned int count = read_some(data, UINT32_MAX);
	size_t nevents = perfdata_count(data);
	uint64_t changes = perfdata_changes(data), damage = perfdata_damage(data)->count;
	ok(perfdata_rewind(data) == 0, "%s: rewound at its end", name);
	is_int((int)read_some(data, UINT32_MAX), (int)count, "%s: the same %u records", name,
	       count);
	is_u64(perfdata_count(data), nevents, "%s: the same events", name);
	is_u64(perfdata_changes(data), changes, "%s: none described again", name);
	is_u64(perfdata_damage(data)->count, damage, "%s: the same damage", name);
	perfdata_free(data);
}

static void test_rewind(void)
{
	static const char *const names[] = { "plain.data", "events.data", "lost.data", "pipe.data",
					     "zstd.data" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		again(names[i], 0);
		again(names[i], 1);
		again(names[i], 20);
		again(names[i], UINT32_MAX);
	}
}

static void test_switches(void)
{
	load("switch.data");
	struct result result = replay();

	ok(result.snap != NULL && result.snap->has_switches, "switch records are seen");
	if (result.snap != NULL)
		ok(result.snap->voluntary + result.snap->involuntary > 10, "and counted");
	result_fini(&result);
}

static void counted(const struct snap_event *event, const char *name, uint64_t samples,
		    uint64_t total)
{
	is_str(event->name, name, "%s", name);
	is_u64(event->sampled, samples, "%s: the samples that perf script counts", name);
	is_u64(event->total, total, "%s: the sum of their periods", name);
}

/* Samples that do not say their CPU are not those of CPU 0. */
static void test_no_cpu(void)
{
	load("plain.data");
	struct result result = replay();

	if (ok(result.snap != NULL && result.snap->ncpus == 1, "plain.data has one CPU")) {
		is_int(result.snap->cpus[0].id, CPU_UNKNOWN, "the unknown one");
		is_u64(result.snap->events[0].cpus[0].sampled, 21, "with all samples");
		is_int((int)result.snap->nnotes, 1, "which a note says");
	}
	result_fini(&result);
}

/* A software event with PERF_SAMPLE_PERIOD samples every occurrence, whatever its period. */
static void test_own_periods(void)
{
	load("period.data");
	struct result result = replay();

	if (ok(result.snap != NULL && result.snap->nevents == 1, "period.data has one event"))
		counted(&result.snap->events[0], "minor-faults", 53, 53);
	result_fini(&result);
}

/* The leader's samples have the counts of all members. */
static void test_leader_sampling(void)
{
	load("group.data");
	struct result result = replay();

	if (ok(result.snap != NULL && result.snap->nevents == 2, "group.data has two events")) {
		counted(&result.snap->events[0], "cpu-clock", 27, 27076277);
		counted(&result.snap->events[1], "page-faults", 1, 54);
		is_int((int)result.snap->ncpus, 2, "their CPUs are known by the ids");
		ok(result.snap->ntasks == 1 && result.snap->tasks[0].nevents == 2 &&
			   result.snap->tasks[0].events[1].total == 54,
		   "the task has a part of both");
	}
	result_fini(&result);
}

int main(void)
{
	plan_lazy();
	whole("plain.data", 21, 0, 1);
	whole("events.data", 33, 0, 2);
	whole("chains.data", 3, 0, 2);
	whole("switch.data", 1, 0, 2);
	whole("lost.data", 204, 5, 2);
	whole("pipe.data", 79, 0, 2);
#ifdef HAVE_LIBZSTD
	whole("zstd.data", 329, 0, 2);
#else
	load("zstd.data");
	damaged(329, "compressed, without libzstd");
#endif
	partly("killed.data", 68);
	partly("damaged.data", 54);
	test_no_cpu();
	test_own_periods();
	test_leader_sampling();
	test_events();
	test_stat();
	test_switches();
	test_pipe_as_pipe();
	test_rewind();
	return done();
}
