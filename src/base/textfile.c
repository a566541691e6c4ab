/* SPDX-License-Identifier: MIT */
#include "base/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

static void close_keeping_errno(int fd)
{
	int saved = errno;

	close(fd);
	errno = saved;
}

/* Whether it is a regular file within the limit; else errno is set. */
static bool is_readable(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	errno = S_ISREG(st.st_mode) ? EFBIG : EINVAL;
	return S_ISREG(st.st_mode) && st.st_size <= TEXTFILE_MAX;
}

char *textfile_read(const char *path, size_t *len)
{
	size_t unused;
	char *text = NULL;
	/* Non-blocking, because open() would block on a FIFO of that name. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return NULL;
	if (is_readable(fd))
		text = sys_slurp_fd(fd, TEXTFILE_MAX, len != NULL ? len : &unused);
	close_keeping_errno(fd);
	return text;
}

const char *textfile_why(int error)
{
	if (error == EINVAL)
		return "not a regular file";
	return error == EFBIG ? "larger than 64 KiB" : strerror(error);
}

int textfile_write(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t written = write(fd, text, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return -1;
		text += written;
		len -= (size_t)written;
	}
	return 0;
}

/* The mode that the file at `path` has, if there is one. */
static int keep_mode(int fd, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == ENOENT ? 0 : -1;
	return fchmod(fd, st.st_mode & 0777);
}

/* `temporary` was created, and is open as fd. */
static int write_and_rename(int fd, const char *temporary, const char *path, const char *text,
			    size_t len)
{
	bool is_done = keep_mode(fd, path) == 0 && textfile_write(fd, text, len) == 0 &&
		       fsync(fd) == 0;
	int saved = errno;

	if (close(fd) != 0 && is_done && errno != EINTR) {
		is_done = false;
		saved = errno;
	}
	errno = saved;
	return is_done ? rename(temporary, path) : -1;
}

/* `dir` is its folder. */
static int replace(int dir, const char *path, const char *text, size_t len)
{
	char *temporary = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC); /* O_EXCL, 0600 */
	int result = fd >= 0 ? write_and_rename(fd, temporary, path, text, len) : -1;
	int saved = errno;

	if (fd >= 0 && result != 0)
		unlink(temporary);
	free(temporary);
	errno = saved;
	if (result == 0 && fsync(dir) != 0 && errno != EINVAL) /* EINVAL: not supported here */
		return -1;
	return result;
}

int textfile_replace(const char *path, const char *text, size_t len)
{
	char *target = realpath(path, NULL);

	if (target == NULL)
		target = xstrdup(path);
	char *folder = xstrdup(target);
	int dir = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = -1;

	if (dir >= 0) {
		result = replace(dir, target, text, len);
		close_keeping_errno(dir);
	}
	int saved = errno;
	free(folder);
	free(target);
	errno = saved;
	return result;
}
