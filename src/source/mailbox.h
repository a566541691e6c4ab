/* SPDX-License-Identifier: MIT */
/*
 * mailbox - room for one snapshot between the thread that builds them and main.
 *
 *     builder                                 main
 *     mailbox_put, store        --M1-->       mailbox_take, exchange for NULL
 *     mailbox_is_free, load     <--M2--       the same exchange
 *
 * M1: a snapshot that is taken is wholly built.  M2: one that is put finds room.
 */
#ifndef SOURCE_MAILBOX_H
#define SOURCE_MAILBOX_H

#include <stdatomic.h>
#include <stdbool.h>

#include "model/snapshot.h"

struct mailbox {
	_Atomic(const struct snapshot *) snapshot;
	int filled; /* eventfd, readable when a snapshot waits: main's to poll */
	int taken;  /* eventfd, readable when there is room again: the builder's to poll */
};

/* 0, or -1 and errno. */
int mailbox_init(struct mailbox *box);

/* Drops a snapshot that nobody took. */
void mailbox_fini(struct mailbox *box);

/* The builder's: whether there is room, waiting for it, and filling it (there must be). */
bool mailbox_is_free(struct mailbox *box);
void mailbox_wait_free(struct mailbox *box);
/* The reference goes with it. */
void mailbox_put(struct mailbox *box, const struct snapshot *snap);

/* Main's: a reference to the waiting snapshot, or NULL. */
const struct snapshot *mailbox_take(struct mailbox *box);

#endif
