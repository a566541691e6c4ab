/* SPDX-License-Identifier: MIT */
/*
 * holdthread TID: keeps one thread from running, as a CPU that belongs to a real-time task does, until
 * it is ended.  Prints a line once the thread is stopped.  Exit status 1: it may not trace it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	pid_t tid = argc > 1 ? atoi(argv[1]) : 0;
	int status;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0 ||
	    ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0 ||
	    waitpid(tid, &status, __WALL) != tid) {
		perror("holdthread");
		return 1;
	}
	puts("held");
	fflush(stdout);
	pause();
	return 0;
}
