/* SPDX-License-Identifier: MIT */
/* u, p and c: what is watched. */
#include "ui/drive.h"

static struct drive drive;

static void open_at(const char *view, const char *file)
{
	struct ui_options options = { .view = view, .file.name = file };

	drive_open(&drive, &options, 100, 24);
	drive_take(&drive, fixture_snapshot());
}

static void test_user(void)
{
	open_at("events", NULL);
	drive_keys(&drive, "u \"nginx\"");
	ok(drive_shows(&drive, "user: nginx"), "u asks for a user");
	is_str(drive.watched, "", "and does nothing while one types");
	drive_keys(&drive, "Enter");
	is_str(drive.watched, "user nginx", "Enter watches the user's tasks");
	ok(!drive_shows(&drive, "user: nginx"), "and closes the prompt");
	drive_keys(&drive, "c");
	is_str(drive.watched, "first", "c watches again what was watched at first");
	drive_keys(&drive, "u ^P Enter");
	is_str(drive.watched, "user nginx", "the prompt knows the user from before");
	drive_keys(&drive, "u Enter");
	is_str(drive.watched, "first", "no user: as c");
	drive_close(&drive);
}

static void test_process(void)
{
	open_at("tasks", NULL);
	drive_keys(&drive, "p");
	ok(drive_shows(&drive, "processes: 1203"), "p proposes the selected task's process");
	drive_keys(&drive, "Enter");
	is_str(drive.watched, "process 1203", "Enter watches it");
	drive_keys(&drive, "Enter p");
	ok(drive_shows(&drive, "processes: 1203"), "so does p in a task's detail");
	drive_keys(&drive, "Esc 1 p \"12,34\" Enter");
	is_str(drive.watched, "process 12,34", "in Events nothing is proposed");
	drive_close(&drive);
}

static void test_refused(void)
{
	open_at("events", NULL);
	drive.watch_error = "no user of that name";
	drive_keys(&drive, "u \"ngnix\" Enter");
	ok(drive_shows(&drive, "user: ngnix") && drive_shows(&drive, "no user of that name"),
	   "what is wrong is said at the prompt, which stays");
	drive_keys(&drive, "\"x\"");
	ok(!drive_shows(&drive, "no user of that name"), "until it is edited");
	drive_keys(&drive, "Esc c");
	ok(drive_shows(&drive, "no user of that name"), "c says it in the status line");
	drive_close(&drive);
}

static void test_frozen(void)
{
	open_at("events", NULL);
	drive_keys(&drive, "Space");
	ok(drive_shows(&drive, "FROZEN"), "a frozen view");
	drive_keys(&drive, "u \"nginx\" Enter");
	ok(!drive_shows(&drive, "FROZEN"), "goes on with another scope");
	drive_close(&drive);
}

static void test_replay(void)
{
	static const char *const keys[] = { "u", "p", "c" };

	open_at("events", "perf.data");
	for (size_t i = 0; i < 3; i++) {
		drive_keys(&drive, keys[i]);
		ok(drive_shows(&drive, "what is watched"), "a file's scope is fixed: %s says so",
		   keys[i]);
	}
	drive_close(&drive);
}

int main(void)
{
	plan_lazy();
	test_user();
	test_process();
	test_refused();
	test_frozen();
	test_replay();
	return done();
}
