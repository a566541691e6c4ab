/* SPDX-License-Identifier: MIT */
#include "ui/history.h"

#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64

void history_init(struct history *history, size_t most, size_t most_per_cpu)
{
	*history = (struct history){ .most = most, .most_per_cpu = most_per_cpu };
}

void history_fini(struct history *history)
{
	for (size_t i = 0; i < history->count; i++)
		snapshot_release(history->list[i].snap);
	free(history->list);
}

/* After what is before it changed. */
static void weigh(struct history *history, size_t at)
{
	struct history_entry *entry = &history->list[at];

	history->bytes -= entry->bytes;
	entry->bytes = snapshot_bytes(entry->snap, at ? history->list[at - 1].snap : NULL);
	history->bytes += entry->bytes;
}

static void drop(struct history *history, size_t at)
{
	struct history_entry *entry = &history->list[at];

	history->bytes -= entry->bytes;
	snapshot_release(entry->snap);
	history->count--;
	memmove(entry, entry + 1, (history->count - at) * sizeof(*entry));
	history->at -= history->at > at;
	weigh(history, at);
}

/* The oldest, or the one before the newest; false: only the newest and the one at `at` are left. */
static bool drop_furthest(struct history *history)
{
	size_t before = history->at, after = history->count - 1 - history->at;

	if (before == 0 && after <= 1)
		return false;
	drop(history, before >= after ? 0 : history->count - 2);
	return true;
}

void history_add(struct history *history, const struct snapshot *snap, bool stays)
{
	if (history->count == history->room) {
		history->room = history->room ? 2 * history->room : ROOM_FIRST;
		history->list = xreallocarray(history->list, history->room, sizeof(*history->list));
	}
	history->list[history->count] = (struct history_entry){ .snap = snapshot_hold(snap) };
	history->count++;
	weigh(history, history->count - 1);
	if (!stays)
		history->at = history->count - 1;
	const size_t most = history->most + snap->ncpus * history->most_per_cpu;
	while (history->bytes > most && drop_furthest(history))
		;
}

const struct snapshot *history_newest(const struct history *history)
{
	return history->count ? history->list[history->count - 1].snap : NULL;
}

const struct snapshot *history_oldest(const struct history *history)
{
	return history->count ? history->list[0].snap : NULL;
}

const struct snapshot *history_step(struct history *history, long by)
{
	long last = (long)history->count - 1, at = (long)history->at + by;

	if (last < 0)
		return NULL;
	history->at = (size_t)(at < 0 ? 0 : at > last ? last : at);
	return history->list[history->at].snap;
}

const struct snapshot *history_go(struct history *history, double time_s)
{
	size_t at = 0;

	while (at + 1 < history->count && history->list[at].snap->time_s < time_s)
		at++;
	history->at = at;
	return history_step(history, 0);
}
