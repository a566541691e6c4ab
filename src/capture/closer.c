/* SPDX-License-Identifier: MIT */
#include "capture/closer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/xalloc.h"

/* Room for the events of a default run; it grows. */
#define FDS_FIRST 64

/* Threads hand over fds at the end of the list; the closer's thread takes them from its beginning. */
struct closer {
	const struct access *access;
	pthread_mutex_t lock;  /* of what follows */
	pthread_cond_t change; /* of it */
	int *fds;	       /* [room] those from `next` to `count` are still open */
	size_t next, count, room;
	pthread_t thread;
	bool has_thread;
	bool is_ending;
};

/* The next fd, waited for; -1: there will be no more. */
static int next_fd(struct closer *closer)
{
	int fd = -1;

	pthread_mutex_lock(&closer->lock);
	while (closer->next == closer->count && !closer->is_ending)
		pthread_cond_wait(&closer->change, &closer->lock);
	if (closer->next < closer->count)
		fd = closer->fds[closer->next++];
	if (closer->next == closer->count)
		closer->next = closer->count = 0;
	pthread_mutex_unlock(&closer->lock);
	return fd;
}

static void *closer_main(void *arg)
{
	struct closer *closer = arg;
	int fd;

	pthread_setname_np(pthread_self(), "perftop-closer");
	/* Not that of the decoder thread, which may have started it; lowering it is always allowed. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 0);
	while ((fd = next_fd(closer)) >= 0)
		closer->access->close_event(closer->access->ctx, fd);
	return NULL;
}

static void release(struct closer *closer)
{
	pthread_cond_destroy(&closer->change);
	pthread_mutex_destroy(&closer->lock);
	free(closer->fds);
	free(closer);
}

struct closer *closer_new(const struct access *access)
{
	struct closer *closer = xcalloc(1, sizeof(*closer));

	closer->access = access;
	pthread_mutex_init(&closer->lock, NULL);
	pthread_cond_init(&closer->change, NULL);
	return closer;
}

static void append(struct closer *closer, int fd)
{
	if (closer->count == closer->room) {
		closer->room = closer->room > 0 ? closer->room * 2 : FDS_FIRST;
		closer->fds = xreallocarray(closer->fds, closer->room, sizeof(*closer->fds));
	}
	closer->fds[closer->count++] = fd;
	pthread_cond_signal(&closer->change);
}

void closer_take(struct closer *closer, int fd)
{
	pthread_mutex_lock(&closer->lock);
	if (!closer->has_thread)
		closer->has_thread = pthread_create(&closer->thread, NULL, closer_main, closer) ==
				     0;
	bool is_taken = closer->has_thread;
	if (is_taken)
		append(closer, fd);
	pthread_mutex_unlock(&closer->lock);
	if (!is_taken)
		closer->access->close_event(closer->access->ctx, fd);
}

static void end(struct closer *closer, bool drops)
{
	if (closer == NULL)
		return;
	pthread_mutex_lock(&closer->lock);
	closer->is_ending = true;
	if (drops)
		closer->next = closer->count = 0;
	pthread_cond_signal(&closer->change);
	pthread_mutex_unlock(&closer->lock);
	if (closer->has_thread)
		pthread_join(closer->thread, NULL);
	release(closer);
}

void closer_stop(struct closer *closer)
{
	end(closer, false);
}

void closer_leave(struct closer *closer)
{
	end(closer, true);
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
