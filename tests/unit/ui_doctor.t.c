/* SPDX-License-Identifier: MIT */
/* The doctor's view: what does not work first, the whole finding and its fix for the selected check. */
#include "ui/drive.h"

#define LONG_WHAT                                                                        \
	"cycles: ENOENT: this machine shows no hardware PMU (a virtual machine without " \
	"one?), or its PMU lacks the event"

static const struct machine_check all[] = {
	{ "kernel", true, "Linux 6.18 has perf_event_open", NULL },
	{ "tracefs", false, "EACCES: only root may read it", "sudo perftop-ng" },
	{ "hardware", false, LONG_WHAT, NULL },
	{ "pmus", true, "msr \x1b[2Jsoftware", NULL },
};

static const struct machine_checks checks = { all, sizeof(all) / sizeof(all[0]) };

static struct drive d;

static void begin(int columns, int lines)
{
	static const struct ui_options plain = { 0 };

	drive_open(&d, &plain, columns, lines);
	d.checks = &checks;
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "D");
}

static void test_rows(void)
{
	begin(80, 24);
	ok(drive_shows(&d, "Events › Doctor"), "D shows it over the view");
	ok(drive_is_on(&d, "tracefs "), "what does not work is first");
	ok(drive_shows(&d, "$ sudo perftop-ng"), "with its fix below");
	drive_keys(&d, "Down");
	ok(drive_is_on(&d, "hardware "), "in the order of the checks");
	ok(drive_shows(&d, "its PMU lacks the event"), "all that was found is below");
	ok(!drive_shows(&d, "$ "), "without a fix there is none");
	drive_keys(&d, "Down Down");
	ok(drive_is_on(&d, "pmus ") && !strchr(drive_screen(&d), '\x1b'),
	   "control characters are not sent to the terminal");
	drive_keys(&d, "/ \"state=no\" Enter Home");
	ok(!drive_shows(&d, "Linux 6.18") && drive_shows(&d, "hardware"), "a filter on a column");
	drive_close(&d);
}

static void test_sizes(void)
{
	begin(140, 30);
	ok(strstr(drive_selected(&d), "sudo perftop-ng"), "a wide screen has a column of fixes");
	drive_close(&d);
	begin(40, 10);
	ok(drive_is_on(&d, "tracefs "), "a small one has the checks");
	ok(strstr(drive_selected(&d), "EACCES: only"), "and what was found");
	drive_keys(&d, "P");
	ok(d.saved && strstr(d.saved, "kernel") && strstr(d.saved, "sudo perftop-ng"),
	   "saved, it has all rows, and the fixes");
	drive_close(&d);
}

static void test_leaving(void)
{
	begin(80, 24);
	drive_keys(&d, "D");
	ok(drive_shows(&d, "1 Events"), "D again leaves it");
	drive_keys(&d, "D Esc");
	ok(drive_shows(&d, "1 Events"), "and so does Esc");
	is_int(d.checked, 2, "each time it is looked again");

	drive_keys(&d, "D ? D");
	ok(drive_shows(&d, "Events › Doctor") && !drive_shows(&d, "Help"),
	   "from the help over it, D goes back to it");
	is_int(d.checked, 3, "there is never a second one, whose checks would be freed");
	drive_take(&d, fixture_snapshot());
	ok(drive_is_on(&d, "tracefs "), "a new snapshot leaves it as it is");
	drive_close(&d);
}

static void test_recorded(void)
{
	static const struct ui_options plain = { 0 };

	drive_open(&d, &plain, 80, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "D");
	ok(drive_shows(&d, "only while it is watched"), "of a file there is no doctor");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_rows();
	test_sizes();
	test_leaving();
	test_recorded();
	return done();
}
