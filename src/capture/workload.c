/* SPDX-License-Identifier: MIT */
#include "capture/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"

/* Time between SIGTERM and SIGKILL: the user waits for the prompt meanwhile. */
#define PATIENCE_MSEC 1000

struct workload {
	pid_t pid;
	int pidfd;
	int start;  /* write end: on a byte the child calls exec, on end of file it exits */
	int result; /* read end: the errno of a failed exec; closed by a successful one */
	bool is_reaped;
	int status; /* as in a shell; valid when is_reaped */
};

static void hush(void)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0)
		_exit(126);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

static void set_output(enum workload_output output)
{
	if (output == WORKLOAD_DROPPED)
		hush();
	else if (output == WORKLOAD_STDERR)
		dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* The child: wait for a byte, then exec the command. */
static void __attribute__((noreturn))
child_main(char *const argv[], enum workload_output output, int start, int result)
{
	char word;
	ssize_t got;
	sigset_t none;

	do {
		got = read(start, &word, 1);
	} while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(0); /* the parent gave up or exited before the start */
	set_output(output);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);

	execvp(argv[0], argv);
	int error = errno;
	if (write(result, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static void close_pair(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

struct workload *workload_new(char *const argv[], enum workload_output output)
{
	struct workload *workload = calloc(1, sizeof(*workload));
	int start[2], result[2];

	if (workload == NULL)
		return NULL;
	if (pipe2(start, O_CLOEXEC) < 0)
		goto fail_alloc;
	if (pipe2(result, O_CLOEXEC) < 0)
		goto fail_start;
	workload->pid = fork();
	if (workload->pid < 0)
		goto fail_result;
	if (workload->pid == 0) {
		/* Only the parent may have the write end: its exit must be an end of file here. */
		close(start[1]);
		child_main(argv, output, start[0], result[1]);
	}

	close(start[0]);
	close(result[1]);
	workload->start = start[1];
	workload->result = result[0];
	workload->pidfd = (int)syscall(SYS_pidfd_open, workload->pid, 0);
	if (workload->pidfd < 0) {
		int error = errno;

		close(workload->start); /* the child reads end of file, and exits */
		waitpid(workload->pid, NULL, 0);
		close(workload->result);
		free(workload);
		errno = error;
		return NULL;
	}
	return workload;

fail_result:
	close_pair(result);
fail_start:
	close_pair(start);
fail_alloc:
	free(workload);
	return NULL;
}

pid_t workload_pid(const struct workload *workload)
{
	return workload->pid;
}

int workload_fd(const struct workload *workload)
{
	return workload->pidfd;
}

int workload_start(struct workload *workload)
{
	int error = 0;
	ssize_t got;

	if (write(workload->start, "", 1) != 1)
		return -1;
	do {
		got = read(workload->result, &error, sizeof(error));
	} while (got < 0 && errno == EINTR);
	if (got == (ssize_t)sizeof(error)) {
		errno = error;
		return -1;
	}
	return 0;
}

int workload_reap(struct workload *workload)
{
	int status;

	if (!workload->is_reaped && waitpid(workload->pid, &status, WNOHANG) == workload->pid) {
		workload->is_reaped = true;
		workload->status = WIFSIGNALED(status) ? EXIT_SIGNALED + WTERMSIG(status) :
							 WEXITSTATUS(status);
	}
	return workload->is_reaped ? workload->status : -1;
}

static int signal_child(const struct workload *workload, int number,
			int (*signal_by)(void *ctx, int number), void *ctx)
{
	return signal_by != NULL ? signal_by(ctx, number) : kill(workload->pid, number);
}

void workload_end(struct workload *workload, int (*signal_by)(void *ctx, int number), void *ctx)
{
	int status;

	if (workload == NULL || workload->is_reaped ||
	    signal_child(workload, SIGTERM, signal_by, ctx) != 0)
		return;

	struct pollfd fd = { .fd = workload->pidfd, .events = POLLIN };
	if (poll(&fd, 1, PATIENCE_MSEC) <= 0 &&
	    signal_child(workload, SIGKILL, signal_by, ctx) != 0)
		return;
	while (waitpid(workload->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	workload->is_reaped = true;
}

void workload_free(struct workload *workload)
{
	if (workload == NULL)
		return;

	close(workload->start);
	close(workload->result);
	close(workload->pidfd);
	free(workload);
}
