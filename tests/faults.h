/* SPDX-License-Identifier: MIT */
/*
 * faults - minor page faults of the test's own thread, and events that count them.
 *
 * Included by the one file of a test.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "tap.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Faults of this thread's own code, which may be counted at every perf_event_paranoid up to 2.  `format`
 * is added to the read_format of counters.h without groups; `period` 0: no samples; `leader` -1: none.
 * Returns the fd, or -1 and errno.
 */
static inline int faults_open(uint64_t format, uint64_t period, int leader)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = period,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | format,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* At least as many faults as there are pages. */
static inline void faults_make(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);

	if (map == MAP_FAILED)
		bail("no memory");
	madvise(map, pages * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)map)[i * page] = 1;
	munmap(map, pages * page);
}

#endif
