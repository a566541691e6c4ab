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

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
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

bool textfile_line(const char **text, size_t *len, char *out, size_t room)
{
	const char *at = *text, *end = memchr(at, '\n', *len);
	size_t length = end != NULL ? (size_t)(end - at) : *len;
	size_t step = length + (end != NULL);

	*text += step;
	*len -= step;
	for (; length > 0 && is_blank(at[0]); length--)
		at++;
	while (length > 0 && is_blank(at[length - 1]))
		length--;
	out[0] = '\0';
	if (length >= room || memchr(at, '\0', length) != NULL)
		return false;
	memcpy(out, at, length);
	out[length] = '\0';
	return true;
}

static int write_all(int fd, const char *text, size_t len)
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

int textfile_finish(int fd, const char *text, size_t len)
{
	if (write_all(fd, text, len) != 0 || fsync(fd) != 0) {
		close_keeping_errno(fd);
		return -1;
	}
	/* EINTR: it is closed all the same. */
	return close(fd) == 0 || errno == EINTR ? 0 : -1;
}

int textfile_sync_folder(int dir)
{
	return fsync(dir) == 0 || errno == EINVAL ? 0 : -1; /* EINVAL: not supported here */
}

/* The mode that the file at `path` has, if there is one. */
static int keep_mode(int fd, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == ENOENT ? 0 : -1;
	return fchmod(fd, st.st_mode & 0777);
}

/* `dir` is its folder. */
static int replace(int dir, const char *path, const char *text, size_t len)
{
	char *temporary = xasprintf("%s.XXXXXX", path); /* mkostemp(3) fills these in */
	int fd = mkostemp(temporary, O_CLOEXEC);	/* O_EXCL, 0600 */
	int result = -1;

	if (fd >= 0 && keep_mode(fd, path) != 0)
		close_keeping_errno(fd);
	else if (fd >= 0 && textfile_finish(fd, text, len) == 0)
		result = rename(temporary, path);
	int saved = errno;
	if (fd >= 0 && result != 0)
		unlink(temporary);
	free(temporary);
	errno = saved;
	return result == 0 ? textfile_sync_folder(dir) : -1;
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
