/* SPDX-License-Identifier: MIT */
/* Who called a symbol: from the Symbols view, as a tree that opens and closes. */
#include "ui/drive.h"

static struct drive d;

static void begin(int columns, int lines)
{
	static const struct ui_options plain = { 0 };

	drive_open(&d, &plain, columns, lines);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "5");
}

static void test_into(void)
{
	begin(100, 20);
	ok(!drive_shows(&d, "Enter callers"), "user code has no callers");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "5 Symbols"), "Enter does nothing there");
	drive_keys(&d, "Down Down");
	ok(drive_shows(&d, "Enter callers"), "a symbol with callers offers them");
	drive_keys(&d, "Enter");
	ok(drive_shows(&d, "Symbols › ext4_file_read_iter"), "Enter shows them");
	ok(drive_is_on(&d, "  new_sync_read"), "the heaviest first");
	ok(drive_shows(&d, "\n    - vfs_read"), "its caller is a step to the right");
	ok(drive_shows(&d, "\n        ksys_read") && drive_shows(&d, "\n        __x64_sys_pread64"),
	   "several callers stand below each other, a step to the right");
	ok(drive_shows(&d, "\n          do_syscall_64") && drive_shows(&d, "\n          dd"),
	   "a chain of single callers too, right of the first one");
	ok(drive_shows(&d, "\n    aio_read"), "the other caller of the symbol is on the left");
	ok(drive_shows(&d, "88.2%"), "with its part of the symbol");
	drive_keys(&d, "Esc");
	ok(drive_is_on(&d, "ext4_file_read_iter"), "Esc goes back to the symbol");
	drive_close(&d);
}

static void test_closing(void)
{
	begin(100, 20);
	drive_keys(&d, "Down Down Enter Down Left");
	ok(drive_is_on(&d, "  + vfs_read"), "Left closes it");
	ok(!drive_shows(&d, "ksys_read") && !drive_shows(&d, "dd "), "with all that called it");
	ok(drive_shows(&d, "aio_read"), "not what called another");
	drive_take(&d, fixture_snapshot());
	ok(drive_is_on(&d, "  + vfs_read"), "it stays closed in the next snapshot");
	drive_keys(&d, "Right");
	ok(drive_is_on(&d, "  - vfs_read") && drive_shows(&d, "ksys_read"), "Right opens it");
	drive_keys(&d, "Enter");
	ok(drive_is_on(&d, "  + vfs_read"), "Enter does either");
	drive_keys(&d, "Enter Down Down Down Left");
	ok(drive_is_on(&d, "      + do_syscall_64"), "on the outermost Left closes what it called");
	drive_keys(&d, "Left");
	ok(drive_is_on(&d, "    + ksys_read"), "and then the next");
	drive_keys(&d, "Home Left Left");
	ok(drive_is_on(&d, "+ new_sync_read"), "on the first one there is nothing more to close");
	drive_close(&d);
}

static void test_list(void)
{
	begin(100, 20);
	drive_keys(&d, "Down Down Enter Down Left / \"sys\" Enter");
	ok(drive_shows(&d, "ksys_read") && drive_shows(&d, "__x64_sys_pread64"),
	   "a filter finds what is closed, too");
	ok(!drive_shows(&d, "vfs_read"), "and shows nothing else");
	drive_keys(&d, "Esc > >");
	ok(drive_shows(&d, "▾") && drive_shows(&d, "  ksys_read"), "sorted it is a list of all");
	drive_close(&d);
}

/* A symbol that has gone, or has no callers any more. */
static void test_gone(void)
{
	struct snapshot *snap;

	begin(100, 20);
	drive_keys(&d, "Down Down Enter");
	snap = fixture_snapshot();
	((struct snap_event *)snap->events)[FIXTURE_FREQ].nsymbols = 0;
	drive_take(&d, snap);
	ok(!drive_shows(&d, "vfs_read") && drive_shows(&d, "Symbols › ext4_file_read_iter"),
	   "without samples it has no callers");
	drive_keys(&d, "Down Left Enter Right End / \"x\" Enter");
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "Esc");
	ok(drive_shows(&d, "vfs_read"), "when it comes again they are back");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_into();
	test_closing();
	test_list();
	test_gone();
	return done();
}
