/* SPDX-License-Identifier: MIT */
#include "capture/features.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/abi.h"

static struct perf_event_attr dummy(void)
{
	/* User side only: allowed at every perf_event_paranoid up to 2. */
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER5,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

static bool takes(struct perf_event_attr *attr)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

void features_probe(struct features *features)
{
	struct perf_event_attr plain = dummy();

	*features = (struct features){ .has_perf = takes(&plain) };
	if (!features->has_perf) {
		/* Refused as a whole (paranoid 3, seccomp): assume a new kernel, the events will tell. */
		*features = (struct features){ false, errno, true, true, true };
		return;
	}

	struct perf_event_attr lost = dummy();
	lost.read_format = ABI_FORMAT_LOST;
	features->has_format_lost = takes(&lost);

	struct perf_event_attr clock = dummy();
	clock.use_clockid = 1;
	clock.clockid = CLOCK_MONOTONIC;
	features->has_clockid = takes(&clock);

	struct perf_event_attr context_switch = dummy();
	context_switch.context_switch = 1;
	features->has_context_switch = takes(&context_switch);
}
