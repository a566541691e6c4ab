/* SPDX-License-Identifier: MIT */
#include "ui/spots.h"

#include "base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>

void spots_clear(struct spots *spots)
{
	spots->count = 0;
}

void spots_fini(struct spots *spots)
{
	free(spots->list);
	*spots = (struct spots){ 0 };
}

void spots_mark(struct spots *spots, const struct spot *spot)
{
	if (spots->count == spots->room) {
		spots->room = spots->room ? spots->room * 2 : 64;
		spots->list = xreallocarray(spots->list, spots->room, sizeof(*spots->list));
	}
	spots->list[spots->count++] = *spot;
}

void spots_move(struct spots *to, struct spots *from)
{
	struct spots before = *to;

	*to = *from;
	*from = before;
	spots_clear(from);
}

static bool is_within(const struct rect *at, int x, int y)
{
	return x >= at->x && x - at->x < at->width && y >= at->y && y - at->y < at->height;
}

struct spot spots_find(const struct spots *spots, int x, int y)
{
	for (size_t i = spots->count; i-- > 0;)
		if (is_within(&spots->list[i].at, x, y))
			return spots->list[i];
	return (struct spot){ .kind = SPOT_NONE };
}
