/* SPDX-License-Identifier: MIT */
#include "capture/access.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/abi.h"

static int open_event(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
		      int cpu, int leader, unsigned long flags)
{
	union abi_attr copy = { .attr = { 0 } };

	(void)ctx;
	if (attr->size > sizeof(copy)) {
		errno = E2BIG;
		return -1;
	}
	memcpy(&copy, attr, attr->size);
	if (text != NULL)
		copy.attr.config1 = (uintptr_t)text;
	return (int)syscall(SYS_perf_event_open, &copy, pid, cpu, leader,
			    flags | PERF_FLAG_FD_CLOEXEC);
}

static void close_event(void *ctx, int fd)
{
	(void)ctx;
	close(fd);
}

static struct ring *map_ring(void *ctx, int fd, size_t data_pages)
{
	(void)ctx;
	return ring_open(fd, data_pages);
}

static int open_tracefs(void *ctx, enum tracefs_file file, const char *system, const char *name)
{
	struct tracefs *tracefs = tracefs_open();

	(void)ctx;
	if (tracefs == NULL)
		return -1;

	int fd = tracefs_open_file(tracefs, file, system, name);
	int error = errno;
	tracefs_close(tracefs);
	errno = error;
	return fd;
}

static int open_kallsyms(void *ctx)
{
	(void)ctx;
	return open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
}

static int open_maps(void *ctx, pid_t pid)
{
	char path[32];

	(void)ctx;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

const struct access *access_direct(void)
{
	static const struct access direct = {
		.has_root = false, /* the rights are this process's */
		.open_event = open_event,
		.close_event = close_event,
		.map_ring = map_ring,
		.open_tracefs = open_tracefs,
		.open_kallsyms = open_kallsyms,
		.open_maps = open_maps,
	};

	return &direct;
}
