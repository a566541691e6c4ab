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
	uint32_t generation; /* of the fd: a reopened event counts from 0 */
	uint64_t value;
	uint64_t enabled_ns, running_ns;
	uint64_t id;   /* the kernel's id of the fd; 0 when several fds are summed */
	uint64_t lost; /* PERF_FORMAT_LOST; 0 where the kernel lacks it */
	/* Not read this time (readings.h): only is_open is set, too. */
	bool is_unread;
};

#endif
