/* SPDX-License-Identifier: MIT */
/* Which rows are shown, and in which order, when the user has not chosen one. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"
#include "ui/event-interest.h"

#include <string.h>

static const struct ui_options plain = { 0 };
static struct drive d;

/* A snapshot with an event whose rate has changed. */
static struct snapshot *with_change(size_t event, double rate)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_event *events = (struct snap_event *)snap->events;

	events[event].rate = rate;
	events[event].has_changed = true;
	return snap;
}

static void test_interest(void)
{
	drive_open(&d, &plain, 100, 24);
	drive_take(&d, fixture_snapshot());
	ok(strncmp(drive_line(&d, 4), "▸ raw_syscalls", strlen("▸ raw_syscalls")) == 0 &&
		   strncmp(drive_line(&d, 5), "  sched:sched_switch", 20) == 0,
	   "what is most work is first");
	drive_take(&d, with_change(FIXTURE_BROKEN, 5e6));
	ok(drive_is_on(&d, "irq:softirq"), "what has changed much moves to the top");
	drive_take(&d, with_change(FIXTURE_BROKEN, 2.6e6));
	ok(drive_is_on(&d, "irq:softirq"), "and stays there while it is about the same");
	drive_take(&d, fixture_snapshot());
	ok(drive_is_on(&d, "raw_syscalls"), "but not when it is over");
	drive_keys(&d, "End");
	ok(drive_is_on(&d, "syscalls:sys_enter_openat"), "what is off is last");
	drive_close(&d);
}

/* Rows are compared by the work behind them, which does not depend on the number of CPUs. */
static void test_work(void)
{
	struct snap_event clock = { .state = EVENT_STATE_ON,
				    .name = "cpu-clock",
				    .unit = "ns",
				    .rate = 2e9,
				    .most_share = 0.5,
				    .rate_before = -1 };
	struct snap_event cycles = { .state = EVENT_STATE_ON,
				     .name = "cycles",
				     .unit = "",
				     .rate = 3e9,
				     .rate_before = -1 };
	struct snap_event faults = { .state = EVENT_STATE_ON,
				     .name = "minor-faults",
				     .unit = "",
				     .rate = 100e3,
				     .rate_before = -1 };
	double of_two = event_interest(&clock);

	clock.rate = 64e9;
	clock.most_share = 1.0 / 64;
	ok(event_interest(&clock) > of_two * 0.99 && event_interest(&clock) < of_two * 1.01,
	   "a task that is busy all the time counts alike on 2 CPUs and on 64");
	ok(event_interest(&cycles) > of_two / 2 && event_interest(&cycles) < of_two * 2,
	   "and alike in cycles and in cpu-clock");
	ok(event_interest(&faults) > event_interest(&cycles),
	   "an event is more than the cycles that are always there");

	static const char *const names[][2] = { { "cache-misses", "cache-misses:u" },
						{ "cache-references", "cache-references:u" },
						{ "branch-misses", "branch-misses:u" } };
	struct snap_event plainly = cycles, user = cycles;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		plainly.name = names[i][0];
		user.name = names[i][1];
		ok(event_work(&user, 1000) == event_work(&plainly, 1000), "%s is as %s",
		   names[i][1], names[i][0]);
	}
}

/* The first event with so many samples a second, because of the budget's limit; `stride` for one. */
static struct snapshot *with_limit(uint64_t freq, uint64_t stride)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_event *event = (struct snap_event *)&snap->events[0];

	event->sampling = SAMPLING_FREQ;
	event->freq = freq;
	event->is_limited = true;
	event->sampled_count = stride > 0 ? event->count / stride : 0;
	event->unseen = stride > 0 ? 0 : event->count;
	return snap;
}

/* A row says that its samples are lessened, and the part below why. */
static void test_limited(void)
{
	drive_open(&d, &plain, 100, 40);
	drive_take(&d, with_limit(64, 512));
	ok(drive_shows(&d, " ↓1/512"), "fewer samples are marked");
	ok(drive_shows(&d, "64 samples a second for the budget"), "and the reason is below");
	drive_take(&d, with_limit(0, 0));
	ok(drive_shows(&d, " ↓none"), "none at all, too");
	drive_take(&d, with_limit(64, 1));
	ok(strstr(drive_line(&d, 4), "  all") != NULL && !drive_shows(&d, "↓"),
	   "not an event that is too slow for the limit");
	drive_close(&d);
}

/* A snapshot of so many events, of which the first `quiet` have not occurred in the last minute. */
static struct snapshot *with_quiet(size_t nevents, size_t quiet)
{
	struct snapshot *snap = fixture_snapshot_many(nevents, 2);
	struct snap_event *events = (struct snap_event *)snap->events;

	for (size_t i = 0; i < quiet; i++) {
		events[i].rate = events[i].rate_before = 0;
		events[i].ntrend = 0;
	}
	return snap;
}

static void test_quiet(void)
{
	drive_open(&d, &plain, 80, 24);
	drive_take(&d, with_quiet(8, 2));
	ok(drive_shows(&d, "event_0 ") && drive_shows(&d, "event_1 "), "two rows at 0 are shown");
	drive_take(&d, with_quiet(8, 3));
	ok(!drive_shows(&d, "event_2 ") && drive_shows(&d, "event_3 ") &&
		   drive_shows(&d, "(3 events at 0: a shows them)"),
	   "three are hidden, and it says how to see them");
	drive_keys(&d, "a");
	ok(drive_shows(&d, "event_2 ") && !drive_shows(&d, "events at 0"), "a shows them");
	drive_keys(&d, "End P");
	ok(strstr(d.saved, "event_2 ") != NULL, "they are saved");
	drive_keys(&d, "a");
	ok(drive_shows(&d, "(2 events at 0") && drive_is_on(&d, "group_0:event_2"),
	   "a hides them, but not that of the cursor");
	drive_keys(&d, "Home P");
	ok(strstr(d.saved, "event_0 ") != NULL && !drive_shows(&d, "event_0 "),
	   "and they are saved all the same");
	drive_keys(&d, "/ \"event_1\" Enter");
	ok(drive_shows(&d, "event_1 "), "a filter finds them");
	drive_take(&d, with_quiet(8, 8));
	drive_keys(&d, "Esc");
	ok(drive_shows(&d, "event_0 "), "all at 0 are shown");
	drive_close(&d);
}

static void test_tasks(void)
{
	drive_open(&d, &plain, 100, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3");
	ok(drive_is_on(&d, "nginx") && strncmp(drive_line(&d, 5), "  └ true ×757/s", 17) == 0,
	   "a shell's loop is below it, and both are where their sum belongs");
	ok(strncmp(drive_line(&d, 9), "  other 112 tasks", 17) == 0 &&
		   strncmp(drive_line(&d, 10), "  idle", 6) == 0 &&
		   strncmp(drive_line(&d, 11), "  unknown", 9) == 0,
	   "other tasks, idle and unknown time are at the bottom");
	drive_keys(&d, "R");
	ok(strncmp(drive_line(&d, 9), "  other 112 tasks", 17) == 0 && !drive_shows(&d, "└"),
	   "also when reversed, and then no row is below another");
	ok(drive_shows(&d, "busy now  load 813 70%  true ×757/s 61% (of 1203)  nginx"),
	   "the busiest are in one line, in every view");
	drive_close(&d);
}

/* Switch records were lost: what is counted from them is a lower bound. */
static void test_lost_switches(void)
{
	struct snapshot *snap = fixture_snapshot();

	drive_open(&d, &plain, 100, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3");
	ok(drive_shows(&d, "  7.900k") && drive_shows(&d, " 12.30k cs"), "all switches are known");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "   7.900k switches/s"), "of a task too");
	drive_keys(&d, "Esc");
	struct snap_cpu *cpu = (struct snap_cpu *)snap->cpus;
	cpu->side_lost_count = 3;
	cpu->is_switch_rate_at_least = true;
	drive_take(&d, snap);
	ok(drive_shows(&d, " ≥7.900k") && drive_shows(&d, "    ≥4.0"), "some were lost");
	ok(drive_shows(&d, "≥12.30k cs") && drive_shows(&d, " 11.89k cs"), "on that CPU");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "  ≥7.900k switches/s") && drive_shows(&d, "≥4.0 preempted/s"),
	   "of a task too");
	drive_close(&d);
}

/* Lines for half of the rows: those at the bottom do not scroll. */
static void test_bottom(void)
{
	drive_open(&d, &plain, 100, 13);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3");
	ok(drive_shows(&d, "load 813  ") && !drive_shows(&d, "0;pwn") && drive_shows(&d, "  idle"),
	   "idle is shown though not all tasks are");
	drive_keys(&d, "Down Down Down Down");
	ok(drive_is_on(&d, "\\x1b]0;pwn") && !drive_shows(&d, "nginx: ä中 1203  ") &&
		   drive_shows(&d, "  idle"),
	   "they scroll above it");
	drive_keys(&d, "End");
	ok(drive_is_on(&d, "unknown"), "the cursor goes there, too");
	drive_close(&d);
}

/* What is switched off moves down, and the cursor with it, so that the same key switches it on again. */
static void test_switched_twice(void)
{
	struct snapshot *after = fixture_snapshot();

	drive_open(&d, &plain, 100, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "f");
	int first = (int)d.toggled;

	for (size_t i = 0; i < after->nevents; i++) {
		struct snap_event *event = (struct snap_event *)&after->events[i];

		if ((int)event->id != first)
			continue;
		event->state = EVENT_STATE_OFF;
		event->rate = 0;
		event->count = 0;
	}
	drive_take(&d, after);
	d.toggled = -1;
	drive_keys(&d, "f");
	is_int(d.toggled, first, "f twice is of one event");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_interest();
	test_work();
	test_limited();
	test_quiet();
	test_tasks();
	test_lost_switches();
	test_bottom();
	test_switched_twice();
	return done();
}
