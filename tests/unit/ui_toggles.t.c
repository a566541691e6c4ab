/* SPDX-License-Identifier: MIT */
/* What is switched on in a view, as text: set at the start, and read for the configuration. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <string.h>

static struct drive d;

/* Of the view called `name`: what is on in it, and whether that is so at first. */
static struct ui_choice toggles_of(const char *name)
{
	struct ui_view_choices choices;

	for (size_t at = 0; ui_choices_at(d.ui, at, &choices); at++) {
		if (strcmp(choices.toggles.view, name) == 0)
			return choices.toggles;
	}
	return (struct ui_choice){ "", "(no such view)", false };
}

static void open_with(const char *view, const char *set)
{
	drive_open(&d, &(struct ui_options){ .view = view, .set = set }, 120, 24);
	drive_take(&d, fixture_snapshot());
}

static void test_keys(void)
{
	open_with("tasks", NULL);
	is_str(toggles_of("tasks").value, "none", "nothing is on at first");
	ok(toggles_of("tasks").is_default, "which needs no line");
	drive_keys(&d, "r");
	is_str(toggles_of("tasks").value, "rates", "a key switches one on");
	ok(!toggles_of("tasks").is_default, "which does");
	drive_keys(&d, "H a");
	is_str(toggles_of("tasks").value, "processes, rates, all", "all of them");
	is_str(toggles_of("events").value, "none", "not those of other views");
	drive_keys(&d, "H r a");
	is_str(toggles_of("tasks").value, "none", "and off again");
	drive_keys(&d, "5 K");
	is_str(toggles_of("symbols").value, "hide-kernel", "symbols");
	drive_keys(&d, "U");
	is_str(toggles_of("symbols").value, "hide-user", "one hides the other");
	drive_close(&d);
}

static void test_start(void)
{
	static struct ui_choice others[] = { { "events", "all", false },
					     { "symbols", "hide-user", false },
					     { "tasks", "processes", false } };
	struct ui_options options = { .view = "tasks", .set = "rates", .toggles = { others, 3 } };

	open_with("tasks", "processes rates");
	ok(drive_shows(&d, "PROCESS") && drive_shows(&d, "sys_enter"), "they are on at the start");
	is_str(toggles_of("tasks").value, "processes, rates", "both");
	drive_close(&d);
	drive_open(&d, &options, 120, 24);
	is_str(toggles_of("tasks").value, "rates", "--set replaces what is said of its view");
	is_str(toggles_of("events").value, "all", "other views have theirs");
	is_str(toggles_of("symbols").value, "hide-user", "and theirs");
	drive_close(&d);
	options = (struct ui_options){ .toggles = { others, 3 }, .no_kernel = true };
	drive_open(&d, &options, 120, 24);
	is_str(toggles_of("symbols").value, "hide-kernel", "-K replaces it, too");
	drive_close(&d);
	options = (struct ui_options){ .view = "symbols",
				       .set = "hide-kernel",
				       .toggles = { others, 3 } };
	drive_open(&d, &options, 120, 24);
	is_str(toggles_of("symbols").value, "hide-kernel", "one for the other");
	drive_close(&d);
}

/* Each list that can be kept can be set again, in each view. */
static void test_views(void)
{
	static const struct {
		const char *view, *all;
	} views[] = {
		{ "events", "all" },
		{ "switches", "all" },
		{ "tasks", "processes, rates, all" },
		{ "cpus", "all" },
		{ "symbols", "hide-kernel" },
		{ "throttling", "none" },
		{ "stream", "none" },
	};

	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		open_with(views[i].view, views[i].all);
		is_str(toggles_of(views[i].view).value, views[i].all, "%s", views[i].view);
		drive_close(&d);
	}
}

static void test_mistakes(void)
{
	static const struct {
		const char *view, *list;
	} wrong[] = { { "tasks", "rate" },   { "tasks", "hide-kernel" },
		      { "tasks", "rates;" }, { "throttling", "all" },
		      { "tasks", "quit" },   { "symbols", "hide-user,hide-kernel" },
		      { "evnets", "all" },   { "tasks", "rates, none" } };
	char error[512];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct ui_options options = { .view = wrong[i].view, .set = wrong[i].list };

		ok(!ui_has_toggles(wrong[i].view, wrong[i].list, error, sizeof(error)) &&
			   error[0] != '\0',
		   "%s: %s is refused", wrong[i].view, wrong[i].list);
		ok(ui_new(&options, NULL, error, sizeof(error)) == NULL, "also at the start");
	}
	ok(ui_has_toggles("tasks", "", error, sizeof(error)), "an empty list is right");
	ok(ui_has_toggles("tasks", " rates,,rates ", error, sizeof(error)), "and one twice");
}

int main(void)
{
	plan_lazy();
	test_keys();
	test_start();
	test_views();
	test_mistakes();
	return done();
}
