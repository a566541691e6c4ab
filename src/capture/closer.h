/* SPDX-License-Identifier: MIT */
/*
 * closer - closes fds behind the scene.
 *
 * Closing the last fd of a tracepoint waits for an RCU grace period, about 19 ms
 * each and one after the other (kernel: perf_trace_event_unreg).  Nobody who
 * has something to do should wait for that.
 */
#ifndef CAPTURE_CLOSER_H
#define CAPTURE_CLOSER_H

#include "capture/access.h"

struct closer;

/* Start its thread: NULL and errno.  Borrows `access`, by which it closes. */
struct closer *closer_start(const struct access *access);

/* Take an fd, to be closed soon. */
void closer_take(struct closer *closer, int fd);

/* Wait until all are closed, and end.  NULL is allowed. */
void closer_stop(struct closer *closer);

/*
 * Leave the closing of every fd that is open to a child of ours: it inherits
 * them, so that our own exit finds nobody's last fd and is quick.  The child
 * lets go of the terminal, the standard files and the session at once, and ends
 * when the kernel is done.  Call it last, with no other thread running.
 */
void closer_leave_behind(void);

#endif
