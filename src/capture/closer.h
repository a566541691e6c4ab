/* SPDX-License-Identifier: MIT */
/*
 * closer - closes fds in a thread of its own.
 *
 * Closing the last fd of a tracepoint waits for an RCU grace period, about 19 ms each, one after
 * the other (kernel: perf_trace_event_unreg).  Other threads should not wait for that.
 */
#ifndef CAPTURE_CLOSER_H
#define CAPTURE_CLOSER_H

#include "capture/access.h"

struct closer;

/* No thread yet: the first fd starts it.  Borrows `access`, which closes the fds.  Never NULL. */
struct closer *closer_new(const struct access *access);

/*
 * Hand over an fd; the thread closes it.  Any thread; does not wait for the kernel, unless the
 * thread cannot be started.
 */
void closer_take(struct closer *closer, int fd);

/* Wait until all fds are closed, then end the thread.  NULL is allowed. */
void closer_stop(struct closer *closer);

/* End the thread after the fd that it is closing; the others stay open.  NULL is allowed. */
void closer_leave(struct closer *closer);

/*
 * Fork a child that inherits all open fds: our own exit then closes none of them last, and is
 * quick.  The child leaves our session and terminal and closes the standard files at once; it exits
 * after us, which takes as long as the kernel needs.  Call it last, with no other thread running.
 */
void closer_leave_behind(void);

#endif
