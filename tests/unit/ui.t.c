/* SPDX-License-Identifier: MIT */
/*
 * What keys do, checked by what the screen shows and which hooks are called.
 */
#include "messages.h"
#include "ui/drive.h"

static const struct ui_options plain = { 0 };
static struct drive d;

static void open_at(int columns, int lines)
{
	drive_open(&d, &plain, columns, lines);
	drive_take(&d, fixture_snapshot());
}

static void test_options(void)
{
	char error[256] = "";
	struct ui_options options = { .view = "evnets" };

	ok(!ui_new(&options, NULL, error, sizeof(error)), "an unknown view");
	is_message(error, "screen: unknown view");
	options = (struct ui_options){ .sort = "rates" };
	ok(!ui_new(&options, NULL, error, sizeof(error)), "an unknown column");
	is_message(error, "screen: unknown column");
	options = (struct ui_options){ .view = "tasks", .sort = "-pid" };
	drive_open(&d, &options, 100, 24);
	ok(drive_shows(&d, "starting"), "without a snapshot it says so");
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "sort: -pid"), "view and sort are as asked");
	ok(drive_is_on(&d, "true ×757"), "a row without a pid is first, as the smallest");
	drive_close(&d);
}

static void test_quitting(void)
{
	open_at(100, 24);
	drive_keys(&d, "q");
	is_int(d.flags, UI_QUIT, "q quits");
	drive_keys(&d, "^C");
	is_int(d.flags, UI_QUIT, "^C too");
	drive_keys(&d, "/ a ^C");
	is_int(d.flags, UI_QUIT, "also while typing");
	drive_keys(&d, "Esc / q");
	ok(!(d.flags & UI_QUIT), "q is a letter there");
	drive_keys(&d, "Esc Esc Backspace Esc");
	ok(!(d.flags & UI_QUIT), "Esc never quits");
	drive_keys(&d, "? q");
	is_int(d.flags, UI_QUIT, "q quits from help");
	drive_keys(&d, "^Z");
	ok(d.flags & UI_SUSPEND, "^Z suspends");
	drive_keys(&d, "t");
	ok(d.flags & UI_THEME, "t asks for a theme");
	drive_keys(&d, "^L");
	ok(d.flags & UI_REPAINT, "^L repaints");
	is_int(ui_key(d.ui, KEYS_F9), UI_REDRAW, "a key without meaning");
	ok(drive_shows(&d, "F9") && drive_shows(&d, "?"),
	   "is named, with the one that shows them all");
	is_int(ui_key(d.ui, KEYS_NONE), UI_REDRAW, "no key takes the line away");
	is_int(ui_key(d.ui, KEYS_NONE), UI_IDLE, "and then does nothing");
	drive_close(&d);
}

static void test_origin(void)
{
	struct ui_options options = { .origin = UI_SAVED };

	setenv("TZ", "UTC0", 1);
	drive_open(&d, &options, 80, 24);
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "SAVED  2026-09-10"), "a saved snapshot says so, and from when it is");
	drive_close(&d);
	drive_open(&d, &options, 40, 24);
	struct snapshot *broken = fixture_snapshot();
	broken->time_s = 1e300;
	drive_take(&d, broken);
	ok(drive_shows(&d, "SAVED"), "also on few columns, and with any time in its file");
	drive_close(&d);
	options.origin = UI_REPLAY;
	drive_open(&d, &options, 80, 24);
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "REPLAY"), "a replayed recording too");
	drive_close(&d);
}

static void test_filter(void)
{
	open_at(100, 24);
	drive_keys(&d, "/ \"sched\"");
	ok(drive_is_on(&d, "sched:sched_switch"), "rows are filtered while typing");
	ok(!drive_shows(&d, "minor-faults"), "the others are gone");
	ok(d.canvas.cursor_x == (int)strlen("filter: sched"),
	   "the terminal's cursor is at the end");
	drive_keys(&d, "Backspace Backspace Backspace Backspace Backspace");
	ok(drive_shows(&d, "minor-faults"), "backspace undoes");
	drive_keys(&d, "\"~[\"");
	ok(drive_shows(&d, "at 2: "), "an error is shown beside the text");
	ok(drive_shows(&d, "minor-faults"), "and the last good filter stays");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "filter: ~["), "Enter keeps a wrong one open");
	drive_keys(&d, "^U \"!sched\" Enter");
	ok(drive_shows(&d, "filter: !sched") && drive_shows(&d, "minor-faults"), "Enter keeps");
	ok(d.canvas.cursor_x < 0, "and hides the cursor");
	drive_keys(&d, "F4 Left Right ^A Del ^E Enter");
	ok(drive_shows(&d, "filter: sched\n"), "the text can be edited in place");
	drive_keys(&d, "Esc");
	ok(drive_shows(&d, "filter: (none)"), "Esc drops the filter");
	drive_keys(&d, "/ \"irq\" Esc");
	ok(drive_shows(&d, "filter: (none)") && drive_shows(&d, "minor-faults"),
	   "Esc while typing drops it");
	drive_keys(&d, "/ \"nothing-of-that\" Enter");
	ok(drive_shows(&d, "no row matches the filter"), "an empty table says why");
	drive_close(&d);
}

static void test_long_filter(void)
{
	open_at(30, 12);
	drive_keys(&d, "/");
	for (int i = 0; i < 400; i++)
		ui_key(d.ui, i % 2 ? 0x4e2d : 'x');
	drive_screen(&d);
	ok(d.canvas.cursor_x > 8 && d.canvas.cursor_x < 30, "a long text scrolls under the cursor");
	for (int i = 0; i < 400; i++)
		ui_key(d.ui, KEYS_LEFT);
	drive_screen(&d);
	is_int(d.canvas.cursor_x, 8, "and back");
	ui_key(d.ui, 0x202e);
	ui_key(d.ui, 0x9b);
	ok(!drive_shows(&d, "\\u202e"), "only displayable characters are accepted");
	drive_close(&d);
}

static void test_sort(void)
{
	open_at(100, 24);
	drive_keys(&d, "> >");
	ok(drive_shows(&d, "sort: rate") && drive_is_on(&d, "raw_syscalls"),
	   "by rate, the largest");
	drive_keys(&d, "R");
	ok(drive_shows(&d, "sort: -rate") && drive_is_on(&d, "kprobe"), "reversed");
	drive_keys(&d, "I <");
	ok(drive_shows(&d, "sort: event") && drive_is_on(&d, "cpu-clock"), "by name, from a to z");
	drive_keys(&d, "<");
	ok(!drive_shows(&d, "sort:") && drive_is_on(&d, "raw_syscalls"), "the order given");
	drive_keys(&d, "<");
	ok(drive_shows(&d, "sort: lost"), "wraps around, over columns that cannot be sorted by");
	drive_keys(&d, "F6");
	ok(!drive_shows(&d, "sort:"), "and around again");
	drive_close(&d);
}

/* What is first by each column of text, and by its reverse. */
static void test_sort_keys(void)
{
	static const struct {
		const char *view, *column, *first, *last;
	} keys[] = {
		{ "events", "event", "cpu-clock", "syscalls:" },
		{ "tasks", "task", "?", "true ×757" },
		{ "tasks", "top", "?", "nginx" },
		{ "tasks", "tid", "nginx", "true ×757" },
		{ "symbols", "symbol", "0x7f", "ext4_file" },
		{ "symbols", "module", "do_syscall", "ext4_file" },
		{ "throttling", "event", "cpu-clock", "sched:" },
		{ "throttling", "cpu", "raw_", "sched:" },
#define THROTTLED "cpu-clock                     2"
#define NEVER	  "cpu-clock                others"
		{ "throttling", "throttled", THROTTLED, NEVER },
		{ "throttling", "times", THROTTLED, NEVER },
		{ "throttling", "time", THROTTLED, NEVER },
		{ "throttling", "share", THROTTLED, NEVER },
		{ "throttling", "lost", "sched:", "cpu-clock" },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char reverse[32];
		struct ui_options options = { .view = keys[i].view, .sort = keys[i].column };

		drive_open(&d, &options, 100, 24);
		drive_take(&d, fixture_snapshot());
		ok(drive_is_on(&d, keys[i].first), "%s by %s: %s", keys[i].view, keys[i].column,
		   drive_selected(&d));
		drive_close(&d);
		snprintf(reverse, sizeof(reverse), "-%s", keys[i].column);
		options.sort = reverse;
		drive_open(&d, &options, 100, 24);
		drive_take(&d, fixture_snapshot());
		ok(drive_is_on(&d, keys[i].last), "%s by %s: %s", keys[i].view, reverse,
		   drive_selected(&d));
		drive_close(&d);
	}
}

static void test_sort_detail(void)
{
	open_at(120, 30);
	drive_keys(&d, "Down Enter");
	ok(drive_shows(&d, "sort: rate") && drive_is_on(&d, "load"), "an event's tasks by rate");
	drive_keys(&d, "R");
	ok(drive_shows(&d, "sort: -rate") && !drive_is_on(&d, "load"), "the slowest");
	drive_keys(&d, "> R");
	ok(drive_shows(&d, "sort: -total") && !drive_is_on(&d, "load"), "by the least total");
	drive_keys(&d, "R < <");
	ok(drive_shows(&d, "sort: tid") && drive_is_on(&d, "nginx"), "by tid");
	drive_keys(&d, "<");
	ok(drive_shows(&d, "sort: pid") && drive_is_on(&d, "nginx"), "by pid");
	drive_keys(&d, "R");
	ok(drive_is_on(&d, "\\x1b"), "the smallest");
	drive_keys(&d, "R <");
	ok(drive_shows(&d, "sort: task") && drive_is_on(&d, "\\x1b"), "by name");
	drive_keys(&d, "Right");
	ok(drive_shows(&d, "▸    0"), "its CPUs in their order");
	drive_keys(&d, ">");
	ok(drive_shows(&d, "▾CPU") && drive_shows(&d, "▸    2"), "by number, the largest");
	drive_close(&d);
}

/* As fixture_snapshot(), with another rate for one event. */
static struct snapshot *with_rate(size_t event, double rate)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_event *events = (struct snap_event *)snap->events;

	events[event].rate = rate;
	snap->seq = 4;
	return snap;
}

static void test_cursor(void)
{
	open_at(100, 24);
	drive_keys(&d, "> >");
	ok(drive_is_on(&d, "raw_syscalls"), "by rate, on the first");
	drive_take(&d, with_rate(FIXTURE_LOST, 9e9));
	ok(drive_is_on(&d, "sched:sched_switch"), "untouched, the cursor stays at the top");
	drive_keys(&d, "Down");
	ok(drive_is_on(&d, "raw_syscalls"), "moved to the second");
	drive_take(&d, with_rate(FIXTURE_BALANCED, 9e9));
	ok(drive_is_on(&d, "raw_syscalls"), "it stays on its row");
	ok(strncmp(drive_line(&d, 4), "  sched:sched_switch ", 21) == 0, "which does not move");
	drive_keys(&d, "Home");
	drive_take(&d, with_rate(FIXTURE_BALANCED, 9e9));
	ok(drive_is_on(&d, "raw_syscalls"), "after Home it is at the top again");
	drive_keys(&d, "End PgUp PgDn k j End");
	ok(drive_is_on(&d, "syscalls:sys_enter_openat") || drive_is_on(&d, "kprobe"), "the last");
	drive_close(&d);
}

static void test_scrolling(void)
{
	struct ui_options by_name = { .sort = "event" };

	drive_open(&d, &by_name, 110, 14);
	drive_take(&d, fixture_snapshot_many(100, 2));
	drive_keys(&d, "PgDn PgDn");
	ok(!drive_shows(&d, "event_0 "), "pages scroll");
	drive_keys(&d, "End");
	ok(drive_is_on(&d, "group_6:event_99") && drive_shows(&d, "-100 of 100"), "to the end");
	drive_take(&d, fixture_snapshot_many(5, 2));
	ok(drive_shows(&d, "event_0 ") && drive_is_on(&d, "group_0:event_4"),
	   "fewer rows: the cursor is on the last");
	drive_take(&d, fixture_snapshot_many(0, 2));
	ok(drive_shows(&d, "no events"), "none at all");
	drive_take(&d, fixture_snapshot_many(3, 2));
	ok(drive_selected(&d)[0], "and some again");
	drive_close(&d);
}

static void test_freeze(void)
{
	open_at(100, 24);
	drive_keys(&d, "Space");
	ok(drive_shows(&d, "FROZEN"), "frozen, and it says so");
	is_int(drive_take(&d, with_rate(FIXTURE_LOST, 111)), UI_IDLE, "a snapshot changes nothing");
	is_int(drive_take(&d, with_rate(FIXTURE_LOST, 222)), UI_IDLE, "nor does the next");
	ok(drive_shows(&d, "24.19k"), "the old one is still there");
	drive_keys(&d, "P");
	ok(drive_shows(&d, "/tmp/save-3.txt"), "what is saved is what is shown");
	drive_keys(&d, "Z");
	ok(!drive_shows(&d, "FROZEN") && drive_shows(&d, "  222 "), "then the newest is shown");
	drive_close(&d);
}

static void test_hooks(void)
{
	open_at(100, 24);
	drive_keys(&d, "Down f");
	is_int(d.toggled, FIXTURE_LOST, "f toggles the event under the cursor");
	ok(drive_shows(&d, "sched:sched_switch: switched off"), "and says what");
	drive_keys(&d, "End f");
	is_int(d.toggled, FIXTURE_OFF, "also one that is off");
	drive_keys(&d, "Up");
	ok(!drive_shows(&d, "switched on"), "the message goes with the next key");
	drive_keys(&d, "f");
	is_int(d.toggled, FIXTURE_OFF, "a failed one is not switched");
	ok(drive_shows(&d, "cannot be switched on: ENOENT"), "but explained");
	drive_keys(&d, "Del");
	is_int(d.removed, FIXTURE_FAILED, "but it can be removed");
	ok(drive_shows(&d, ": removed"), "and the screen says so");
	drive_keys(&d, "z");
	is_int(d.zeroed, 1, "z zeroes");
	drive_keys(&d, "+");
	ok(d.interval == 2, "+ is the next longer interval");
	drive_keys(&d, "+ - - -");
	ok(d.interval == 0.5, "several before the next snapshot count on");
	drive_keys(&d, "d \"0.25\" Enter");
	ok(d.interval == 0.25, "an interval is typed");
	drive_keys(&d, "d \"0\" Enter");
	ok(drive_shows(&d, "seconds from 0.01 to 86400") && d.interval == 0.25, "not any");
	drive_keys(&d, "Esc 2 f");
	ok(drive_shows(&d, "no event is selected here"), "in the tasks f has no event");
	d.removed = -1;
	drive_keys(&d, "Del");
	is_int(d.removed, -1, "nor has Del");
	drive_close(&d);
}

static void test_saving(void)
{
	drive_open(&d, &plain, 80, 12);
	drive_take(&d, fixture_snapshot_many(50, 2));
	drive_keys(&d, "Down w");
	ok(strstr(d.saved, "group_0:event_0 ") && strstr(d.saved, "group_3:event_49"),
	   "every row is saved, not only those on the screen");
	ok(strstr(d.saved, "TREND"), "and the columns that the screen has no room for");
	ok(drive_is_on(&d, "group_0:event_1"), "the screen stays where it was");
	ok(!strstr(d.saved, "▸"), "no cursor in it");
	d.fails_to_save = true;
	drive_keys(&d, "w");
	ok(drive_shows(&d, "not saved: No space left on device"), "a failure is shown");
	d.fails_to_save = false;
	drive_keys(&d, "Enter w");
	ok(strstr(d.saved, "Events › group_0:event_1"), "a detail can be saved too");
	drive_keys(&d, "? w");
	ok(strstr(d.saved, "Save the whole view"), "even help");
	drive_close(&d);
}

static void test_detail(void)
{
	open_at(120, 30);
	drive_keys(&d, "Down Enter");
	ok(drive_shows(&d, "Events › sched:sched_switch"), "Enter goes into the event");
	ok(drive_shows(&d, "55,234 = 55,230 sampled + 4 lost"), "its books");
	ok(drive_shows(&d, "prev_pid=813 ==> next_pid=0"), "its newest sample");
	ok(drive_shows(&d, "nginx") && drive_is_on(&d, "load"), "its tasks, the first by rate");
	drive_keys(&d, "Right Down");
	ok(!drive_is_on(&d, "load"), "Right moves to the CPUs");
	drive_keys(&d, "Left f");
	is_int(d.toggled, FIXTURE_LOST, "f toggles this event");
	drive_take(&d, fixture_snapshot_many(2, 2));
	ok(drive_shows(&d, "not watched any more"), "an event that went away");
	drive_keys(&d, "Backspace");
	ok(!drive_shows(&d, "›"), "Backspace goes back");
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "Home End Up Enter");
	ok(drive_shows(&d, "ENOENT: this kernel has no kprobes"), "a failed one shows its reason");
	drive_keys(&d, "? Esc");
	ok(drive_shows(&d, "Events › kprobe"), "help goes back to it");
	drive_keys(&d, "Tab");
	ok(drive_shows(&d, "PREEMPT"), "Tab goes to the next view");
	drive_keys(&d, "S-Tab S-Tab");
	ok(drive_shows(&d, "no record yet"), "S-Tab back, around");
	drive_keys(&d, "6");
	ok(drive_shows(&d, "max_sample_rate 100,000/s"), "digits are views");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "Throttling › cpu-clock"), "from there into the event too");
	drive_keys(&d, "5");
	ok(drive_shows(&d, "samples of cpu-clock"), "any of them");
	drive_keys(&d, "9");
	ok(drive_shows(&d, "samples of cpu-clock"), "only those of views");
	drive_close(&d);
}

static void test_help(void)
{
	open_at(100, 80);
	drive_keys(&d, "?");
	for (int i = ACTION_NONE + 1; i < ACTION_COUNT; i++)
		if (!drive_shows(&d, action_info((enum action)i)->help))
			ok(false, "help for %s", action_info((enum action)i)->name);
	ok(drive_shows(&d, "cpu 1 is offline"), "all notes are in the help");
	drive_keys(&d, "? F1 h");
	ok(!drive_shows(&d, "Help"), "the help keys close it too");
	drive_close(&d);
}

static void test_keys(void)
{
	char name[KEY_NAME_MAX], list[64];

	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const struct action_info *info = action_info((enum action)a);

		if (action_find(info->name) != (enum action)a)
			ok(false, "%s: found by its name", info->name);
		for (const int32_t *key = keymap_default()->keys[a]; *key; key++)
			if (keys_action(NULL, *key) != (enum action)a ||
			    keys_parse(keys_name(*key, name)) != *key)
				ok(false, "%s: key %s", info->name, keys_name(*key, name));
	}
	is_str(keys_list(NULL, ACTION_VIEW, list, sizeof(list)), "1-9", "a run of keys");
	is_str(keys_list(NULL, ACTION_QUIT, list, sizeof(list)), "q ^C F10", "several keys");
	is_int(keys_parse("中"), 0x4e2d, "a wide character is a key");
	is_int(keys_parse("pgup"), KEYS_PAGE_UP, "names in any case");
	is_int(keys_parse(""), KEYS_NONE, "no key");
	is_int(keys_parse("Foo"), KEYS_NONE, "nor this");
	is_str(keys_name(0x4e2d, name), "中", "and back");
}

/* A snapshot with the first CPU that busy and idle, and the others idle. */
static void take_busy(double busy, double idle)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_cpu *cpus = snap_alloc(snap, snap->ncpus, sizeof(*cpus));

	memcpy(cpus, snap->cpus, snap->ncpus * sizeof(*cpus));
	for (size_t i = 0; i < snap->ncpus; i++) {
		cpus[i].busy = i == 0 ? busy : 0;
		cpus[i].idle = i == 0 ? idle : 1;
	}
	snap->cpus = cpus;
	drive_take(&d, snap);
}

/* The cells of the first CPU's bar. */
static unsigned int bar_cells(void)
{
	const char *at = drive_line(&d, 1);
	unsigned int cells = 0;

	at += strcspn(at, " ") + 1;
	for (; strncmp(at, "▇", strlen("▇")) == 0; at += strlen("▇"))
		cells++;
	return cells;
}

static void test_bars(void)
{
	drive_open(&d, &plain, 80, 24);
	take_busy(1, 0);
	unsigned int whole = bar_cells();
	ok(whole >= 8 && drive_shows(&d, " 100%"), "the bar of a CPU that is always busy is full");
	take_busy(0.5, 0.5);
	is_int(bar_cells(), whole / 2, "of one that is busy half of its time it is half");
	ok(drive_shows(&d, " 50%") && !drive_shows(&d, "≥50%"), "with the share beside it");
	take_busy(0.5, 0.3);
	ok(drive_shows(&d, "≥50%"), "which is a lower bound where switch records are missing");
	take_busy(RATE_UNKNOWN, RATE_UNKNOWN);
	ok(bar_cells() == 0 && strstr(drive_line(&d, 1), "–") != NULL,
	   "and unknown without switch records");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_options();
	test_quitting();
	test_bars();
	test_origin();
	test_filter();
	test_long_filter();
	test_sort();
	test_sort_keys();
	test_sort_detail();
	test_cursor();
	test_scrolling();
	test_freeze();
	test_hooks();
	test_saving();
	test_detail();
	test_help();
	test_keys();
	return done();
}
