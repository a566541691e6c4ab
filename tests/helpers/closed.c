/* SPDX-License-Identifier: MIT */
/* closed: a task that only root may watch, as after a change of user; it waits until it is ended. */
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(void)
{
	if (prctl(PR_SET_DUMPABLE, 0) != 0) {
		perror("closed: prctl");
		return 1;
	}
	puts("closed");
	fflush(stdout);
	for (;;)
		pause();
}
