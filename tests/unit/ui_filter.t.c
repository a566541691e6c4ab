/* SPDX-License-Identifier: MIT */
/*
 * Filters that compare columns, in each view: in the units that the screen shows.
 */
#include "ui/drive.h"

#include <stdio.h>
#include <string.h>

static struct drive d;
static const struct ui_options plain = { 0 };

static void type_filter(const char *filter)
{
	char keys[256];

	snprintf(keys, sizeof(keys), "/ ^U \"%s\" Enter Home", filter);
	drive_keys(&d, keys);
}

/* Just one row passes. */
static void check_one(const char *filter, const char *row)
{
	type_filter(filter);
	ok(drive_is_on(&d, row), "%s: %s, got %.40s", filter, row, drive_selected(&d));
	drive_keys(&d, "End");
	ok(drive_is_on(&d, row), "and no other");
}

static void check_none(const char *filter)
{
	type_filter(filter);
	ok(drive_shows(&d, "no row matches"), "%s: no row", filter);
}

static void test_events(void)
{
	drive_open(&d, &plain, 160, 24);
	drive_take(&d, fixture_snapshot());
	check_one("rate>1M", "raw_syscalls:sys_enter");
	check_one("(rate>1.5s)!(rate>2s)", "cpu-clock");
	check_one("lost>0", "sched:sched_switch");
	check_one("event=irq:softirq_entry", "irq:softirq_entry");
	check_one("most-by~^true", "irq:softirq_entry");
	check_one("(share>80)!(share>=99%)", "irq:softirq_entry");
	check_one("throttles=4", "cpu-clock");
	check_none("rate<0");
	type_filter("state=off");
	ok(drive_shows(&d, "no column 'state'; there are event rate"), "columns are named");
	drive_close(&d);
}

static void test_tasks(void)
{
	drive_open(&d, &plain, 160, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3");
	check_one("on-cpu>80", "other 112 tasks");
	check_one("(on-cpu>70)!other", "load 813");
	check_one("parent=init", "load 813");
	check_one("pid=0", "idle");
	check_one("switches=757", "true");
	drive_keys(&d, "Esc Home Enter");
	check_one("share<33%", "sched:sched_switch");
	check_none("share<30%");
	drive_close(&d);
}

static void test_others(void)
{
	drive_open(&d, &plain, 160, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "/ \"cpu-clock\" Enter Enter");
	check_one("rate>0.5s", "load 813");
	check_one("share<1", "not sampled");
	drive_keys(&d, "5");
	check_one("share>40", "0x7f0012345678");
	check_one("module=ext4", "ext4_file_read_iter");
	drive_keys(&d, "6");
	check_one("times>0", "cpu-clock");
	check_one("(share>19)!(share>21%)", "cpu-clock");
	check_one("(time>300ms)!(time>0.32s)", "cpu-clock");
	drive_close(&d);
}

/* ^P and ^N: the filters before. */
static void test_recall(void)
{
	drive_open(&d, &plain, 160, 24);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3 /");
	ok(!drive_shows(&d, "earlier"), "no earlier text, no key for it");
	drive_keys(&d, "^P \"load\" Enter / ^U \"nginx\" Enter");
	ok(drive_is_on(&d, "nginx: "), "two filters, in turn");
	drive_keys(&d, "/");
	ok(drive_shows(&d, "filter: nginx") && drive_shows(&d, "^P ^N earlier"), "offered");
	drive_keys(&d, "^P");
	ok(drive_shows(&d, "filter: load"), "the one before the filter in force");
	ok(drive_is_on(&d, "load 813"), "it filters at once");
	drive_keys(&d, "^P");
	ok(drive_shows(&d, "filter: load"), "there is none before");
	drive_keys(&d, "^N ^N");
	ok(drive_shows(&d, "filter: nginx") && drive_is_on(&d, "nginx: "), "and back");
	drive_keys(&d, "^P \"x\" Esc / ^P ^P ^P");
	ok(drive_shows(&d, "filter: load"), "dropped text is not kept");
	drive_keys(&d, "^U \"idle\" Tab 3 / ^U \"rate>\" Tab 3 / ^U ^P");
	ok(drive_shows(&d, "filter: idle"), "a filter that stays by another key is");
	drive_keys(&d, "Esc 1 / ^P");
	ok(drive_shows(&d, "filter: idle"), "also in another view");
	drive_keys(&d, "Esc d ^P");
	ok(!drive_shows(&d, "refreshes: idle") && drive_shows(&d, "refreshes:"),
	   "not at another prompt");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_recall();
	test_events();
	test_tasks();
	test_others();
	return done();
}
