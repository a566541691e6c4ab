/* SPDX-License-Identifier: MIT */
/*
 * worker - work that is done one piece after another in a thread of its own: for what may hang.
 *
 * One thread gives and takes.  The worker's has the nice value of the main thread, and the signals blocked
 * that were blocked at the first worker_give().
 */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

/* A piece of work, as the first member of the struct that describes it. */
struct work {
	struct work *next;
};

struct worker_ops {
	void (*run)(struct work *work); /* in the worker's thread */
	void (*free)(struct work *work);
};

struct worker;

/* No thread yet: the first piece of work starts it.  `name`, of at most 15 characters, is borrowed; never NULL. */
struct worker *worker_new(const char *name, const struct worker_ops *ops);

/* End the thread.  If it hangs, it is left behind with its work and the worker.  NULL is allowed. */
void worker_free(struct worker *worker);

/* Have a piece of work done after those given before.  False and errno: no thread, the work is not taken. */
bool worker_give(struct worker *worker, struct work *work);

/*
 * A piece of work that is done, the caller's from now on; NULL when none is done by `until_ns`
 * (CLOCK_MONOTONIC), at once when all were taken.
 */
struct work *worker_take(struct worker *worker, uint64_t until_ns);

#endif
