/* SPDX-License-Identifier: MIT */
#include "opener/acts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/access.h"
#include "event/tracefs.h"
#include "opener/caps.h"

#define MEMORY_SHARE 4 /* a quarter of the machine's memory for rings */

static int open_event(void *ctx, const struct opener_request *request, int leader, int cgroup)
{
	struct perf_event_attr attr = request->attr;
	bool is_cgroup = (request->flags & PERF_FLAG_PID_CGROUP) != 0;

	(void)ctx;
	if (request->has_text == OPENER_HAS_TEXT)
		attr.config1 = (uintptr_t)request->text;
	return (int)syscall(SYS_perf_event_open, &attr, is_cgroup ? cgroup : request->pid,
			    request->cpu, leader, request->flags | PERF_FLAG_FD_CLOEXEC);
}

static int open_file(void *ctx, const struct opener_request *request)
{
	const struct access *direct = access_direct();
	const struct acts_real *real = ctx;

	if (request->file == OPENER_KALLSYMS)
		return direct->open_kallsyms(direct->ctx);
	if (request->file == OPENER_MAPS)
		return direct->open_maps(direct->ctx, request->pid);
	if (real->tracefs == NULL) {
		errno = ENOENT;
		return -1;
	}
	return tracefs_open_file(real->tracefs, (enum tracefs_file)request->file, request->system,
				 request->name);
}

static int seal(void *ctx, uint64_t caps)
{
	const struct acts_real *real = ctx;

	return caps_keep(real->caps | caps);
}

static int end_command(void *ctx, int number)
{
	const struct acts_real *real = ctx;

	if (real->command_pidfd < 0) {
		errno = ESRCH;
		return -1;
	}
	return (int)syscall(SYS_pidfd_send_signal, real->command_pidfd, number, NULL, 0);
}

void acts_real_init(struct acts_real *real, int command_pidfd)
{
	static const char *const pmus[PROBE_TYPES_MAX] = { "uprobe", "kprobe" };

	*real = (struct acts_real){
		.tracefs = tracefs_open(),
		.command_pidfd = command_pidfd,
		.ring_pages_max = (uint64_t)sysconf(_SC_PHYS_PAGES) / MEMORY_SHARE,
	};
	for (size_t i = 0; i < PROBE_TYPES_MAX; i++) {
		char path[64];
		long long type;

		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmus[i]);
		if (sys_read_int(path, &type) == 0)
			real->rules.probes.types[real->rules.probes.count++] = (uint32_t)type;
	}
}

struct acts acts_real(struct acts_real *real)
{
	return (struct acts){
		.ctx = real,
		.ring_pages_max = real->ring_pages_max,
		.open_event = open_event,
		.open_file = open_file,
		.end_command = end_command,
		.seal = seal,
	};
}
