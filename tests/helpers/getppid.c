/* SPDX-License-Identifier: MIT */
/*
 * getppid [-t] [N]: makes N getppid() calls, no more and no less; without N, until it is ended.
 * -t prints how many ns each took.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

int main(int argc, char **argv)
{
	bool is_timed = argc > 1 && strcmp(argv[1], "-t") == 0;
	const char *number = argv[is_timed ? 2 : 1];
	unsigned long calls = number != NULL ? strtoul(number, NULL, 10) : 0;
	double start = now_ns();

	while (number == NULL)
		syscall(SYS_getppid);
	for (unsigned long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	if (is_timed)
		printf("%.1f\n", (now_ns() - start) / (double)calls);
	return 0;
}
