/* SPDX-License-Identifier: MIT */
/*
 * count - a reading of an event's counter in the kernel.
 */
#ifndef CAPTURE_COUNT_H
#define CAPTURE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

struct count {
	bool is_open;	     /* at least one fd could be read */
	bool is_unread;	     /* but was not, this time (readings.h): nothing else is set */
	uint32_t generation; /* of the fd: a reopened event counts from 0 */
	uint64_t value;
	uint64_t enabled_ns, running_ns;
	uint64_t id;   /* the kernel's id of the fd; 0 when several fds are summed */
	uint64_t lost; /* PERF_FORMAT_LOST; 0 where the kernel lacks it */
};

/* What a sample says of the fd that wrote it (PERF_SAMPLE_READ): as above. */
struct sample_count {
	uint64_t id, value, lost;
};

#endif
