/* SPDX-License-Identifier: MIT */
/*
 * fake-opener - the opener's loop in a thread, with acts that need no rights.
 *
 * Included by the one file of a test.
 */
#ifndef FAKE_OPENER_H
#define FAKE_OPENER_H

#include "opener/remote.h"
#include "opener/serve.h"
#include "opener/wire.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define EVENTS_MAX     200 /* open at a time: then, as at the limit of files, EMFILE */
#define PROBE_TYPE     8
#define RING_PAGES_MAX 256

/* Events and files are memfds, told apart from every other fd by their inodes. */
struct fake {
	int sock;
	size_t opened, files;
	ino_t event, file; /* of the two memfds that all of them are duplicates of */
	int event_fd, file_fd;
	struct opener_request last;
	int leader;  /* of the last event */
	int next_fd; /* the next event's, which need not be open; 0: a new one */
	int ended_by;
	uint64_t caps; /* that the seal leaves */
};

static inline int fake_open(void *ctx, const struct opener_request *request, int leader, int cgroup)
{
	struct fake *fake = ctx;

	(void)cgroup;
	fake->leader = leader;
	fake->last = *request;
	if (++fake->opened % EVENTS_MAX == 0) {
		errno = EMFILE;
		return -1;
	}
	if (fake->next_fd != 0) {
		int fd = fake->next_fd;

		fake->next_fd = 0;
		return fd;
	}
	return fcntl(fake->event_fd, F_DUPFD_CLOEXEC, 3);
}

static inline int fake_file(void *ctx, const struct opener_request *request)
{
	struct fake *fake = ctx;

	fake->files++;
	fake->last = *request;
	return fcntl(fake->file_fd, F_DUPFD_CLOEXEC, 3);
}

static inline int fake_end(void *ctx, int number)
{
	struct fake *fake = ctx;

	fake->ended_by = number;
	errno = ESRCH;
	return -1;
}

static inline int fake_seal(void *ctx, uint64_t caps)
{
	struct fake *fake = ctx;

	fake->caps = caps;
	return 0;
}

static inline void *serve(void *arg)
{
	static const struct request_rules rules = { .probes = { { PROBE_TYPE }, 1 } };
	struct fake *fake = arg;
	struct acts acts = { fake, RING_PAGES_MAX, fake_open, fake_file, fake_end, fake_seal };

	serve_run(fake->sock, &acts, &rules);
	close(fake->sock);
	return NULL;
}

static inline int memory(const char *name, ino_t *inode)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	struct stat info;

	if (fd < 0 || ftruncate(fd, 64l << 12) != 0 || fstat(fd, &info) != 0)
		bail("no memfd");
	*inode = info.st_ino;
	return fd;
}

static inline pthread_t start(struct fake *fake, int *sock)
{
	int pair[2];
	pthread_t thread;

	*fake = (struct fake){ 0 };
	fake->event_fd = memory("event", &fake->event);
	fake->file_fd = memory("file", &fake->file);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		bail("no socketpair");
	*sock = pair[0];
	fake->sock = pair[1];
	if (pthread_create(&thread, NULL, serve, fake) != 0)
		bail("no thread");
	return thread;
}

static inline void stop(struct fake *fake, pthread_t thread)
{
	pthread_join(thread, NULL);
	close(fake->event_fd);
	close(fake->file_fd);
}

static inline size_t count_fds(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static inline struct perf_event_attr attr_of(uint32_t type)
{
	return (struct perf_event_attr){ .type = type, .size = sizeof(struct perf_event_attr) };
}

static inline int try_attr(const struct access *access, const struct perf_event_attr *attr)
{
	int fd = access->open_event(access->ctx, attr, NULL, -1, 0, -1, 0);
	int error = fd < 0 ? errno : 0;

	if (fd >= 0)
		access->close_event(access->ctx, fd);
	return error;
}

#endif
