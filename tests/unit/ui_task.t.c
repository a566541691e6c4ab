/* SPDX-License-Identifier: MIT */
/*
 * A task's detail: from the tasks, from an event's tasks, and from there into another event.
 */
#include "ui/drive.h"

#include <stdio.h>
#include <string.h>

static struct drive d;
static const struct ui_options plain = { 0 };

static void open_with(const struct snapshot *snap)
{
	drive_open(&d, &plain, 100, 24);
	drive_take(&d, snap);
}

static void test_into(void)
{
	open_with(fixture_snapshot());
	drive_keys(&d, "3 Down Down Enter");
	ok(drive_shows(&d, "Tasks › load 813"), "Enter goes into the task");
	ok(drive_shows(&d, "73.0% of a CPU   8.110k switches/s   304 preempted/s"), "its figures");
	ok(drive_shows(&d, "thread of process 812   forked by init 1"), "its process and parent");
	ok(drive_is_on(&d, "raw_syscalls:sys_enter"), "its events, most work first");
	drive_keys(&d, "f");
	is_int(d.toggled, FIXTURE_BALANCED, "f toggles the selected one");
	drive_keys(&d, "P");
	ok(d.saved && strstr(d.saved, "thread of process 812"), "P saves it");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "Tasks › load 813 › raw_syscalls:sys_enter"), "Enter goes into it");
	drive_keys(&d, "Esc Esc");
	ok(!drive_shows(&d, "›") && drive_is_on(&d, "load 813"), "Esc goes the same way back");
	drive_close(&d);
}

static void test_short_lived(void)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_task *others = (struct snap_task *)&snap->tasks[2];

	open_with(fixture_snapshot());
	drive_keys(&d, "3 Down Enter");
	ok(drive_shows(&d, "757 tasks in this interval   forked by nginx"),
	   "short-lived tasks of one name and parent");
	*others = snap->tasks[4];
	others->comm = "grep";
	others->ntasks = 3;
	drive_take(&d, snap);
	ok(drive_shows(&d, "757 tasks"), "not those of another name");
	drive_keys(&d, "3 Home Enter");
	ok(drive_shows(&d, "forks grep ×757/s, true ×757/s"), "their parent forks both");
	drive_take(&d, fixture_snapshot_many(2, 2));
	ok(drive_shows(&d, "nothing of this task was recorded"), "a task that is gone");
	drive_close(&d);
}

static void test_names(void)
{
	struct snapshot *snap = fixture_snapshot();

	((struct snap_task *)snap->tasks)[0].comm = "exec";
	snap->rest.ntasks = 97;
	open_with(fixture_snapshot());
	drive_keys(&d, "3 Down Down Enter");
	drive_take(&d, snap);
	ok(drive_shows(&d, "Tasks › exec 813"), "a task that executes another program");
	drive_keys(&d, "3 End Up Up Enter");
	ok(drive_shows(&d, "Tasks › other 97 tasks"), "others");
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "Tasks › other 112 tasks"), "become more");
	drive_keys(&d, "3 Home Down Down Down Down Enter Enter");
	ok(drive_shows(&d, "\\u202e\"\xef\xbf\xbd, 667 › sched:sched_switch"),
	   "what follows a name of escapes stands behind it");
	drive_close(&d);
}

static void test_rows_without(void)
{
	open_with(fixture_snapshot());
	drive_keys(&d, "3 End");
	ok(drive_is_on(&d, "unknown") && !drive_shows(&d, "into task"),
	   "Enter is not offered where nothing is known");
	drive_keys(&d, "Enter");
	ok(!drive_shows(&d, "›"), "and does nothing");
	drive_keys(&d, "Up Up Enter");
	ok(drive_shows(&d, "Tasks › other 112 tasks"), "the rest has a detail");
	ok(drive_shows(&d, "84.7% of a CPU"), "with its figures");
	drive_close(&d);
}

static void test_from_event(void)
{
	open_with(fixture_snapshot());
	drive_keys(&d, "/ \"cpu-clock\" Enter Enter");
	ok(drive_shows(&d, "Enter details"), "Enter is offered on an event's task");
	drive_keys(&d, "Right");
	ok(!drive_shows(&d, "Enter details"), "not on its CPUs");
	drive_keys(&d, "Left Enter");
	ok(drive_shows(&d, "Events › cpu-clock › load 813"), "and goes into it");
	drive_keys(&d, "Esc End");
	ok(drive_is_on(&d, "not sampled") && !drive_shows(&d, "Enter details"),
	   "not on what was not sampled");
	drive_close(&d);
}

/* The symbols come after the CPUs: Enter goes into one that has callers. */
static void test_symbols(void)
{
	struct snapshot *snap = fixture_snapshot();

	drive_open(&d, &plain, 80, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "/ \"sched_switch\" Enter Enter Right Right Right");
	ok(drive_is_on(&d, "__schedule") && drive_shows(&d, "Enter details"),
	   "Right and Right lead to the symbols, and no further");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "› __schedule") && drive_shows(&d, "do_nanosleep"),
	   "Enter shows the callers");
	drive_keys(&d, "Esc Down");
	ok(drive_is_on(&d, "schedule_idle") && !drive_shows(&d, "Enter details"),
	   "not of one without");
	((struct snap_event *)snap->events)[FIXTURE_LOST].has_code = false;
	drive_take(&d, snap);
	ok(!drive_shows(&d, "SYMBOL") && drive_is_on(&d, "load"),
	   "without symbols the keys move the tasks again");
	drive_keys(&d, "Right Right Down");
	ok(drive_shows(&d, "▸    2  "), "or the CPUs");
	drive_close(&d);
}

/* Event, task, event, task ...: the path has an end, the way does not. */
static void test_long_way(void)
{
	open_with(fixture_snapshot());
	drive_keys(&d, "3 Down Down Enter");
	for (int i = 0; i < 40; i++)
		drive_keys(&d, "Enter");
	ok(strncmp(drive_line(&d, 2), "… › ", strlen("… › ")) == 0, "a long path shows its end");
	for (int i = 0; i < 17; i++)
		drive_keys(&d, "Esc");
	ok(!drive_shows(&d, "›"), "Esc ends in the first view");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_into();
	test_short_lived();
	test_names();
	test_rows_without();
	test_from_event();
	test_symbols();
	test_long_way();
	return done();
}
