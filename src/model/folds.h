/* SPDX-License-Identifier: MIT */
/*
 * folds - short-lived tasks of one name under one parent, summed; threads apart, for each process.
 *
 * A shell loop that forks 700 times a second makes 700 tasks a second, each with too few events to
 * be seen.  They share a fold.  What its tasks did stays in its totals after they have ended.
 *
 * Bounded: beyond FOLDS_MAX, further names share one fold, "others".
 *
 * Decoder thread only.
 */
#ifndef MODEL_FOLDS_H
#define MODEL_FOLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/tasks.h"

#define FOLDS_MAX 1024

struct fold {
	/*
	 * As of one task, with its name and parent: sums of its tasks in this interval, and totals of
	 * these and of those that have ended.  Its pid is that of the process whose threads they are, or
	 * -1: they are processes.  Its tid is -1.
	 */
	struct task sum;
	/* What stays from interval to interval: totals of those that have ended, and what fades. */
	struct task kept;
	uint32_t ntasks;  /* tasks in the sums; some may have ended in the interval before */
	uint32_t nactive; /* of these, with a sample, a switch or time on a CPU in this interval */
	uint32_t nborn;	  /* of these, forked in this interval */
	bool has_ended;	  /* some task that had events or switches has ended */
	struct spans *spans; /* of all of them; NULL: none */
};

struct folds;

/* An empty table; never NULL. */
struct folds *folds_new(void);
void folds_free(struct folds *folds);

/* Begin an interval's sums. */
void folds_begin(struct folds *folds);

/* Add a task to the sums of its fold. */
void folds_add(struct folds *folds, const struct task *task);

/* All tasks of the interval are added: fade what is older. */
void folds_end(struct folds *folds, double fade);

/* The task will be forgotten: keep its totals. */
void folds_keep(struct folds *folds, const struct task *task);

/*
 * The task is no longer short-lived: it has a row of its own, and takes along what it added; its
 * spans only if it was alone.
 */
void folds_leave(struct folds *folds, struct task *task);

/* The fold that folds_add() put the task into, unless the task got another name or parent since. */
const struct fold *folds_find(const struct folds *folds, const struct task *task);

/* Where the spans of the task's fold are. */
struct spans **folds_spans(struct folds *folds, const struct task *task);

/* spans_age() for each fold. */
void folds_age(struct folds *folds);

/* No task of it was there in this interval, or did anything in the last seconds. */
bool fold_is_quiet(const struct fold *fold);

/* All folds, in no order; valid until the next folds_add() or folds_keep(). */
struct fold *const *folds_all(const struct folds *folds, size_t *count);

/* Forget all totals. */
void folds_zero(struct folds *folds);

#endif
