/* SPDX-License-Identifier: MIT */
#include "cli/doctor-inside.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/strbuf.h"
#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/evset.h"
#include "capture/features.h"
#include "cli/libraries.h"
#include "event/catalog.h"
#include "event/why.h"
#include "opener/caller.h"
#include "opener/caps.h"
#include "opener/needs.h"

#define SYSCTL "/proc/sys/kernel/"
/* With room for fewer events, a common `-e 'sched:*'` does not fit. */
#define EVENTS_WANTED 64

void doctor_add(struct doctor *doctor, const char *name, int error, const char *fix,
		const char *format, ...)
{
	struct strbuf what;
	va_list args;

	strbuf_init(&what);
	va_start(args, format);
	strbuf_vprintf(&what, format, args);
	va_end(args);
	doctor->checks = xreallocarray(doctor->checks, doctor->count + 1, sizeof(*doctor->checks));
	doctor->checks[doctor->count++] = (struct doctor_check){
		.name = name,
		.is_ok = error == 0,
		.what = strbuf_take(&what),
		.error = error > 0 ? error : 0,
		.fix = fix != NULL ? xstrdup(fix) : NULL,
	};
	strbuf_fini(&what);
}

static bool may(const struct doctor_place *place, int cap)
{
	return (place->caps & CAPS_BIT(cap)) != 0;
}

static bool may_all(const struct doctor_place *place)
{
	return may(place, CAP_PERFMON) || may(place, CAP_SYS_ADMIN);
}

static bool is_root(const struct doctor_place *place)
{
	return geteuid() == 0 || place->access->has_root;
}

const char *doctor_sudo(const struct doctor_place *place)
{
	return is_root(place) ? NULL : "sudo perftop-ng";
}

/* --- the system ----------------------------------------------------------------------------- */

static void check_kernel(struct doctor *doctor, const struct doctor_place *place)
{
	const struct features *features = place->features;
	struct utsname system;
	bool is_built_in = access(SYSCTL "perf_event_paranoid", F_OK) == 0;

	uname(&system);
	if (features->has_perf || features->errno_perf != ENOSYS)
		doctor_add(doctor, "kernel", 0, NULL, "Linux %s %s has perf_event_open",
			   system.release, system.machine);
	else if (is_built_in)
		doctor_add(
			doctor, "kernel", ENOSYS, NULL,
			"ENOSYS: a seccomp filter hides perf_event_open: run outside of the container, "
			"or let its profile allow perf_event_open");
	else
		doctor_add(doctor, "kernel", ENOSYS, NULL,
			   "ENOSYS: Linux %s was built without CONFIG_PERF_EVENTS", system.release);
}

/* A row for each capability that the opener will keep, with its purpose. */
static void check_capabilities(struct doctor *doctor, const struct doctor_place *place)
{
	const struct need *need;

	for (size_t i = 0; (need = needs_at(i)) != NULL; i++) {
		if (may(place, need->cap))
			doctor_add(doctor, need->name, 0, NULL, "kept by perftop-opener for %s",
				   need->what_for);
	}
}

static void check_root(struct doctor *doctor, const struct doctor_place *place)
{
	const char *missing = may_all(place) ? "" : "; without CAP_PERFMON: a container?";
	const struct caller *caller = place->caller;
	const char *lacks = place->access->has_root ? place->access->root_lacks : why_root_lacks();
	int error = may_all(place) ? 0 : EPERM;

	if (lacks != NULL)
		doctor_add(doctor, "rights", EPERM, NULL, "%s", lacks);
	else if (caller != NULL)
		doctor_add(doctor, "rights", error, NULL, "root by %s: runs as user %u (%s)%s",
			   caller->by, (unsigned int)caller->uid,
			   caller->name != NULL ? caller->name : "no name", missing);
	else
		doctor_add(doctor, "rights", error, NULL,
			   "root: runs as root; sudo, or --as USER, lets it run as a user%s",
			   missing);
}

static void check_rights(struct doctor *doctor, const struct doctor_place *place)
{
	unsigned int uid = (unsigned int)geteuid();

	if (place->caller_fault != NULL)
		doctor_add(doctor, "rights", DOCTOR_NO_ERRNO, NULL, "%s", place->caller_fault);
	else if (is_root(place))
		check_root(doctor, place);
	else if (may_all(place))
		doctor_add(doctor, "rights", 0, NULL, "user %u with CAP_PERFMON", uid);
	else
		doctor_add(doctor, "rights", DOCTOR_NO_ERRNO, doctor_sudo(place),
			   "user %u without CAP_PERFMON: see paranoid", uid);
	if (place->caller != NULL)
		check_capabilities(doctor, place);
}

static void check_seccomp(struct doctor *doctor, const struct doctor_place *place)
{
	char text[4096];
	int mode = 0;

	if (sys_read_file("/proc/self/status", text, sizeof(text)) > 0) {
		const char *line = strstr(text, "\nSeccomp:");

		if (line != NULL)
			sscanf(line, "\nSeccomp: %d", &mode);
	}
	/* A filter is no fault: blocked calls show as ENOSYS or EPERM in the other checks. */
	doctor_add(doctor, "seccomp", 0, NULL, "%s",
		   mode == 0 ?
			   "no filter" :
		   place->access->has_root ?
			   "this program's own filter is active" :
			   "a filter is active (a container?), which may or may not allow perf");
}

static void check_libraries(struct doctor *doctor)
{
	struct strbuf with, without;

	strbuf_init(&with);
	strbuf_init(&without);
	for (size_t i = 0; i < LIBRARIES; i++) {
		const struct library *library = library_at(i);

		if (library->is_built_in)
			strbuf_printf(&with, "%s%s", with.len > 0 ? " " : "", library->name);
		else
			strbuf_printf(&without, "%s%s (%s)", without.len > 0 ? ", " : "",
				      library->name, library->without);
	}
	if (without.len == 0)
		doctor_add(doctor, "libraries", 0, NULL, "built with %s", with.text);
	else
		doctor_add(doctor, "libraries", DOCTOR_NO_ERRNO, "sudo sh src/deps.sh run && make",
			   "built without: %s", without.text);
	strbuf_fini(&with);
	strbuf_fini(&without);
}

static void check_paranoid(struct doctor *doctor, const struct doctor_place *place)
{
	static const char *const levels[] = {
		"everybody may watch everything",
		"everybody may watch everything but tracepoints' fields",
		"own tasks only",
		"own tasks only, in user mode",
		"all events are for root",
	};
	long long level;

	if (sys_read_int(SYSCTL "perf_event_paranoid", &level) != 0) {
		doctor_add(doctor, "paranoid", errno, NULL, "%s: no kernel.perf_event_paranoid",
			   why_name(errno));
		return;
	}
	const char *meaning = levels[level < 0 ? 0 : level > 3 ? 4 : level + 1];
	if (may_all(place))
		doctor_add(doctor, "paranoid", 0, NULL,
			   "kernel.perf_event_paranoid=%lld (%s): does not apply to us", level,
			   meaning);
	else
		/* The smallest: 0 opens the machine to everybody; only raw tracepoints need -1. */
		doctor_add(doctor, "paranoid", level <= 0 ? 0 : DOCTOR_NO_ERRNO,
			   level <= 0 ? NULL : "sudo sysctl kernel.perf_event_paranoid=0",
			   "kernel.perf_event_paranoid=%lld: %s", level, meaning);
}

static void check_lockdown(struct doctor *doctor)
{
	char text[128];

	if (why_is_locked_down())
		doctor_add(doctor, "lockdown", DOCTOR_NO_ERRNO, NULL,
			   "confidentiality: kprobes are closed to root, too, and, if it was so at "
			   "boot, tracepoints; boot without lockdown=confidentiality");
	else if (sys_read_file("/sys/kernel/security/lockdown", text, sizeof(text)) <= 0)
		doctor_add(doctor, "lockdown", 0, NULL, "none visible");
	else
		doctor_add(doctor, "lockdown", 0, NULL, "%.*s", (int)strcspn(text, "\n"), text);
}

static void check_kallsyms(struct doctor *doctor, const struct doctor_place *place)
{
	int fd = place->access->open_kallsyms(place->access->ctx);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	unsigned long long address = 0;
	long long restricted = -1;
	bool is_shown = false;

	sys_read_int(SYSCTL "kptr_restrict", &restricted);
	if (file == NULL) {
		doctor_add(doctor, "kallsyms", errno, NULL,
			   "%s: no /proc/kallsyms: addresses without names", why_name(errno));
		return;
	}
	/* The first symbols may really be at 0 (per-CPU ones), but not 10000 of them. */
	for (int i = 0; i < 10000 && !is_shown; i++) {
		if (fscanf(file, "%llx %*[^\n]", &address) != 1)
			break;
		is_shown = address != 0;
	}
	fclose(file);
	if (is_shown)
		doctor_add(doctor, "kallsyms", 0, NULL,
			   "kernel symbols (kernel.kptr_restrict=%lld)", restricted);
	else
		doctor_add(
			doctor, "kallsyms", DOCTOR_NO_ERRNO,
			restricted >= 2 ? "sudo sysctl kernel.kptr_restrict=1" : doctor_sudo(place),
			"addresses are hidden (kernel.kptr_restrict=%lld): kernel samples have no names",
			restricted);
}

static int count_event(void *ctx, const char *system, const char *name)
{
	(void)system;
	(void)name;
	++*(size_t *)ctx;
	return 0;
}

static void check_tracefs(struct doctor *doctor, const struct doctor_place *place)
{
	const struct tracefs *tracefs = place->catalog->tracefs;
	int error = place->catalog->tracefs_errno;
	size_t count = 0;

	if (tracefs != NULL) {
		tracefs_each(tracefs, "*", "*", count_event, &count);
		doctor_add(doctor, "tracefs", 0, NULL, "%s, %zu tracepoints", tracefs_path(tracefs),
			   count);
	} else if (error == EACCES) {
		doctor_add(doctor, "tracefs", error, doctor_sudo(place),
			   "EACCES: tracepoint names and ids are in tracefs, which only root may "
			   "read");
	} else if (error == ENODATA) {
		doctor_add(doctor, "tracefs", error, NULL, "ENODATA: %s", tracefs_why(error));
	} else {
		doctor_add(doctor, "tracefs", error,
			   "sudo mount -t tracefs nodev /sys/kernel/tracing",
			   "%s: tracefs is not mounted, or not in this container", why_name(error));
	}
}

static void check_pmus(struct doctor *doctor)
{
	struct dirent **names;
	int count = scandir("/sys/bus/event_source/devices", &names, NULL, alphasort);
	struct strbuf list;

	if (count < 0) {
		doctor_add(doctor, "pmus", errno, "sudo mount -t sysfs sysfs /sys",
			   "%s: no /sys/bus/event_source/devices: is sysfs mounted?",
			   why_name(errno));
		return;
	}
	strbuf_init(&list);
	for (int i = 0; i < count; i++) {
		if (names[i]->d_name[0] != '.')
			strbuf_printf(&list, "%s%s", list.len > 0 ? " " : "", names[i]->d_name);
		free(names[i]);
	}
	free(names);
	doctor_add(doctor, "pmus", 0, NULL, "%s", list.text);
	strbuf_fini(&list);
}

/* --- budgets -------------------------------------------------------------------------------- */

/* kernel: perf_mmap(): mlock_kb per online CPU for a user, then RLIMIT_MEMLOCK of the process. */
static void check_mlock(struct doctor *doctor, const struct doctor_place *place, size_t cpus)
{
	bool is_free = may(place, CAP_IPC_LOCK);
	size_t page_kb = (size_t)sysconf(_SC_PAGESIZE) / 1024;
	size_t ring_kb = evset_ring_bytes(place->access, cpus) / 1024 + page_kb;
	unsigned long long need = ring_kb * cpus;
	struct rlimit limit = { RLIM_INFINITY, 0 };
	long long level = 2, budget = 0;
	char *fix = xasprintf("sudo sysctl kernel.perf_event_mlock_kb=%zu", ring_kb);

	sys_read_int(SYSCTL "perf_event_mlock_kb", &budget);
	sys_read_int(SYSCTL "perf_event_paranoid", &level);
	getrlimit(RLIMIT_MEMLOCK, &limit);
	unsigned long long allowed = (unsigned long long)budget * cpus;
	allowed += limit.rlim_cur == RLIM_INFINITY ? need : limit.rlim_cur / 1024;
	if (is_free || level < 0)
		doctor_add(doctor, "mlock", 0, NULL,
			   "rings: %zu CPUs x %zu KiB = %llu KiB, without a limit (%s)", cpus,
			   ring_kb, need, is_free ? "CAP_IPC_LOCK" : "paranoid -1");
	else
		doctor_add(
			doctor, "mlock", need <= allowed ? 0 : EPERM, need <= allowed ? NULL : fix,
			"rings: %zu CPUs x %zu KiB = %llu KiB of %zu x %lld (kernel.perf_event_mlock_kb) + "
			"%llu (RLIMIT_MEMLOCK) = %llu KiB",
			cpus, ring_kb, need, cpus, budget,
			limit.rlim_cur == RLIM_INFINITY ? 0ULL :
							  (unsigned long long)limit.rlim_cur / 1024,
			allowed);
	free(fix);
}

static void check_files(struct doctor *doctor, size_t cpus)
{
	struct rlimit limit = { 0, 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	/* The program raises the soft limit to the hard one; 64 for itself, two dummies per CPU. */
	unsigned long long room = limit.rlim_max == RLIM_INFINITY ? UINT64_MAX / 2 : limit.rlim_max;
	unsigned long long ours = 64 + 2 * cpus;
	unsigned long long events = room > ours ? (room - ours) / cpus : 0;
	char *fix = xasprintf("sudo prlimit --pid $$ --nofile=%llu", ours + EVENTS_WANTED * cpus);

	doctor_add(
		doctor, "files", events >= EVENTS_WANTED ? 0 : EMFILE,
		events >= EVENTS_WANTED ? NULL : fix,
		"files: limit %llu (RLIMIT_NOFILE) - %llu of ours, one per event and CPU: room for %llu "
		"events on %zu CPUs",
		room, ours, events, cpus);
	free(fix);
}

static void check_sample_rate(struct doctor *doctor)
{
	long long rate = -1, percent = -1;

	sys_read_int(SYSCTL "perf_event_max_sample_rate", &rate);
	sys_read_int(SYSCTL "perf_cpu_time_max_percent", &percent);
	/* The kernel lowers it when interrupts take too long, and never raises it again. */
	doctor_add(doctor, "sample-rate", rate >= 1000 ? 0 : DOCTOR_NO_ERRNO,
		   rate >= 1000 ? NULL : "sudo sysctl kernel.perf_event_max_sample_rate=100000",
		   "at most %lld samples a second (perf_cpu_time_max_percent=%lld)", rate, percent);
}

static void check_features(struct doctor *doctor, const struct doctor_place *place)
{
	const struct features *features = place->features;
	struct feature feature;

	for (size_t i = 0; features_get(features, i, &feature); i++) {
		if (!features->has_perf)
			doctor_add(doctor, feature.name, features->errno_perf, doctor_sudo(place),
				   "unknown: the probe failed with %s",
				   why_name(features->errno_perf));
		else if (feature.is_there)
			doctor_add(doctor, feature.name, 0, NULL, "in Linux since %s",
				   feature.since);
		else
			doctor_add(doctor, feature.name, EINVAL, NULL,
				   "EINVAL: comes with Linux %s, left out: %s", feature.since,
				   feature.without);
	}
}

/* --- all of it ------------------------------------------------------------------------------ */

void doctor_examine(struct doctor *doctor, const struct doctor_place *place)
{
	struct cpulist cpus = { 0 };

	*doctor = (struct doctor){ 0 };
	cpulist_online(&cpus);
	size_t ncpus = cpus.count > 0 ? cpus.count : 1;
	check_kernel(doctor, place);
	check_rights(doctor, place);
	check_seccomp(doctor, place);
	check_libraries(doctor);
	check_lockdown(doctor);
	check_paranoid(doctor, place);
	check_tracefs(doctor, place);
	check_kallsyms(doctor, place);
	check_pmus(doctor);
	doctor_kinds(doctor, place, cpus.count > 0 ? cpus.ids[0] : 0);
	check_mlock(doctor, place, ncpus);
	check_files(doctor, ncpus);
	check_sample_rate(doctor);
	check_features(doctor, place);
	cpulist_fini(&cpus);
}

void doctor_examine_here(struct doctor *doctor, const char *as)
{
	struct features features;
	struct catalog catalog;
	struct caller caller;
	char *fault;
	enum caller_found found = caller_find(&caller, as, &fault);

	features_probe(&features);
	catalog_init(&catalog);
	struct doctor_place place = {
		.access = access_direct(),
		.catalog = &catalog,
		.features = &features,
		.caller = found == CALLER_FOUND ? &caller : NULL,
		.caller_fault = fault,
		.caps = caps_permitted(),
	};
	doctor_examine(doctor, &place);
	catalog_fini(&catalog);
	caller_fini(&caller);
	free(fault);
}

void doctor_fini(struct doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++) {
		free(doctor->checks[i].what);
		free(doctor->checks[i].fix);
	}
	free(doctor->checks);
	*doctor = (struct doctor){ 0 };
}
