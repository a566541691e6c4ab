/* SPDX-License-Identifier: MIT */
#include "event/why.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/abi.h"
#include "base/sys.h"
#include "base/xalloc.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

const char *why_name(int error)
{
	const char *name = strerrorname_np(error);

	return name != NULL ? name : "errno?";
}

int why_paranoid(void)
{
	long long paranoid = -1;

	sys_read_int(PARANOID, &paranoid);
	return (int)paranoid;
}

static char *why_no_rights(int error, const struct event_spec *spec, const struct why_place *place)
{
	int paranoid = why_paranoid();

	if (geteuid() != 0 && !place->has_root && spec->kind == EVENT_UPROBE)
		return xasprintf(
			"%s: probes in programs are for root (CAP_SYS_ADMIN): sudo perftop-ng",
			why_name(error));
	if (geteuid() == 0 || place->has_root)
		return xasprintf(
			"%s: refused although root: a container's seccomp filter, an LSM or "
			"kernel lockdown; run outside of the container or with --privileged",
			why_name(error));
	if (paranoid > 2)
		return xasprintf(
			"%s: kernel.perf_event_paranoid=%d keeps perf events to root: "
			"sudo perftop-ng, or setcap cap_perfmon,cap_ipc_lock+ep perftop-ng",
			why_name(error), paranoid);
	if (place->pid < 0)
		return xasprintf("%s: kernel.perf_event_paranoid=%d keeps events of the whole "
				 "machine to root: sudo perftop-ng, or setcap "
				 "cap_perfmon,cap_ipc_lock+ep perftop-ng",
				 why_name(error), paranoid);
	return xasprintf(
		"%s: kernel.perf_event_paranoid=%d keeps the kernel's side of this event "
		"to root: sudo perftop-ng, or setcap cap_perfmon,cap_ipc_lock+ep perftop-ng",
		why_name(error), paranoid);
}

/* --- EINVAL and ENOENT, kind by kind ---------------------------------------------------------- */

/* Which of the rules of arch/x86/kernel/hw_breakpoint.c it breaks; other machines' are alike. */
static char *why_breakpoint(const struct event_spec *spec)
{
	unsigned long long address = spec->config1, length = spec->config2;

	if (length == 0)
		return xstrdup("EINVAL: the kernel takes no breakpoint of this kind");
	if (spec->bp_type & HW_BREAKPOINT_X && length != sizeof(long))
		return xasprintf(
			"EINVAL: a breakpoint on code is %zu bytes long, not %llu: leave the "
			"length out",
			sizeof(long), length);
	if (length != 1 && length != 2 && length != 4 && length != 8)
		return xasprintf("EINVAL: a breakpoint is 1, 2, 4 or 8 bytes long, not %llu",
				 length);
	if (spec->bp_type == HW_BREAKPOINT_R)
		return xstrdup("EINVAL: this CPU cannot watch reads alone: :rw");
	if (!(spec->bp_type & HW_BREAKPOINT_X) && address % length != 0)
		return xasprintf(
			"EINVAL: the address of a breakpoint of %llu bytes is a multiple of "
			"%llu; nearest: 0x%llx",
			length, length, address - address % length);
	return xasprintf("EINVAL: the kernel takes no breakpoint of this kind at 0x%llx", address);
}

static const char *path_of(const struct event_spec *spec)
{
	return spec->path != NULL ? spec->path : "the file";
}

/* A probe that names nothing stands for its kind: so --doctor asks. */
static bool is_without_pmu(const struct event_spec *spec)
{
	return spec->type == EVENT_TYPE_NONE || (spec->path == NULL && spec->config2 == 0);
}

static char *why_uprobe_einval(const struct event_spec *spec)
{
	struct stat info;

	if (stat(path_of(spec), &info) != 0)
		return xasprintf("EINVAL: %s: %s", path_of(spec), strerror(errno));
	if (!S_ISREG(info.st_mode))
		return xasprintf("EINVAL: %s is no file that can be run", spec->path);
	if (spec->config2 >= (unsigned long long)info.st_size)
		return xasprintf(
			"EINVAL: offset 0x%llx lies behind the end of %s, which has 0x%llx bytes",
			(unsigned long long)spec->config2, spec->path,
			(unsigned long long)info.st_size);
	return xasprintf("EINVAL: no probe can stand at offset 0x%llx of %s",
			 (unsigned long long)spec->config2, spec->path);
}

static char *why_einval(const struct event_spec *spec, const struct why_place *place)
{
	switch (spec->kind) {
	case EVENT_TRACEPOINT:
		return xasprintf(
			"EINVAL: the kernel does not take this tracepoint's id %llu with these "
			"options; was its module just unloaded?",
			(unsigned long long)spec->config);
	case EVENT_BREAKPOINT:
		return why_breakpoint(spec);
	case EVENT_UPROBE:
		return why_uprobe_einval(spec);
	case EVENT_KPROBE:
		return xstrdup(
			"EINVAL: the kernel lets nobody probe here (kprobes/blacklist in debugfs), "
			"or the offset is outside of the function");
	case EVENT_PMU:
		if (spec->is_uncore && place->pid >= 0)
			return xstrdup(
				"EINVAL: this PMU counts for the whole machine, not for a task: -a");
		if (spec->modifiers.text[0] != '\0')
			return xasprintf(
				"EINVAL: this PMU cannot tell apart what ':%s' asks for: leave it "
				"out",
				spec->modifiers.text);
		return xstrdup("EINVAL: this PMU does not know the event that these terms make");
	default:
		return xstrdup(
			"EINVAL: the kernel does not take this event with these options; try it "
			"without modifiers, or with a lower -F");
	}
}

static char *why_enoent(const struct event_spec *spec, const struct why_place *place)
{
	switch (spec->kind) {
	case EVENT_HARDWARE:
	case EVENT_CACHE:
	case EVENT_RAW:
		return xstrdup(
			"ENOENT: this machine shows no hardware PMU (a virtual machine "
			"without one?), or its PMU lacks the event: cpu-clock samples without it");
	case EVENT_KPROBE:
		if (is_without_pmu(spec))
			return xstrdup(
				"ENOENT: this kernel has no kprobes (built without CONFIG_KPROBES or "
				"CONFIG_KPROBE_EVENTS): use a tracepoint");
		return xasprintf("ENOENT: the kernel has no function %s that can be probed",
				 spec->path != NULL ? spec->path : "there");
	case EVENT_UPROBE:
		if (is_without_pmu(spec))
			return xstrdup("ENOENT: this kernel has no uprobes (built without "
				       "CONFIG_UPROBE_EVENTS)");
		return xasprintf("ENOENT: %s is no longer there", path_of(spec));
	case EVENT_BREAKPOINT:
		return xstrdup("ENOENT: this kernel or CPU has no breakpoints "
			       "(CONFIG_HAVE_HW_BREAKPOINT)");
	default:
		/*
		 * In cgroup2 perf_event is on without being asked for, but only from the first
		 * time on that any controller was switched on in the root's subtree_control
		 * (cgroup_calc_subtree_ss_mask() of kernel/cgroup/cgroup.c): systemd does so.
		 */
		if (place->is_cgroup)
			return xstrdup(
				"ENOENT: perf_event is not on in this cgroup: switch a controller on in "
				"the mount's root: echo +pids >cgroup.subtree_control");
		return xstrdup("ENOENT: this kernel does not have the event");
	}
}

static char *why_enodev(const struct event_spec *spec, const struct why_place *place)
{
	if (place->cpu < 0 && spec->cpus.count > 0)
		return xasprintf(
			"ENODEV: its PMU is on other CPUs than those that are watched: -C %d",
			spec->cpus.ids[0]);
	return xasprintf("ENODEV: CPU %d is offline, or its PMU is gone", place->cpu);
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
		return why_no_rights(error, spec, place);
	case ENOENT:
		return why_enoent(spec, place);
	case EINVAL:
		return why_einval(spec, place);
	case EOPNOTSUPP:
		return xstrdup("EOPNOTSUPP: the PMU cannot sample this event like that: try it "
			       "without :p");
	case ENODEV:
		return why_enodev(spec, place);
	case ESRCH:
		return xasprintf("ESRCH: there is no task %d", place->pid);
	case EMFILE:
	case ENFILE:
		return why_too_many_files(error, place);
	case ENOSPC:
		if (spec->kind == EVENT_BREAKPOINT)
			return xstrdup(
				"ENOSPC: all breakpoints of the CPU are taken (x86 has 4), by us or a "
				"debugger: fewer mem: events");
		return xstrdup("ENOSPC: all counters of the PMU are taken");
	case EIO:
		if (spec->kind == EVENT_UPROBE)
			return xasprintf(
				"EIO: %s is on a filesystem that cannot be probed (procfs, sysfs)",
				path_of(spec));
		return xstrdup("EIO: the PMU failed");
	case EILSEQ:
		return xstrdup("EILSEQ: there begins no instruction at this offset");
	case ENAMETOOLONG:
		return xstrdup("ENAMETOOLONG: the path of the file is too long");
	case EBUSY:
		return xstrdup(
			"EBUSY: somebody else holds this counter exclusively (the NMI watchdog? "
			"sysctl kernel.nmi_watchdog=0)");
	case EOVERFLOW:
		return xstrdup("EOVERFLOW: the call chain is longer than "
			       "kernel.perf_event_max_stack");
	case EPIPE:
		return xstrdup(
			"EPIPE: the process that kept root's rights is gone: start perftop-ng "
			"again");
	case ENOSYS:
		if (access(PARANOID, F_OK) == 0)
			return xstrdup(
				"ENOSYS: a seccomp filter hides perf_event_open: run outside of "
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
