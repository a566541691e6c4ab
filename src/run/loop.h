/* SPDX-License-Identifier: MIT */
/*
 * loop - the one epoll loop: fds, and signals as fds, with callbacks.
 *
 * Belongs to the main thread.
 */
#ifndef RUN_LOOP_H
#define RUN_LOOP_H

#include <stdint.h>

struct loop;

/* A new loop, or NULL and errno. */
struct loop *loop_new(void);
void loop_free(struct loop *loop);

/* Call `ready` with the epoll events whenever `fd` (borrowed) has some of `events`: 0, or -1 and errno. */
int loop_add(struct loop *loop, int fd, uint32_t events, void (*ready)(void *ctx, uint32_t events),
	     void *ctx);

/* Remove the fd: its callback is not called again, not even for events already returned. */
void loop_remove(struct loop *loop, int fd);

/* Run until loop_stop(): 0, or -1 and errno when epoll_wait fails. */
int loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

#endif
