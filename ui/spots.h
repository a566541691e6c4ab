/* SPDX-License-Identifier: MIT */
/*
 * spots - what a click does, and where.
 *
 * What can be clicked marks its cells while it is drawn.  Where marks overlap, the last counts.
 */
#ifndef UI_SPOTS_H
#define UI_SPOTS_H

#include <stddef.h>

struct table;

struct rect {
	int x, y, width, height;
};

enum spot_kind {
	SPOT_NONE,
	SPOT_KEY,   /* as the key `value` (ui/key.h) */
	SPOT_VIEW,  /* the view whose tab is number `value`, from 0 */
	SPOT_CRUMB, /* back to the view that is number `value` of the path, from 0 */
	SPOT_TITLE, /* sort `table` by its column `value` */
	SPOT_ROW,   /* the cursor of `table` to its row `value`, in the order shown */
	SPOT_TABLE, /* nothing; but the wheel moves the cursor of `table` */
};

struct spot {
	struct rect at;
	enum spot_kind kind;
	long value;
	struct table *table; /* borrowed: valid until a view is closed */
};

/* All zero: none, and nothing allocated. */
struct spots {
	struct spot *list; /* [count] in the order of marking */
	size_t count, room;
};

/* Forget all marks; and free the memory, too. */
void spots_clear(struct spots *spots);
void spots_fini(struct spots *spots);

/* Add a mark; `spot` is copied. */
void spots_mark(struct spots *spots, const struct spot *spot);

/* Replace the marks of `to` by those of `from`, which has none then. */
void spots_move(struct spots *to, struct spots *from);

/* The last mark on this cell, or one of SPOT_NONE. */
struct spot spots_find(const struct spots *spots, int x, int y);

#endif
