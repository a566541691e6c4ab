/* SPDX-License-Identifier: MIT */
/*
 * history - the last snapshots of a run, held so that one can step back in time.
 *
 * It is at one of them: at the newest, unless it was moved.  When they take more memory than allowed
 * those furthest from there are packed, and when all are the furthest goes, at either end, but never
 * the newest: so a user who looks at the past keeps what was around it, however long that takes.
 */
#ifndef UI_HISTORY_H
#define UI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"

struct history_entry {
	const struct snapshot *snap;
	size_t bytes;	/* its memory, without the pages that the one before it has, too */
	bool was_tried; /* to pack it, since it was shown */
};

struct history {
	struct history_entry *list; /* [count], the oldest first */
	size_t count, room;
	size_t at;    /* index of the one that it is at */
	size_t bytes; /* sum of the list */
	size_t most, most_per_cpu;
};

/* Allowed are `most` bytes and so many for each CPU; the newest and the one it is at always stay. */
void history_init(struct history *history, size_t most, size_t most_per_cpu);
void history_fini(struct history *history);

/* Add the newest, of which it takes a reference, and go to it unless `stays`. */
void history_add(struct history *history, const struct snapshot *snap, bool stays);

/*
 * The newest one, and the oldest, which may be packed; valid until the next history_add(); NULL when
 * there is none.
 */
const struct snapshot *history_newest(const struct history *history);
const struct snapshot *history_oldest(const struct history *history);

/*
 * Go so many on, or back, as far as there are any: that snapshot, or NULL when there is none.  It
 * can be read while it is at it, and until the next step or addition after that.
 */
const struct snapshot *history_step(struct history *history, long by);

/* Go to the one whose interval has that time (since 1970), or to the one after it, or the newest. */
const struct snapshot *history_go(struct history *history, double time_s);

#endif
