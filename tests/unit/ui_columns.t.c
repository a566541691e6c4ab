/* SPDX-License-Identifier: MIT */
/* Which columns a view shows, and in what order: chosen with C, and kept as text. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <string.h>

static struct drive d;

static void open_with(const char *view, const char *columns, int width)
{
	struct ui_choice choice = { "", "", false };
	struct ui_options options = { .view = view };

	snprintf(choice.view, sizeof(choice.view), "%s", view);
	snprintf(choice.value, sizeof(choice.value), "%s", columns);
	if (columns[0])
		options.columns = (struct ui_choices){ &choice, 1 };
	drive_open(&d, &options, width, 40);
	drive_take(&d, fixture_snapshot());
}

/* What is chosen in the view of this name. */
static struct ui_choice chosen_in(const char *name)
{
	struct ui_view_choices choices;

	for (size_t at = 0; ui_choices_at(d.ui, at, &choices); at++) {
		if (strcmp(choices.columns.view, name) == 0)
			return choices.columns;
	}
	return (struct ui_choice){ "", "(no such view)", false };
}

/* The line of titles, which has `title`; "" for none. */
static const char *titles(const char *title)
{
	for (int y = 0; y < d.canvas.lines; y++) {
		if (strstr(drive_line(&d, y), title) != NULL)
			return drive_line(&d, y);
	}
	return "";
}

/* Whether these are in that line, one after the other. */
static bool in_order(const char *line, const char *const *words)
{
	for (; *words != NULL && line != NULL; words++)
		line = strstr(line, *words);
	return line != NULL;
}

#define IN_ORDER(line, ...) in_order(line, (const char *const[]){ __VA_ARGS__, NULL })

static void test_chosen(void)
{
	open_with("tasks", "pid, on-cpu", 100);
	ok(IN_ORDER(titles("TASK"), "TASK", "PID", "ON CPU"),
	   "those chosen are shown, in that order");
	ok(strstr(titles("TASK"), "SWITCH/s") == NULL && strstr(titles("TASK"), "COMMAND") == NULL,
	   "the others are not");
	is_str(chosen_in("tasks").value, "pid, on-cpu", "as text");
	ok(!chosen_in("tasks").is_default && chosen_in("events").is_default,
	   "only this view's are not as at first");
	is_str(chosen_in("events").value, "default", "as are those of the others");
	drive_keys(&d, "/ \"preempted>300\" Enter");
	ok(drive_is_on(&d, "load 813") && !drive_shows(&d, "└ true"),
	   "a filter knows the others, too");
	drive_close(&d);
}

static void test_ends(void)
{
	open_with("tasks", "none", 100);
	ok(strcmp(titles("TASK"), "  TASK") == 0, "none but the first");
	is_str(chosen_in("tasks").value, "none", "which has a name");
	drive_close(&d);
	open_with("tasks", "default", 100);
	ok(chosen_in("tasks").is_default, "the view's own choice has one, too");
	drive_close(&d);
	open_with("throttling", "", 100);
	drive_keys(&d, "C Down Enter");
	ok(!chosen_in("throttling").is_default, "without one it is not as at first");
	drive_keys(&d, "Enter");
	ok(chosen_in("throttling").is_default, "what is hidden and shown again is as at first");
	drive_close(&d);
}

/* By which of its columns Tasks is sorted. */
static const char *sorted(void)
{
	return drive_shows(&d, "▾PID")	       ? "pid" :
	       drive_shows(&d, "▾ON CPU")      ? "on-cpu" :
	       strstr(titles("TASK"), "TASK▴") ? "task" :
						 "none";
}

static void test_sort(void)
{
	open_with("tasks", "pid, on-cpu", 100);
	is_str(sorted(), "on-cpu", "sorted as at first");
	drive_keys(&d, "<");
	is_str(sorted(), "pid", "< goes to the column on the left of it on the screen");
	drive_keys(&d, "<");
	is_str(sorted(), "task", "and to the first");
	drive_keys(&d, "> > >");
	is_str(sorted(), "none", "> to the last, and to none");
	drive_close(&d);
	open_with("tasks", "pid", 100);
	is_str(sorted(), "none", "sorted by a column that is not shown");
	ok(drive_shows(&d, "sort: on-cpu"), "which is said");
	drive_keys(&d, ">");
	is_str(sorted(), "task", "> goes to the first column");
	drive_close(&d);
}

/* Of columns in another order the last are dropped, else those that the view can spare best. */
static void test_narrow(void)
{
	open_with("tasks", "command, cgroup, pid, tid, on-cpu", 60);
	ok(IN_ORDER(titles("TASK"), "TASK", "COMMAND") && strstr(titles("TASK"), "ON CPU") == NULL,
	   "in another order the last has no room");
	drive_close(&d);
	open_with("tasks", "on-cpu, pid, tid, cgroup, command", 60);
	ok(IN_ORDER(titles("TASK"), "ON CPU", "COMMAND") &&
		   strstr(titles("TASK"), "CGROUP") == NULL,
	   "in the view's own order it is what can be spared best");
	drive_close(&d);
}

static void test_rates(void)
{
	open_with("tasks", "command, on-cpu", 150);
	drive_keys(&d, "r");
	ok(IN_ORDER(titles("TASK"), "TASK", "sys_enter", "COMMAND", "ON CPU"),
	   "rates of events are before what is after them at first");
	drive_close(&d);
	open_with("tasks", "on-cpu, pid", 150);
	drive_keys(&d, "r");
	ok(IN_ORDER(titles("TASK"), "TASK", "ON CPU", "sys_enter", "PID"),
	   "and after what is before");
	drive_close(&d);
	open_with("tasks", "switches, on-cpu", 150);
	drive_keys(&d, "r");
	ok(IN_ORDER(titles("TASK"), "SWITCH/s", "ON CPU", "sys_enter"), "or last");
	drive_close(&d);
}

static void test_keys(void)
{
	open_with("tasks", "", 150);
	drive_keys(&d, "C");
	ok(drive_shows(&d, "Columns of Tasks"), "C shows the columns");
	ok(drive_is_on(&d, "TASK"), "the first one first");
	drive_keys(&d, "Enter Left Right");
	is_str(chosen_in("tasks").value, "default", "which stays where it is");
	drive_keys(&d, "Down Right");
	is_str(chosen_in("tasks").value,
	       "switches, on-cpu, preempted, top, rate, parent, pid, tid, cgroup, command",
	       "Right moves a column to the right");
	ok(drive_is_on(&d, "ON CPU"), "and the cursor with it");
	drive_keys(&d, "Left Left");
	ok(chosen_in("tasks").is_default, "Left to the left, but not before the first");
	drive_keys(&d, "Enter");
	is_str(chosen_in("tasks").value,
	       "switches, preempted, top, rate, parent, pid, tid, cgroup, command",
	       "Enter hides it");
	ok(strstr(titles("on-cpu"), "hidden") != NULL, "which the row says");
	drive_keys(&d, "End Enter");
	ok(chosen_in("tasks").is_default, "the last row brings back what was there at first");
	drive_keys(&d, "Right Left Home Down Enter Esc");
	ok(!drive_shows(&d, "ON CPU") && drive_shows(&d, "SWITCH/s"), "Esc goes back to the view");
	drive_keys(&d, "C");
	ok(drive_shows(&d, "Columns of Tasks"), "C again");
	drive_keys(&d, "End Up");
	ok(drive_is_on(&d, "ON CPU"), "has what is hidden below");
	drive_keys(&d, "C");
	ok(drive_shows(&d, "SWITCH/s") && !drive_shows(&d, "Columns of"), "and closes it");
	drive_close(&d);
}

static void test_now(void)
{
	open_with("tasks", "", 80);
	drive_keys(&d, "Down Down C");
	ok(strstr(titles("PREEMPT/s"), "304") != NULL, "a row has the selected row's cell");
	ok(strstr(titles("CGROUP"), "no room") != NULL, "or says that the column has no room");
	drive_keys(&d, "/ \"cgr\" Enter");
	ok(drive_shows(&d, "CGROUP") && !drive_shows(&d, "PREEMPT"), "its rows are filtered");
	drive_close(&d);
	open_with("events", "", 120);
	drive_keys(&d, "Enter C");
	ok(drive_shows(&d, "views with a tab"), "in other views there is no choice");
	drive_close(&d);
}

/* Every column of every view last to first, and back from its text. */
static void test_all(void)
{
	static const char *const views[] = { "events",	"switches",   "tasks", "cpus",
					     "symbols", "throttling", "stream" };

	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		char text[UI_CHOICE_MAX], error[256] = "";

		open_with(views[i], "", 200);
		drive_keys(&d, "C Down Right");
		snprintf(text, sizeof(text), "%s", chosen_in(views[i]).value);
		ok(strcmp(text, "default") != 0 &&
			   ui_has_columns(views[i], text, error, sizeof(error)),
		   "%s: its text is right: %s", views[i], error[0] ? error : text);
		drive_close(&d);
		open_with(views[i], text, 200);
		is_str(chosen_in(views[i]).value, text, "and says the same again");
		drive_close(&d);
	}
}

static void test_wrong(void)
{
	static const struct {
		const char *view, *columns, *error;
	} wrong[] = {
		{ "tasks", "pid, no\x1b",
		  "no column 'no\\x1b'; there are: on-cpu, switches, preempted, "
		  "top, rate, parent, pid, tid, cgroup, command; or default, none" },
		{ "tasks", "pid, task", "'task' is always shown, and first: leave it out" },
		{ "tasks", "pid pid", "'pid' is named twice" },
		{ "nothing", "pid",
		  "no view 'nothing'; there are: events, switches, tasks, cpus, "
		  "symbols, throttling, stream" },
	};
	char error[256];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		ok(!ui_has_columns(wrong[i].view, wrong[i].columns, error, sizeof(error)), "%s",
		   wrong[i].columns);
		is_str(error, wrong[i].error, "is an error");
	}
}

/* What the view says about a column goes with it. */
static void test_cpus(void)
{
	open_with("cpus", "imbalance", 120);
	ok(drive_shows(&d, "MAX/MEAN") && !drive_shows(&d, "a cell is"),
	   "no cells, no word of them");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_chosen();
	test_ends();
	test_sort();
	test_narrow();
	test_rates();
	test_keys();
	test_now();
	test_all();
	test_cpus();
	test_wrong();
	return done();
}
