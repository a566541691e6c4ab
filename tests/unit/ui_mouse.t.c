/* SPDX-License-Identifier: MIT */
/* The mouse: what a click on each part of the screen does, and the wheel. */
#include "ui/drive.h"

static struct drive d;

static void begin(const char *view, int columns, int lines)
{
	struct ui_options options = { .view = view };

	drive_open(&d, &options, columns, lines);
	drive_take(&d, fixture_snapshot());
}

static void test_rows(void)
{
	begin(NULL, 80, 24);
	ok(drive_is_on(&d, "raw_syscalls:sys_enter"), "the cursor is on the first row");
	drive_click(&d, "minor-faults");
	ok(d.flags == UI_REDRAW && drive_is_on(&d, "minor-faults"), "a click on a row selects it");
	drive_click(&d, "true ×757/s      88.0%");
	ok(drive_is_on(&d, "irq:softirq_entry"), "anywhere in the row");
	drive_click(&d, "irq:softirq_entry");
	ok(drive_shows(&d, "Events › irq:softirq_entry"), "a second one goes into it");
	drive_keys(&d, "Esc Home");
	drive_click(&d, "raw_syscalls:sys_enter");
	ok(!drive_shows(&d, "Events ›") && drive_is_on(&d, "raw_syscalls:sys_enter"),
	   "the first click on the row where the cursor began only selects");
	is_int(ui_key(d.ui, key_of_mouse(MOUSE_CLICK, 5, 12)), UI_IDLE,
	       "a blank line does nothing");
	is_int(ui_key(d.ui, key_of_mouse(MOUSE_CLICK, 900, 900)), UI_IDLE,
	       "nor does a place outside of the screen");
	drive_close(&d);
}

static void test_titles(void)
{
	begin(NULL, 80, 24);
	drive_click(&d, "RATE/s");
	ok(drive_shows(&d, "▾RATE/s"), "a click on a title sorts by that column");
	drive_click(&d, "RATE/s");
	ok(drive_shows(&d, "▴RATE/s"), "a second one reverses");
	drive_click(&d, "EVENT");
	ok(drive_shows(&d, "EVENT▴") && !drive_shows(&d, "▴RATE/s"), "another one is by that");
	drive_close(&d);
}

static void test_views(void)
{
	begin(NULL, 80, 24);
	drive_click(&d, "Tasks");
	ok(drive_shows(&d, "SWITCH/s"), "a click on a tab shows its view");
	drive_click(&d, "1 Events");
	ok(drive_shows(&d, "vs 10s"), "also on its digit");
	drive_keys(&d, "Enter Enter");
	ok(drive_shows(&d, "Events › raw_syscalls:sys_enter › "), "in a task of an event");
	drive_click(&d, "raw_syscalls:sys_enter › ");
	ok(drive_shows(&d, "Events › raw_syscalls:sys_enter ") && !drive_shows(&d, "sys_enter › "),
	   "a click on the path goes back to there");
	drive_keys(&d, "Enter");
	drive_click(&d, "Events ›");
	ok(drive_shows(&d, "1 Events"), "or to its beginning");
	drive_close(&d);
}

static void test_keys(void)
{
	begin(NULL, 80, 24);
	drive_mouse(&d, MOUSE_CLICK, "Enter into", "? help");
	ok(drive_shows(&d, "Esc back"), "a click on a key of the key line is that key");
	drive_click(&d, "back");
	ok(drive_shows(&d, "q quit") && !drive_shows(&d, "Esc back"), "also on what it does");
	drive_click(&d, "quit");
	is_int(d.flags, UI_QUIT, "it can quit");
	drive_click(&d, "sort   ");
	ok(drive_shows(&d, "EVENT▴"), "of two keys, their word is the second");
	drive_click(&d, "< >");
	ok(drive_shows(&d, "1 Events") && !drive_shows(&d, "EVENT▴"), "and each is a key");
	drive_keys(&d, "M");
	ok(d.flags & UI_MOUSE, "M gives the mouse to the terminal");
	drive_close(&d);
	begin(NULL, 120, 24);
	drive_click(&d, "filter: (none)");
	drive_keys(&d, "\"irq\"");
	ok(drive_shows(&d, "filter: irq") && drive_shows(&d, "Esc drop"),
	   "a click on the filter asks for one");
	drive_click(&d, "irq:softirq_entry");
	ok(drive_shows(&d, "filter: irq") && !drive_shows(&d, "Esc drop"),
	   "and one on a row ends the typing, and keeps it");
	drive_click(&d, "filter: irq");
	drive_click(&d, "Esc drop");
	ok(drive_shows(&d, "filter: (none)"), "a click on Esc drops it");
	drive_close(&d);
	drive_open(&d, &(struct ui_options){ 0 }, 80, 24);
	struct snapshot *snap = fixture_snapshot_many(8, 2);
	for (size_t i = 0; i < 4; i++) {
		struct snap_event *event = (struct snap_event *)&snap->events[i];

		event->rate = event->rate_before = 0;
		event->ntrend = 0;
	}
	drive_take(&d, snap);
	drive_click(&d, "events at 0");
	ok(drive_shows(&d, "event_0 "), "rows at 0 are shown by a click on their line");
	drive_close(&d);
}

static void test_two_tables(void)
{
	begin(NULL, 120, 30);
	drive_keys(&d, "Down Enter");
	drive_mouse(&d, MOUSE_CLICK, "SAMPLED", "12.10k");
	ok(drive_shows(&d, "▸    0"), "a click in the table of CPUs gives it the cursor");
	drive_mouse(&d, MOUSE_CLICK, "SAMPLED", "12.10k");
	ok(drive_shows(&d, "Events › sched:sched_switch ") && !drive_shows(&d, "switch › "),
	   "whose rows lead nowhere");
	drive_click(&d, "SAMPLED");
	ok(drive_shows(&d, "▾SAMPLED"), "its titles sort it");
	drive_mouse(&d, MOUSE_CLICK, "SAMPLED", "load 813");
	ok(drive_is_on(&d, "load 813"), "a click in the other takes the cursor back");
	drive_close(&d);
}

static void test_below(void)
{
	begin(NULL, 120, 40);
	drive_keys(&d, "Down");
	ok(drive_shows(&d, "NEWEST SAMPLE") && drive_shows(&d, "1 Events"),
	   "a high screen has the selected row's detail below");
	drive_click(&d, "NEWEST SAMPLE");
	ok(drive_shows(&d, "Events › sched:sched_switch"), "a click on it goes into it");
	drive_close(&d);
}

static void test_wheel(void)
{
	drive_open(&d, &(struct ui_options){ 0 }, 80, 24);
	drive_take(&d, fixture_snapshot_many(40, 2));
	char first[64];

	snprintf(first, sizeof(first), "%.20s", drive_selected(&d));
	drive_mouse(&d, MOUSE_WHEEL_DOWN, "", "event_");
	drive_mouse(&d, MOUSE_WHEEL_DOWN, "", "EVENT");
	drive_keys(&d, "Up Up Up Up Up");
	ok(!drive_is_on(&d, first), "the wheel moves the cursor by three");
	drive_keys(&d, "Up");
	ok(drive_is_on(&d, first), "each");
	drive_keys(&d, "/");
	drive_mouse(&d, MOUSE_WHEEL_DOWN, "", "event_");
	ok(drive_shows(&d, "Esc drop"), "also while a filter is typed");
	drive_mouse(&d, MOUSE_WHEEL_UP, "", "event_");
	drive_mouse(&d, MOUSE_WHEEL_UP, "", "event_");
	ok(drive_is_on(&d, first), "upwards, too, as far as there are rows");
	drive_close(&d);
}

/* Views are closed, rows come and go between two frames. */
static void test_before_a_frame(void)
{
	begin(NULL, 80, 24);
	drive_keys(&d, "Enter");
	drive_screen(&d);
	ui_key(d.ui, KEYS_ESC);
	ui_key(d.ui, key_of_mouse(MOUSE_CLICK, 10, 2));
	ok(drive_shows(&d, "SWITCH/s"), "a click is on what is there now, drawn or not");
	drive_take(&d, fixture_snapshot_many(2, 0));
	is_int(ui_key(d.ui, key_of_mouse(MOUSE_CLICK, 10, 15)), UI_IDLE, "a row that is gone");
	drive_close(&d);
	drive_open(&d, &(struct ui_options){ 0 }, 80, 24);
	is_int(ui_key(d.ui, key_of_mouse(MOUSE_CLICK, 10, 15)), UI_IDLE,
	       "a click before the first frame");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_rows();
	test_titles();
	test_views();
	test_keys();
	test_two_tables();
	test_below();
	test_wheel();
	test_before_a_frame();
	return done();
}
