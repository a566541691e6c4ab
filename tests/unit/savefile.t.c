/* SPDX-License-Identifier: MIT */
#include "output/savefile.h"

#include "base/sys.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHEN 1789000000 /* 2026-09-10 00:26:40 UTC */
#define NAME "perftop-ng-20260910-002640"

static char dir[] = "/tmp/savefile.XXXXXX";
static char path[PATH_MAX];

static int save(const char *text)
{
	errno = 0;
	return savefile_write(text, strlen(text), WHEN, path, sizeof(path));
}

static unsigned int count_files(void)
{
	unsigned int count = 0;
	DIR *here = opendir(".");

	for (struct dirent *entry; (entry = readdir(here));)
		count += entry->d_name[0] != '.';
	closedir(here);
	return count;
}

static void is_content(const char *name, const char *want)
{
	char text[64] = "";

	sys_read_file(name, text, sizeof(text));
	is_str(text, want, "%s holds it", name);
}

static void remove_all(void)
{
	DIR *here = opendir(".");

	for (struct dirent *entry; (entry = readdir(here));)
		if (entry->d_name[0] != '.')
			unlink(entry->d_name);
	closedir(here);
}

static void check_names(void)
{
	struct stat st;
	char want[PATH_MAX];

	umask(0777);
	is_int(save("one"), 0, "a snapshot is saved");
	umask(022);
	snprintf(want, sizeof(want), "%s/%s.txt", dir, NAME);
	is_str(path, want, "its path is returned");
	is_content(NAME ".txt", "one");
	stat(NAME ".txt", &st);
	is_int(st.st_mode & 07777, 0600, "for its owner only, whatever the umask");

	is_int(save("two"), 0, "a second one in the same second");
	is_content(NAME "-1.txt", "two");
	is_int(save(""), 0, "a third, empty");
	is_content(NAME "-2.txt", "");
	is_content(NAME ".txt", "one");
	is_u64(count_files(), 3, "and nothing else is there");
	remove_all();
}

/* Another user guessed the names and planted files there. */
static void check_planted(void)
{
	if (symlink("victim", NAME ".txt") != 0 || symlink("/dev/null", NAME "-1.txt") != 0 ||
	    mkdir(NAME "-2.txt", 0700) != 0 || mkfifo(NAME "-3.txt", 0600) != 0)
		bail("cannot plant: %s", strerror(errno));
	is_int(save("text"), 0, "links, a directory and a fifo have the names");
	ok(access("victim", F_OK) != 0, "a dangling link is not followed");
	is_content(NAME "-4.txt", "text");
	rmdir(NAME "-2.txt");
	remove_all();
}

static void check_failures(void)
{
	struct rlimit limit, none = { .rlim_cur = 100 };
	static char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	none.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &none);
	int result = save(text), reason = errno;
	setrlimit(RLIMIT_FSIZE, &limit);
	is_int(result, -1, "a disk that fills up fails it");
	is_int(reason, EFBIG, "with its errno");
	ok(strstr(path, NAME ".txt") != NULL, "the path that failed is returned");
	is_u64(count_files(), 0, "and no partial file is left");

	if (chdir("/proc/self") == 0) {
		is_int(save("x"), -1, "where no file can be made it fails");
		ok(errno != 0, "with a reason");
	}
	if (chdir(dir) != 0)
		bail("cannot go back: %s", strerror(errno));

	char small[16];
	is_int(savefile_write("x", 1, WHEN, small, sizeof(small)), 0, "a path that has no room");
	is_u64(strlen(small), sizeof(small) - 1, "is cut");
	remove_all();
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	if (!mkdtemp(dir) || chdir(dir) != 0)
		skip_all("no directory to write in");

	plan_lazy();
	check_names();
	check_planted();
	check_failures();
	if (chdir("/") == 0)
		rmdir(dir);
	return done();
}
