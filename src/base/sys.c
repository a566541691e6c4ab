/* SPDX-License-Identifier: MIT */
#include "base/sys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"

#define POLL_FAILED_MSEC 5
#define SLURP_FIRST	 4096 /* bytes: /proc and tracefs files come a page at a time */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	/* Cannot fail: these clocks exist on every kernel that has perf events. */
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

uint64_t sys_monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int sys_poll(struct pollfd *fds, unsigned int count, int timeout_msec)
{
	int ready = poll(fds, count, timeout_msec);

	if (ready < 0)
		poll(NULL, 0, POLL_FAILED_MSEC);
	return ready;
}

int sys_msec_until(uint64_t until_ns)
{
	uint64_t now_ns = sys_monotonic_ns();

	if (until_ns == UINT64_MAX)
		return -1;
	if (until_ns <= now_ns)
		return 0;

	uint64_t msec = (until_ns - now_ns) / NSEC_PER_MSEC + 1;
	return msec < INT_MAX ? (int)msec : INT_MAX;
}

/* Polled: ThreadSanitizer lacks pthread_clockjoin_np(); the timed join uses the wall clock. */
bool sys_join(pthread_t thread, uint64_t until_ns)
{
	const struct timespec a_moment = { .tv_nsec = 200000 };

	for (;;) {
		if (pthread_tryjoin_np(thread, NULL) == 0)
			return true;
		if (sys_monotonic_ns() >= until_ns)
			return false;
		nanosleep(&a_moment, NULL);
	}
}

uint64_t sys_cpu_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t sys_thread_cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t sys_wall_ns(void)
{
	return (int64_t)clock_ns(CLOCK_REALTIME);
}

uint64_t sys_parse_rss(const char *statm)
{
	unsigned long long pages;

	/* "size resident shared ...", in pages; size is only address space. */
	if (sscanf(statm, "%*u %llu", &pages) != 1)
		return 0;
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t sys_rss_bytes(void)
{
	char text[SYS_STATM_MAX];

	return sys_read_file(SYS_STATM, text, sizeof(text)) < 0 ? 0 : sys_parse_rss(text);
}

/*
 * Read at an offset, or with NULL on from the current one, until `room` is full or the file ends: the bytes
 * read, or -1 and errno.
 */
static ssize_t read_whole(int fd, char *out, size_t room, const off_t *at)
{
	size_t len = 0;

	while (len < room) {
		ssize_t got = at != NULL ? pread(fd, out + len, room - len, *at + (off_t)len) :
					   read(fd, out + len, room - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	return (ssize_t)len;
}

static void close_keeping_errno(int fd)
{
	int saved = errno;
	close(fd);
	errno = saved;
}

long sys_read_file(const char *path, char *out, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;

	ssize_t len = read_whole(fd, out, room - 1, NULL);
	close_keeping_errno(fd);
	out[len < 0 ? 0 : len] = '\0';
	return len;
}

bool sys_read_line(const char *path, char *out, size_t room)
{
	bool is_read = sys_read_file(path, out, room) >= 0;

	out[is_read ? strcspn(out, "\n") : 0] = '\0';
	return is_read;
}

/* 0: it is none. */
static pid_t number_in(const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	return *end == '\0' && number > 0 && number <= INT32_MAX ? (pid_t)number : 0;
}

long sys_list_numbers(const char *path, pid_t **numbers)
{
	DIR *folder = opendir(path);
	size_t count = 0, room = 0;

	*numbers = NULL;
	if (folder == NULL)
		return -1;
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		pid_t number = number_in(entry->d_name);

		if (number == 0)
			continue;
		if (count == room) {
			room = room == 0 ? 64 : room * 2;
			*numbers = xreallocarray(*numbers, room, sizeof(**numbers));
		}
		(*numbers)[count++] = number;
	}
	closedir(folder);
	return (long)count;
}

/*
 * Grow and read until a read is short.  Up to one byte more than allowed is read,
 * to tell a file of exactly max_bytes from a longer one.
 */
char *sys_slurp_fd(int fd, size_t max_bytes, size_t *len)
{
	char *text = NULL;
	size_t room = 0;

	for (*len = 0;;) {
		room = room ? room * 2 : SLURP_FIRST;
		char *grown = realloc(text, room);
		if (!grown)
			break;
		text = grown;

		ssize_t got = read_whole(fd, text + *len, room - 1 - *len, NULL);
		if (got < 0)
			break;
		*len += (size_t)got;
		if (*len > max_bytes) {
			errno = EFBIG;
			break;
		}
		if (*len < room - 1) {
			text[*len] = '\0';
			return text;
		}
	}
	free(text);
	return NULL;
}

long sys_read_at(int fd, void *out, size_t len, uint64_t at)
{
	off_t from = (off_t)at;

	return read_whole(fd, out, len, &from);
}

int sys_write_at(int fd, const void *bytes, size_t len, uint64_t at)
{
	while (len > 0) {
		ssize_t done = pwrite(fd, bytes, len, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done == 0)
			errno = ENOSPC;
		if (done <= 0)
			return -1;
		bytes = (const char *)bytes + done;
		len -= (size_t)done;
		at += (uint64_t)done;
	}
	return 0;
}

char *sys_slurp(const char *path, size_t max_bytes, size_t *len)
{
	size_t unused;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	char *text = sys_slurp_fd(fd, max_bytes, len ? len : &unused);
	close_keeping_errno(fd);
	return text;
}

int sys_read_int(const char *path, long long *value)
{
	char text[64];

	return sys_read_file(path, text, sizeof(text)) < 0 ? -1 : sys_parse_int(text, value);
}

int sys_parse_int(const char *text, long long *value)
{
	char *end;

	errno = 0;
	long long parsed = strtoll(text, &end, 0);
	if (errno)
		return -1;
	if (end == text || (*end && *end != '\n')) {
		errno = EINVAL;
		return -1;
	}
	*value = parsed;
	return 0;
}

bool sys_has_capability(int number)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (syscall(SYS_capget, &header, data) != 0)
		return false;
	return (data[number / 32].effective >> number % 32 & 1) != 0;
}

bool sys_parse_id(const char *text, uint32_t *id)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	/* System calls take (uid_t)-1 for "leave as it is". */
	if (errno != 0 || *end != '\0' || value >= UINT32_MAX)
		return false;
	*id = (uint32_t)value;
	return true;
}

bool sys_program_path(const char *name, char *out, size_t room)
{
	ssize_t len = readlink("/proc/self/exe", out, room - 1);
	char *slash;

	if (len <= 0)
		return false;
	out[len] = '\0';
	slash = strrchr(out, '/');
	if (slash == NULL)
		return false;

	size_t left = room - (size_t)(slash + 1 - out);
	int used = snprintf(slash + 1, left, "%s", name);
	return used >= 0 && (size_t)used < left;
}
