/* SPDX-License-Identifier: MIT */
/*
 * access - the few acts that take rights: events, big rings, the kernel's own files.
 *
 * A run has one of these. access_direct() does them here and now, with the
 * rights that the process has; under sudo the opener (src/opener/) does them in
 * a process of its own, so that nothing that parses, draws or writes a file runs
 * as root.  All else about an fd (ioctl, read, mmap of a ring that is mapped
 * already) takes no rights.
 */
#ifndef CAPTURE_ACCESS_H
#define CAPTURE_ACCESS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "capture/ring.h"

struct access {
	void *ctx;
	bool has_root; /* it acts with root's rights, whoever we are by now */

	/*
	 * perf_event_open(2), of the attr->size bytes of `attr`: an fd (close-on-exec) that the caller owns, or -1 and errno.  `text`, or
	 * NULL, is what attr->config1 points to, for the PMUs that take a string (uprobe, kprobe).
	 */
	int (*open_event)(void *ctx, const struct perf_event_attr *attr, const char *text,
			  pid_t pid, int cpu, unsigned long flags);

	/* Close it, without waiting for the kernel where that takes long.  The fd is gone for the caller. */
	void (*close_event)(void *ctx, int fd);

	/* As ring_open(), beyond the caller's own mlock budget where the rights allow it. */
	struct ring *(*map_ring)(void *ctx, int fd, size_t data_pages);

	/* A tracepoint's format file, and /proc/kallsyms with addresses: an fd to read, or -1 and errno. */
	int (*open_format)(void *ctx, const char *system, const char *name);
	int (*open_kallsyms)(void *ctx);
};

/* With our own rights. */
const struct access *access_direct(void);

#endif
