/* SPDX-License-Identifier: MIT */
#include "capture/closer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

struct closer {
	const struct access *access;
	pthread_t thread;
	int in, out; /* a pipe of fd numbers: writes of 4 bytes are atomic */
};

static void *closer_main(void *arg)
{
	struct closer *closer = arg;
	int fd;

	pthread_setname_np(pthread_self(), "perftop-closer");
	while (read(closer->out, &fd, sizeof(fd)) == (ssize_t)sizeof(fd))
		closer->access->close_event(closer->access->ctx, fd);
	return NULL;
}

struct closer *closer_start(const struct access *access)
{
	struct closer *closer = calloc(1, sizeof(*closer));
	int fds[2];

	if (closer == NULL)
		return NULL;
	if (pipe2(fds, O_CLOEXEC) < 0)
		goto fail_alloc;
	closer->access = access;
	closer->out = fds[0];
	closer->in = fds[1];
	errno = pthread_create(&closer->thread, NULL, closer_main, closer);
	if (errno != 0)
		goto fail_pipe;
	return closer;

fail_pipe:
	close(closer->in);
	close(closer->out);
fail_alloc:
	free(closer);
	return NULL;
}

void closer_take(struct closer *closer, int fd)
{
	if (write(closer->in, &fd, sizeof(fd)) != (ssize_t)sizeof(fd))
		close(fd);
}

void closer_stop(struct closer *closer)
{
	if (closer == NULL)
		return;

	close(closer->in);
	pthread_join(closer->thread, NULL);
	close(closer->out);
	free(closer);
}

/* Wait until the parent has exited: the process that closes an fd last waits for the kernel. */
static void outlive_parent(int gone[2])
{
	char none;

	close(gone[1]);
	while (read(gone[0], &none, 1) < 0 && errno == EINTR)
		continue;
}

void closer_leave_behind(void)
{
	int gone[2];
	bool has_pipe = pipe2(gone, O_CLOEXEC) == 0;
	pid_t child = fork();

	if (child != 0)
		return; /* also when fork() fails: then our exit is slow */

	setsid();
	prctl(PR_SET_NAME, "perftop-closer");
	/* A process that waits for the end of our output must not wait for this child. */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	if (has_pipe)
		outlive_parent(gone);
	_exit(0);
}
