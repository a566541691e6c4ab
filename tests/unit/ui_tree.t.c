/* SPDX-License-Identifier: MIT */
/* Tasks below the task that forked them. */
#include "fixture.h"
#include "tap.h"
#include "ui/drive.h"

#include <stdio.h>
#include <string.h>

#define FIRST 4 /* the line of the first row */

struct made {
	int32_t pid, tid, ppid;
	const char *comm;
	double on_cpu;
};

static const struct ui_options plain = { 0 };
static struct drive d;

/* A snapshot of these tasks [count] and of what they descend from [nparents]. */
static struct snapshot *made(const struct made *tasks, size_t count,
			     const struct snap_parent *parents, size_t nparents)
{
	struct snapshot *snap = fixture_snapshot();
	struct snap_task *all = snap_alloc(snap, count, sizeof(*all));

	for (size_t i = 0; i < count; i++)
		all[i] = (struct snap_task){ .pid = tasks[i].pid,
					     .tid = tasks[i].tid,
					     .ppid = tasks[i].ppid,
					     .comm = tasks[i].comm,
					     .parent = "",
					     .ntasks = 1,
					     .on_cpu = tasks[i].on_cpu,
					     .recent_cpu = tasks[i].on_cpu };
	snap->tasks = all;
	snap->ntasks = count;
	snap->nprocesses = 0;
	snap->parents = parents;
	snap->nparents = nparents;
	return snap;
}

static void open_tree(const struct made *tasks, size_t count, const struct snap_parent *parents,
		      size_t nparents)
{
	drive_open(&d, &plain, 100, 30);
	drive_take(&d, made(tasks, count, parents, nparents));
	drive_keys(&d, "3 T");
}

/* The names of the first rows with their lines, and a bar between. */
static const char *names(int count)
{
	static char all[400];
	size_t len = 0;

	all[0] = '\0';
	for (int i = 0; i < count; i++) {
		char line[4096];

		snprintf(line, sizeof(line), "%s", drive_line(&d, FIRST + i));
		/* After the margin, up to the first of three blanks. */
		char *name = line;
		for (int cell = 0; cell < 2 && *name != '\0'; cell++)
			name += strncmp(name, "▸", 3) == 0 || strncmp(name, "•", 3) == 0 ? 3 : 1;
		char *end = strstr(name, "   ");
		if (end != NULL)
			*end = '\0';
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? "|" : "", name);
	}
	return all;
}

static const struct made family[] = {
	{ 10, 10, 1, "shell", 0.01 }, { 11, 11, 10, "make", 0.05 }, { 12, 12, 11, "cc", 0.9 },
	{ 13, 13, 11, "ld", 0.3 },    { 20, 20, 1, "top", 0.4 },    { 14, 14, 10, "less", 0.02 },
};
#define FAMILY (sizeof(family) / sizeof(family[0]))

static void test_order(void)
{
	open_tree(family, FAMILY, NULL, 0);
	is_str(names(6), "shell 10|├ make 11|│ ├ cc 12|│ └ ld 13|└ less 14|top 20",
	       "each stands below its parent, the busiest first");
	drive_keys(&d, "R");
	is_str(names(6), "shell 10|├ less 14|└ make 11|  ├ ld 13|  └ cc 12|top 20",
	       "reversed: where the first of them and those below does");
	drive_keys(&d, "R <");
	is_str(names(6), "shell 10|├ make 11|│ ├ cc 12|│ └ ld 13|└ less 14|top 20", "by name");
	drive_keys(&d, "R");
	is_str(names(6), "top 20|shell 10|├ make 11|│ ├ ld 13|│ └ cc 12|└ less 14",
	       "the other way round");
	drive_keys(&d, "T");
	is_str(names(6), "top 20|shell 10|make 11|less 14|ld 13|cc 12", "T: a list");
	drive_close(&d);
}

/* More levels than there is room for: their lines are denser, and no row's are on its parent's left. */
static void test_dense(void)
{
	static struct made deep[40];

	for (int i = 0; i < 40; i++)
		deep[i] = (struct made){ 100 + i, 100 + i, 99 + i, "sh", 0.5 };
	open_tree(deep, 5, NULL, 0);
	is_str(names(3), "sh 100|└ sh 101|  └ sh 102", "a few levels: two cells each");
	drive_close(&d);
	open_tree(deep, 16, NULL, 0);
	is_str(names(4), "sh 100|└sh 101| └sh 102|  └sh 103", "many levels: one cell each");
	drive_close(&d);
	open_tree(deep, 40, NULL, 0);
	int before = 0, left = 0;
	drive_keys(&d, "End Up Up Up");
	for (int i = 0; i < 18; i++) {
		const char *line = drive_line(&d, FIRST + i);
		const char *name = strstr(line, "sh 1");
		int at = 0;

		for (const char *byte = line; name != NULL && byte < name; byte++)
			at += (*byte & 0xc0) != 0x80; /* a cell each */
		left += at < before;
		before = at;
	}
	is_int(left, 0, "too many: the deepest have the last level");
	drive_close(&d);
}

static void test_filter(void)
{
	open_tree(family, FAMILY, NULL, 0);
	drive_keys(&d, "/ \"c\" Enter");
	is_str(names(1), "cc 12", "with a filter those that match");
	drive_keys(&d, "/ ^U \"~shell|cc|ld\" Enter");
	is_str(names(3), "shell 10|├ cc 12|└ ld 13",
	       "below the nearest of their parents that does");
	drive_close(&d);
}

static void test_parents(void)
{
	static const struct snap_parent parents[] = { { 1, 0, "init" }, { 30, 1, "sshd" } };
	static const struct made tasks[] = {
		{ 10, 10, 30, "shell", 0.1 },
		{ 20, 21, 1, "thread", 0.2 },
		{ 40, 40, 2, "orphan", 0.05 },
	};

	open_tree(tasks, 3, parents, 2);
	is_str(names(5), "init 1|├ thread 21|└ sshd 30|  └ shell 10|orphan 40",
	       "parents without a record stand above");
	ok(drive_is_on(&d, "init 1"), "the cursor is on one");
	drive_keys(&d, "Enter");
	ok(!drive_shows(&d, "›"), "there is nothing to say of it");
	drive_keys(&d, "m");
	ok(drive_shows(&d, "1 marked"), "it can be marked with others");
	drive_keys(&d, "m");
	ok(drive_shows(&d, "2 marked    ") && drive_shows(&d, "≥20.0%         0          0\n"),
	   "and adds nothing");
	drive_keys(&d, "T");
	is_str(names(3), "thread 21|shell 10|orphan 40", "in a list they have no row");
	ok(drive_shows(&d, "1 of 2 marked"), "so it has no mark there");
	drive_close(&d);
}

static void test_closed(void)
{
	open_tree(family, FAMILY, NULL, 0);
	drive_keys(&d, "Left");
	is_str(names(3), "shell 10 +4|top 20|other 112 tasks", "Left: what is below is closed");
	ok(drive_is_on(&d, "shell 10 +4") && strstr(drive_selected(&d), " ≥128%") != NULL,
	   "the row is the sum");
	drive_keys(&d, "Left");
	is_str(names(2), "shell 10 +4|top 20", "it is closed already");
	drive_take(&d, made(family, FAMILY, NULL, 0));
	is_str(names(2), "shell 10 +4|top 20", "it stays so");
	drive_keys(&d, "H");
	is_str(names(2), "shell 10 +4|top 20", "also by process");
	drive_keys(&d, "H Enter");
	ok(drive_shows(&d, "Tasks › shell 10") && drive_shows(&d, "1.0% of a CPU"),
	   "Enter goes into the task alone");
	drive_keys(&d, "Esc Right");
	is_str(names(2), "shell 10|├ make 11", "Right: it is open");
	drive_keys(&d, "Down Left");
	is_str(names(4), "shell 10|├ make 11 +2|└ less 14|top 20", "a branch of a branch");
	drive_keys(&d, "Up Left");
	is_str(names(2), "shell 10 +4|top 20", "and all of it");
	drive_keys(&d, "Right");
	is_str(names(3), "shell 10|├ make 11 +2|└ less 14", "which leaves that as it was");
	drive_keys(&d, "Down Down Left Right");
	is_str(names(4), "shell 10|├ make 11 +2|└ less 14|top 20", "a leaf cannot be closed");
	drive_keys(&d, "T");
	is_str(names(6), "cc 12|top 20|ld 13|make 11|less 14|shell 10", "a list has all");
	drive_close(&d);
}

static const char *sum_line(void)
{
	int y = 0;

	while (y < d.canvas.lines && strstr(drive_line(&d, y), " marked") == NULL)
		y++;
	return drive_line(&d, y);
}

/* What is part of a closed row is not added twice. */
static void test_marks(void)
{
	open_tree(family, FAMILY, NULL, 0);
	drive_keys(&d, "Down Down m Up Up Up");
	ok(drive_is_on(&d, "shell 10") && drive_shows(&d, "1 marked"), "a mark");
	drive_keys(&d, "m Up");
	ok(strstr(sum_line(), "  2 marked") == sum_line() && strstr(sum_line(), " ≥91.0%") != NULL,
	   "two rows");
	drive_keys(&d, "Left");
	ok(strstr(sum_line(), "  1 of 2 marked") == sum_line() &&
		   strstr(sum_line(), " ≥128%") != NULL,
	   "closed, one of them is part of the other");
	drive_close(&d);
}

static void test_closed_parent(void)
{
	static const struct snap_parent parents[] = { { 1, 0, "init" }, { 30, 1, "sshd" } };
	static const struct made tasks[] = { { 10, 10, 30, "shell", 0.1 },
					     { 20, 21, 1, "thread", 0.2 } };

	open_tree(tasks, 2, parents, 2);
	drive_keys(&d, "Left");
	is_str(names(1), "init 1 +3", "a parent without a record");
	ok(strstr(drive_selected(&d), " ≥30.0%") != NULL, "is what those below it did");
	drive_keys(&d, "Enter");
	ok(!drive_shows(&d, "›"), "there is still nothing to say of it alone");
	drive_close(&d);
}

static void test_threads(void)
{
	static const struct snap_parent parents[] = { { 50, 0, "java" } };
	static const struct made tasks[] = { { 50, 51, 50, "gc", 0.1 },
					     { 50, 52, 50, "jit", 0.2 },
					     { 60, 60, 0, "first", 0.05 },
					     { 60, 61, 60, "second", 0.04 } };

	open_tree(tasks, 4, parents, 1);
	is_str(names(5), "java 50|├ jit 52|└ gc 51|first 60|└ second 61",
	       "threads stand below the first of their process");
	drive_close(&d);
}

static void test_quiet(void)
{
	static const struct snap_parent parents[] = { { 1, 0, "init" }, { 2, 0, "kthreadd" } };
	static const struct made tasks[] = {
		{ 10, 10, 1, "shell", 0 },	 { 11, 11, 10, "make", 0.5 },
		{ 12, 12, 1, "asleep", 0 },	 { 13, 13, 12, "asleep", 0 },
		{ 14, 14, 2, "kworker/0:1", 0 },
	};

	open_tree(tasks, 5, parents, 2);
	is_str(names(3), "init 1|└ shell 10|  └ make 11",
	       "one at 0 is shown above one that is not");
	ok(drive_shows(&d, "(4 tasks at 0: a shows them)"), "a line of which none is is hidden");
	drive_keys(&d, "a");
	is_str(names(7),
	       "init 1|├ shell 10|│ └ make 11|└ asleep 12|  └ asleep 13|kthreadd 2|"
	       "└ kworker/0:1 14",
	       "a: all");
	drive_close(&d);
}

/* A file can say what it likes. */
static void test_rings(void)
{
	static const struct snap_parent parents[] = { { 5, 6, "five" }, { 6, 5, "six" } };
	static const struct made tasks[] = { { 10, 10, 11, "one", 0.4 },
					     { 11, 11, 10, "two", 0.3 },
					     { 12, 12, 12, "self", 0.2 },
					     { 13, 13, 5, "low", 0.1 },
					     { 10, 10, 11, "again", 0.05 } };

	open_tree(tasks, 5, parents, 2);
	for (size_t i = 0; i < 5; i++) {
		char name[40];

		snprintf(name, sizeof(name), "%s %d", tasks[i].comm, (int)tasks[i].pid);
		ok(drive_shows(&d, name), "parents of each other: '%s' is shown", name);
	}
	ok(drive_shows(&d, "five 5") && drive_shows(&d, "six 6"), "their parents, too");
	drive_close(&d);
}

static void test_deep(void)
{
	static struct made tasks[200];

	for (int32_t i = 0; i < 200; i++)
		tasks[i] = (struct made){ 100 + i, 100 + i, 99 + i, "deep", 0.5 };
	open_tree(tasks, 200, NULL, 0);
	ok(strstr(names(2), "deep 100|└deep 101") != NULL, "the first are at the top");
	drive_keys(&d, "End Up Up Up");
	ok(strstr(drive_selected(&d), "└deep 299") != NULL, "a name has room at any depth");
	drive_close(&d);
}

/* The row that it is on goes where it belongs, and is not kept on its line. */
static void test_cursor(void)
{
	static const struct made later[] = {
		{ 10, 10, 1, "shell", 0.01 }, { 11, 11, 10, "make", 0.05 },
		{ 12, 12, 11, "cc", 0.3 },    { 13, 13, 11, "ld", 0.9 },
		{ 20, 20, 1, "top", 0.4 },    { 15, 15, 10, "vi", 1.0 },
	};

	open_tree(family, FAMILY, NULL, 0);
	drive_keys(&d, "Down Down");
	ok(drive_is_on(&d, "│ ├ cc 12"), "the cursor is on a row");
	drive_take(&d, made(later, 6, NULL, 0));
	ok(drive_is_on(&d, "  └ cc 12"), "it stays on it");
	is_str(names(6), "shell 10|├ vi 15|└ make 11|  ├ ld 13|  └ cc 12|top 20",
	       "which goes where it belongs");
	drive_close(&d);
}

static void test_processes(void)
{
	drive_open(&d, &plain, 100, 30);
	drive_take(&d, fixture_snapshot());
	drive_keys(&d, "3 T");
	ok(drive_shows(&d, "├ load 812") && drive_shows(&d, "│ └ load 813"), "a thread");
	drive_keys(&d, "H");
	ok(drive_shows(&d, "├ load 812 ×2") && !drive_shows(&d, "load 813  "), "H: its process");
	ok(drive_shows(&d, "nginx: ä中 1203") && drive_shows(&d, "└ true ×757/s"),
	   "short-lived tasks stand below theirs");
	drive_keys(&d, "r");
	ok(drive_shows(&d, "└ true ×757/s"), "with rates, too");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	test_order();
	test_dense();
	test_filter();
	test_parents();
	test_closed();
	test_marks();
	test_closed_parent();
	test_threads();
	test_quiet();
	test_rings();
	test_deep();
	test_cursor();
	test_processes();
	return done();
}
