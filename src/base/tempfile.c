/* SPDX-License-Identifier: MIT */
#include "base/tempfile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

#define FOLDER "/var/tmp"

struct tempfile {
	int fd; /* -1: not made */
	bool is_broken;
	uint64_t most;
};

struct tempfile *tempfile_new(uint64_t most)
{
	struct tempfile *file = xcalloc(1, sizeof(*file));

	file->fd = -1;
	file->most = most;
	return file;
}

void tempfile_free(struct tempfile *file)
{
	if (file != NULL && file->fd >= 0)
		close(file->fd);
	free(file);
}

/* Not O_TMPFILE, which not all file systems have: its name is there for some microseconds. */
static int make(void)
{
	const char *folder = getenv("TMPDIR");
	char *path = xasprintf("%s/perftop-ng.XXXXXX",
			       folder != NULL && *folder != '\0' ? folder : FOLDER);
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

static bool is_made(struct tempfile *file)
{
	struct statvfs disk;

	if (file->fd >= 0)
		return true;
	file->fd = make();
	if (file->fd < 0 || fstatvfs(file->fd, &disk) != 0)
		return false;

	uint64_t share = (uint64_t)disk.f_bavail * disk.f_frsize / 4;
	if (share < file->most)
		file->most = share;
	return true;
}

bool tempfile_write(struct tempfile *file, uint64_t at, const void *data, size_t bytes)
{
	if (file->is_broken)
		return false;
	file->is_broken = !is_made(file);
	if (file->is_broken || at > file->most || bytes > file->most - at)
		return false;
	file->is_broken = sys_write_at(file->fd, data, bytes, at) != 0;
	return !file->is_broken;
}

bool tempfile_read(const struct tempfile *file, uint64_t at, void *data, size_t bytes)
{
	return sys_read_at(file->fd, data, bytes, at) == (long)bytes;
}
