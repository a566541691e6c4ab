/* SPDX-License-Identifier: MIT */
#include "source/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define ENDED UINT64_MAX

struct merge {
	size_t count;
	uint64_t others_ns;    /* the least time of those that were not chosen */
	uint64_t reached_ns[]; /* by stream: its newest time so far, or ENDED */
};

struct merge *merge_new(size_t count)
{
	struct merge *merge = xcalloc(1, sizeof(*merge) + count * sizeof(merge->reached_ns[0]));

	merge->count = count;
	return merge;
}

void merge_free(struct merge *merge)
{
	free(merge);
}

void merge_again(struct merge *merge)
{
	memset(merge->reached_ns, 0, merge->count * sizeof(merge->reached_ns[0]));
}

bool merge_choose(struct merge *merge, size_t *stream)
{
	const uint64_t *reached_ns = merge->reached_ns;
	size_t first = 0;

	merge->others_ns = ENDED;
	for (size_t i = 1; i < merge->count; i++) {
		size_t later = i;

		if (reached_ns[i] < reached_ns[first]) {
			later = first;
			first = i;
		}
		if (reached_ns[later] < merge->others_ns)
			merge->others_ns = reached_ns[later];
	}
	*stream = first;
	return reached_ns[first] != ENDED;
}

void merge_reach(struct merge *merge, size_t stream, uint64_t time_ns)
{
	if (time_ns > merge->reached_ns[stream] && time_ns < ENDED)
		merge->reached_ns[stream] = time_ns;
}

bool merge_is_next(const struct merge *merge, size_t stream)
{
	return merge->reached_ns[stream] <= merge->others_ns;
}

void merge_end(struct merge *merge, size_t stream)
{
	merge->reached_ns[stream] = ENDED;
}
