/* SPDX-License-Identifier: MIT */
/* The view Throttling: what all this costs, and what the governor limits. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

static const struct ui_options plain = { 0 };
static struct drive d;

static void open_view(double counting, double limit)
{
	struct snapshot *snap = fixture_snapshot();

	snap->self.counting = counting;
	snap->self.sample_limit = limit;
	drive_open(&d, &plain, 140, 30);
	drive_take(&d, snap);
}

static void test_cost(void)
{
	open_view(0.1006, RATE_UNKNOWN);
	ok(!drive_shows(&d, "samples/s"), "without a limit the head line has none");
	drive_keys(&d, "6");
	ok(drive_shows(&d, "cost ~11.5%") && drive_shows(&d, "budget 2%"),
	   "the sum and the budget");
	ok(drive_shows(&d, "own 1.2%") && drive_shows(&d, "counting 10.1%") &&
		   drive_shows(&d, "switches 0.1%") && drive_shows(&d, "samples 0.1%"),
	   "its parts");
	ok(!drive_shows(&d, "at most"), "there is no limit");
	drive_close(&d);
}

static void test_limit(void)
{
	open_view(0.1, 256);
	ok(drive_shows(&d, "256 samples/s"), "a limit is in the head line of every view");
	drive_keys(&d, "6");
	ok(drive_shows(&d, "at most 256 samples/s"), "and here");
	drive_close(&d);
	open_view(0.1, 0);
	drive_keys(&d, "6");
	ok(drive_shows(&d, "no samples"), "down to none");
	drive_close(&d);
}

static void test_file(void)
{
	open_view(RATE_UNKNOWN, RATE_UNKNOWN);
	drive_keys(&d, "6");
	ok(!drive_shows(&d, "cost") && drive_shows(&d, "corrupt rings"), "a file has no costs");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_cost();
	test_limit();
	test_file();
	return done();
}
