/* SPDX-License-Identifier: MIT */
/*
 * On a high screen the selected row's detail is below the rows.
 */
#include "ui/drive.h"

#include <stdio.h>
#include <string.h>

static struct drive d;
static const struct ui_options plain = { 0 };

/* The line that is `words` and nothing more; 0: there is none. */
static int line_of(const char *words)
{
	for (int y = 0; y < d.canvas.lines; y++) {
		if (strcmp(drive_line(&d, y), words) == 0)
			return y;
	}
	return 0;
}

static void open_at(int columns, int lines)
{
	drive_open(&d, &plain, columns, lines);
	drive_take(&d, fixture_snapshot());
}

static void test_follows(void)
{
	open_at(120, 40);
	ok(line_of("raw_syscalls:sys_enter") > 15, "the first event's detail is in the lower half");
	drive_keys(&d, "Down");
	ok(line_of("sched:sched_switch") > 15 && !line_of("raw_syscalls:sys_enter"),
	   "it follows the cursor");
	ok(drive_shows(&d, "55,234 = 55,230 sampled + 4 lost"), "it is the whole detail");
	ok(strstr(strstr(drive_screen(&d), "▸") + 1, "▸") == NULL, "and no other cursor");
	drive_keys(&d, "3");
	ok(line_of("nginx: ä中 1203") > 15, "of tasks, too");
	drive_keys(&d, "End");
	ok(!line_of("nginx: ä中 1203") && drive_is_on(&d, "unknown"),
	   "a row without detail has none");
	drive_keys(&d, "Up Up Up");
	drive_keys(&d, "/ \"load\"");
	ok(line_of("load 813") > 15, "a filter's rows have theirs");
	drive_close(&d);
}

static void test_live(void)
{
	struct snapshot *snap = fixture_snapshot();

	open_at(120, 40);
	drive_keys(&d, "Down");
	((struct snap_event *)snap->events)[FIXTURE_LOST].sampled -= 30;
	((struct snap_event *)snap->events)[FIXTURE_LOST].lost += 30;
	drive_take(&d, snap);
	ok(drive_shows(&d, "55,200 sampled + 34 lost"), "it is as new as the rows");
	drive_keys(&d, "P");
	ok(d.saved && !strstr(d.saved, "34 lost"), "a saved view is the rows alone");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "Events › sched:sched_switch") &&
		   drive_shows(&d, "55,200 sampled + 34 lost"),
	   "Enter makes it the whole screen");
	drive_keys(&d, "Esc");
	ok(line_of("sched:sched_switch") > 15, "Esc puts it back below");
	drive_take(&d, fixture_snapshot_many(2, 2));
	ok(!drive_shows(&d, "not watched any more"), "rows that went away take it along");
	drive_close(&d);
}

static void test_room(void)
{
	open_at(80, 24);
	ok(!line_of("raw_syscalls:sys_enter"), "not on 24 lines");
	drive_close(&d);
	open_at(120, 40);
	drive_take(&d, fixture_snapshot_many(40, 2));
	ok(drive_shows(&d, "1-") && !drive_shows(&d, "total  "), "not where rows need the lines");
	drive_close(&d);
}

/* An event's detail, and below it that of its task: not while the keys move its CPUs. */
static void test_place(void)
{
	char before[256];

	open_at(120, 64);
	drive_keys(&d, "Down Enter");
	int samples = line_of("NEWEST SAMPLE");
	snprintf(before, sizeof(before), "%s", drive_line(&d, samples + 1));
	ok(line_of("load 813") > samples, "a detail has one, too");
	drive_keys(&d, "Right");
	ok(!line_of("load 813") && line_of("NEWEST SAMPLE") == samples,
	   "what is above stays where it is when there is none");
	is_str(drive_line(&d, samples + 1), before, "and as it is");
	drive_close(&d);
}

/* Where the detail's tasks are. */
static int tasks_line(void)
{
	for (int y = 0; y < d.canvas.lines; y++) {
		if (strncmp(drive_line(&d, y), "  TASK ", 7) == 0)
			return y;
	}
	return 0;
}

/* A line of the detail moves when rows need its place, not with each row that comes or goes. */
static void test_calm(void)
{
	int first, more, again;

	drive_open(&d, &plain, 120, 50);
	drive_take(&d, fixture_snapshot_many(21, 2));
	first = tasks_line();
	drive_take(&d, fixture_snapshot_many(30, 2));
	more = tasks_line();
	drive_take(&d, fixture_snapshot_many(21, 2));
	again = tasks_line();
	ok(first > 0 && more > first, "it gives way to rows");
	is_int(again, more, "and stays there when they go");
	drive_take(&d, fixture_snapshot_many(4, 2));
	ok(tasks_line() < more && tasks_line() > 0, "but not when most of them went");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_follows();
	test_live();
	test_room();
	test_place();
	test_calm();
	return done();
}
