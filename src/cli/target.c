/* SPDX-License-Identifier: MIT */
#include "cli/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/sys.h"
#include "base/xalloc.h"
#include "cli/cgroup.h"
#include "cli/user.h"
#include "event/probe.h"

/* Our own fds: of the terminal, the queues and the threads; the readers have one more each. */
#define FILES_OF_OURS 32
/* Ids that a note names. */
#define IDS_NAMED 8

static int choose_cpus(struct target *target, const char *asked, char **error)
{
	struct cpulist present;

	/* An offline CPU has a slot, too: it may come online. */
	if (cpulist_present(&present) != 0) {
		*error = xasprintf("no CPU list in /sys/devices/system/cpu/present: %s: is sysfs "
				   "mounted? sudo mount -t sysfs sysfs /sys",
				   strerror(errno));
		return EXIT_FAILURE;
	}
	if (asked == NULL) {
		target->cpus = present;
		return 0;
	}

	int status = 0;
	if (cpulist_parse(asked, &target->cpus) != 0 || target->cpus.count == 0) {
		*error =
			xasprintf("--cpu takes a list of numbers up to %d, such as 0-3,5, not '%s'",
				  CPULIST_MAX_ID, asked);
		status = EXIT_USAGE;
	}
	for (size_t i = 0; status == 0 && i < target->cpus.count; i++) {
		if (cpulist_find(&present, target->cpus.ids[i]) < 0) {
			*error = xasprintf("--cpu: there is no CPU %d here", target->cpus.ids[i]);
			status = EXIT_FAILURE;
		}
	}
	cpulist_fini(&present);
	return status;
}

static void add_pid(struct target *target, pid_t pid)
{
	target->pids = xreallocarray(target->pids, target->npids + 1, sizeof(*target->pids));
	target->pids[target->npids++] = pid;
}

/* perf_event_open watches one thread: each current thread of a process needs its own events. */
static int add_process(struct target *target, pid_t pid, char **error)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	pid_t *tids;
	long count = sys_list_numbers(path, &tids);
	if (count < 0) {
		*error = xasprintf("there is no process %d", (int)pid);
		return EXIT_FAILURE;
	}
	for (long i = 0; i < count; i++)
		add_pid(target, tids[i]);
	free(tids);
	return 0;
}

/* Those that have ended are left out when opening, but one must be left. */
static int add_threads(struct target *target, const int32_t *tids, size_t count, char **error)
{
	bool is_any_left = false;

	for (size_t i = 0; i < count; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/proc/%d", (int)tids[i]);
		is_any_left |= access(path, F_OK) == 0;
		add_pid(target, tids[i]);
	}
	if (is_any_left)
		return 0;
	*error = xasprintf("there is no thread %d", (int)tids[0]);
	return EXIT_FAILURE;
}

static int add_user(struct target *target, const char *text, bool has_self, char **error)
{
	char nearest[128];
	uid_t uid;

	if (user_find(text, &uid, nearest, sizeof(nearest)) != 0) {
		*error = xasprintf("there is no user '%s'%s%s", text,
				   nearest[0] != '\0' ? "; nearest: " : "", nearest);
		return EXIT_FAILURE;
	}
	target->npids = user_threads("/proc", uid, has_self ? 0 : getpid(), &target->pids);
	/* New threads are watched by inheritance only, so there must be a first one. */
	if (target->npids == 0) {
		*error = xasprintf("no task of user %s is running", text);
		return EXIT_FAILURE;
	}
	return 0;
}

static int add_cgroup(struct target *target, const char *name, char **error)
{
	target->cgroup_fd = cgroup_open("/proc/mounts", name, error);
	return target->cgroup_fd >= 0 ? 0 : EXIT_FAILURE;
}

/* --- without rights ------------------------------------------------------------------------- */

static bool is_refused(int error)
{
	return error == EACCES || error == EPERM;
}

/* Move the tasks that may be watched to the front; when there are none, all stay, for the reason. */
static void leave_out_forbidden(struct target *target)
{
	size_t kept = 0;

	for (size_t i = 0; i < target->npids; i++) {
		pid_t pid = target->pids[i];

		if (is_refused(probe_right(pid, -1)))
			continue;
		target->pids[i] = target->pids[kept];
		target->pids[kept++] = pid;
	}
	if (kept == 0)
		return;
	target->nforbidden = target->npids - kept;
	target->npids = kept;
}

bool target_is_forbidden(const struct target *target)
{
	return target->npids > 0 && is_refused(probe_right(target->pids[0], -1));
}

static bool may_watch_machine(const struct target *target)
{
	int error = ENODEV;

	for (size_t i = 0; error == ENODEV && i < target->cpus.count; i++)
		error = probe_right(-1, target->cpus.ids[i]);
	return !is_refused(error);
}

static bool is_scope_chosen(const struct options *options)
{
	return options->command != NULL || options->npids > 0 || options->user != NULL ||
	       options->cgroup != NULL || options->cpus != NULL || options->is_system;
}

/* The whole machine is for root while kernel.perf_event_paranoid is above 0, its default is 2. */
static void watch_own(struct target *target)
{
	target->npids = user_threads("/proc", geteuid(), getpid(), &target->pids);
	leave_out_forbidden(target);
	target->is_own = target->npids > 0 && !target_is_forbidden(target);
	if (target->is_own)
		return;
	free(target->pids);
	target->pids = NULL;
	target->npids = 0;
}

/* --- all of it ------------------------------------------------------------------------------ */

static int add_tasks(struct target *target, const struct options *options, pid_t workload,
		     char **error)
{
	int status = 0;

	if (workload != 0 && !options->is_system)
		add_pid(target, workload);
	if (options->npids > 0 && !options->has_processes)
		status = add_threads(target, options->pids, options->npids, error);
	for (size_t i = 0; status == 0 && options->has_processes && i < options->npids; i++)
		status = add_process(target, options->pids[i], error);
	if (status == 0 && options->user != NULL)
		status = add_user(target, options->user, options->has_self, error);
	return status;
}

int target_init(struct target *target, const struct options *options, bool has_root, pid_t workload,
		char **error)
{
	*error = NULL;
	*target = (struct target){ .cgroup_fd = -1 };

	int status = choose_cpus(target, options->cpus, error);
	if (status == 0)
		status = add_tasks(target, options, workload, error);
	if (status == 0 && options->cgroup != NULL)
		status = add_cgroup(target, options->cgroup, error);
	if (status != 0)
		return status;
	if (!has_root && workload == 0)
		leave_out_forbidden(target);
	if (!has_root && !options->is_strict && !is_scope_chosen(options) &&
	    !may_watch_machine(target))
		watch_own(target);
	target->is_inherited = target->npids > 0 && !options->no_inherit;
	return 0;
}

/* "-p 812,813", as it was given; of many the first. */
static void put_scope(struct strbuf *out, const struct options *options)
{
	if (options->user != NULL)
		strbuf_printf(out, "-u %s", options->user);
	else if (options->cgroup != NULL)
		strbuf_printf(out, "-G %s", options->cgroup);
	for (size_t i = 0; i < options->npids && i < IDS_NAMED; i++)
		strbuf_printf(out,
			      i > 0		     ? ",%d" :
			      options->has_processes ? "-p %d" :
						       "-t %d",
			      (int)options->pids[i]);
	if (options->npids > IDS_NAMED)
		strbuf_puts(out, ",...");
}

static void put_tasks(struct strbuf *out, const struct target *target,
		      const struct options *options)
{
	bool is_one = target->npids == 1;

	strbuf_printf(out, "%zu thread%s", target->npids, is_one ? "" : "s");
	if (options->user != NULL)
		strbuf_printf(out, " that %s running", is_one ? "was" : "were");
	if (!options->no_inherit)
		strbuf_puts(out, is_one ? " and its children" : " and their children");
	if (target->nforbidden > 0)
		strbuf_printf(out, "; %zu may not be watched", target->nforbidden);
}

char *target_note(const struct target *target, const struct options *options)
{
	bool has_tasks = options->npids > 0 || options->user != NULL;
	struct strbuf note;

	if (!target->is_own && !has_tasks && options->cgroup == NULL && target->nforbidden == 0)
		return NULL;
	strbuf_init(&note);
	if (target->is_own)
		strbuf_puts(&note, "only your ");
	put_scope(&note, options);
	if (note.len > 0 && !target->is_own)
		strbuf_puts(&note, ": ");
	if (options->cgroup != NULL)
		strbuf_puts(&note, "what runs in this cgroup");
	else
		put_tasks(&note, target, options);
	if (target->is_own)
		strbuf_puts(&note, geteuid() != 0 ? ": sudo perftop-ng shows all" :
						    ": this root may not watch all (a container?)");
	char *text = xstrdup(note.text);
	strbuf_fini(&note);
	return text;
}

static size_t files_of_ours(const struct target *target)
{
	return FILES_OF_OURS + target->cpus.count;
}

static size_t files_of_event(const struct target *target)
{
	return target->cpus.count * (target->npids > 0 ? target->npids : 1);
}

size_t target_events_fit(const struct target *target)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return SIZE_MAX;
	if (limit.rlim_cur <= files_of_ours(target))
		return 0;
	return (limit.rlim_cur - files_of_ours(target)) / files_of_event(target);
}

bool target_fits_beside(const struct target *target, size_t events, const struct target *other,
			size_t other_events)
{
	struct rlimit limit;
	size_t need = files_of_event(target) * events + files_of_event(other) * other_events +
		      files_of_ours(target) + files_of_ours(other);

	return getrlimit(RLIMIT_NOFILE, &limit) != 0 || need <= limit.rlim_cur;
}

char *target_files_text(const struct target *target, size_t events)
{
	struct rlimit limit = { 0, 0 };
	size_t need = files_of_event(target) * events + files_of_ours(target);

	getrlimit(RLIMIT_NOFILE, &limit);
	return xasprintf("EMFILE: all events need %zu files (one on each CPU%s), and the limit is "
			 "%llu: fewer events or CPUs (-C), or ulimit -n %zu",
			 need, target->npids > 0 ? " for each thread" : "",
			 (unsigned long long)limit.rlim_cur, need);
}

void target_fini(struct target *target)
{
	if (target->cgroup_fd >= 0)
		close(target->cgroup_fd);
	target->cgroup_fd = -1;
	cpulist_fini(&target->cpus);
	free(target->pids);
}
