/* SPDX-License-Identifier: MIT */
/*
 * spinner MSEC: uses the CPU for so long, three quarters of it in spin_most(), the rest in spin_some().
 */
#include <stdlib.h>
#include <time.h>

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

int main(int argc, char **argv)
{
	long msec = argc == 2 ? strtol(argv[1], NULL, 10) : 0;

	while (clock() < msec * (CLOCKS_PER_SEC / 1000)) {
		spin_most();
		spin_some();
	}
	return 0;
}
