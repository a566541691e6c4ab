/* SPDX-License-Identifier: MIT */
/* A temporary file: what it keeps, how much, and that nothing of it is left. */
#include "base/tempfile.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tap.h"

#define FAR 100000000u

static char folder[] = "/tmp/perftop-tempfile.XXXXXX";

static int names_in_folder(void)
{
	DIR *dir = opendir(folder);
	int count = 0;

	while (dir != NULL && readdir(dir) != NULL)
		count++;
	if (dir != NULL)
		closedir(dir);
	return count - 2; /* . and .. */
}

static void check_content(void)
{
	struct tempfile *file = tempfile_new(FAR + 8);
	char got[8] = "";

	ok(tempfile_write(file, 0, "12345678", 8) && tempfile_write(file, FAR, "abcdefgh", 8),
	   "written");
	ok(tempfile_write(file, 2, "xy", 2), "and in between");
	ok(tempfile_read(file, 0, got, 8) && memcmp(got, "12xy5678", 8) == 0, "read again");
	ok(tempfile_read(file, FAR, got, 8) && memcmp(got, "abcdefgh", 8) == 0, "far behind, too");
	ok(!tempfile_read(file, FAR + 1, got, 8), "not beyond its end");
	ok(!tempfile_write(file, FAR + 1, "abcdefgh", 8), "no more than allowed");
	ok(!tempfile_write(file, UINT64_MAX - 3, "abcdefgh", 8), "nor at any offset");
	ok(tempfile_write(file, FAR, "ABCDEFGH", 8), "what is allowed, still");
	is_int(names_in_folder(), 0, "it has no name");
	tempfile_free(file);
}

/* As if the disk were full. */
static void check_full(void)
{
	struct rlimit before, least = { 4, 4 };
	struct tempfile *file = tempfile_new(FAR);
	char got[4] = "";

	getrlimit(RLIMIT_FSIZE, &before);
	least.rlim_max = before.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &least);
	ok(tempfile_write(file, 0, "1234", 4), "full: what there is room for");
	ok(!tempfile_write(file, 4, "5678", 4), "no more");
	setrlimit(RLIMIT_FSIZE, &before);
	ok(!tempfile_write(file, 4, "5678", 4), "nor later");
	ok(tempfile_read(file, 0, got, 4) && memcmp(got, "1234", 4) == 0,
	   "what was written is read");
	tempfile_free(file);
}

static void check_no_folder(void)
{
	struct tempfile *file = tempfile_new(FAR);

	setenv("TMPDIR", "/nowhere/at/all", 1);
	ok(!tempfile_write(file, 0, "1", 1), "no folder: nothing is written");
	tempfile_free(file);
	tempfile_free(NULL);
}

int main(void)
{
	plan_lazy();
	if (mkdtemp(folder) == NULL)
		bail("no folder in /tmp");
	setenv("TMPDIR", folder, 1);
	check_content();
	check_full();
	check_no_folder();
	rmdir(folder);
	return done();
}
