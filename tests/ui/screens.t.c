/* SPDX-License-Identifier: MIT */
/*
 * Whole screens, compared with tests/ui/NAME.out.  `make check UPDATE=1` writes
 * those again: then read the difference before it is committed.
 */
#include "ui/drive.h"

#include "base/sys.h"

enum source { FIXTURE, MANY, SERVER, STREAM, VIOLATION, GROUPS };

static const struct {
	const char *name;
	int columns, lines;
	enum source source;
	const char *keys;
	bool is_ascii;
} screens[] = {
	{ "events-100x24", 100, 24, FIXTURE, "", false },
	{ "events-80x24", 80, 24, FIXTURE, "Down", false },
	{ "events-40x10", 40, 10, FIXTURE, "", false },
	{ "events-10x3", 10, 3, FIXTURE, "Down", false },
	{ "events-60x2", 60, 2, FIXTURE, "", false },
	{ "events-ascii-100x20", 100, 20, FIXTURE, "> >", true },
	{ "events-many-200x30", 200, 30, MANY, "End", false },
	{ "events-many-80x24", 80, 24, MANY, "", false },
	{ "events-groups-100x16", 100, 16, GROUPS, "", false },
	{ "events-filter-80x14", 80, 14, FIXTURE, "/ \"~[\"", false },
	{ "events-frozen-100x16", 100, 16, FIXTURE, "Space > > R P", false },
	{ "event-120x30", 120, 30, FIXTURE, "Down Enter", false },
	{ "event-80x24", 80, 24, FIXTURE, "Down Down Enter Right", false },
	{ "event-symbols-80x24", 80, 24, FIXTURE, "Down Enter Right Right", false },
	{ "event-symbols-200x30", 200, 30, FIXTURE, "Down Enter Right Right Down", false },
	{ "events-below-120x40", 120, 40, FIXTURE, "Down", false },
	{ "event-failed-80x16", 80, 16, FIXTURE, "End Up Enter", false },
	{ "help-80x88", 80, 88, FIXTURE, "?", false },
	{ "switches-80x24", 80, 24, FIXTURE, "2", false },
	{ "switches-ascii-140x20", 140, 20, FIXTURE, "2 Down", true },
	{ "tasks-120x16", 120, 16, FIXTURE, "3", false },
	{ "tasks-processes-100x16", 100, 16, FIXTURE, "3 H", false },
	{ "tasks-rates-100x16", 100, 16, FIXTURE, "3 r", false },
	{ "tasks-tree-100x18", 100, 18, FIXTURE, "3 T a", false },
	{ "tasks-tree-ascii-60x18", 60, 18, FIXTURE, "3 T H a", true },
	{ "task-100x24", 100, 24, FIXTURE, "3 Enter", false },
	{ "task-fold-80x16", 80, 16, FIXTURE, "3 Down Enter", false },
	{ "task-path-60x12", 60, 12, FIXTURE, "3 Enter Enter Enter Enter", false },
	{ "tasks-below-ascii-90x40", 90, 40, FIXTURE, "3", true },
	{ "columns-80x24", 80, 24, FIXTURE, "3 C Down Enter Down Right", false },
	{ "cpus-80x24", 80, 24, FIXTURE, "4", false },
	{ "cpus-ascii-120x24", 120, 24, FIXTURE, "4 Down Down Down", true },
	{ "cpus-many-80x24", 80, 24, MANY, "4 Down Down Down", false },
	{ "cpus-many-200x50", 200, 50, MANY, "4 Down Down Down", false },
	{ "cpus-nodes-100x24", 100, 24, MANY, "4 Right Right Right", false },
	{ "cpus-512-200x60", 200, 60, SERVER, "4 Down Down Down", false },
	{ "cpus-512-60x20", 60, 20, SERVER, "4 Down Down Down", false },
	{ "symbols-80x16", 80, 16, FIXTURE, "5", false },
	{ "callers-80x20", 80, 20, FIXTURE, "5 Down Down Enter", false },
	{ "callers-ascii-120x16", 120, 16, FIXTURE, "5 Down Down Enter Down Down Left", true },
	{ "throttling-100x20", 100, 20, FIXTURE, "6", false },
	{ "throttling-ascii-80x20", 80, 20, FIXTURE, "6", true },
	{ "throttling-verified-80x20", 80, 20, VIOLATION, "6", false },
	{ "stream-140x20", 140, 20, STREAM, "7 Up Up", false },
	{ "stream-ascii-80x16", 80, 16, STREAM, "7", true },
};

static char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "tests/ui/%s.out", name);
	return path;
}

static bool wants_update(void)
{
	const char *update = getenv("UPDATE");

	return update && update[0];
}

static void write_expected(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		bail("cannot write %s", path_of(name));
}

/* Only the first line that differs, not both whole screens. */
static void show_difference(const char *got, const char *expected)
{
	for (int line = 1;; line++) {
		size_t got_len = strcspn(got, "\n"), len = strcspn(expected, "\n");

		if (got_len != len || memcmp(got, expected, len) != 0 || !got[len]) {
			diag("first in line %d\ngot      |%.*s|\nexpected |%.*s|", line,
			     (int)got_len, got, (int)len, expected);
			return;
		}
		got += len + 1;
		expected += len + (expected[len] != '\0');
	}
}

static void compare(const char *name, const char *text)
{
	size_t len;

	if (wants_update())
		write_expected(name, text);
	char *expected = sys_slurp(path_of(name), 1 << 20, &len);
	const char *want = expected ? expected : "";
	if (!ok(strcmp(text, want) == 0, "%s", name)) {
		show_difference(text, want);
		diag("if the new screen is right: make check UPDATE=1");
	}
	free(expected);
}

static struct snapshot *snapshot_of(enum source source)
{
	struct snapshot *snap;

	switch (source) {
	case STREAM:
		snap = fixture_snapshot();
		fixture_add_stream(snap);
		return snap;
	case VIOLATION:
		snap = fixture_snapshot();
		fixture_add_violation(snap);
		return snap;
	case GROUPS:
		snap = fixture_snapshot();
		fixture_add_groups(snap);
		return snap;
	case MANY:
		return fixture_snapshot_many(300, 64);
	case SERVER:
		return fixture_snapshot_many(20, 512);
	default:
		return fixture_snapshot();
	}
}

int main(void)
{
	size_t count = sizeof(screens) / sizeof(screens[0]);

	setenv("TZ", "UTC", 1);
	plan((unsigned int)count);
	for (size_t i = 0; i < count; i++) {
		struct ui_options options = { .is_ascii = screens[i].is_ascii };
		struct drive drive;

		drive_open(&drive, &options, screens[i].columns, screens[i].lines);
		drive_take(&drive, snapshot_of(screens[i].source));
		drive_keys(&drive, screens[i].keys);
		compare(screens[i].name, drive_screen(&drive));
		drive_close(&drive);
	}
	return done();
}
