/* SPDX-License-Identifier: MIT */
/* getppid N: makes N getppid() calls, no more and no less; without N, until it is ended. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

	if (argc < 2) {
		for (;;)
			syscall(SYS_getppid);
	}
	for (unsigned long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	return 0;
}
