/* SPDX-License-Identifier: MIT */
/* Which counters a request reads.  A memfd is the kernel's counter: one reading after the other. */
#include "capture/readings.h"

#include "memfd-counter.h"
#include "tap.h"

#include <fcntl.h>

#define EVENTS 2
#define LOOKED 1 /* the event that is looked at: not due in the first 14 requests */
#define SEC    NSEC_PER_SEC
#define START  (100 * SEC)

static struct counters *counters;
static struct periods *periods;
static struct readings readings;
static struct memfd_counter memfds[EVENTS];

static void begin(size_t targets)
{
	counters = counters_new(EVENTS, targets);
	periods = periods_new(counters, false, 1);
	readings = (struct readings){ .counters = counters, .periods = periods };
	for (size_t event = 0; event < EVENTS; event++) {
		memfds[event] = memfd_counter_open();
		counters_set_pace(counters, event, 1000);
		counters_set(counters, event, 0, memfds[event].fd, 1);
	}
}

static void end(void)
{
	for (size_t event = 0; event < EVENTS; event++)
		close(memfds[event].fd);
	periods_free(periods);
	counters_free(counters);
}

/* A request: whether the event's counter was read. */
static bool request(uint64_t now_ns, bool is_all)
{
	unsigned int before = memfd_counter_readings(&memfds[LOOKED]);
	const struct count *counts = readings_take(&readings, COUNTS_EVEN, now_ns, is_all);
	bool is_read = memfd_counter_readings(&memfds[LOOKED]) > before;

	periods_settle(periods, counts, now_ns);
	if (counts[LOOKED].is_open && counts[LOOKED].is_unread == is_read)
		ok(false, "is_unread says whether it was read");
	return is_read;
}

static bool request_at(uint64_t second)
{
	return request(START + second * SEC, false);
}

static void check_unused(void)
{
	unsigned int read = 0;

	begin(1);
	ok(request_at(0), "at first it is read");
	ok(!request_at(1), "then it is unused");
	ok(request(START + SEC, true), "unless all are read");
	readings.turn = 0;
	for (uint64_t i = 0; i < 3 * (uint64_t)READINGS_TURNS; i++)
		read += request(START + SEC + i, false);
	is_u64(read, 3, "it has its turn");
	ok(!request_at(10), "in time");
	ok(request_at(12), "and in long intervals it is read each time");
	ok(request_at(23), "again");
	end();
}

static void check_used(void)
{
	begin(1);
	request_at(0);
	readings.turn = 0;
	memfd_counter_set(&memfds[LOOKED], 5);
	ok(!request_at(1), "what it counts is not seen until its turn");
	ok(request(START + 2 * SEC, true), "a reading sees it");
	ok(request_at(3) && request_at(4), "from then on it is read each time");
	end();
}

/* Each of these has no sample, or not with its count, when it happens. */
static void check_unsampled(void)
{
	int unreadable = open("/dev/null", O_RDONLY | O_CLOEXEC);

	begin(1);
	counters_set_pace(counters, LOOKED, 0);
	request_at(0);
	ok(request_at(1), "read each time: a fixed period");
	counters_set_pace(counters, LOOKED, COUNTERS_NO_SAMPLES);
	ok(request_at(2), "no samples");
	end();
	begin(1);
	counters_set_shortest(counters, LOOKED, 2);
	request_at(0);
	ok(request_at(1), "a longer shortest period");
	end();
	begin(1);
	counters_set_group(counters, LOOKED, true);
	request_at(0);
	ok(request_at(1), "the leader of a group that is read");
	end();
	begin(2);
	request_at(0);
	ok(request_at(1), "several fds");
	end();
	begin(1);
	counters_set_leader(counters, 0, unreadable);
	request_at(0);
	ok(request_at(1), "a bundle of events that are counted only");
	end();
	close(unreadable);
}

static void check_reopened(void)
{
	begin(1);
	request_at(0);
	ok(!request_at(1), "unused");
	counters_set(counters, LOOKED, 0, memfds[LOOKED].fd, 2);
	ok(request_at(2), "a new fd is read");
	ok(!request_at(3), "unused again");
	counters_clear(counters, LOOKED, 0);
	ok(!readings_take(&readings, COUNTS_EVEN, START + 4 * SEC, false)[LOOKED].is_open,
	   "one that was closed is not open");
	end();
}

int main(void)
{
	plan_lazy();
	check_unused();
	check_used();
	check_unsampled();
	check_reopened();
	return done();
}
