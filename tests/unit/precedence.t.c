/* SPDX-License-Identifier: MIT */
/* A thread's nice value and time slice, as the kernel tells them. */
#include "base/precedence.h"

#include <linux/sched/types.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

#define NICE_MOST 19

/* The calling thread's slice: 0 where the kernel does not say it, before Linux 6.12. */
static uint64_t slice_ns(void)
{
	struct sched_attr attr = { .size = sizeof(attr) };

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) != 0)
		bail("sched_getattr: %m");
	return attr.sched_runtime;
}

static int nice_value(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

/* A nice value that may be refused does not cost the slice. */
static void check_slice(int nice, const char *whose)
{
	const uint64_t slice = PRECEDENCE_SLICE_LEAST_NS + 100000;

	precedence_take(nice, slice);
	is_u64(slice_ns(), slice, "the slice is what was asked for, %s", whose);
	precedence_take(nice, PRECEDENCE_SLICE_LEAST_NS);
	is_u64(slice_ns(), PRECEDENCE_SLICE_LEAST_NS, "also the least one");
	precedence_take(nice, PRECEDENCE_SLICE_LEAST_NS - 50000);
	is_u64(slice_ns(), PRECEDENCE_SLICE_LEAST_NS, "a shorter one is not granted");
}

int main(void)
{
	int own = nice_value(), higher = own < NICE_MOST ? own + 1 : own;

	plan_lazy();
	precedence_take(higher, PRECEDENCE_SLICE_LEAST_NS);
	is_int(nice_value(), higher, "the nice value is what was asked for");
	precedence_take(higher - 1, PRECEDENCE_SLICE_LEAST_NS);
	ok(nice_value() == higher || nice_value() == higher - 1, "a lower one, if it may");
	if (slice_ns() == 0) {
		skip(6, "this kernel does not say how long a slice is");
		return done();
	}
	check_slice(higher, "with a nice value that is granted");
	check_slice(-20, "with one that may be refused");
	return done();
}
