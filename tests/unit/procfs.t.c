/* SPDX-License-Identifier: MIT */
/* Facts of tasks from a made-up /proc, and from ours; a read that hangs. */
#include "source/procfs.h"

#include "made-folder.h"
#include "tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"

static struct procfs *procfs;
static struct task_facts facts;

/* Ask until it is read, for at most 5 s. */
static bool know(int32_t tid, const char *comm)
{
	memset(&facts, 'x', sizeof(facts));
	for (int i = 0; i < 5000; i++) {
		if (procfs_find(procfs, tid, comm, &facts))
			return true;
		usleep(1000);
	}
	return false;
}

static char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

/* A file with zero bytes in it. */
static void put_bytes(const char *name, const char *bytes, size_t len)
{
	put(name, "");
	int fd = open(path_of(name), O_WRONLY | O_CLOEXEC);

	if (write(fd, bytes, len) != (ssize_t)len)
		bail("%s", name);
	close(fd);
}

static void put_task(const char *tid, const char *comm, const char *stat, const char *cgroup)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/comm", tid);
	put(name, comm);
	snprintf(name, sizeof(name), "%s/stat", tid);
	put(name, stat);
	snprintf(name, sizeof(name), "%s/cgroup", tid);
	put(name, cgroup);
	snprintf(name, sizeof(name), "%s/cmdline", tid);
	put(name, "");
}

static void test_facts(void)
{
	static const char arguments[] = "/usr/bin/a\0-b\0\0c d\0\0";

	put_task("1", "init\n", "1 (init) S 0 1 1\n", "0::/init.scope\n");
	put_task("7", "a) S 9 (\n", "7 (a) S 9 () R 1 7 7\n", "0::/user.slice/7\n");
	put_bytes("7/cmdline", arguments, sizeof(arguments) - 1);
	ok(know(7, "a) S 9 ("), "a task is read");
	is_int(facts.ppid, 1, "its parent, after a name that looks like one");
	is_str(facts.parent, "init", "with its name");
	is_str(facts.command, "/usr/bin/a -b  c d", "its arguments, without blanks at the end");
	is_str(facts.cgroup, "/user.slice/7", "its cgroup");
	ok(know(1, ""), "another");
	is_int(facts.ppid, 0, "without a parent");
	is_str(facts.parent, "", "nor its name");
	is_str(facts.command, "", "and without arguments");
	ok(know(7, "another"), "a task that has another name now");
	ok(facts.ppid == 0 && !facts.command[0] && !facts.cgroup[0], "is another task: unknown");
	put_task("7", "b\n", "7 (b) R 1\n", "0::/\n");
	ok(!procfs_find(procfs, 7, "a", &facts), "one that is asked for");
	usleep(20000);
	ok(!procfs_find(procfs, 7, "b", &facts), "and then renamed is read anew");
	ok(know(7, "b"), "by that name");
	is_str(facts.cgroup, "/", "as it is then");
	ok(know(8, "gone"), "a task that is gone");
	ok(facts.ppid == 0 && !facts.command[0] && !facts.cgroup[0], "has none");
}

/* All that it descends from; one that has parents without end. */
static void test_line(void)
{
	put_task("20", "shell\n", "20 (shell) S 1 1 1\n", "0::/\n");
	put_task("21", "make\n", "21 (make) S 20 1 1\n", "0::/\n");
	put_task("22", "cc\n", "22 (cc) S 21 1 1\n", "0::/\n");
	ok(know(22, "cc"), "a task that has parents");
	is_int(facts.ppid, 21, "the nearest is its parent");
	ok(facts.nabove == 2 && facts.above[0].pid == 20 && facts.above[1].pid == 1,
	   "the others are above it");
	is_str(facts.above[0].comm, "shell", "with their names");
	is_str(facts.above[1].comm, "init", "up to the first");
	ok(facts.is_line_whole, "which has none");
	ok(know(1, "init") && facts.nabove == 0 && !facts.is_line_whole,
	   "that has nothing above it");
	put_task("20", "shell\n", "20 (shell) S 21 1 1\n", "0::/\n");
	ok(know(22, "cc") && facts.nabove == TASK_ABOVE_MOST && !facts.is_line_whole,
	   "parents of each other: as many as there is room for");
}

static void test_cgroups(void)
{
	static const struct {
		const char *text, *path, *what;
	} cases[] = {
		{ "5:memory:/m\n1:cpu:/\n0::/u\n", "/u", "the unified one" },
		{ "0::/u\n5:memory:/m\n", "/u", "wherever it stands" },
		{ "9:pids:/\n4:memory:/m\n1:cpu:/c\n0::/\n", "/m",
		  "at its root the first that is below one" },
		{ "0::/\n", "/", "the root" },
		{ "3:cpu,cpuacct:/a:b/c\n", "/a:b/c", "a path with a colon" },
		{ "", "", "nothing" },
		{ "nonsense\n4\n5:\n6:x\n7:y:\n8:z:relative\n", "", "lines of another form" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_task("7", "a\n", "", cases[i].text);
		ok(know(7, "a"), "a cgroup file");
		is_str(facts.cgroup, cases[i].path, "%s", cases[i].what);
	}
}

static void test_long(void)
{
	char *many = malloc(100001);

	memset(many, 'y', 100000);
	many[100000] = '\0';
	put_task("7", many, many, many);
	put_bytes("7/cmdline", many, 100000);
	ok(know(7, ""), "files that are too long");
	is_u64(strlen(facts.command), TASK_COMMAND_BYTES - 1, "are cut");
	is_int(facts.ppid, 0, "or have nothing");
	free(many);
}

/* Answers that nobody fetches do not keep others from being asked for. */
static void test_room(void)
{
	struct task_facts ignored;

	put_task("7", "a\n", "", "0::/a\n");
	for (int32_t tid = 1000; tid < 1000 + 3 * PROCFS_ROOM; tid++) {
		procfs_find(procfs, tid, "", &ignored);
		usleep(100);
	}
	ok(know(7, "a"), "after many more than there is room for, one is still read");
	is_str(facts.cgroup, "/a", "as it is");
}

static void test_hanging(void)
{
	static const struct procfs *left_behind; /* so that it is no leak */
	uint64_t before;

	put_task("9", "a\n", "", "");
	unlink(path_of("9/cmdline"));
	if (mkfifo(path_of("9/cmdline"), 0600) < 0)
		bail("mkfifo");
	before = sys_monotonic_ns();
	ok(!procfs_find(procfs, 9, "a", &facts), "a task whose file hangs");
	usleep(20000);
	ok(!procfs_find(procfs, 9, "a", &facts), "is not known");
	ok(!procfs_find(procfs, 7, "a", &facts), "nor another after it");
	left_behind = procfs;
	procfs_free(procfs);
	ok(left_behind && sys_monotonic_ns() - before < 5 * NSEC_PER_SEC,
	   "asking and the end do not wait for it");
	/* So that the thread, which has been left behind, can end and free nothing that is ours. */
	close(open(path_of("9/cmdline"), O_WRONLY | O_CLOEXEC));
}

static void test_ours(void)
{
	char name[16], command[64];

	procfs = procfs_new("/proc");
	sys_read_file("/proc/self/comm", name, sizeof(name));
	name[strcspn(name, "\n")] = '\0';
	ok(know(getpid(), name), "this task");
	is_int(facts.ppid, getppid(), "has its parent");
	ok(facts.parent[0], "with a name");
	sys_read_file("/proc/self/cmdline", command, sizeof(command));
	ok(command[0] && strncmp(facts.command, command, strlen(command)) == 0, "and its command");
	ok(facts.cgroup[0] == '/' || access("/proc/self/cgroup", R_OK) != 0, "and a cgroup");
	procfs_free(procfs);
	procfs_free(NULL);
}

int main(void)
{
	plan_lazy();
	folder_begin();
	procfs = procfs_new(root);
	if (procfs == NULL)
		bail("no thread");
	test_facts();
	test_line();
	test_cgroups();
	test_long();
	test_room();
	test_hanging();
	test_ours();
	folder_end();
	return done();
}
