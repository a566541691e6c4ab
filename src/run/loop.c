/* SPDX-License-Identifier: MIT */
#include "run/loop.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/xalloc.h"

struct watch {
	int fd; /* -1: removed */
	void (*ready)(void *, uint32_t);
	void *ctx;
	struct watch *next;
};

struct loop {
	int epoll;
	bool is_stopped;
	struct watch *watches;
};

struct loop *loop_new(void)
{
	struct loop *loop = xcalloc(1, sizeof(*loop));

	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll < 0) {
		int error = errno;

		free(loop);
		errno = error;
		return NULL;
	}
	return loop;
}

void loop_free(struct loop *loop)
{
	if (loop == NULL)
		return;

	while (loop->watches != NULL) {
		struct watch *next = loop->watches->next;

		free(loop->watches);
		loop->watches = next;
	}
	int error = errno; /* of a failed loop_run() */
	close(loop->epoll);
	free(loop);
	errno = error;
}

int loop_add(struct loop *loop, int fd, uint32_t events, void (*ready)(void *ctx, uint32_t events),
	     void *ctx)
{
	struct watch *watch = xcalloc(1, sizeof(*watch));
	struct epoll_event event = { .events = events, .data.ptr = watch };

	*watch = (struct watch){ fd, ready, ctx, loop->watches };
	if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) < 0) {
		int error = errno;

		free(watch);
		errno = error;
		return -1;
	}
	loop->watches = watch;
	return 0;
}

void loop_remove(struct loop *loop, int fd)
{
	/* Freed by loop_free() only: loop_run() may still hold an event that points to it. */
	for (struct watch *watch = loop->watches; watch != NULL; watch = watch->next) {
		if (watch->fd != fd)
			continue;
		epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
		watch->fd = -1;
	}
}

int loop_run(struct loop *loop)
{
	struct epoll_event events[8];

	loop->is_stopped = false;
	while (!loop->is_stopped) {
		int count = epoll_wait(loop->epoll, events, 8, -1);

		if (count < 0 && errno != EINTR)
			return -1;
		for (int i = 0; i < count && !loop->is_stopped; i++) {
			const struct watch *watch = events[i].data.ptr;

			if (watch->fd >= 0)
				watch->ready(watch->ctx, events[i].events);
		}
	}
	return 0;
}

void loop_stop(struct loop *loop)
{
	loop->is_stopped = true;
}
