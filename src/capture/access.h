/* SPDX-License-Identifier: MIT */
/*
 * access - the operations that need rights: open events, map large rings, read kernel files.
 *
 * A run uses one struct access.  access_direct() performs them in this process, with its rights;
 * under sudo the opener (src/opener/) performs them in a separate process, so that no code that
 * parses, draws or writes files runs as root.  Other operations on an open fd (ioctl, read, mmap of
 * a ring that is mapped already) need no rights.
 */
#ifndef CAPTURE_ACCESS_H
#define CAPTURE_ACCESS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "capture/ring.h"
#include "event/tracefs.h"

struct access {
	void *ctx;
	bool has_root; /* it has root's rights, whatever our own uid is now */
	/* With has_root: why_root_lacks() of the process that performs them, or NULL. */
	const char *root_lacks;
	/* Once all events are open it refuses probes and breakpoints (struct kind: is_probe) but those. */
	bool adds_no_probes;

	/*
	 * perf_event_open(2) with the attr->size bytes of `attr`: an fd (close-on-exec) that the
	 * caller owns, or -1 and errno.  `text`, or NULL: the string that attr->config1 must point
	 * to, for PMUs that take one (uprobe, kprobe).  `leader`: the open event of whose group it
	 * becomes a member, or -1.
	 */
	int (*open_event)(void *ctx, const struct perf_event_attr *attr, const char *text,
			  pid_t pid, int cpu, int leader, unsigned long flags);

	/* Close an event's fd, possibly later; the caller must not use it any more. */
	void (*close_event)(void *ctx, int fd);

	/* Like ring_open(), but its rights decide about the mlock limit, not the caller's. */
	struct ring *(*map_ring)(void *ctx, int fd, size_t data_pages);

	/*
	 * Open a file or folder of tracefs, /proc/kallsyms, /proc/PID/maps: an fd to read, or -1 and
	 * errno.
	 */
	tracefs_opener *open_tracefs;
	int (*open_kallsyms)(void *ctx);
	int (*open_maps)(void *ctx, pid_t pid);
};

/* Access with the rights of this process; static. */
const struct access *access_direct(void);

#endif
