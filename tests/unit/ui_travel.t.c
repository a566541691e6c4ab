/* SPDX-License-Identifier: MIT */
/* The keys that pause a replay or freeze a run and move in it, and what the screen says of its time. */
#include "ui/drive.h"

#include <math.h>

#define SHOWN_S 1789000000.123 /* of the fixture: 2026-09-10 00:26:40 UTC */

static struct drive d;

static void begin(int columns)
{
	static const struct ui_options replay = {
		.origin = UI_REPLAY,
		.file = { "/tmp/some/perf.data", SHOWN_S - 25, SHOWN_S + 75 },
	};

	drive_open(&d, &replay, columns, 24);
	drive_take(&d, fixture_snapshot());
}

static void moved_to(double time_s, const char *what)
{
	ok(fabs(d.moved_s - time_s) < 1e-3, "%s (%.3f)", what, d.moved_s - SHOWN_S);
	d.moved_s = 0;
}

static void test_head(void)
{
	begin(140);
	ok(drive_shows(&d, "REPLAY  perf.data  2026-09-10  00:26:40   25%"),
	   "the head has file, date, time and place");
	drive_close(&d);
	begin(60);
	ok(drive_shows(&d, "REPLAY  00:26:40"), "on few columns the time");
	drive_close(&d);
}

static void test_pause(void)
{
	begin(100);
	drive_keys(&d, "Space");
	ok(d.paused == 1 && drive_shows(&d, "PAUSED"), "Space pauses the replay");
	ok(drive_take(&d, fixture_snapshot_many(3, 2)) & UI_REDRAW,
	   "what comes while it is paused is shown");
	ok(drive_shows(&d, "event_0"), "as after a move");
	drive_keys(&d, "Space");
	ok(d.paused == 0 && !drive_shows(&d, "PAUSED"), "Space again: it goes on");
	drive_close(&d);
}

static void test_steps(void)
{
	begin(100);
	drive_keys(&d, "[");
	ok(d.paused == 1 && drive_shows(&d, "MOVING"), "[ pauses and moves");
	moved_to(SHOWN_S - 1, "one interval back");
	drive_keys(&d, "[");
	moved_to(SHOWN_S - 2, "again, before that has come: two");
	drive_keys(&d, "}");
	moved_to(SHOWN_S + 8, "}: ten on from there");
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "PAUSED"), "then it is there, and paused");
	drive_keys(&d, "]");
	moved_to(SHOWN_S + 1, "] is one on from what is shown");
	drive_close(&d);
}

/* The keys with Shift do the same in every view; Left and Right where the view has nothing else for them. */
static void test_arrows(void)
{
	begin(100);
	drive_keys(&d, "Left");
	ok(d.paused == 1, "Left pauses");
	moved_to(SHOWN_S - 1, "Left: one interval back");
	drive_keys(&d, "Right Right");
	moved_to(SHOWN_S + 1, "Right, Right: two on");
	drive_keys(&d, "S-PgUp");
	moved_to(SHOWN_S - 9, "S-PgUp: ten back");
	drive_keys(&d, "S-PgDn S-Right S-Left");
	moved_to(SHOWN_S + 1, "S-PgDn: ten on; S-Right and S-Left one");
	drive_keys(&d, "S-End");
	ok(d.moved_s == INFINITY, "S-End: the end");
	drive_keys(&d, "S-Home");
	ok(d.moved_s == -INFINITY, "S-Home: the start");
	drive_close(&d);
	begin(100);
	drive_keys(&d, "3 T Left Right Right");
	ok(d.moved_s == 0 && d.paused == -1, "in a tree Left and Right open and close");
	drive_keys(&d, "T r Right Left Left");
	ok(d.moved_s == 0 && d.paused == -1, "with rates they choose which are shown");
	drive_keys(&d, "S-Left");
	moved_to(SHOWN_S - 1, "S-Left: one interval back");
	drive_close(&d);
}

static void test_go_to(void)
{
	begin(100);
	drive_keys(&d, "g \"50%\" Enter");
	moved_to(SHOWN_S + 25, "g 50%: the middle of the file");
	ok(d.paused == -1, "g does not pause");
	drive_keys(&d, "g \"00:30\" Enter");
	moved_to(SHOWN_S - 40.123 + 240, "g 00:30: that time");
	drive_keys(&d, "g \"end\" Enter");
	ok(d.moved_s == INFINITY, "g end");
	drive_keys(&d, "g \"00:30\" Enter");
	moved_to(SHOWN_S - 40.123 + 240, "before that has come: a time of the shown day");
	drive_keys(&d, "g \"soon\" Enter");
	ok(d.moved_s == 0 && drive_shows(&d, "go to: soon") && drive_shows(&d, "12:34:56"),
	   "what is no time stays, with what would be one");
	drive_keys(&d, "Esc");
	ok(!drive_shows(&d, "go to: "), "Esc drops it");
	drive_close(&d);
}

/* Records are kept only once the stream is shown: a paused replay has none, unless read again. */
static void test_stream(void)
{
	begin(100);
	drive_keys(&d, "Space 7");
	ok(d.streamed == 1, "paused, the stream is shown");
	moved_to(SHOWN_S, "its interval is read again, with records");
	drive_keys(&d, "1 7");
	ok(d.moved_s == 0, "once");
	drive_close(&d);
}

/* --- snapshots that are held ------------------------------------------------------------------ */

/* Of second `at` after SHOWN_S, with an event more each second. */
static void take_second(int at)
{
	struct snapshot *snap = fixture_snapshot_many(3 + (size_t)at, 2);

	snap->time_s = SHOWN_S + at;
	drive_take(&d, snap);
}

static void begin_live(enum ui_origin origin, int seconds)
{
	const struct ui_options options = { .origin = origin };

	drive_open(&d, &options, 100, 24);
	for (int at = 0; at < seconds; at++)
		take_second(at);
}

static void test_held(void)
{
	begin_live(UI_LIVE, 12);
	ok(!drive_shows(&d, "00:26:51") && !drive_shows(&d, "step"), "live there is no clock");
	drive_keys(&d, "[");
	ok(drive_shows(&d, "FROZEN  00:26:50"), "[ freezes, one interval back");
	ok(drive_shows(&d, "event_12") && !drive_shows(&d, "event_13"), "with what was shown then");
	ok(drive_shows(&d, "[ ] step"), "and the keys that go on");
	take_second(12);
	ok(drive_shows(&d, "FROZEN  00:26:50"), "what comes is not shown");
	drive_keys(&d, "{");
	ok(drive_shows(&d, "FROZEN  00:26:40"), "{: ten back");
	drive_keys(&d, "[");
	ok(drive_shows(&d, "FROZEN  00:26:40") && drive_shows(&d, "nothing earlier"),
	   "[ at the oldest says so");
	drive_keys(&d, "} ] ]");
	ok(drive_shows(&d, "FROZEN  00:26:52"), "}, ], ]: to the one that came since");
	drive_keys(&d, "]");
	ok(drive_shows(&d, "the newest; Space goes on"), "] at the newest says so");
	drive_keys(&d, "[ Space");
	ok(!drive_shows(&d, "FROZEN") && drive_shows(&d, "event_14"), "Space: the newest, live");
	take_second(13);
	ok(drive_shows(&d, "event_15"), "and what comes is shown");
	drive_keys(&d, "Left");
	ok(!drive_shows(&d, "FROZEN"), "Left does not freeze");
	drive_keys(&d, "Space Left");
	ok(drive_shows(&d, "FROZEN  00:26:52"), "frozen, Left is one interval back");
	drive_keys(&d, "Right");
	ok(drive_shows(&d, "FROZEN  00:26:53"), "Right one on");
	drive_keys(&d, "Space S-Home");
	ok(drive_shows(&d, "FROZEN  00:26:40"), "S-Home freezes: the oldest");
	drive_keys(&d, "S-End");
	ok(drive_shows(&d, "FROZEN  00:26:53"), "S-End: the newest");
	drive_close(&d);
}

static void test_held_go_to(void)
{
	begin_live(UI_LIVE, 12);
	drive_keys(&d, "g \"-5\" Enter");
	ok(drive_shows(&d, "FROZEN  00:26:46"), "g -5: five seconds ago");
	drive_keys(&d, "g \"00:26:43\" Enter");
	ok(drive_shows(&d, "FROZEN  00:26:43"), "g 00:26:43: the interval that has it");
	drive_keys(&d, "g \"00:26:42.5\" Enter");
	ok(drive_shows(&d, "FROZEN  00:26:43") && !drive_shows(&d, "nothing earlier"),
	   "g 00:26:42.5: that one, too; it is not the oldest");
	drive_keys(&d, "g \"start\" Enter");
	ok(drive_shows(&d, "FROZEN  00:26:40"), "g start: the oldest");
	drive_keys(&d, "g \"00:20\" Enter");
	ok(drive_shows(&d, "nothing earlier"), "g 00:20: nothing is held of then");
	drive_keys(&d, "g \"50%\" Enter");
	ok(drive_shows(&d, "FROZEN  00:26:46"), "g 50%%: the middle of what is held");
	drive_keys(&d, "g \"+1m\" Enter");
	ok(drive_shows(&d, "FROZEN  00:26:51") && drive_shows(&d, "the newest"),
	   "g +1m: the newest, which is not so late");
	drive_close(&d);
}

/* A longer interval, requested while an old snapshot is shown, is of the newest. */
static void test_held_interval(void)
{
	begin_live(UI_LIVE, 1);
	struct snapshot *snap = fixture_snapshot_many(3, 2);
	snap->target_s = 5;
	drive_take(&d, snap);
	drive_keys(&d, "[");
	ok(fabs(ui_interval(d.ui) - 5) < 1e-9, "the interval is that of the newest");
	drive_close(&d);
}

static void test_pipe(void)
{
	begin_live(UI_REPLAY, 3);
	drive_keys(&d, "Space");
	ok(drive_shows(&d, "REPLAY  FROZEN"), "Space freezes a pipe");
	drive_keys(&d, "[");
	ok(drive_shows(&d, "00:26:41"), "what it had is held");
	drive_close(&d);
	begin_live(UI_SAVED, 1);
	drive_keys(&d, "[ ]");
	ok(drive_shows(&d, "this is the newest") && !drive_shows(&d, "FROZEN"),
	   "a reopened snapshot is the only one");
	drive_close(&d);
}

/* Before the first snapshot there is no time to step from. */
static void test_early(void)
{
	static const struct ui_options replay = { .origin = UI_REPLAY, .file = { "f", 0, 0 } };

	drive_open(&d, &replay, 100, 24);
	drive_keys(&d, "[ ] g Space");
	ok(d.moved_s == 0, "before the first snapshot nothing moves");
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "REPLAY  PAUSED  00:26:40"), "and a pause begins with the first");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	setenv("TZ", "UTC0", 1);
	test_head();
	test_pause();
	test_steps();
	test_arrows();
	test_go_to();
	test_stream();
	test_held();
	test_held_go_to();
	test_held_interval();
	test_pipe();
	test_early();
	return done();
}
