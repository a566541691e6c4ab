/* SPDX-License-Identifier: MIT */
#include "capture/cost.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static int refuse(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
		  int cpu, unsigned long flags)
{
	(void)ctx;
	(void)attr;
	(void)text;
	(void)pid;
	(void)cpu;
	(void)flags;
	errno = EACCES;
	return -1;
}

static int opened, closed;

static int open_counted(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
			int cpu, unsigned long flags)
{
	int fd = access_direct()->open_event(ctx, attr, text, pid, cpu, flags);

	opened += fd >= 0;
	return fd;
}

static void close_counted(void *ctx, int fd)
{
	closed++;
	access_direct()->close_event(ctx, fd);
}

static struct ring *no_ring(void *ctx, int fd, size_t pages)
{
	(void)ctx;
	(void)fd;
	(void)pages;
	errno = EPERM;
	return NULL;
}

static void check_sample(void)
{
	struct access access = *access_direct();
	struct features features;
	double typical, ns;

	features_probe(&features);
	access.open_event = refuse;
	typical = cost_of_sample(&access, &features, false);
	ok(typical > 100 && typical < 10000, "a typical value where nothing opens: %.0f ns",
	   typical);
	ok(cost_of_sample(&access, &features, true) > typical, "chains cost more");

	access.open_event = open_counted;
	access.close_event = close_counted;
	access.map_ring = no_ring;
	ok(cost_of_sample(&access, &features, false) == typical, "the same without a ring");
	access.map_ring = access_direct()->map_ring;
	ns = cost_of_sample(&access, &features, false);
	ok(ns > 50 && ns <= 20000, "a sample costs %.0f ns here", ns);
	is_int(closed, opened, "what was opened is closed");
}

static void check_hit(void)
{
	static const struct {
		enum event_kind kind;
		double least, most;
	} kinds[] = {
		{ EVENT_SOFTWARE, 10, 100 },
		{ EVENT_TRACEPOINT, 100, 300 },
		{ EVENT_KPROBE, 100, 300 },
		{ EVENT_UPROBE, 5000, 20000 },
		{ EVENT_BREAKPOINT, 500, 20000 },
		{ EVENT_HARDWARE, 0, 0 },
		{ EVENT_RAW, 0, 0 },
		{ EVENT_CACHE, 0, 0 },
		{ EVENT_PMU, 0, 0 },
	};
	struct event_spec spec = { .name = (char *)"x" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		spec.kind = kinds[i].kind;
		double ns = cost_of_hit(&spec, 1000);

		ok(ns >= kinds[i].least && ns <= kinds[i].most, "a hit of %s: %.0f ns",
		   event_kind_name(spec.kind), ns);
	}
	spec.kind = EVENT_SOFTWARE;
	spec.is_clock = true;
	ok(cost_of_hit(&spec, 1000) == 0, "the count of a clock is no hits");
}

int main(void)
{
	plan_lazy();
	check_sample();
	check_hit();
	return done();
}
