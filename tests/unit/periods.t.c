/* SPDX-License-Identifier: MIT */
#include "capture/periods.h"

#include "base/abi.h"
#include "capture/features.h"
#include "faults.h"
#include "tap.h"

#include <stdlib.h>

#define EVENTS 3
#define PACED  1
#define SEC    1000000000ull
#define MS     1000000ull

static struct features features;
static struct counters *counters;
static struct periods *periods;
static struct count counts[EVENTS];
static uint64_t now_ns;

static int open_faults(void)
{
	return faults_open(features.has_format_lost ? ABI_FORMAT_LOST : 0, 1, -1);
}

static void begin(uint32_t pace)
{
	counters = counters_new(EVENTS, 1);
	counters_set_pace(counters, PACED, pace);
	counters_set_bound(counters, PACED, 1);
	for (size_t i = 0; i < EVENTS; i++)
		counters_set(counters, i, 0, open_faults(), 1);
	periods = periods_new(counters, features.has_format_lost, 1);
	now_ns = SEC;
	for (size_t i = 0; i < EVENTS; i++)
		counts[i] = (struct count){ .is_open = true, .generation = 1 };
}

static void end(void)
{
	for (size_t i = 0; i < EVENTS; i++)
		close(counters_clear(counters, i, 0));
	periods_free(periods);
	counters_free(counters);
}

/* So many events in a time, then a request. */
static uint64_t count(uint64_t events, uint64_t ns)
{
	now_ns += ns;
	for (size_t i = 0; i < EVENTS; i++) {
		counts[i].value += events;
		counts[i].enabled_ns += ns;
	}
	periods_settle(periods, counts, now_ns);
	return periods_get(periods, PACED);
}

static bool is_within(uint64_t value, double of)
{
	return (double)value >= 0.74 * of && (double)value <= 1.26 * of;
}

static void check_steps(void)
{
	begin(1000);
	is_u64(periods_get(periods, PACED), 0, "nothing is set at first");
	is_u64(count(0, SEC), 0, "nor for an event that does not happen");
	is_u64(count(900, SEC), 1, "slower than its pace: each is sampled");
	is_u64(count(1400, SEC), 1, "so it is up to half more");
	ok(!periods_are_longer(periods), "no step is in force");
	ok(count(3000, SEC) >= 2, "faster: a step");
	ok(periods_are_longer(periods), "is in force");
	ok(is_within(count(1000000, SEC), 1000), "1 M/s: one in a thousand or so");
	ok(is_within(count(1000000, 100 * MS), 10000), "10 M/s in a shorter time");
	is_u64(periods_get(periods, 0), 0, "events without a pace are left alone");

	uint64_t before = periods_get(periods, PACED), steps = 0;
	bool is_halved = true;
	while (periods_get(periods, PACED) > 1 && steps < 100) {
		uint64_t now = count(0, 50 * MS);

		is_halved &= now == 1 || (double)now >= (double)before / 2 * 0.74;
		before = now;
		steps++;
	}
	is_u64(before, 1, "at rest it comes back to each");
	ok(is_halved && steps > 8, "by half at a time (%d steps)", (int)steps);
	ok(!periods_are_longer(periods), "and no step is in force any more");
	end();
}

/* With many events they are adapted less often, and come back no later. */
static void check_long_step(void)
{
	begin(1000);
	uint64_t high = count(1000000, SEC);
	ok(is_within(count(0, 200 * MS), (double)high / 16), "in 200 ms by half four times");
	is_u64(count(0, 200 * SEC), 1, "in minutes to the shortest");
	end();
}

/* Adapting this many takes longer than the part of a thread's time that it may take. */
#define MANY 5000

static void check_wait(void)
{
	struct counters *many = counters_new(MANY, 1);
	struct count *same = calloc(MANY, sizeof(*same));
	int fd = open_faults();

	if (many == NULL || same == NULL)
		bail("no memory");
	for (size_t i = 0; i < MANY; i++) {
		counters_set_pace(many, i, 1000);
		counters_set(many, i, 0, fd, 1);
		same[i] = (struct count){ .is_open = true,
					  .generation = 1,
					  .value = 1000000,
					  .enabled_ns = SEC };
	}
	struct periods *them = periods_new(many, features.has_format_lost, 1);
	is_u64(periods_wait_ns(them, PERIODS_LONGER), PERIODS_NS, "periods are followed");
	is_u64(periods_wait_ns(them, PERIODS_ALL), PERIODS_BURST_NS, "a burst more closely");
	periods_adapt(them, PERIODS_ALL, 2 * SEC);
	ok(periods_wait_ns(them, PERIODS_ALL) > PERIODS_BURST_NS, "with many events not so often");
	is_u64(periods_wait_ns(them, PERIODS_LONGER), PERIODS_NS, "as long as no period is longer");
	periods_settle(them, same, 3 * SEC);
	periods_adapt(them, PERIODS_LONGER, 3 * SEC + PERIODS_NS);
	ok(periods_wait_ns(them, PERIODS_LONGER) > PERIODS_NS, "with many of these not so often");
	ok(periods_wait_ns(them, PERIODS_LONGER) <= SEC, "but each second");
	periods_free(them);
	counters_free(many);
	free(same);
	close(fd);
}

/* In lockstep with a load, one of its tasks would have all the samples. */
static void check_jitter(void)
{
	uint64_t first, same = 0;

	begin(1000);
	first = count(1000000, SEC);
	for (int i = 0; i < 20; i++)
		same += count(1000000, SEC) == first;
	ok(same < 10, "a steady rate does not mean a fixed period");
	end();
}

static void check_bound(void)
{
	begin(1000);
	is_u64(counters_bound(counters, PACED), 1, "the bound is the period of the start");
	count(100000, SEC);
	uint64_t high = periods_get(periods, PACED);
	is_u64(counters_bound(counters, PACED), high, "a longer period raises it at once");
	count(0, 50 * MS);
	is_u64(counters_bound(counters, PACED), high,
	       "a shorter one does not, because earlier samples may still be decoded");
	uint64_t low = periods_get(periods, PACED);
	ok(low < high, "it is shorter");
	count(0, 50 * MS);
	is_u64(counters_bound(counters, PACED), low, "the next request does");
	end();
}

/* Faults of this thread, which the kernel counts: a burst between two requests. */
static void check_between(void)
{
	size_t pages = 20000;

	begin(1000);
	periods_adapt(periods, PERIODS_LONGER, now_ns += MS);
	is_u64(periods_get(periods, PACED), 0, "those at period 1 are not read");
	faults_make(pages);
	struct count real = counters_read_event(counters, PACED, features.has_format_lost);
	ok(real.value >= pages && real.id != 0, "the kernel counts %zu faults", pages);
	periods_adapt(periods, PERIODS_ALL, now_ns += MS);
	double rate = (double)real.value * 1e9 / (double)real.enabled_ns;
	ok(rate < 2000 || periods_get(periods, PACED) > 1, "a burst sets a period (%.0f/s: %d)",
	   rate, (int)periods_get(periods, PACED));
	end();
}

/* The event was closed and opened again. */
static void check_reopened(void)
{
	begin(1000);
	count(1000000, SEC);
	ok(periods_are_longer(periods), "a step is in force");
	counts[PACED] = (struct count){ .is_open = true, .generation = 2 };
	is_u64(count(0, SEC), 0, "a new fd has its first period");
	ok(!periods_are_longer(periods), "and no step");
	counts[PACED].is_open = false;
	is_u64(count(1000000, SEC), 0, "one that cannot be read is left alone");
	end();
}

/* As many faults as there are pages; how many of them were sampled. */
static uint64_t samples_of_faults(int fd, size_t pages)
{
	size_t bytes = 65 * (size_t)sysconf(_SC_PAGESIZE);
	volatile struct perf_event_mmap_page *control =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (control == MAP_FAILED)
		bail("no memory");
	uint64_t before = control->data_head;
	faults_make(pages);
	uint64_t written = control->data_head - before;
	munmap((void *)control, bytes);
	return written / sizeof(struct perf_event_header);
}

/* All samples that a period of its own allows, until fewer are wanted. */
static void check_shortest(void)
{
	begin(COUNTERS_ALL);
	counters_set_shortest(counters, PACED, 10);
	counters_set_bound(counters, PACED, 10);
	is_u64(count(1000000, SEC), 10, "without a number the period is the shortest");
	is_u64(count(90000000, SEC), 10, "at any rate");
	is_u64(count(0, SEC), 10, "also at rest");
	ok(!periods_are_longer(periods), "that is no step");
	is_u64(counters_bound(counters, PACED), 10, "and the bound");
	counters_set_pace(counters, PACED, 1000);
	is_u64(count(14000, SEC), 10, "a pace of up to half more leaves it");
	ok(is_within(count(1000000, SEC), 1000), "a faster event is lessened");
	ok(periods_are_longer(periods), "a step is in force");
	counters_set_pace(counters, PACED, COUNTERS_ALL);
	ok(is_within(count(1000000, 50 * MS), 500), "and comes back by half at a time");
	for (int i = 0; i < 20; i++)
		count(1000000, SEC);
	is_u64(periods_get(periods, PACED), 10, "to its shortest");
	ok(!periods_are_longer(periods), "and no step is in force any more");
	is_u64(counters_shortest(counters, 0), 1, "for others that is 1");
	end();
}

/* The kernel's own periods: with real faults of this thread. */
static void check_stopped(void)
{
	begin(1000);
	count(100000, SEC);
	uint64_t period = periods_get(periods, PACED);
	int fd = counters_fd(counters, PACED, 0);

	counters_set_pace(counters, PACED, COUNTERS_NO_SAMPLES);
	count(100000, SEC);
	ok(!periods_are_longer(periods), "without samples no step is in force");
	is_u64(counters_bound(counters, PACED), period, "the bound is that of earlier samples");
	/* The next one is sampled, as often as the previous period was passed, and one after that (attr.h). */
	ok(samples_of_faults(fd, 1000) <= 3, "the kernel ends what it began");
	is_u64(samples_of_faults(fd, 1000), 0, "the kernel samples nothing any more");
	count(100000, SEC);
	is_u64(samples_of_faults(fd, 1000), 0, "also after further requests");

	counters_set_pace(counters, PACED, 100000);
	ok(is_within(count(0, 50 * MS), (double)period / 2),
	   "with a pace again the period comes back");
	ok(periods_are_longer(periods), "a step is in force");
	while (count(0, 50 * MS) > 1)
		;
	ok(samples_of_faults(fd, 100) >= 100, "and every fault is sampled at period 1");
	end();
}

/* Nothing happened before it was stopped, nor since. */
static void check_stopped_at_one(void)
{
	begin(1000);
	count(10, SEC);
	counters_set_pace(counters, PACED, COUNTERS_NO_SAMPLES);
	count(0, SEC);
	counters_set_pace(counters, PACED, 1000);
	is_u64(count(0, SEC), 1, "an event at rest is sampled again");
	samples_of_faults(counters_fd(counters, PACED, 0), 1);
	ok(samples_of_faults(counters_fd(counters, PACED, 0), 10) >= 10, "by the kernel too");
	end();
}

int main(void)
{
	features_probe(&features);
	int fd = open_faults();
	if (fd < 0)
		skip_all("no software events of this thread here");
	close(fd);
	plan_lazy();
	check_steps();
	check_long_step();
	check_wait();
	check_jitter();
	check_bound();
	check_between();
	check_reopened();
	check_shortest();
	check_stopped();
	check_stopped_at_one();
	periods_free(NULL);
	return done();
}
