/* SPDX-License-Identifier: MIT */
/* The view of CPUs: its rows, what gets a cell, what stands out. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <string.h>

static const struct ui_options plain = { 0 };
static struct drive d;

static void open_view(struct snapshot *snap, int columns, int lines)
{
	drive_open(&d, &plain, columns, lines);
	drive_take(&d, snap);
	drive_keys(&d, "4");
}

/* The line with these words; "" when there is none. */
static const char *line_of(const char *words)
{
	for (int y = 0; y < d.canvas.lines; y++)
		if (strstr(drive_line(&d, y), words))
			return drive_line(&d, y);
	return "";
}

static bool row_has(const char *row, const char *words)
{
	return strstr(line_of(row), words) != NULL;
}

static struct snap_event_cpu *cpus_of(struct snapshot *snap, size_t event)
{
	return (struct snap_event_cpu *)snap->events[event].cpus;
}

static void test_rows(void)
{
	open_view(fixture_snapshot(), 100, 30);
	ok(drive_is_on(&d, "busy"), "the CPUs' own figures come first");
	ok(row_has("busy ", "cpu0  99.3%") && row_has("busy ", "≥70%"), "how busy each is");
	ok(row_has("preemptions", "300") && row_has("preemptions", "2.0"),
	   "preemptions, nearly all on one of two");
	ok(row_has("minor-faults", "–"), "no imbalance of one event");
	ok(row_has("kprobe:vfs_read", "ENOENT"), "an event that is not open says why");
	drive_keys(&d, "/ \"max\" Esc / \"imbalance>1.1\" Enter");
	ok(line_of("busy ")[0] && line_of("preemptions")[0] && !line_of("sched_switch")[0],
	   "rows by their imbalance");
	drive_keys(&d, "Esc Enter");
	ok(drive_shows(&d, "1 Events  2"), "a CPU's own row leads nowhere");
	drive_keys(&d, "/ \"softirq\" Enter Home Enter");
	ok(drive_shows(&d, "CPUs › irq:softirq_entry"), "an event's leads to its detail");
	drive_close(&d);
}

/* The role of the cell where these words begin, in the row of that name. */
static enum role role_of(const char *row, const char *words)
{
	for (int y = 0; y < d.canvas.lines; y++) {
		const char *line = drive_line(&d, y), *at = strstr(line, words);
		int x = 0;

		if (!at || !strstr(line, row))
			continue;
		for (const char *c = line; c < at; c++)
			x += (*c & 0xc0) != 0x80;
		return canvas_line(&d.canvas, y)[x].role;
	}
	return ROLE_COUNT;
}

static void test_throttled(void)
{
	open_view(fixture_snapshot(), 100, 30);
	ok(role_of("cpu-clock", "≥995ms") == ROLE_BAD,
	   "a CPU that was throttled: at least, and bad");
	ok(role_of("cpu-clock", " 995ms") == ROLE_TEXT, "another was not");
	drive_close(&d);

	struct snapshot *snap = fixture_snapshot_many(4, 64);
	cpus_of(snap, 0)[0].is_throttled = true;
	open_view(snap, 160, 30);
	ok(role_of("group_0:event_0", "▁▃") == ROLE_BAD, "as a bar, too");
	drive_close(&d);
}

static void test_folds(void)
{
	open_view(fixture_snapshot_many(4, 64), 120, 40);
	ok(drive_shows(&d, "a cell is a core "), "cores where CPUs do not fit");
	drive_keys(&d, "Right Right");
	ok(drive_shows(&d, "a cell is a cache ") && drive_shows(&d, "cache0"), "larger ones");
	drive_keys(&d, "Right Right Right");
	ok(drive_shows(&d, "a cell is a node ") && drive_shows(&d, "node1"),
	   "up to the largest of which there are two");
	drive_keys(&d, "Left Left Left Left");
	ok(drive_shows(&d, "a cell is a core "), "and back");
	drive_close(&d);

	struct snapshot *snap = fixture_snapshot_many(4, 64);
	for (size_t i = 0; i < 64; i++)
		((struct snap_cpu *)snap->cpus)[i].core = ((struct snap_cpu *)snap->cpus)[i].node =
			((struct snap_cpu *)snap->cpus)[i].cache = -1;
	open_view(snap, 80, 40);
	ok(drive_shows(&d, "a cell is the highest of "), "several to a cell without a topology");
	drive_keys(&d, "Right");
	ok(drive_shows(&d, "a cell is the highest of "), "whatever is pressed");
	drive_close(&d);
}

/* Two nodes: the sums of their CPUs, of shares the mean, whatever else is not known. */
static void test_sums(void)
{
	struct snapshot *snap = fixture_snapshot_many(4, 8);
	struct snap_cpu *cpus = (struct snap_cpu *)snap->cpus;
	struct snap_event_cpu *of = cpus_of(snap, 0);

	for (size_t i = 0; i < 8; i++) {
		cpus[i].core = cpus[i].cache = cpus[i].package = -1;
		cpus[i].node = i < 4 ? 0 : 2;
		cpus[i].is_online = i != 5;
		cpus[i].busy = i < 4 ? 0.25 : 0.5;
		of[i].rate = i < 4 ? 10000 : 1000;
	}
	of[0].rate = RATE_UNKNOWN;
	open_view(snap, 120, 30);
	drive_keys(&d, "Right");
	ok(drive_shows(&d, "node0   node2"), "nodes by the kernel's number");
	ok(row_has("group_0:event_0", "30.00k  3.000k"), "sums of their CPUs that are known");
	ok(row_has("busy ", "≥25%    ≥50%"), "the mean of shares");
	ok(row_has("group_0:event_0", "1.8"), "the imbalance is that of the CPUs");
	drive_close(&d);
}

static void test_minute(void)
{
	struct snapshot *snap = fixture_snapshot();

	cpus_of(snap, FIXTURE_BALANCED)[1].trend = NULL;
	open_view(snap, 100, 30);
	drive_keys(&d, "Down Down Down");
	ok(drive_shows(&d, "the last 60 s of raw_syscalls:sys_enter, the most on cpu0 0 s ago"),
	   "the last minute of the selected row");
	ok(row_has("cpu0     ", "▇") && !row_has("cpu2     ", "▇"), "on each CPU, if known");
	drive_keys(&d, "Down");
	ok(drive_shows(&d, "the last 60 s of sched:sched_switch"), "of another");
	drive_close(&d);

	open_view(fixture_snapshot(), 60, 24);
	ok(drive_shows(&d, "the last 42 s of busy"), "as much of it as there is room for");
	drive_close(&d);
	open_view(fixture_snapshot(), 80, 12);
	ok(!drive_shows(&d, "the last 60 s"), "none on few lines");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_rows();
	test_throttled();
	test_folds();
	test_sums();
	test_minute();
	return done();
}
