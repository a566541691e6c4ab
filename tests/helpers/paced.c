/* SPDX-License-Identifier: MIT */
/*
 * paced RATE SECONDS: makes RATE system calls a second, with RATE 0 as many as it can.  At the end
 * it prints its tid, then every 10 ms of that time with the number of calls so far: "TIME COUNT",
 * CLOCK_REALTIME in seconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STEP_NS	   10e6
#define CALLS_ONCE 50
#define POINTS_MAX 100000

static struct {
	double time_s;
	unsigned long calls;
} points[POINTS_MAX];

static double now_ns(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static unsigned long make_calls(long rate)
{
	struct timespec pause = { .tv_nsec = rate > 0 ? 1000000000L / rate : 0 };

	if (rate > 0) {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		return 1;
	}
	for (int i = 0; i < CALLS_ONCE; i++)
		syscall(SYS_getppid);
	return CALLS_ONCE;
}

int main(int argc, char **argv)
{
	long rate = argc == 3 ? strtol(argv[1], NULL, 10) : -1;
	double now = now_ns(CLOCK_MONOTONIC), next = now, end = now;
	unsigned long calls = 0;
	size_t count = 0;

	if (rate < 0 || rate > 1000000)
		return 1;
	end += strtod(argv[2], NULL) * 1e9;
	while (now < end) {
		if (now >= next && count < POINTS_MAX) {
			points[count].time_s = now_ns(CLOCK_REALTIME) / 1e9;
			points[count++].calls = calls;
			next += STEP_NS;
		}
		calls += make_calls(rate);
		now = now_ns(CLOCK_MONOTONIC);
	}
	printf("%d\n", (int)getpid());
	for (size_t i = 0; i < count; i++)
		printf("%.6f %lu\n", points[i].time_s, points[i].calls);
	return 0;
}
