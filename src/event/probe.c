/* SPDX-License-Identifier: MIT */
#include "event/probe.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/abi.h"
#include "base/sys.h"
#include "event/kind.h"

#define DEVICES "/sys/bus/event_source/devices"

int probe_device_type(const char *name, struct perf_event_attr *attr)
{
	char path[128];
	long long type;

	snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	if (sys_read_int(path, &type) != 0)
		return errno;
	attr->type = (uint32_t)type;
	return 0;
}

int probe_open(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	struct perf_event_attr copy = *attr;
	int fd = (int)syscall(SYS_perf_event_open, &copy, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

struct perf_event_attr probe_dummy(void)
{
	return (struct perf_event_attr){
		.size = PERF_ATTR_SIZE_VER5,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

int probe_right(pid_t pid, int cpu)
{
	struct perf_event_attr attr = probe_dummy();

	return probe_open(&attr, pid, cpu);
}

bool probe_kind(enum event_kind kind, int cpu, const struct probe_way *way, struct probe *probe)
{
	const struct kind_probe *asked = &kind_of(kind)->probe;
	struct perf_event_attr attr = { .size = PERF_ATTR_SIZE_VER5, .disabled = 1 };
	const char *text = NULL;

	if (asked->name == NULL)
		return false;

	int error = asked->ask(way->catalog, &attr, &text);
	*probe = (struct probe){ error, error, error, .is_known = error == 0 };
	if (error != 0)
		return true;
	probe->machine_error = way->open(way->ctx, &attr, text, -1, cpu);
	probe->task_error = way->open(way->ctx, &attr, text, getpid(), -1);
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	probe->user_error = way->open(way->ctx, &attr, text, getpid(), -1);
	return true;
}

/*
 * Fewer tests than probe_kind(): the next only when the one before was refused, as some take 80 ms to
 * close.  The kernel checks rights before the PMU; for our own task a missing PMU gives ENOENT.
 */
static int probe_attr(struct perf_event_attr *attr, int cpu, bool fires_in_user_mode)
{
	int error = probe_open(attr, -1, cpu);

	if (error != EACCES && error != EPERM)
		return error;
	if (probe_open(attr, 0, -1) == 0)
		return 0;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	int user_error = probe_open(attr, 0, -1);
	if (user_error == ENOENT)
		return ENOENT;
	return user_error == 0 && fires_in_user_mode ? 0 : error;
}

int probe_event(const struct event_spec *spec, int cpu)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER5,
		.type = spec->type,
		.config = spec->config,
		.config1 = spec->config1,
		.config2 = spec->config2,
		.bp_type = spec->bp_type,
		.disabled = 1,
	};

	if (spec->cpus.count > 0)
		cpu = spec->cpus.ids[0];
	return spec->is_uncore ? probe_open(&attr, -1, cpu) :
				 probe_attr(&attr, cpu, event_fires_in_user_mode(spec));
}

int probe_test_event(enum event_kind kind, int cpu, const struct catalog *catalog, bool *is_known)
{
	const struct kind_probe *asked = &kind_of(kind)->probe;
	struct perf_event_attr attr = { .size = PERF_ATTR_SIZE_VER5, .disabled = 1 };
	const char *text = NULL;

	*is_known = true;
	if (asked->name == NULL)
		return 0;

	int error = asked->ask(catalog, &attr, &text);
	*is_known = error == 0;
	if (text != NULL)
		attr.config1 = (uintptr_t)text;
	return error != 0 ? error : probe_attr(&attr, cpu, true);
}
