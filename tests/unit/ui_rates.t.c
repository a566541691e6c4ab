/* SPDX-License-Identifier: MIT */
/* The tasks with the rates of all events, side by side. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ui_options plain = { 0 };
static struct drive d;

static void open_tasks(int columns)
{
	drive_open(&d, &plain, columns, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3");
}

/* What the selected row has below the title `name`. */
static const char *cell_of(const char *name)
{
	static char cell[256];
	const char *titles = drive_line(&d, 3), *at = strstr(titles, name);

	if (at == NULL)
		return "(no such column)";
	char *before = strndup(titles, (size_t)(at - titles) + strlen(name));
	size_t end = text_width(before);
	const char *row = drive_selected(&d);

	free(before);
	size_t len = text_fit(row, end - 2); /* without the cursor's mark */
	snprintf(cell, sizeof(cell), "%.*s", (int)len, row);
	const char *blank = strrchr(cell, ' ');
	return blank != NULL ? blank + 1 : cell;
}

static void test_columns(void)
{
	open_tasks(200);
	ok(drive_shows(&d, "MOST OF") && !drive_shows(&d, "  softirq_entry"),
	   "at first the main one");
	drive_keys(&d, "r");
	ok(drive_shows(&d, "sys_enter") && drive_shows(&d, "sched_switch"),
	   "r: the sampled events");
	ok(!drive_shows(&d, "MOST OF") && drive_shows(&d, "ON CPU"), "instead of the main one");
	ok(!drive_shows(&d, "minor-faults") && !drive_shows(&d, "vfs_read"),
	   "not those without samples");
	drive_keys(&d, "Down Down");
	ok(drive_is_on(&d, "load 813"), "a row");
	is_str(cell_of("sched_switch"), "8.110k", "has its rate below the event");
	is_str(cell_of("ON CPU"), "≥73.0%", "and its time on a CPU");
	is_str(cell_of("softirq_entry"), "0",
	       "of an event that it had no sample of, all were sampled: 0");
	drive_keys(&d, "Up");
	is_str(cell_of("sched_switch"), "–", "not all: unknown");
	drive_keys(&d, "H");
	ok(drive_shows(&d, "PROCESS") && drive_shows(&d, "sched_switch"), "so it is by process");
	drive_keys(&d, "H r");
	ok(drive_shows(&d, "MOST OF") && !drive_shows(&d, "  softirq_entry"), "r: hidden again");
	drive_close(&d);
}

/* On a narrow screen they are shown in part. */
static void test_moving(void)
{
	open_tasks(70);
	drive_keys(&d, "Right r");
	ok(drive_shows(&d, "events 1 to 2 of ") && drive_shows(&d, "Right shows the next"),
	   "it says which are shown");
	ok(drive_shows(&d, "sys_enter") && drive_shows(&d, "sched_swi"), "the first ones");
	drive_keys(&d, "Left");
	ok(drive_shows(&d, "events 1 to 2 of "), "Left: there are none before");
	drive_keys(&d, "Right");
	ok(drive_shows(&d, "events 2 to 3 of ") && !drive_shows(&d, "sys_enter"),
	   "Right: the next");
	drive_keys(&d, "Right Right Right Right Right Right");
	ok(drive_shows(&d, "cpu-clock") && drive_shows(&d, "Left shows the one before"),
	   "up to the last, which stays at the right");
	drive_keys(&d, "Left Left Left Left Left Left Left");
	ok(drive_shows(&d, "events 1 to 2 of "), "Left: back");
	drive_close(&d);
}

/* A snapshot without the first event, or without that and the second. */
static void take_without(size_t count)
{
	struct snapshot *snap = fixture_snapshot();

	snap->events += count;
	snap->nevents -= count;
	for (size_t i = 0; i < snap->ntasks; i++)
		((struct snap_task *)snap->tasks)[i].nevents = 0;
	snap->nprocesses = 0;
	drive_take(&d, snap);
}

static void test_sort(void)
{
	open_tasks(200);
	drive_keys(&d, "r > >");
	ok(drive_shows(&d, "sort: sys_enter"), "sorted by an event's rate");
	drive_keys(&d, ">");
	ok(drive_shows(&d, "sort: sched_switch"), "by the next one's");
	ok(drive_is_on(&d, "load 813"), "the largest first");
	drive_keys(&d, "R Down Home");
	ok(!drive_is_on(&d, "load 813"), "and reversed");
	take_without(1);
	ok(drive_shows(&d, "sort: -sched_switch"), "also when an event before it is removed");
	take_without(2);
	ok(!drive_shows(&d, "sched_switch") && drive_shows(&d, "ON CPU"), "until it is removed");
	ok(!drive_shows(&d, "sort: -none"), "then it is not reversed, either");
	drive_close(&d);
}

static void test_filter(void)
{
	open_tasks(200);
	drive_keys(&d, "/ \"sched_switch>8k\" Enter");
	ok(drive_is_on(&d, "load 813") && !drive_shows(&d, "  idle"), "a filter knows each event");
	drive_keys(&d, "r");
	ok(drive_is_on(&d, "load 813") && !drive_shows(&d, "  idle"), "also while they are shown");
	drive_keys(&d, "Esc / \"sched_switch<1\" Enter");
	ok(drive_shows(&d, "no row matches"), "of an unknown rate nothing is true");
	drive_keys(&d, "Esc / \"sys_enter<1\" Enter");
	ok(drive_is_on(&d, "nginx") && !drive_shows(&d, "load 813  "), "but 0 is less than 1");
	drive_keys(&d, "Esc / \"sched_switch>8k\" Enter");
	take_without(1);
	ok(drive_shows(&d, "filter: sched_switch>8k"), "also when an event before it is removed");
	ok(!drive_is_on(&d, "load 813"), "of which this snapshot has none");
	take_without(2);
	ok(!drive_shows(&d, "filter: sched_switch") && drive_shows(&d, "load 813"),
	   "until it is removed");
	drive_close(&d);
}

static void test_many(void)
{
	drive_open(&d, &plain, 200, 24);
	drive_take(&d, fixture_snapshot_many(400, 4));
	drive_keys(&d, "3 r");
	ok(drive_shows(&d, " of 400: "), "of 400 events as many as fit");
	for (int i = 0; i < 500; i++)
		drive_keys(&d, "Right");
	ok(drive_shows(&d, " to 400 of 400: "), "up to the last");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_columns();
	test_moving();
	test_sort();
	test_filter();
	test_many();
	return done();
}
