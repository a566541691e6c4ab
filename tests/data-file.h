/* SPDX-License-Identifier: MIT */
/*
 * data-file - one of the real perf.data files of tests/data, held in memory, where a test can change
 * its bytes and replay it.
 *
 * Included by the one file of a test.
 */
#ifndef DATA_FILE_H
#define DATA_FILE_H

#include "source/replay.h"
#include "tap.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DATA "tests/data/"
#define ROOM (1u << 20)

/* A file in memory, to be damaged. */
struct file {
	unsigned char bytes[ROOM];
	size_t len;
};

static struct file file;

static inline void load(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s%s", DATA, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, file.bytes, sizeof(file.bytes)) : -1;
	if (got <= 0)
		bail("%s cannot be read", path);
	file.len = (size_t)got;
	close(fd);
}

static inline uint64_t get64(size_t at)
{
	uint64_t value;

	memcpy(&value, file.bytes + at, sizeof(value));
	return value;
}

static inline void put64(size_t at, uint64_t value)
{
	memcpy(file.bytes + at, &value, sizeof(value));
}

static inline void put16(size_t at, uint16_t value)
{
	memcpy(file.bytes + at, &value, sizeof(value));
}

static inline int as_fd(void)
{
	int fd = memfd_create("perfdata", MFD_CLOEXEC);

	if (fd < 0 || write(fd, file.bytes, file.len) != (ssize_t)file.len ||
	    lseek(fd, 0, SEEK_SET) != 0)
		bail("no file in memory");
	return fd;
}

/* The result of a replay of `file`. */
struct result {
	bool is_refused;
	char text[256]; /* the error or the complaint */
	const struct snapshot *snap;
};

static inline void result_fini(struct result *result)
{
	snapshot_release(result->snap);
}

static inline struct result replay(void)
{
	struct result result = { 0 };
	int fd = as_fd();
	struct replay_config config = { .fds = &fd,
					.nfds = 1,
					.interval_s = 1000,
					.keep.top = 1000 };
	char *error = NULL;
	struct source *replay = replay_open(&config, &error);

	result.is_refused = replay == NULL;
	if (replay != NULL && source_start(replay, 1000) == NULL) {
		while (result.snap == NULL || !result.snap->is_final) {
			struct pollfd wake = { .fd = source_fd(replay), .events = POLLIN };

			poll(&wake, 1, -1);
			snapshot_release(result.snap);
			result.snap = source_take(replay);
		}
		error = source_complaint(replay);
	}
	snprintf(result.text, sizeof(result.text), "%s", error != NULL ? error : "");
	free(error);
	source_free(replay, UINT64_MAX);
	close(fd);
	return result;
}

static inline uint64_t sampled(const struct snapshot *snap)
{
	uint64_t sum = 0;

	for (size_t i = 0; snap != NULL && i < snap->nevents; i++)
		sum += snap->events[i].sampled;
	return sum;
}

/* The damaged file is read as far as possible, reported, and never gives too many samples. */
static inline void damaged(uint64_t most, const char *what)
{
	struct result result = replay();
	unsigned long long unread = 0;

	ok(result.text[0] != '\0', "%s: reported (%s)", what, result.text);
	(void)sscanf(result.text, "partly read: %llu bytes", &unread);
	ok(unread <= file.len, "%s: no more is unread than the file has", what);
	ok(sampled(result.snap) <= most, "%s: no sample too many", what);
	result_fini(&result);
}

#endif
