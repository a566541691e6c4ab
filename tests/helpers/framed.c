/* SPDX-License-Identifier: MIT */
/* framed CALLS: that many getppid() calls of inner(), which middle() calls, which outer() calls; with frame pointers. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;

static __attribute__((noinline)) long inner(void)
{
	long got = 0;

	for (long i = 0; i < calls; i++)
		got += syscall(SYS_getppid);
	return got;
}

/* What they add keeps the compiler from a jump in place of the call. */
static __attribute__((noinline)) long middle(void)
{
	return inner() + 1;
}

static __attribute__((noinline)) long outer(void)
{
	return middle() + 1;
}

int main(int argc, char **argv)
{
	calls = argc > 1 ? atol(argv[1]) : 1;
	return outer() == 0;
}
