/* SPDX-License-Identifier: MIT */
#include "base/precedence.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void precedence_take(int nice, uint64_t slice_ns)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_flags = SCHED_FLAG_KEEP_POLICY,
		.sched_runtime = slice_ns,
	};

	/* Apart from the slice, which is granted also where this is not. */
	setpriority(PRIO_PROCESS, 0, nice);
	attr.sched_nice = getpriority(PRIO_PROCESS, 0);
	syscall(SYS_sched_setattr, 0, &attr, 0);
}
