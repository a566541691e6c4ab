/* SPDX-License-Identifier: MIT */
/* Snapshots that are held: their order, their limit, and which of them stay. */
#include "ui/history.h"

#include "model/arena.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EACH (ARENA_PIECE + 1024) /* a little more than a snapshot of made() takes */

static struct history history;

#define FULL (28u << 10)

/* Of this second; the caller has the only reference. */
static struct snapshot *made(int second)
{
	struct snapshot *snap = snapshot_new(0);
	unsigned char *noise = snap_alloc(snap, FULL, 1);
	static unsigned int seed = 1;

	/* Packing this wins nothing. */
	for (size_t i = 0; i < FULL; i++)
		noise[i] = (unsigned char)rand_r(&seed);
	snap->time_s = second;
	return snap;
}

static void add(int second, bool stays)
{
	struct snapshot *snap = made(second);

	history_add(&history, snap, stays);
	snapshot_release(snap);
}

/* "3 4 [5] 6": the seconds that are held, and which one it is at. */
static const char *seconds(void)
{
	static char text[512];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < history.count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					i == history.at ? "%s[%g]" : "%s%g", i ? " " : "",
					history.list[i].snap->time_s);
	return text;
}

static void test_empty(void)
{
	history_init(&history, 5 * EACH, 0);
	ok(!history_newest(&history) && !history_oldest(&history), "at first there is none");
	ok(!history_step(&history, -1) && !history_step(&history, 1), "nor a step");
	ok(!history_go(&history, 0), "nor a time to go to");
	history_fini(&history);
}

static void test_limit(void)
{
	history_init(&history, 5 * EACH, 0);
	for (int i = 0; i < 8; i++)
		add(i, false);
	is_str(seconds(), "3 4 5 6 [7]", "the oldest go");
	history_step(&history, -3);
	is_str(seconds(), "3 [4] 5 6 7", "three back");
	add(8, true);
	is_str(seconds(), "3 [4] 5 6 8", "of what comes now the newest is held");
	for (int i = 9; i < 100; i++)
		add(i, true);
	is_str(seconds(), "3 [4] 5 6 99", "and what is around the shown one, for ever");
	history_step(&history, 3);
	is_str(seconds(), "3 4 5 6 [99]", "steps are among those");
	history_step(&history, -1);
	add(100, true);
	is_str(seconds(), "4 5 [6] 99 100", "the furthest goes, at either end");
	add(101, false);
	is_str(seconds(), "5 6 99 100 [101]", "one that is gone to");
	history_fini(&history);
}

static void test_tight(void)
{
	history_init(&history, 1, 0);
	for (int i = 0; i < 3; i++)
		add(i, i > 0);
	is_str(seconds(), "[0] 2", "without room the shown one and the newest stay");
	add(3, false);
	is_str(seconds(), "[3]", "that is one, when they are the same");
	history_fini(&history);

	history_init(&history, 1, EACH);
	for (int i = 0; i < 5; i++) {
		struct snapshot *snap = made(i);

		snap->ncpus = 3;
		history_add(&history, snap, false);
		snapshot_release(snap);
	}
	is_str(seconds(), "2 3 [4]", "each CPU allows for more");
	history_fini(&history);
}

static void test_moves(void)
{
	history_init(&history, 100 * EACH, 0);
	for (int i = 10; i < 15; i++)
		add(i, false);
	ok(history_step(&history, -100) == history_oldest(&history),
	   "no step is before the oldest");
	ok(history_step(&history, 100) == history_newest(&history), "nor after the newest");
	ok(history_step(&history, 0) == history_newest(&history), "a step of 0 stays");
	is_int((long)history_go(&history, 12)->time_s, 12, "an interval has its end");
	is_int((long)history_go(&history, 12.1)->time_s, 13, "but nothing after it");
	is_int((long)history_go(&history, -INFINITY)->time_s, 10, "the start");
	is_int((long)history_go(&history, INFINITY)->time_s, 14, "the end");
	is_int((long)history_go(&history, 3)->time_s, 10, "before it is the oldest");
	history_fini(&history);
}

/* What all of it takes: each page once. */
static size_t memory(void)
{
	size_t bytes = 0;
	uint64_t next = 0;

	for (size_t i = 0; i < history.count; i++) {
		const struct snapshot *snap = history.list[i].snap;

		bytes += arena_bytes(snap->arena);
		for (size_t p = 0; p < snap->npages; p++) {
			if (snap->pages[p]->first < next)
				continue;
			bytes += page_bytes(snap->pages[p]);
			next = snap->pages[p]->first + snap->pages[p]->count;
		}
	}
	return bytes;
}

/* Each second has a new page, and the last three seconds are in a snapshot. */
static void test_pages(void)
{
	const struct snap_page *pages[3] = { NULL };
	size_t npages = 0;
	bool is_exact = true, is_bounded = true;

	srand(1);
	history_init(&history, 12 * EACH, 0);
	for (int i = 0; i < 500; i++) {
		size_t count = 1 + (size_t)rand() % 200;
		struct snap_page *page = page_new(count);
		struct snapshot *snap = made(i);
		bool stays = rand() % 4 > 0;

		if (npages == 3) {
			page_release(pages[0]);
			pages[0] = pages[1];
			pages[1] = pages[2];
			npages--;
		}
		page->first = npages ? pages[npages - 1]->first + pages[npages - 1]->count : 0;
		pages[npages++] = page;
		snapshot_add_pages(snap, pages, npages);
		history_add(&history, snap, stays);
		snapshot_release(snap);
		history_step(&history, rand() % 9 - 4);
		is_exact &= history.bytes == memory();
		is_bounded &= history.bytes <= 12 * EACH;
	}
	ok(is_exact, "pages that several snapshots have are counted once");
	ok(is_bounded, "and are within the limit");
	for (size_t i = 0; i < npages; i++)
		page_release(pages[i]);
	history_fini(&history);
}

#ifdef HAVE_LIBZSTD

#define FEW  20
#define MANY 200

/* One that becomes a tenth when it is packed; its note is in it. */
static void add_plain(int second, bool stays)
{
	struct snapshot *snap = snapshot_new(0);
	const char **notes = snap_alloc(snap, 1, sizeof(*notes));
	char text[20];

	snprintf(text, sizeof(text), "%d", second);
	snap_alloc(snap, FULL / 2, 1);
	notes[0] = snap_strdup(snap, text);
	snap->notes = notes;
	snap->nnotes = 1;
	snap->time_s = second;
	history_add(&history, snap, stays);
	snapshot_release(snap);
}

/* Whether it is of this second, and can be read. */
static bool is_of(const struct snapshot *snap, int second)
{
	return (int)snap->time_s == second && atoi(snap->notes[0]) == second;
}

static void test_packed(void)
{
	const size_t most = 8 * EACH;
	bool is_exact = true, is_bounded = true, is_read = true;

	if (sysconf(_SC_PAGESIZE) > 4096) {
		skip(1, "a small snapshot has few whole pages");
		return;
	}
	history_init(&history, most, 0);
	for (int i = 0; i < FEW; i++)
		add_plain(i, false);
	ok(history.bytes <= most, "packed: %d take less than eight", FEW);
	ok(is_of(history_step(&history, 1 - FEW), 0), "the oldest can be read");
	ok(is_of(history_step(&history, FEW - 1), FEW - 1), "and the newest");
	for (int i = FEW - 2; i >= 0; i--)
		is_read &= is_of(history_step(&history, -1), i);
	ok(is_read, "and each between");
	ok(history.bytes <= most + EACH, "those that were left are packed again");
	for (int i = FEW; i < MANY; i++) {
		add_plain(i, i % 3 > 0);
		is_bounded &= history.bytes <= most;
		if (i % 7 == 0)
			is_read &= history_step(&history, -(i % 50)) != NULL;
		is_read &= is_of(history.list[history.at].snap,
				 (int)history.list[history.at].snap->time_s);
		is_exact &= history.bytes == memory();
	}
	ok(is_read, "the one it is at can always be read");
	ok(is_exact && is_bounded, "within the limit");
	ok(history.count > FEW && history.count < MANY, "then the furthest go: %zu are left",
	   history.count);
	is_read = true;
	for (int i = (int)history.count; i-- > 0;) {
		const struct snapshot *snap = history_go(&history, history.list[i].snap->time_s);

		is_read &= is_of(snap, (int)snap->time_s);
	}
	ok(is_read, "all that are left can be read");
	history_fini(&history);
}

#else

static void test_packed(void)
{
	skip(1, "built without libzstd");
}

#endif

int main(void)
{
	plan_lazy();
	test_packed();
	test_empty();
	test_limit();
	test_tight();
	test_moves();
	test_pages();
	return done();
}
