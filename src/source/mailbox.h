/* SPDX-License-Identifier: MIT */
/*
 * mailbox - passes one snapshot at a time from the thread that builds them to main.
 *
 *     builder                                 main
 *     mailbox_put, store        --M1-->       mailbox_take, load
 *     mailbox_is_free, load     <--M2--       mailbox_take, store of NULL
 *
 * M1: a taken snapshot is complete.  M2: the mailbox is empty when the next one is put.
 */
#ifndef SOURCE_MAILBOX_H
#define SOURCE_MAILBOX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/snapshot.h"

struct mailbox {
	_Atomic(const struct snapshot *) snapshot;
	uint32_t mark; /* written by the builder before mailbox_put(), handed over with the snapshot */
	int filled;    /* eventfd, readable when a snapshot is there; polled by main */
	int taken;     /* eventfd, readable when one was taken; polled by the builder */
};

/* 0, or -1 and errno. */
int mailbox_init(struct mailbox *box);

/* Release a snapshot that was not taken, and close the fds. */
void mailbox_fini(struct mailbox *box);

/* Builder's thread: whether the mailbox is empty; wait until it is. */
bool mailbox_is_free(struct mailbox *box);
void mailbox_wait_free(struct mailbox *box);

/* Builder's thread: put a snapshot into the empty mailbox; takes the caller's reference. */
void mailbox_put(struct mailbox *box, const struct snapshot *snap);

/* Main: take the snapshot, or NULL, and its mark (NULL: not); the caller owns its reference. */
const struct snapshot *mailbox_take(struct mailbox *box, uint32_t *mark);

#endif
