/* SPDX-License-Identifier: MIT */
/* A thread's nice value and time slice, as the kernel tells them. */
#include "base/precedence.h"

#include <linux/sched/types.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

#define NICE_MOST 19

/* The calling thread's slice in us: 0 where the kernel does not say it, before Linux 6.12. */
static unsigned int slice_us(void)
{
	struct sched_attr attr = { .size = sizeof(attr) };

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) != 0)
		bail("sched_getattr: %m");
	return (unsigned int)(attr.sched_runtime / 1000);
}

static int nice_value(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

/* A nice value that may be refused does not cost the slice. */
static void check_slice(int nice, const char *whose)
{
	unsigned int slice = PRECEDENCE_SLICE_LEAST_US + 100;

	precedence_take(nice, slice);
	is_int((int)slice_us(), (int)slice, "the slice is what was asked for, %s", whose);
	precedence_take(nice, PRECEDENCE_SLICE_LEAST_US);
	is_int((int)slice_us(), PRECEDENCE_SLICE_LEAST_US, "also the least one");
	precedence_take(nice, PRECEDENCE_SLICE_LEAST_US - 50);
	is_int((int)slice_us(), PRECEDENCE_SLICE_LEAST_US, "a shorter one is not granted");
}

int main(void)
{
	int own = nice_value(), higher = own < NICE_MOST ? own + 1 : own;

	plan_lazy();
	precedence_take(higher, PRECEDENCE_SLICE_LEAST_US);
	is_int(nice_value(), higher, "the nice value is what was asked for");
	precedence_take(higher - 1, PRECEDENCE_SLICE_LEAST_US);
	ok(nice_value() == higher || nice_value() == higher - 1, "a lower one, if it may");
	if (slice_us() == 0) {
		skip(6, "this kernel does not say how long a slice is");
		return done();
	}
	check_slice(higher, "with a nice value that is granted");
	check_slice(-20, "with one that may be refused");
	return done();
}
