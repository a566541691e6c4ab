/* SPDX-License-Identifier: MIT */
#include "ui/history.h"

#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64
/* So many are never packed on either side of the one it is at, that one included, and at the end. */
#define NEAR 2

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

static size_t allowed(const struct history *history)
{
	size_t ncpus = history->count > 0 ? history_newest(history)->ncpus : 0;

	return history->most + ncpus * history->most_per_cpu;
}

/* The furthest one that can be packed and was not; `count`: there is none. */
static size_t furthest_to_pack(const struct history *history)
{
	size_t at = history->at, best = history->count, best_away = NEAR - 1;

	for (size_t i = 0; i + NEAR < history->count; i++) {
		size_t away = i > at ? i - at : at - i;

		if (!history->list[i].was_tried && away > best_away) {
			best = i;
			best_away = away;
		}
	}
	return best;
}

/* false: none is left to pack. */
static bool pack_furthest(struct history *history)
{
	size_t furthest = furthest_to_pack(history);

	if (furthest == history->count)
		return false;
	history->list[furthest].was_tried = true;
	if (snapshot_pack(history->list[furthest].snap))
		weigh(history, furthest);
	return true;
}

static void pack_some(struct history *history)
{
	while (history->bytes > allowed(history) && pack_furthest(history))
		;
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
	pack_some(history);
	while (history->bytes > allowed(history) && drop_furthest(history))
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

/* The caller still reads the one it was at: nothing is dropped here. */
static const struct snapshot *arrive(struct history *history, size_t at)
{
	struct history_entry *entry = &history->list[at];

	pack_some(history);
	history->at = at;
	snapshot_unpack(entry->snap); /* never put into a file: it does not fail */
	entry->was_tried = false;
	weigh(history, at);
	return entry->snap;
}

const struct snapshot *history_step(struct history *history, long by)
{
	long last = (long)history->count - 1, at = (long)history->at + by;

	if (last < 0)
		return NULL;
	return arrive(history, (size_t)(at < 0 ? 0 : at > last ? last : at));
}

const struct snapshot *history_go(struct history *history, double time_s)
{
	size_t at = 0;

	if (history->count == 0)
		return NULL;
	while (at + 1 < history->count && history->list[at].snap->time_s < time_s)
		at++;
	return arrive(history, at);
}
