/* SPDX-License-Identifier: MIT */
#include "source/input-files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

/* perf record starts at most one thread, with a file of its own, per CPU. */
#define FILES_MAX 8192
#define PREFIX	  "data."

void input_files_take(struct input_files *files, int fd)
{
	files->fds = xcalloc(1, sizeof(*files->fds));
	files->fds[0] = fd;
	files->count = 1;
}

void input_files_close(struct input_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		if (files->fds[i] >= 0)
			close(files->fds[i]);
	}
	free(files->fds);
	*files = (struct input_files){ 0 };
}

/* A regular file in the directory, or -errno. */
static int open_in(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

/* The number after "data.", which must be all that follows; -1: not such a name. */
static long number_of(const char *name)
{
	size_t prefix = sizeof(PREFIX) - 1;
	char *end;

	if (strncmp(name, PREFIX, prefix) != 0 || strspn(name + prefix, "0123456789") == 0)
		return -1;
	long number = strtol(name + prefix, &end, 10);
	return *end == '\0' && number < FILES_MAX ? number : -1;
}

/* How many data.N there are, up to the highest N. */
static size_t count_numbered(int dir)
{
	int copy = openat(dir, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
	const struct dirent *entry;
	long last = -1;

	if (list == NULL) {
		if (copy >= 0)
			close(copy);
		return 0;
	}
	while ((entry = readdir(list)) != NULL) {
		long number = number_of(entry->d_name);

		if (number > last)
			last = number;
	}
	closedir(list);
	return (size_t)(last + 1);
}

static int open_all(struct input_files *files, int dir)
{
	int head = open_in(dir, "data");

	if (head < 0) {
		errno = head == -ENOENT ? EISDIR : -head;
		return -1;
	}

	size_t numbered = count_numbered(dir);
	files->fds = xcalloc(numbered + 1, sizeof(*files->fds));
	files->fds[files->count++] = head;
	for (size_t i = 0; i < numbered; i++) {
		char name[sizeof(PREFIX) + 20];

		snprintf(name, sizeof(name), PREFIX "%zu", i);
		files->fds[files->count++] = open_in(dir, name);
	}
	return 0;
}

int input_files_open(struct input_files *files, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode)) {
		input_files_take(files, fd);
		return 0;
	}

	int result = open_all(files, fd);
	int saved = errno;
	close(fd);
	errno = saved;
	return result;
}
