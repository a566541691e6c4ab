/* SPDX-License-Identifier: MIT */
/* The tasks with a row for each process, and one process. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <string.h>

static const struct ui_options plain = { 0 };
static struct drive d;

static bool begins(int line, const char *text)
{
	return strncmp(drive_line(&d, line), text, strlen(text)) == 0;
}

static void open_tasks(void)
{
	drive_open(&d, &plain, 100, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3");
}

static void test_rows(void)
{
	open_tasks();
	ok(drive_shows(&d, "TASK") && drive_shows(&d, "H processes"), "at first they are threads");
	drive_keys(&d, "H");
	ok(drive_shows(&d, "PROCESS") && !drive_shows(&d, "TASK"), "H: processes");
	ok(drive_is_on(&d, "load 812 ×2") && drive_shows(&d, "93.0%"),
	   "one of several threads has a row with their sum");
	ok(!drive_shows(&d, "load 813  "), "which has none");
	ok(begins(5, "  nginx: ä中 1203") && begins(6, "  └ true ×757/s"),
	   "others have theirs, and what they fork below it");
	ok(begins(9, "  other 111 tasks") && drive_shows(&d, "64.7%"),
	   "the other thread is not in the rest");
	ok(drive_shows(&d, "  idle") && drive_shows(&d, "  unknown"), "idle and unknown stay");
	drive_keys(&d, "H");
	ok(drive_shows(&d, "  load 813 ") && drive_shows(&d, "  other 112 tasks"), "H: threads");
	drive_close(&d);
}

static void test_cursor(void)
{
	open_tasks();
	drive_keys(&d, "Down Down");
	ok(drive_is_on(&d, "load 813"), "the cursor is on a thread");
	drive_keys(&d, "H");
	ok(drive_is_on(&d, "load 812 ×2"), "then on its process");
	drive_keys(&d, "Down Down H");
	ok(drive_is_on(&d, "└ true"), "short-lived tasks are the same in both");
	drive_keys(&d, "Up H");
	ok(drive_is_on(&d, "nginx: ä中 1203"), "and a process with one thread");
	drive_keys(&d, "/ \"load\" Enter");
	ok(drive_is_on(&d, "load 812 ×2") && !drive_shows(&d, "other"), "a filter");
	drive_keys(&d, "Esc / \"111\" Enter");
	ok(drive_is_on(&d, "other 111 tasks"), "also of the rest's name");
	drive_keys(&d, "Enter");
	ok(!drive_shows(&d, "›"), "which has no detail");
	drive_close(&d);
}

static void test_detail(void)
{
	struct snapshot *snap = fixture_snapshot();

	open_tasks();
	drive_keys(&d, "H Enter");
	ok(drive_shows(&d, "Tasks › load 812") && drive_shows(&d, "93.0% of a CPU"),
	   "Enter goes into the process");
	ok(drive_shows(&d, "2 threads   forked by init 1"), "how many threads, and its parent");
	ok(drive_is_on(&d, "raw_syscalls:sys_enter"), "its events");
	((struct snap_task *)snap->tasks)[0].tid = 812;
	snap->nprocesses = 0;
	drive_take(&d, snap);
	ok(drive_shows(&d, "73.0% of a CPU"), "with one thread left it is that");
	drive_close(&d);
}

/* Of each event, and where figures are unknown. */
static void test_rest(void)
{
	struct snapshot *snap = fixture_snapshot();
	static const struct snap_task_event rest[] = { { FIXTURE_LOST, 500, 500, 9, 700, true,
							 false } };
	static const struct snap_task_event thread[] = { { FIXTURE_LOST, 8110.2, 8110, 9, 27000,
							   true, false } };
	static const struct snap_task_event sum[] = { { FIXTURE_LOST, 8510.2, 8510, 9, 27700, true,
							false } };

	snap->rest.events = rest;
	snap->rest.nevents = 1;
	((struct snap_task *)snap->processes)[0].events = sum;
	((struct snap_task *)snap->processes)[0].nevents = 1;
	((struct snap_task *)snap->tasks)[0].events = thread;
	((struct snap_task *)snap->tasks)[0].nevents = 1;
	open_tasks();
	drive_keys(&d, "H");
	drive_take(&d, snap);
	drive_keys(&d, "End Up Up");
	ok(drive_is_on(&d, "other 111 tasks") && strstr(drive_line(&d, 9), "~100") != NULL,
	   "an event of the rest without that of the sum");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_rows();
	test_cursor();
	test_detail();
	test_rest();
	return done();
}
