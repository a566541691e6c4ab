/* SPDX-License-Identifier: MIT */
#include "source/past.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "source/pace.h"

#define ROOM_FIRST 64

void past_init(struct past *past, size_t most, uint64_t file_most)
{
	*past = (struct past){ .most = most, .file = tempfile_new(file_most), .stride = 1 };
}

static void drop_all(struct past *past)
{
	for (size_t i = 0; i < past->count; i++)
		snapshot_release(past->list[i].snap);
	past->count = 0;
	past->bytes = 0;
	past->file_end = 0;
	past->added_ns = 0;
	past->number = 0;
	past->stride = 1;
}

void past_fini(struct past *past)
{
	drop_all(past);
	free(past->list);
	tempfile_free(past->file);
}

/* Pages that the one before has, too, are not its own. */
static void weigh(struct past *past, size_t at)
{
	past->bytes += snapshot_bytes(past->list[at].snap, at > 0 ? past->list[at - 1].snap : NULL);
}

static void weigh_all(struct past *past)
{
	past->bytes = 0;
	for (size_t i = 0; i < past->count; i++)
		weigh(past, i);
}

/* The first one stays. */
static void drop_every_second(struct past *past)
{
	size_t kept = 0;

	for (size_t i = 0; i < past->count; i++) {
		if (i % 2 == 0)
			past->list[kept++] = past->list[i];
		else
			snapshot_release(past->list[i].snap);
	}
	past->count = kept;
	past->stride *= 2;
	weigh_all(past);
}

/* Those that nobody else has. */
static void pack(struct past *past)
{
	for (size_t i = 0; i < past->count; i++)
		snapshot_pack(past->list[i].snap);
	weigh_all(past);
}

/* Those that are packed. */
static void put_away(struct past *past)
{
	for (size_t i = 0; i < past->count; i++)
		snapshot_put_away(past->list[i].snap, past->file, &past->file_end);
	weigh_all(past);
}

/* What wins little would be tried again at once. */
static bool is_small(const struct past *past)
{
	return past->bytes <= past->most / 8 * 7;
}

/* false: without dropping some it takes too much. */
static bool shrink(struct past *past)
{
	if (past->bytes <= past->most)
		return true;
	pack(past);
	if (!is_small(past))
		put_away(past);
	return is_small(past);
}

void past_add(struct past *past, const struct snapshot *snap, uint64_t start_ns, uint64_t end_ns)
{
	if (past->most == 0 || past->is_off || end_ns <= past->added_ns)
		return;
	past->added_ns = end_ns;
	if (past->number++ % past->stride != 0)
		return;
	if (past->count == past->room) {
		past->room = past->room > 0 ? 2 * past->room : ROOM_FIRST;
		past->list = xreallocarray(past->list, past->room, sizeof(*past->list));
	}
	past->list[past->count] = (struct past_interval){ .snap = snapshot_hold(snap),
							  .start_ns = start_ns,
							  .end_ns = end_ns };
	weigh(past, past->count++);
	if (shrink(past))
		return;
	while (!is_small(past) && past->count > 1)
		drop_every_second(past);
}

void past_stop(struct past *past)
{
	drop_all(past);
	past->is_off = true;
}

void past_again(struct past *past)
{
	past->is_off = false;
}

/* Those that were found before are packed again: only a few are not.  NULL: it cannot be read. */
static const struct snapshot *unpacked(struct past *past, const struct snapshot *snap)
{
	bool is_read;

	shrink(past);
	past->bytes -= snapshot_bytes(snap, NULL);
	is_read = snapshot_unpack(snap);
	past->bytes += snapshot_bytes(snap, NULL);
	return is_read ? snap : NULL;
}

const struct snapshot *past_find(struct past *past, uint64_t time_ns)
{
	size_t from = 0, to = past->count;

	/* The first one whose end is not before that time. */
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (past->list[middle].end_ns + PACE_SLACK_NS < time_ns)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == past->count ||
	    (from > 0 && past->list[from].start_ns + PACE_SLACK_NS >= time_ns))
		return NULL;
	return unpacked(past, past->list[from].snap);
}
