/* SPDX-License-Identifier: MIT */
#include "capture/cost.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

static int refuse(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
		  int cpu, int leader, unsigned long flags)
{
	(void)ctx;
	(void)attr;
	(void)text;
	(void)pid;
	(void)cpu;
	(void)leader;
	(void)flags;
	errno = EACCES;
	return -1;
}

static int opened, closed;

static int open_counted(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
			int cpu, int leader, unsigned long flags)
{
	int fd = access_direct()->open_event(ctx, attr, text, pid, cpu, leader, flags);

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

/* Page faults of this thread, each sampled, as another program would watch them. */
static int open_neighbour(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

#define NEIGHBOUR_PAGES 64
#define NEIGHBOUR_BYTES 32 /* of a sample: the header, its three fields */

/*
 * Two events on one software counter share a sample's data in the kernel (capture/evset-open.c): ours
 * must not put its id into the samples of perf record, whose file could then not be read.
 */
static void check_neighbour(bool has_chains)
{
	static _Alignas(8) char records[NEIGHBOUR_PAGES * 4096];
	struct access access = *access_direct();
	struct features features;
	uint64_t id, foreign = 0, samples = 0;
	int fd = open_neighbour(), opened_before = opened;
	struct ring *ring = fd >= 0 ? ring_open(fd, NEIGHBOUR_PAGES) : NULL;
	size_t bytes;

	features_probe(&features);
	access.open_event = open_counted;
	if (ring == NULL || ioctl(fd, PERF_EVENT_IOC_ID, &id) != 0) {
		skip(1, "no page faults can be sampled here");
		ring_close(ring);
		close(fd);
		return;
	}
	cost_of_sample(&access, &features, has_chains);
	ring_look(ring);
	bytes = ring_copy(ring, records, sizeof(records));
	for (size_t at = 0; at < bytes;) {
		struct perf_event_header header;
		uint64_t its_id;

		memcpy(&header, records + at, sizeof(header));
		memcpy(&its_id, records + at + sizeof(header), sizeof(its_id));
		if (header.type == PERF_RECORD_SAMPLE) {
			samples++;
			foreign += its_id != id || header.size != NEIGHBOUR_BYTES;
		}
		at += header.size;
	}
	/* Chains are of the kernel too, which takes rights. */
	if (has_chains && geteuid() != 0 && opened == opened_before)
		skip(1, "nothing could be measured with chains");
	else
		ok(samples >= 512 && foreign == 0,
		   "another event's samples stay its own%s: %llu of %llu are not",
		   has_chains ? ", with chains" : "", (unsigned long long)foreign,
		   (unsigned long long)samples);
	ring_close(ring);
	close(fd);
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
	check_neighbour(false);
	check_neighbour(true);
	check_hit();
	return done();
}
