/* SPDX-License-Identifier: MIT */
/*
 * watched - uses a variable and a function a given number of times, for breakpoints and probes.
 *
 *     watched WRITES CALLS
 *
 * Linked at a fixed address (Makefile), so `nm` has their addresses before it runs.
 */
#include <stdlib.h>

/* Not 0: .bss is cleared by the kernel during exec, which a breakpoint sees as four writes. */
volatile int watched_variable = -1;

int watched_function(int value);

/* Called through the symbol, so that the compiler keeps every call. */
__attribute__((noinline)) int watched_function(int value)
{
	__asm__ volatile("" : "+r"(value));
	return value + 1;
}

int main(int argc, char **argv)
{
	int writes = argc > 1 ? atoi(argv[1]) : 5;
	int calls = argc > 2 ? atoi(argv[2]) : 1000;
	int sum = 0;

	for (int i = 0; i < writes; i++)
		watched_variable = i;
	for (int i = 0; i < calls; i++)
		sum = watched_function(sum);
	return sum == calls ? EXIT_SUCCESS : EXIT_FAILURE;
}
