/* SPDX-License-Identifier: MIT */
/*
 * count - what the kernel's counter of an event said: a value without its fd.
 */
#ifndef CAPTURE_COUNT_H
#define CAPTURE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

struct count {
	bool is_open;	     /* the fds were there and readable */
	uint32_t generation; /* of the fd: a reopened event starts at zero again */
	uint64_t value;
	uint64_t enabled_ns, running_ns;
	uint64_t id;   /* the kernel's id of the fd; 0 when several fds are summed */
	uint64_t lost; /* PERF_FORMAT_LOST; 0 where the kernel lacks it */
};

#endif
