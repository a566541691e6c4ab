/* SPDX-License-Identifier: MIT */
#include "event/why.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "event/kind.h"

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

bool why_is_locked_down(void)
{
	char text[128];

	return sys_read_file("/sys/kernel/security/lockdown", text, sizeof(text)) > 0 &&
	       strstr(text, "[confidentiality]") != NULL;
}

/* Outside of the first user namespace: of that, uid_map has one line, which maps every uid to itself. */
static bool is_in_user_namespace(void)
{
	unsigned long long inside, outside, count;
	char text[128];

	return sys_read_file("/proc/self/uid_map", text, sizeof(text)) > 0 &&
	       sscanf(text, "%llu %llu %llu", &inside, &outside, &count) == 3 && count < UINT32_MAX;
}

/* kernel: perfmon_capable() asks for CAP_PERFMON (since 5.8) or CAP_SYS_ADMIN in the first user namespace. */
const char *why_root_lacks(void)
{
	if (is_in_user_namespace())
		return "root of a user namespace only (a rootless container?): run it outside of "
		       "the container";
	if (sys_has_capability(CAP_SYS_ADMIN) || sys_has_capability(CAP_PERFMON))
		return NULL;
	if (prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) < 0)
		return "root without CAP_SYS_ADMIN: start the container with --cap-add=SYS_ADMIN";
	return "root without CAP_PERFMON: start the container with --cap-add=PERFMON";
}

/* --- causes that need an argument ------------------------------------------------------------- */

static bool is_root(const struct why_place *place)
{
	return geteuid() == 0 || place->has_root;
}

char *why_for_root(const struct why_place *place, const char *what, const char *cap)
{
	if (is_root(place))
		return NULL;
	return xasprintf("%s are for root (%s): sudo perftop-ng", what, cap);
}

static char *no_rights_as_root(const struct why_place *place, int paranoid)
{
	bool is_own = !place->has_root; /* so our capabilities are those that count */
	const char *lacks = is_own ? why_root_lacks() : place->root_lacks;

	if (why_is_locked_down())
		return xstrdup("kernel lockdown keeps it from root, too: boot without "
			       "lockdown=confidentiality");
	if (lacks != NULL)
		return xstrdup(lacks);
	/* Debian's patch: caps_perf() */
	if (is_own && paranoid > 2 && !sys_has_capability(CAP_SYS_ADMIN))
		return xasprintf("kernel.perf_event_paranoid=%d wants CAP_SYS_ADMIN: start the "
				 "container with --cap-add=SYS_ADMIN",
				 paranoid);
	return xstrdup("refused although root: a container's seccomp filter or an LSM; "
		       "run outside of the container or with --privileged");
}

static char *no_rights(const struct event_spec *spec, const struct why_place *place)
{
	(void)spec;
	int paranoid = why_paranoid();

	if (is_root(place))
		return no_rights_as_root(place, paranoid);
	if (paranoid <= 2 && place->pid >= 0 && (paranoid < 2 || place->is_user_mode))
		return xasprintf("task %d is another user's, or closed to its own (setuid, not "
				 "dumpable): sudo perftop-ng",
				 place->pid);
	if (paranoid <= 0 && place->pid < 0)
		return xstrdup("this event is for root: sudo perftop-ng");
	return xasprintf("kernel.perf_event_paranoid=%d keeps %s to root: sudo perftop-ng",
			 paranoid,
			 paranoid > 2	? "perf events" :
			 place->pid < 0 ? "events of the whole machine" :
					  "the kernel's side of this event");
}

/*
 * In cgroup2 perf_event is enabled implicitly, but only once any controller has been enabled in
 * the root's subtree_control (cgroup_calc_subtree_ss_mask() of kernel/cgroup/cgroup.c): systemd
 * does so.
 */
static char *no_event(const struct event_spec *spec, const struct why_place *place)
{
	(void)spec;
	if (place->is_cgroup)
		return xstrdup("perf_event is not on in this cgroup: switch a controller on in the "
			       "mount's root: echo +pids >cgroup.subtree_control");
	return xstrdup("this kernel does not have the event");
}

static char *no_device(const struct event_spec *spec, const struct why_place *place)
{
	if (place->cpu < 0 && spec->cpus.count > 0)
		return xasprintf("its PMU is on other CPUs than those that are watched: -C %d",
				 spec->cpus.ids[0]);
	return xasprintf("CPU %d is offline, or its PMU is gone", place->cpu);
}

static char *no_task(const struct event_spec *spec, const struct why_place *place)
{
	(void)spec;
	return xasprintf("there is no task %d", place->pid);
}

static char *too_many_files(const struct event_spec *spec, const struct why_place *place)
{
	struct rlimit limit = { 0, 0 };

	(void)spec;
	getrlimit(RLIMIT_NOFILE, &limit);
	return xasprintf(
		"this run needs %zu files and the limit is %llu: fewer events, or ulimit -n %zu",
		place->fds_need, (unsigned long long)limit.rlim_cur, place->fds_need + 64);
}

static char *no_call(const struct event_spec *spec, const struct why_place *place)
{
	(void)spec;
	(void)place;
	if (access(PARANOID, F_OK) == 0)
		return xstrdup(
			"a seccomp filter hides perf_event_open: run outside of the container");
	return xstrdup("this kernel was built without CONFIG_PERF_EVENTS");
}

char *why_no_pmu(const struct event_spec *spec, const struct why_place *place)
{
	(void)spec;
	(void)place;
	return xstrdup(
		"this machine shows no hardware PMU (a virtual machine without one?), or its PMU "
		"lacks the event: cpu-clock samples without it");
}

/* --- the table -------------------------------------------------------------------------------- */

/* The general causes, after the kind's own. */
static const struct why_cause causes[] = {
	{ EACCES, .make = no_rights },
	{ EPERM, .make = no_rights },
	{ ENOENT, .make = no_event },
	{ EINVAL,
	  .text = "the kernel does not take this event with these options; try it without modifiers, or "
		  "with a lower -F" },
	{ EOPNOTSUPP, .text = "the PMU cannot sample this event like that: try it without :p" },
	{ ENODEV, .make = no_device },
	{ ESRCH, .make = no_task },
	{ EMFILE, .make = too_many_files },
	{ ENFILE, .make = too_many_files },
	{ ENOSPC, .text = "all counters of the PMU are taken" },
	{ EIO, .text = "the PMU failed" },
	{ EILSEQ, .text = "no instruction begins at this offset" },
	{ ENAMETOOLONG, .text = "the path of the file is too long" },
	{ EBUSY, .text = "another event holds this counter exclusively (the NMI watchdog? sysctl "
			 "kernel.nmi_watchdog=0)" },
	{ EOVERFLOW, .text = "the call chain is longer than kernel.perf_event_max_stack" },
	{ EPIPE, .text = "the process that kept root's rights is gone: start perftop-ng again" },
	{ ENOSYS, .make = no_call },
	{ 0 },
};

/* The text of the first matching row, allocated, or NULL. */
static char *cause_in(const struct why_cause *table, int error, const struct event_spec *spec,
		      const struct why_place *place)
{
	for (; table != NULL && table->error != 0; table++) {
		if (table->error != error)
			continue;

		char *text = table->make != NULL ? table->make(spec, place) : xstrdup(table->text);
		if (text != NULL)
			return text;
	}
	return NULL;
}

char *why_open(int error, const struct event_spec *spec, const struct why_place *place)
{
	char *cause = cause_in(kind_of(spec->kind)->causes, error, spec, place);

	if (cause == NULL)
		cause = cause_in(causes, error, spec, place);

	char *why = xasprintf("%s: %s", why_name(error), cause != NULL ? cause : strerror(error));
	free(cause);
	return why;
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
