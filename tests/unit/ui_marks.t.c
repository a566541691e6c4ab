/* SPDX-License-Identifier: MIT */
/* Marked rows, and the line with their sum. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <string.h>

/* A screen of so many lines has the sum; a lower one only rows. */
#define SUM_LEAST 7

static const struct ui_options plain = { 0 };
static struct drive d;

static void open_view(const char *keys, int columns, int lines)
{
	drive_open(&d, &plain, columns, lines);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, keys);
}

/* The line with `words`; "" for none. */
static const char *line_with(const char *words)
{
	for (int y = 0; y < d.canvas.lines; y++) {
		if (strstr(drive_line(&d, y), words) != NULL)
			return drive_line(&d, y);
	}
	return "";
}

static bool line_has(const char *words, const char *also)
{
	return strstr(line_with(words), also) != NULL;
}

static void test_tasks(void)
{
	open_view("3", 150, 30);
	ok(!drive_shows(&d, "marked"), "none at first");
	drive_keys(&d, "m");
	ok(drive_is_on(&d, "└ true"), "m marks the row, and goes on to the next");
	ok(line_has("nginx: ä中 1203", " •nginx"), "the row shows it");
	ok(line_has("1 marked", "11.0%"), "the sum of one is what it has");
	drive_keys(&d, "m m");
	ok(line_has("3 marked", "144%") && line_has("3 marked", "16.77k") &&
		   line_has("3 marked", "  348  "),
	   "of three: 11 + 60 + 73 %%, 7,900 + 757 + 8,110 switches, 4 + 40 + 304 preempted");
	ok(line_has("3 marked", "raw_syscalls:sys_e… "), "what they do most");
	drive_keys(&d, "Up m");
	ok(line_has("2 marked", "71.0%") && !drive_shows(&d, "•load"), "m again unmarks it");
	drive_keys(&d, "r");
	ok(line_has("2 marked", "7.900k") && line_has("2 marked", "363"),
	   "events in columns are added up, too");
	drive_keys(&d, "End m");
	ok(line_has("3 marked", "90.6%") && !drive_shows(&d, "•other"),
	   "so is time that is unknown, which is not the rest's");
	drive_close(&d);
}

static void test_rows_that_go(void)
{
	struct snapshot *snap = fixture_snapshot();

	open_view("3 m m m", 150, 30);
	drive_keys(&d, "/ \"nginx\" Enter");
	ok(!drive_shows(&d, "load 813  ") && line_has("3 marked", "144%"),
	   "rows that a filter hides are in the sum");
	drive_keys(&d, "Esc");
	ok(line_has("3 marked", "144%"), "Esc drops the filter first");
	((struct snap_task *)snap->tasks)[0].tid = 999;
	drive_take(&d, snap);
	ok(line_has("2 of 3 marked", "71.0%"), "a row that has gone is not");
	drive_take(&d, fixture_snapshot());
	ok(line_has("3 marked", "144%"), "until it comes again");
	drive_keys(&d, "H");
	ok(line_has("of 3 marked", "60.0%"), "in processes, those rows that are the same");
	drive_keys(&d, "H Esc");
	ok(!drive_shows(&d, "marked") && !drive_shows(&d, "•"), "then Esc the marks");
	drive_close(&d);
}

static void test_back(void)
{
	open_view("m m Enter", 100, 24);
	ok(drive_shows(&d, "Events › ") && !drive_shows(&d, "marked"),
	   "a view has marks of its own");
	drive_keys(&d, "Esc");
	ok(line_has("2 marked", "1.227M"), "those of the other stay");
	drive_close(&d);
}

static void test_switches(void)
{
	open_view("2 m m", 160, 40);
	ok(line_has("2 marked", "16.01k") && line_has("2 marked", "308"), "switches are added up");
	ok(line_has("2 marked", "1.7ms") && !line_has("2 marked", "35us"),
	   "of times of both only the longest is known");
	ok(line_has("2 marked", "41us"), "times that only one has are known");
	drive_keys(&d, "m");
	ok(line_has("3 marked", "16.77k"), "also after one more");
	drive_close(&d);
}

static void test_events(void)
{
	open_view("m m", 150, 30);
	ok(line_has("2 marked", "1.227M") && line_has("2 marked", "82.18M"),
	   "rates and totals are added up");
	ok(line_has("2 marked", "1.0  ▇▇      0      all   82.18M       4   ▆"),
	   "what was lost, each CPU, how much was seen, the last minute");
	drive_keys(&d, "m");
	ok(line_has("3 marked", "!82.19M") && line_has("3 marked", "≥4"),
	   "the sum is as doubtful as its parts");
	drive_keys(&d, "Down m");
	ok(line_has("4 marked", "units differ"), "clocks and counts have no sum");
	drive_keys(&d, "Home m m m");
	ok(line_has("1 marked", "≥1.99s"), "a clock alone has");
	drive_keys(&d, "Down Down m");
	ok(line_has("2 marked", "≥1.99s"), "with one that failed, that of the clock");
	drive_keys(&d, "Up Up m");
	ok(line_has("1 marked", "none of them is on"), "one that failed has none");
	drive_close(&d);
}

static void test_symbols(void)
{
	open_view("5 m m", 100, 24);
	ok(line_has("2 marked", "62.0%"), "shares of symbols");
	drive_keys(&d, "K");
	ok(line_has("2 marked", "62.0%") && !drive_shows(&d, "do_syscall_64"),
	   "also of those that are hidden");
	drive_close(&d);
}

static void test_cpus(void)
{
	open_view("4 m", 120, 24);
	ok(line_has("1 marked", "only events add up"), "CPUs: their own figures have no sum");
	drive_keys(&d, "Esc Down Down m m");
	ok(line_has("2 marked", "1.227M") && line_has("2 marked", "613.4k"),
	   "events do, of all CPUs and of each");
	drive_keys(&d, "Home Down m");
	ok(line_has("3 marked", "only events add up"), "not together with those of CPUs");
	drive_close(&d);
}

/* What was held back and lost, of one event and of several. */
static void test_throttling(void)
{
	open_view("6 Down Down m m", 120, 30);
	ok(line_has("2 marked", "     4  55,234 = 55,230 + 4"),
	   "of one event the books are added up");
	drive_keys(&d, "Home m");
	ok(line_has("3 marked", "now    6.7%   310ms      4       4") &&
		   !line_has("3 marked", " = "),
	   "of several not: they have no unit in common");
	drive_close(&d);
}

static void test_event(void)
{
	open_view("Down Enter m m", 80, 40);
	ok(line_has("2 marked", "16.01k") && line_has("2 marked", "53.99k"), "tasks of an event");
	drive_keys(&d, "Right m m");
	ok(line_has("2 m…   24.19k", "55.23k"), "and its CPUs");
	drive_keys(&d, "Right m m");
	ok(drive_shows(&d, "100.0%"), "and its symbols");
	drive_keys(&d, "Esc");
	ok(!drive_shows(&d, "100.0%") && drive_shows(&d, "Events ›"),
	   "Esc drops the symbols' marks");
	drive_keys(&d, "Left Esc Left Esc");
	ok(!drive_shows(&d, "2 m") && drive_shows(&d, "Events ›"), "and the others'");
	drive_keys(&d, "Esc");
	ok(!drive_shows(&d, "Events ›"), "and then closes the detail");
	drive_close(&d);
}

static void test_other_views(void)
{
	open_view("7 m", 100, 30);
	ok(drive_shows(&d, "cannot be marked"), "rows of other views cannot be marked");
	drive_close(&d);
}

static void test_sizes(void)
{
	for (int lines = 2; lines <= 14; lines++) {
		open_view("m m", 60, lines);
		ok(drive_is_on(&d, "irq:softirq_entry"), "%d lines: the cursor's row", lines);
		is_int(drive_shows(&d, "2 marked"), lines >= SUM_LEAST, "%d lines: the sum", lines);
		drive_close(&d);
	}
	open_view("m m", 12, 24);
	ok(line_has("2 ma…", "1.227M"), "a narrow one");
	drive_close(&d);
}

static void test_saved(void)
{
	open_view("3 m m P", 100, 10);
	ok(d.saved && strstr(d.saved, "2 marked") != NULL && strstr(d.saved, "•nginx") != NULL,
	   "a saved view has marks and sum");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_tasks();
	test_rows_that_go();
	test_back();
	test_switches();
	test_events();
	test_symbols();
	test_cpus();
	test_throttling();
	test_event();
	test_other_views();
	test_sizes();
	test_saved();
	return done();
}
