/* SPDX-License-Identifier: MIT */
#include "capture/cost.h"

#include <linux/perf_event.h>
#include <math.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sys.h"
#include "capture/attr.h"

/* The fastest round counts: the others were interrupted. */
#define ROUNDS 8
#define FAULTS 64 /* a round's */
/* Room for the samples of all rounds, which are not read. */
#define RING_PAGES 32

/* Measured in virtual machines with Linux 6.1 and 6.18; with chains of 10 to 20 functions. */
#define SAMPLE_TYPICAL_NS 800
#define CHAIN_TYPICAL_NS  1400
/* Beyond these it was not the sample that made the difference: a second program began or ended to sample them. */
#define SAMPLE_LEAST_NS 50
#define SAMPLE_MOST_NS	20000

/* A hit's part of a sample's cost (doc/performance.md). */
#define HIT_SOFTWARE   0.04
#define HIT_TRACEPOINT 0.17
#define HIT_UPROBE     10.0 /* a single step; a tenth of that on a nop, which is emulated */
#define HIT_BREAKPOINT 10.0 /* this and a step: in a virtual machine; less without one */

/*
 * Two events on one software counter share a sample's data in the kernel (has_twin() in evset-open.c):
 * the second writes the first's id, and a size with the first's chain.  So that another program's
 * records stay whole this one has no id, and samples minor faults, where others sample all.
 */
static int open_faults(const struct access *access, const struct features *features,
		       bool has_chains)
{
	const struct event_spec spec = {
		.kind = EVENT_SOFTWARE,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.modifiers.exclude_kernel = !has_chains,
	};
	const struct attr_plan plan = {
		.sampling = ATTR_PERIOD,
		.rate = 1,
		.has_value = true,
		.has_chain = has_chains,
	};
	struct perf_event_attr attr;

	attr_event(&attr, &spec, &plan, features);
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
	/* Addresses are no part of most samples; for them the opener would keep rights (needs.h). */
	if (!has_chains)
		attr.sample_type &= ~(uint64_t)PERF_SAMPLE_IP;
	return access->open_event(access->ctx, &attr, NULL, getpid(), -1, -1, 0);
}

/* The time of a round's page faults; infinite if they cannot be made. */
static double round_ns(volatile char *pages, size_t page)
{
	uint64_t begin_ns;

	if (madvise((void *)pages, FAULTS * page, MADV_DONTNEED) != 0)
		return INFINITY;
	begin_ns = sys_monotonic_ns();
	for (size_t i = 0; i < FAULTS; i++)
		pages[i * page] = 1;
	return (double)(sys_monotonic_ns() - begin_ns);
}

/* What a page fault takes longer with the event enabled.  They take turns: a CPU's speed changes. */
static double measure_ns(int fd)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, FAULTS * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	double without_ns = INFINITY, with_ns = INFINITY;

	if (pages == MAP_FAILED)
		return 0;
	for (int round = 0; round < ROUNDS; round++) {
		without_ns = fmin(without_ns, round_ns(pages, page));
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		with_ns = fmin(with_ns, round_ns(pages, page));
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	}
	munmap(pages, FAULTS * page);
	return (with_ns - without_ns) / FAULTS;
}

double cost_of_sample(const struct access *access, const struct features *features, bool has_chains)
{
	int fd = open_faults(access, features, has_chains);
	struct ring *ring = fd >= 0 ? access->map_ring(access->ctx, fd, RING_PAGES) : NULL;
	double sample_ns = ring != NULL ? measure_ns(fd) : 0;

	if (ring != NULL)
		ring_close(ring);
	if (fd >= 0)
		access->close_event(access->ctx, fd);
	if (sample_ns > SAMPLE_LEAST_NS && sample_ns <= SAMPLE_MOST_NS)
		return sample_ns;
	return has_chains ? CHAIN_TYPICAL_NS : SAMPLE_TYPICAL_NS;
}

double cost_of_hit(const struct event_spec *spec, double sample_ns)
{
	static const double parts[] = {
		[EVENT_SOFTWARE] = HIT_SOFTWARE,     [EVENT_TRACEPOINT] = HIT_TRACEPOINT,
		[EVENT_KPROBE] = HIT_TRACEPOINT,     [EVENT_UPROBE] = HIT_UPROBE,
		[EVENT_BREAKPOINT] = HIT_BREAKPOINT,
	};
	size_t kind = (size_t)spec->kind;

	if (event_counts_ns(spec) || kind >= sizeof(parts) / sizeof(parts[0]))
		return 0;
	return parts[kind] * sample_ns;
}
