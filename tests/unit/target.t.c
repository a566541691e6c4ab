/* SPDX-License-Identifier: MIT */
/* What -u and -G select, with a made-up /proc and list of mounts. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cgroup.h"
#include "cli/user.h"
#include "messages.h"
#include "tap.h"

static char root[] = "/tmp/perftop-target.XXXXXX";

static void make(const char *path)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	if (mkdir(whole, 0755) != 0)
		bail("mkdir %s", whole);
}

static void put(const char *path, const char *text)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	FILE *file = fopen(whole, "w");
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		bail("write %s", whole);
}

static void make_thread(const char *pid, const char *tid, const char *uids)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "proc/%s/task/%s", pid, tid);
	make(path);
	snprintf(path, sizeof(path), "proc/%s/task/%s/status", pid, tid);
	snprintf(text, sizeof(text), "Name:\tx\nUmask:\t0022\n%s\nGid:\t7\t7\t7\t7\n", uids);
	put(path, text);
}

static void make_proc(void)
{
	make("proc");
	make("proc/sys");
	make("proc/self");
	make("proc/10");
	make("proc/10/task");
	make_thread("10", "10", "Uid:\t1000\t1000\t1000\t1000");
	make_thread("10", "11", "Uid:\t1000\t1000\t1000\t1000");
	make_thread("10", "12", "Uid:\t1000\t7\t1000\t1000");
	make("proc/20");
	make("proc/20/task");
	make_thread("20", "20", "Uid:\t7\t1000\t7\t7");
	make("proc/30");
	make("proc/30/task");
	make_thread("30", "30", "Uid:\t7\t7\t7\t7");
	make("proc/40"); /* has ended: no tasks */
	make("proc/50");
	make("proc/50/task");
	make("proc/50/task/50"); /* has ended: no status */
	make_thread("50", "51", "Uid: broken");
}

static int ascending(const void *a, const void *b)
{
	return *(const pid_t *)a - *(const pid_t *)b;
}

static void check_threads(uid_t uid, pid_t except, const char *want)
{
	char proc[64], got[128] = "";
	pid_t *tids;

	snprintf(proc, sizeof(proc), "%s/proc", root);
	size_t count = user_threads(proc, uid, except, &tids);
	if (count > 0)
		qsort(tids, count, sizeof(*tids), ascending);
	for (size_t i = 0; i < count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%d", i > 0 ? " " : "",
			 (int)tids[i]);
	is_str(got, want, "user %u without process %d", (unsigned int)uid, (int)except);
	free(tids);
}

static void check_user(const char *text, int want, uid_t want_uid, const char *want_nearest)
{
	char nearest[64];
	uid_t uid = 0;

	is_int(user_find(text, &uid, nearest, sizeof(nearest)), want, "user '%s'", text);
	if (want_nearest != NULL)
		is_str(nearest, want_nearest, "nearest '%s'", want_nearest);
	if (want == 0)
		is_u64(uid, want_uid, "is %u", (unsigned int)want_uid);
}

static void make_cgroups(void)
{
	char text[1024];

	make("v2");
	make("v2/system.slice");
	make("v2/system.slice/ssh.service");
	make("v1");
	make("v1/box");
	put("v2/file", "");
	snprintf(text, sizeof(text),
		 "proc /proc proc rw 0 0\n"
		 "cgroup %s/v0 cgroup rw,cpu 0 0\n"
		 "cgroup2 %s/v2 cgroup2 rw,relatime 0 0\n",
		 root, root);
	put("mounts-v2", text);
	snprintf(text + strlen(text), sizeof(text) - strlen(text),
		 "cgroup %s/v1 cgroup rw,cpu,perf_event 0 0\n", root);
	put("mounts-v1", text);
	put("mounts-none", "proc /proc proc rw 0 0\ncgroup /x cgroup rw,cpu 0 0\n");
}

/* `want`: the folder that was opened, below the root; NULL: none. */
static void check_cgroup(const char *mounts, const char *name, const char *want)
{
	bool is_there = want != NULL;

	char path[128], link[64], got[512] = "", folder[128];
	char *reason;

	snprintf(path, sizeof(path), "%s/%s", root, mounts);
	int fd = cgroup_open(path, name, &reason);
	ok((fd >= 0) == is_there && (reason == NULL) == is_there, "%s: %s is %s", mounts, name,
	   is_there ? "there" : "not there");
	if (fd >= 0) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		if (readlink(link, got, sizeof(got) - 1) < 0)
			bail("readlink");
		ok(fcntl(fd, F_GETFD) & FD_CLOEXEC, "which no command inherits");
		close(fd);
		snprintf(folder, sizeof(folder), "%s%s", root, want != NULL ? want : "");
		is_str(got, folder, "the folder of that name");
	} else {
		is_message(reason, "cgroup: %s: %s", mounts, name);
	}
	free(reason);
}

static void check_cgroups(void)
{
	char whole[64];

	check_cgroup("mounts-v2", "system.slice", "/v2/system.slice");
	check_cgroup("mounts-v2", "/system.slice/ssh.service/", "/v2/system.slice/ssh.service");
	check_cgroup("mounts-v2", "/", "/v2");
	snprintf(whole, sizeof(whole), "%s/v2/system.slice", root);
	check_cgroup("mounts-v2", whole, "/v2/system.slice");
	check_cgroup("mounts-v1", "box", "/v1/box");
	check_cgroup("mounts-v1", "system.slice", NULL);
	check_cgroup("mounts-v2", "ssh.service", NULL);
	check_cgroup("mounts-v2", "system.slcie", NULL);
	check_cgroup("mounts-v2", "file", NULL);
	check_cgroup("mounts-v2", "../v1", NULL);
	check_cgroup("mounts-v2", "system.slice/..", NULL);
	check_cgroup("mounts-v2", "a/../..", NULL);
	check_cgroup("mounts-none", "box", NULL);
	check_cgroup("no-mounts", "box", NULL);
}

int main(void)
{
	char command[64];

	plan_lazy();
	if (mkdtemp(root) == NULL)
		bail("mkdtemp");
	make_proc();
	check_threads(1000, 0, "10 11 20");
	check_threads(1000, 10, "20");
	check_threads(7, 0, "12 30");
	check_threads(5, 0, "");
	check_user("root", 0, 0, "");
	check_user("0", 0, 0, "");
	check_user("54321", 0, 54321, "");
	check_user("4294967294", 0, 4294967294u, "");
	check_user("4294967295", -1, 0, "");
	check_user("-1", -1, 0, NULL); /* the nearest name depends on the machine */
	check_user("12x", -1, 0, NULL);
	check_user("nobody-has-such-a-name-here", -1, 0, "");
	check_user("", -1, 0, "");
	check_user("raot", -1, 0, "root");
	make_cgroups();
	check_cgroups();

	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) != 0 ? 1 : done();
}
