/* SPDX-License-Identifier: MIT */
/*
 * calls [-f] N CPU...: on each CPU a process of its own, which stays there, makes N getppid() calls, no
 * more and no less.  With -f another process forks children that end at once, as long as the calls last.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0) {
		perror("calls: sched_setaffinity");
		_exit(1);
	}
}

static void call(unsigned long n, int cpu)
{
	stay_on(cpu);
	for (unsigned long i = 0; i < n; i++)
		syscall(SYS_getppid);
	_exit(0);
}

static void fork_children(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		pid_t child = fork();

		if (child == 0)
			_exit(0);
		if (child > 0)
			waitpid(child, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	bool has_forks = argc > 1 && strcmp(argv[1], "-f") == 0;
	char **cpus = argv + 2 + has_forks;
	pid_t storm = 0, callers[CPU_SETSIZE];
	int status, failures = 0, n = 0;

	if (argc < 3 + has_forks || argc > CPU_SETSIZE)
		return 2;
	if (has_forks && (storm = fork()) == 0)
		fork_children();
	for (char **cpu = cpus; *cpu != NULL; cpu++) {
		callers[n] = fork();
		if (callers[n++] == 0)
			call(strtoul(cpus[-1], NULL, 10), atoi(*cpu));
	}
	while (n-- > 0)
		failures += callers[n] < 0 || waitpid(callers[n], &status, 0) < 0 || status != 0;
	if (storm > 0) {
		kill(storm, SIGKILL);
		waitpid(storm, NULL, 0);
	}
	return failures != 0 || storm < 0;
}
