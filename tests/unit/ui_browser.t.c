/* SPDX-License-Identifier: MIT */
/* The browser: the machine's events as a tree, searched, added, removed. */
#include "ui/drive.h"
#include "ui/made-machine.h"

static struct drive d;

static void begin(int columns, int lines)
{
	static const struct ui_options plain = { 0 };

	drive_open(&d, &plain, columns, lines);
	d.events = &machine;
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "e");
}

/* The screen from the words on, to the end of the line. */
static const char *line_of(const char *words)
{
	static char line[256];
	const char *screen = drive_screen(&d), *at = strstr(screen, words);

	snprintf(line, sizeof(line), "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
	return line;
}

static void test_tree(void)
{
	begin(100, 30);
	ok(drive_shows(&d, "+ hardware") && drive_shows(&d, "+ sched "), "a line for each group");
	ok(drive_shows(&d, "2 events, 1 watched"),
	   "with how many events, and how many are watched");
	ok(!drive_shows(&d, "sched:sched_process_fork"), "its events are hidden");
	is_int((int)described, 0, "and not described");
	drive_keys(&d, "Down Down Enter");
	ok(drive_shows(&d, "- sched ") && drive_shows(&d, "  sched:sched_process_fork"),
	   "Enter opens it");
	ok(drive_is_on(&d, "- sched"), "the cursor stays on it");
	ok(strstr(line_of("  sched:sched_switch "), " on "), "the watched one is on");
	ok(strstr(line_of("  sched:sched_switch "), "24.19k"), "with its rate");
	drive_keys(&d, "Down Down");
	ok(drive_shows(&d, "long field_0") && drive_shows(&d, "long field_6"),
	   "the selected one's fields are below, in columns");
	unsigned int before = declared;
	drive_shows(&d, "");
	is_int((int)declared, (int)before, "which are read once");
	drive_keys(&d, "Left");
	ok(drive_is_on(&d, "+ sched"), "Left closes the group that it is in");
	ok(!drive_shows(&d, "long field_0"), "a group has no fields");
	drive_keys(&d, "Right");
	ok(drive_is_on(&d, "- sched"), "Right opens it");
	drive_keys(&d, "Home Enter Down");
	ok(strstr(line_of("  instructions "), "cannot"), "one that does not open is marked");
	ok(drive_shows(&d, "ENOENT: no PMU here"), "with the reason");
	drive_keys(&d, "e");
	ok(drive_shows(&d, "1 Events"), "e again leaves it");
	drive_keys(&d, "e Esc");
	ok(drive_shows(&d, "1 Events"), "and so does Esc");
	drive_close(&d);
}

static void test_search(void)
{
	begin(100, 30);
	drive_keys(&d, "/ \"fork\" Enter");
	ok(drive_is_on(&d, "sched:sched_process_fork"), "a search looks into closed groups");
	ok(!drive_shows(&d, "+ sched"), "and shows no groups");
	drive_keys(&d, "Esc / \"faults)\" Enter");
	ok(drive_is_on(&d, "page-faults"), "it finds perf's other name");
	drive_keys(&d, "Esc / \"state=on\" Enter");
	ok(drive_shows(&d, "sched:sched_switch") && !drive_shows(&d, "sched:sched_process_fork"),
	   "and the state");
	drive_keys(&d, "Esc >");
	ok(drive_shows(&d, "page-faults") && !drive_shows(&d, "+ sched"),
	   "sorted it is a list, too");
	drive_close(&d);
}

static void test_add(void)
{
	begin(100, 30);
	drive_keys(&d, "/ \"fork\" Enter Enter");
	is_str(d.added, "sched:sched_process_fork", "Enter adds an event");
	ok(drive_shows(&d, "sched:sched_process_fork: added"), "and says so");
	d.add_error = "no room";
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "sched:sched_process_fork: no room"), "or why not");
	d.added[0] = '\0';
	drive_keys(&d, "Del");
	is_int(d.removed, -1, "one that is not watched is not removed");
	drive_keys(&d, "Esc / \"sched_switch\" Enter Enter");
	is_str(d.added, "", "one that is on is not added");
	ok(drive_shows(&d, "is watched"), "which the screen says");
	drive_keys(&d, "f");
	is_int(d.toggled, FIXTURE_LOST, "f switches it off");
	drive_keys(&d, "Del");
	is_int(d.removed, FIXTURE_LOST, "Del removes it");
	d.add_error = NULL;
	drive_keys(&d, "Esc / \"openat\" Enter Enter");
	is_str(d.added, "syscalls:sys_enter_openat", "one that is off is switched on by adding it");
	drive_close(&d);
}

/* The hook's answer comes before the event is opened. */
static void test_fails_later(void)
{
	struct snapshot *snap;

	begin(100, 30);
	drive_take(&d, fixture_snapshot());
	ok(!drive_shows(&d, "kprobe:vfs_read: "), "what failed at the start is not told again");
	snap = fixture_snapshot();
	snap->nevents = FIXTURE_FAILED;
	drive_take(&d, snap);
	drive_keys(&d, "E \"kprobe:vfs_read\" Enter");
	ok(drive_shows(&d, "kprobe:vfs_read: added"), "an event is added");
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "kprobe:vfs_read: ") && !drive_shows(&d, ": added"),
	   "that it fails to open is said when it does");
	drive_keys(&d, "Down");
	snap = fixture_snapshot();
	((struct snap_event *)snap->events)[FIXTURE_OFF].state = EVENT_STATE_FAILED;
	drive_take(&d, snap);
	ok(drive_shows(&d, "syscalls:sys_enter_openat: "), "also of one that was off");
	drive_close(&d);
}

static void test_typing(void)
{
	begin(100, 30);
	d.add_error = "no such event";
	drive_keys(&d, "E \"cyclse:u\" Enter");
	ok(drive_shows(&d, "no such event") && drive_shows(&d, "event: cyclse:u"),
	   "a typed event that is wrong can be mended");
	d.add_error = NULL;
	drive_keys(&d, "Backspace Enter");
	is_str(d.added, "cyclse:", "and is added");
	ok(!drive_shows(&d, "event: "), "then the prompt closes");
	drive_keys(&d, "E Esc");
	ok(!drive_shows(&d, "event: "), "Esc closes it, too");
	drive_close(&d);
}

/* Each size and position, and no event at all. */
static void test_sizes(void)
{
	static const struct machine_events none = { NULL, 0, NULL, describe, declare };

	begin(100, 30);
	drive_keys(&d, "Down Down Enter Down Down");
	for (int columns = 1; columns < 120; columns += 7) {
		for (int lines = 1; lines < 50; lines += 3) {
			canvas_fini(&d.canvas);
			canvas_init(&d.canvas, columns, lines);
			ui_draw(d.ui, &d.canvas);
		}
	}
	drive_keys(&d, "w");
	ok(d.saved && strstr(d.saved, "+ syscalls"), "saved with all its lines");
	drive_close(&d);

	begin(100, 30);
	drive_keys(&d, "e");
	d.events = &none;
	drive_keys(&d, "e Enter Right Left Down Del f");
	ok(drive_shows(&d, "no event"), "a machine without events");
	d.events = NULL;
	drive_keys(&d, "e e");
	ok(drive_shows(&d, "1 Events"), "or without a list of them");
	drive_close(&d);
}

/* A replay has no hooks for events: each key says so. */
static void test_replay(void)
{
	static const struct ui_options plain = { 0 };
	static const char *const keys[] = { "e", "E", "Del" };
	char error[128];

	drive_open(&d, &plain, 100, 30);
	ui_free(d.ui);
	d.ui = ui_new(&plain, NULL, error, sizeof(error));
	drive_take(&d, fixture_snapshot());
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		drive_keys(&d, "Down");
		drive_keys(&d, keys[i]);
		ok(drive_shows(&d, "events can"), "in a replay %s says that it cannot", keys[i]);
		ok(drive_shows(&d, "1 Events") && !drive_shows(&d, "event: "), "and does nothing");
	}
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_tree();
	test_search();
	test_add();
	test_fails_later();
	test_typing();
	test_sizes();
	test_replay();
	return done();
}
