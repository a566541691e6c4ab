/* SPDX-License-Identifier: MIT */
#include "model/parents.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Ordered by pid: they are few, and most are there at the tick before. */
struct parents {
	struct parent *all; /* [count] */
	size_t count, room;
};

struct parents *parents_new(void)
{
	return xcalloc(1, sizeof(struct parents));
}

void parents_free(struct parents *parents)
{
	if (parents == NULL)
		return;
	free(parents->all);
	free(parents);
}

void parents_begin(struct parents *parents)
{
	for (size_t i = 0; i < parents->count; i++)
		parents->all[i].is_needed = false;
}

/* The first that is not below this pid. */
static size_t place_of(const struct parents *parents, int32_t pid)
{
	size_t low = 0, high = parents->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (parents->all[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct parent *parents_get(struct parents *parents, int32_t pid)
{
	size_t at = place_of(parents, pid);

	if (at < parents->count && parents->all[at].pid == pid)
		return &parents->all[at];
	if (parents->count == PARENTS_MAX)
		return NULL;
	if (parents->count == parents->room) {
		parents->room = parents->room * 2 + 16;
		parents->all = xreallocarray(parents->all, parents->room, sizeof(*parents->all));
	}
	memmove(&parents->all[at + 1], &parents->all[at],
		(parents->count - at) * sizeof(*parents->all));
	parents->count++;
	parents->all[at] = (struct parent){ .pid = pid };
	return &parents->all[at];
}

void parents_end(struct parents *parents)
{
	size_t kept = 0;

	for (size_t i = 0; i < parents->count; i++) {
		if (parents->all[i].is_needed)
			parents->all[kept++] = parents->all[i];
	}
	parents->count = kept;
}

const struct parent *parents_all(const struct parents *parents, size_t *count)
{
	*count = parents->count;
	return parents->all;
}
