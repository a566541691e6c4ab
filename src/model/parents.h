/* SPDX-License-Identifier: MIT */
/*
 * parents - processes that tasks with a row descend from, and of which there may be no record: a shell
 * that waits, init.
 *
 * Bounded: one that no row needs at a tick is dropped, and above PARENTS_MAX none is added.
 *
 * Decoder thread only.
 */
#ifndef MODEL_PARENTS_H
#define MODEL_PARENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/tasks.h"

#define PARENTS_MAX 1024

struct parent {
	int32_t pid, ppid;	      /* ppid 0: none, or not known yet */
	char comm[TASK_COMM_BYTES];   /* terminated; "": unknown */
	char parent[TASK_COMM_BYTES]; /* the name of ppid; "": unknown */
	uint64_t facts_ns;	      /* when /proc was read; 0: not yet */
	bool is_sought;		      /* its name was looked up */
	bool is_needed;		      /* since parents_begin() */
};

struct parents;

/* Empty; never NULL. */
struct parents *parents_new(void);
void parents_free(struct parents *parents);

/* Before those of a tick are added: none is needed so far. */
void parents_begin(struct parents *parents);

/* The one of this pid, added if it is new; NULL: there are too many.  Valid until the next call. */
struct parent *parents_get(struct parents *parents, int32_t pid);

/* Drop those that are not needed. */
void parents_end(struct parents *parents);

/* All [count], by pid; valid until the next parents_get() or parents_end(). */
const struct parent *parents_all(const struct parents *parents, size_t *count);

#endif
