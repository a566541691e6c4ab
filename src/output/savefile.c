/* SPDX-License-Identifier: MIT */
#include "output/savefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/textfile.h"

#define NAME_ROOM    64	  /* bytes: enough for perftop-ng-20260910-002640-999.txt */
#define ATTEMPTS_MAX 1000 /* names of one second */

/* O_EXCL fails for anything with that name, a dangling link included. */
static int create(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	/* The umask may have cleared some of these bits.  By fd, not by name. */
	if (fd >= 0 && fchmod(fd, 0600) != 0) {
		int saved = errno;
		unlinkat(dir, name, 0);
		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

/*
 * Create a file with the first free name: its fd, or -1 and errno; `name` is the last
 * one tried.
 */
static int create_new(int dir, time_t when, char name[NAME_ROOM])
{
	struct tm tm;
	char stem[NAME_ROOM - 16];

	if (!localtime_r(&when, &tm))
		return -1;
	strftime(stem, sizeof(stem), "perftop-ng-%Y%m%d-%H%M%S", &tm);
	snprintf(name, NAME_ROOM, "%s.txt", stem);
	for (int attempt = 1;; attempt++) {
		int fd = create(dir, name);
		if (fd >= 0 || errno != EEXIST || attempt == ATTEMPTS_MAX)
			return fd;
		snprintf(name, NAME_ROOM, "%s-%d.txt", stem, attempt);
	}
}

static int write_in(int dir, const char *text, size_t len, time_t when, char name[NAME_ROOM])
{
	int fd = create_new(dir, when, name);
	if (fd < 0)
		return -1;

	if (textfile_finish(fd, text, len) == 0 && textfile_sync_folder(dir) == 0)
		return 0;
	int saved = errno;
	unlinkat(dir, name, 0);
	errno = saved;
	return -1;
}

/* With the directory if there is room, for users who look for the file later. */
static void set_path(char *path, size_t room, const char *name)
{
	int saved = errno;

	char *cwd = getcwd(NULL, 0);
	if (!cwd || cwd[0] != '/' || strlen(cwd) + 1 + strlen(name) >= room)
		snprintf(path, room, "%s", *name ? name : ".");
	else
		snprintf(path, room, "%s%s%s", cwd, *name && cwd[1] != '\0' ? "/" : "", name);
	free(cwd);
	errno = saved;
}

int savefile_write(const char *text, size_t len, time_t when, char *path, size_t room)
{
	char name[NAME_ROOM] = "";
	int result = -1;
	int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir >= 0) {
		result = write_in(dir, text, len, when, name);
		int saved = errno;
		close(dir);
		errno = saved;
	}
	set_path(path, room, name);
	return result;
}
