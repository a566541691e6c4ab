/* SPDX-License-Identifier: MIT */
#include "output/sink.h"

#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct sink {
	int fd;
	bool is_fresh;
};

/*
 * stdout through a duplicate, so that closing the sink reports late errors and
 * leaves fd 1 open.  A closed stdout is detected here (EBADF), before a later
 * open() could return fd 1 and receive our output.
 */
static int open_fd(const char *path, bool append)
{
	if (!path)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (append ? O_APPEND : O_TRUNC),
		    0666);
}

struct sink *sink_open(const char *path, bool append)
{
	struct stat st;

	int fd = open_fd(path, append);
	if (fd < 0)
		return NULL;

	struct sink *sink = xcalloc(1, sizeof(*sink));
	sink->fd = fd;
	sink->is_fresh = !path || !append || fstat(fd, &st) != 0 || st.st_size == 0;
	return sink;
}

/* Another process may have set O_NONBLOCK on the shared file description: wait here instead. */
static int wait_writable(int fd)
{
	struct pollfd wanted = { .fd = fd, .events = POLLOUT };

	while (poll(&wanted, 1, -1) < 0)
		if (errno != EINTR)
			return -1;
	return 0; /* also for errors and hang-ups: the write returns them */
}

int sink_write(struct sink *sink, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t written = write(sink->fd, text, len);
		if (written > 0) {
			text += written;
			len -= (size_t)written;
		} else if (written == 0) {
			errno = EIO; /* not expected, but it would loop forever */
			return -1;
		} else if (errno == EAGAIN) {
			if (wait_writable(sink->fd) != 0)
				return -1;
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

bool sink_is_fresh(const struct sink *sink)
{
	return sink->is_fresh;
}

int sink_close(struct sink *sink)
{
	if (!sink)
		return 0;

	/* Linux closes the fd even if close() returns EINTR: not an error, and no retry. */
	int result = close(sink->fd);
	int saved = errno;
	free(sink);
	errno = saved;
	return result != 0 && saved != EINTR ? -1 : 0;
}
