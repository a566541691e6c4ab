/* SPDX-License-Identifier: MIT */
/* Symbols: those of the kernel, or user code, are hidden by keys and from the start. */
#include "ui/drive.h"

#include <stdio.h>

static struct drive d;

static void begin(bool no_kernel, bool no_user, int width, int height)
{
	struct ui_options options = { .view = "symbols",
				      .no_kernel = no_kernel,
				      .no_user = no_user };

	drive_open(&d, &options, width, height);
	drive_take(&d, fixture_snapshot());
}

static bool shows(bool kernel, bool user)
{
	return drive_shows(&d, "do_syscall_64") == kernel &&
	       drive_shows(&d, "ext4_file") == kernel && drive_shows(&d, "0x7f00") == user;
}

static void test_keys(void)
{
	begin(false, false, 100, 20);
	ok(shows(true, true), "at first all are shown");
	drive_keys(&d, "K");
	ok(shows(false, true), "K hides the kernel's");
	ok(drive_shows(&d, "kernel hidden (K"), "and this is said, with the key that shows it");
	ok(drive_shows(&d, "50.0%"), "shares stay shares of all samples");
	drive_keys(&d, "U");
	ok(shows(true, false) && drive_shows(&d, "user code hidden (U"),
	   "U hides user code instead: something is left");
	drive_keys(&d, "Tab S-Tab");
	ok(shows(true, false), "another view and back: it is still hidden");
	drive_keys(&d, "/ \"0x7f\" Enter");
	ok(drive_shows(&d, "no row matches"), "a filter does not find what is hidden");
	drive_keys(&d, "Esc U");
	ok(shows(true, true) && !drive_shows(&d, "hidden"), "U again shows it");
	drive_close(&d);
}

/* The cursor is on the symbol it was on, as long as that is shown. */
static void test_cursor(void)
{
	begin(false, false, 100, 20);
	drive_keys(&d, "End");
	ok(drive_is_on(&d, "ext4_file"), "the last one");
	drive_keys(&d, "U");
	ok(drive_is_on(&d, "ext4_file"), "is still selected when others are hidden");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "vfs_read"), "and Enter shows its callers");
	drive_keys(&d, "Esc K");
	ok(drive_is_on(&d, "0x7f00"), "when it is hidden the cursor is on one that is shown");
	drive_close(&d);
}

static void test_options(void)
{
	begin(true, false, 100, 20);
	ok(shows(false, true), "hidden from the start");
	drive_keys(&d, "K");
	ok(shows(true, true), "and shown by the key");
	drive_close(&d);
}

/* Whether the kernel's symbols of sched_switch are in its detail. */
static bool detail_shows(void)
{
	return drive_shows(&d, "schedule_idle");
}

static void test_detail(void)
{
	begin(true, false, 120, 50);
	drive_keys(&d, "1 / \"sched_switch\" Enter Enter");
	ok(drive_shows(&d, "Events › sched:sched_switch") && !detail_shows(),
	   "an event's detail hides what the option does");
	ok(drive_shows(&d, "SYMBOL  kernel"), "and says so");
	drive_keys(&d, "K");
	ok(detail_shows() && !drive_shows(&d, "hidden"), "K there shows it");
	drive_keys(&d, "5");
	ok(shows(true, true), "also in Symbols");
	drive_keys(&d, "K 1");
	ok(drive_shows(&d, "SYMBOL  kernel") && !detail_shows(),
	   "and hides it there also below Events");
	drive_keys(&d, "Enter U");
	ok(detail_shows(), "U there shows the kernel and hides user code");
	drive_keys(&d, "5");
	ok(shows(true, false), "also in Symbols");
	drive_close(&d);
}

static void set_symbols(struct snapshot *snap, const struct snap_symbol *symbols, size_t count)
{
	struct snap_event *event = (struct snap_event *)&snap->events[FIXTURE_FREQ];

	event->symbols = symbols;
	event->nsymbols = count;
}

/* All that there are belong to what is hidden; and none at all. */
static void test_none(void)
{
	struct snapshot *snap = fixture_snapshot();

	begin(false, true, 100, 20);
	set_symbols(snap, &snap->symbols[2], 1);
	drive_take(&d, snap);
	ok(shows(false, false) && !drive_shows(&d, "no sample yet"),
	   "there are samples, but hidden");
	snap = fixture_snapshot();
	set_symbols(snap, NULL, 0);
	drive_take(&d, snap);
	ok(drive_shows(&d, "no sample yet"), "and without samples this is said");
	drive_close(&d);
}

static bool is_of(const char *event)
{
	char words[64];

	snprintf(words, sizeof(words), "samples of %s ", event);
	return drive_shows(&d, words);
}

/* Left and Right go through the events that have symbols, also from one snapshot to the next. */
static void test_events(void)
{
	struct snapshot *snap = fixture_snapshot();

	begin(false, false, 100, 20);
	ok(is_of("cpu-clock") && drive_shows(&d, "(Left: another event)"),
	   "at first they are those of the symbol event");
	drive_keys(&d, "Right");
	ok(is_of("cpu-clock"), "which is the last one");
	drive_keys(&d, "Left");
	ok(is_of("sched:sched_switch") && drive_shows(&d, "(Right: another event)") &&
		   drive_shows(&d, "__schedule") && shows(false, false),
	   "Left goes to one before it that has symbols");
	drive_take(&d, fixture_snapshot());
	ok(is_of("sched:sched_switch"), "where it stays");
	drive_keys(&d, "Home Enter");
	ok(drive_shows(&d, "90.0% of those of sched:sched_switch") &&
		   drive_shows(&d, "worker_thread"),
	   "Enter shows callers of that event's samples");
	drive_keys(&d, "Esc");
	((struct snap_event *)snap->events)[FIXTURE_LOST].name = "gone";
	drive_take(&d, snap);
	ok(is_of("cpu-clock"), "when it is gone they are the symbol event's again");
	drive_take(&d, fixture_snapshot());
	ok(is_of("sched:sched_switch"), "until it is there again");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_keys();
	test_cursor();
	test_options();
	test_detail();
	test_none();
	test_events();
	return done();
}
