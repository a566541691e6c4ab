/* SPDX-License-Identifier: MIT */
/*
 * spinner MSEC [CHILDREN]: uses the CPU for so long, three quarters of it in spin_most(), the rest in spin_some().
 * With CHILDREN, so many children do, one after the other, and not the process itself.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOPS 20000

static volatile unsigned int sum;

__attribute__((noinline)) static void spin_most(void)
{
	for (unsigned int i = 0; i < 3 * LOOPS; i++)
		sum = sum * 7 + i;
}

__attribute__((noinline)) static void spin_some(void)
{
	for (unsigned int i = 0; i < LOOPS; i++)
		sum = sum * 5 + i;
}

static void spin(long msec)
{
	while (clock() < msec * (CLOCKS_PER_SEC / 1000)) {
		spin_most();
		spin_some();
	}
}

/* Returns 0, or 1 when there is no further child. */
static int spin_in_child(long msec)
{
	pid_t child = fork();

	if (child == 0) {
		spin(msec);
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) != child;
}

int main(int argc, char **argv)
{
	long msec = argc >= 2 ? strtol(argv[1], NULL, 10) : 0;
	long children = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

	if (children == 0)
		spin(msec);
	for (long i = 0; i < children; i++)
		if (spin_in_child(msec))
			return 1;
	return 0;
}
