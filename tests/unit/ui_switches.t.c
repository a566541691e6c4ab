/* SPDX-License-Identifier: MIT */
/* The view of switches: its rows, filters, and the lines around them. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <string.h>

static const struct ui_options plain = { 0 };
static struct drive d;

static void open_view(int columns, int lines)
{
	drive_open(&d, &plain, columns, lines);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "2");
}

static void test_rows(void)
{
	open_view(160, 40);
	ok(drive_is_on(&d, "load 813"), "most switches first");
	ok(drive_shows(&d, "PREEMPTED BY") && drive_shows(&d, "WAITMAX"), "all columns");
	drive_keys(&d, "/ \"wait99>40us\" Enter");
	ok(drive_is_on(&d, "load 813") && !drive_shows(&d, "nginx: ä中 1203    "),
	   "times are compared in their units");
	drive_keys(&d, "Esc Down Enter");
	ok(drive_shows(&d, "Switches › nginx"), "Enter goes into the task");
	drive_keys(&d, "Esc");
	ok(drive_shows(&d, "PREEMPTED BY"), "and Esc back");
	drive_close(&d);
}

static void test_selected(void)
{
	open_view(100, 24);
	ok(drive_shows(&d, "wait  0ns"), "the histograms of the selected task");
	drive_keys(&d, "Down");
	ok(drive_shows(&d, "wait  –") && !drive_shows(&d, "wait  0ns"), "change with it");
	drive_close(&d);
}

/* The letter of a row of the timeline, so many cells before its end. */
static char letter(int line, int back)
{
	const char *text = drive_line(&d, line);
	size_t length = strlen(text);

	while (length > 0 && text[length - 1] == ' ')
		length--;
	return (size_t)back <= length ? text[length - (size_t)back] : '\0';
}

static void test_timeline(void)
{
	open_view(80, 30);
	int line = 1;

	while (line < 30 && strncmp(drive_line(&d, line), "  cpu0   ", 9) != 0)
		line++;
	ok(line < 30 && strncmp(drive_line(&d, line + 1), "  cpu2   ", 9) == 0, "a row per CPU");
	ok(letter(line, 1) == 'l' && letter(line + 1, 1) == 'n', "a letter for each task");
	ok(drive_shows(&d, "l load 813") && drive_shows(&d, "o load 814"),
	   "different ones, also of the same name");
	ok(drive_shows(&d, "a cell is 10ms"), "and what a cell is");
	drive_close(&d);

	open_view(80, 12);
	ok(!drive_shows(&d, "a cell is"), "without room there is none");
	drive_close(&d);
}

static void test_unknown(void)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_cpu *cpus = (struct snap_cpu *)snap->cpus;

	snap->has_wakeups = false;
	cpus[0].slots = NULL;
	drive_open(&d, &plain, 80, 30);
	drive_take(&d, snap);
	drive_keys(&d, "2");
	ok(drive_shows(&d, "sched:sched_wakeup is not sampled"),
	   "waits after wakeups are not known");
	ok(drive_shows(&d, "cpu2   "), "one CPU without a timeline");
	drive_close(&d);

	snap = fixture_snapshot();
	snap->has_switches = false;
	snap->nrunners = 0;
	drive_open(&d, &plain, 80, 30);
	drive_take(&d, snap);
	drive_keys(&d, "2");
	ok(drive_shows(&d, "switch records are not collected"), "without switch records");
	ok(!drive_shows(&d, "load 813  "), "there are no rows");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_rows();
	test_selected();
	test_timeline();
	test_unknown();
	return done();
}
