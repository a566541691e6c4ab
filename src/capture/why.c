/* SPDX-License-Identifier: MIT */
#include "capture/why.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/abi.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

const char *why_name(int error)
{
	const char *name = strerrorname_np(error);

	return name != NULL ? name : "errno?";
}

static char *why_no_rights(int error, const struct why_place *place)
{
	long long paranoid = -2;

	sys_read_int(PARANOID, &paranoid);
	if (geteuid() == 0)
		return xasprintf("%s: refused although root: a container's seccomp filter, an LSM or "
				 "kernel lockdown; run outside of the container or with --privileged",
				 why_name(error));
	if (paranoid > 2)
		return xasprintf("%s: kernel.perf_event_paranoid=%lld keeps perf events to root: "
				 "sudo perftop-ng, or setcap cap_perfmon,cap_ipc_lock+ep perftop-ng",
				 why_name(error), paranoid);
	if (place->pid < 0)
		return xasprintf("%s: kernel.perf_event_paranoid=%lld keeps events of the whole "
				 "machine to root: sudo perftop-ng, or setcap "
				 "cap_perfmon,cap_ipc_lock+ep perftop-ng",
				 why_name(error), paranoid);
	return xasprintf("%s: kernel.perf_event_paranoid=%lld keeps the kernel's side of this event "
			 "to root: sudo perftop-ng, or count user mode only with ':u'",
			 why_name(error), paranoid);
}

static char *why_einval(const struct event_spec *spec)
{
	if (spec->kind == EVENT_TRACEPOINT)
		return xasprintf("EINVAL: the kernel does not take this tracepoint's id %llu with these "
				 "options; was its module just unloaded?",
				 (unsigned long long)spec->config);
	return xstrdup("EINVAL: the kernel does not take this event with these options; try it "
		       "without modifiers, or with a lower -F");
}

static char *why_too_many_files(int error, const struct why_place *place)
{
	struct rlimit limit = { 0, 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	return xasprintf("%s: this run needs %zu files and the limit is %llu: fewer events, or "
			 "ulimit -n %zu",
			 why_name(error), place->fds_need, (unsigned long long)limit.rlim_cur,
			 place->fds_need + 64);
}

char *why_open(int error, const struct event_spec *spec, const struct why_place *place)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return why_no_rights(error, place);
	case ENOENT:
		if (spec->kind == EVENT_HARDWARE || spec->kind == EVENT_CACHE ||
		    spec->kind == EVENT_RAW)
			return xstrdup("ENOENT: this machine shows no hardware PMU (a virtual machine "
				       "without one?): cpu-clock samples without it");
		return xstrdup("ENOENT: this kernel does not have the event");
	case EINVAL:
		return why_einval(spec);
	case EOPNOTSUPP:
		return xstrdup("EOPNOTSUPP: the PMU cannot sample this event like that: try it "
			       "without :p");
	case ENODEV:
		return xasprintf("ENODEV: CPU %d is offline, or its PMU is gone", place->cpu);
	case ESRCH:
		return xasprintf("ESRCH: there is no task %d", place->pid);
	case EMFILE:
	case ENFILE:
		return why_too_many_files(error, place);
	case ENOSPC:
		return xstrdup("ENOSPC: all hardware breakpoints or counters are taken");
	case EBUSY:
		return xstrdup("EBUSY: somebody else holds this counter exclusively (the NMI watchdog? "
			       "sysctl kernel.nmi_watchdog=0)");
	case EOVERFLOW:
		return xstrdup("EOVERFLOW: the call chain is longer than "
			       "kernel.perf_event_max_stack");
	case ENOSYS:
		if (access(PARANOID, F_OK) == 0)
			return xstrdup("ENOSYS: a seccomp filter hides perf_event_open: run outside of "
				       "the container");
		return xstrdup("ENOSYS: this kernel was built without CONFIG_PERF_EVENTS");
	default:
		return xasprintf("%s: %s", why_name(error), strerror(error));
	}
}

char *why_mmap(int error, size_t pages)
{
	struct rlimit limit = { 0, 0 };
	long long budget_kb = -1;

	if (error != EPERM)
		return xasprintf("%s: no ring of %zu pages: %s", why_name(error), pages,
				 strerror(error));
	getrlimit(RLIMIT_MEMLOCK, &limit);
	sys_read_int("/proc/sys/kernel/perf_event_mlock_kb", &budget_kb);
	return xasprintf("EPERM: no ring of %zu pages: kernel.perf_event_mlock_kb=%lld a CPU and "
			 "RLIMIT_MEMLOCK %llu KiB are used up: try a smaller -m",
			 pages, budget_kb, (unsigned long long)(limit.rlim_cur / 1024));
}
