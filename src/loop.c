/* SPDX-License-Identifier: MIT */
#include "loop.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/xalloc.h"

struct source {
	int fd; /* -1: removed */
	void (*ready)(void *, uint32_t);
	void *ctx;
	struct source *next;
};

struct loop {
	int epoll;
	bool is_stopped;
	struct source *sources;
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

	while (loop->sources != NULL) {
		struct source *next = loop->sources->next;

		free(loop->sources);
		loop->sources = next;
	}
	int error = errno; /* of a failed loop_run() */
	close(loop->epoll);
	free(loop);
	errno = error;
}

int loop_add(struct loop *loop, int fd, uint32_t events, void (*ready)(void *ctx, uint32_t events),
	     void *ctx)
{
	struct source *source = xcalloc(1, sizeof(*source));
	struct epoll_event event = { .events = events, .data.ptr = source };

	*source = (struct source){ fd, ready, ctx, loop->sources };
	if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) < 0) {
		int error = errno;

		free(source);
		errno = error;
		return -1;
	}
	loop->sources = source;
	return 0;
}

void loop_remove(struct loop *loop, int fd)
{
	/* The source stays until the end: an event of it may be under way in this very round. */
	for (struct source *source = loop->sources; source != NULL; source = source->next) {
		if (source->fd != fd)
			continue;
		epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
		source->fd = -1;
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
			const struct source *source = events[i].data.ptr;

			if (source->fd >= 0)
				source->ready(source->ctx, events[i].events);
		}
	}
	return 0;
}

void loop_stop(struct loop *loop)
{
	loop->is_stopped = true;
}
