/* SPDX-License-Identifier: MIT */
#include "base/topology.h"

#include "base/cpulist.h"
#include "base/sys.h"
#include "base/xalloc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 256
#define CACHES_MOST    16 /* cache/indexN of a CPU */
#define NODES_MOST     1024

/* One kind of unit of all CPUs, by CPU number; -1 where unknown. */
struct units {
	const char *sysfs;
	int32_t *of; /* [CPULIST_MAX_ID + 1] */
	int32_t next;
};

static void forget(struct units *units)
{
	for (int cpu = 0; cpu <= CPULIST_MAX_ID; cpu++)
		units->of[cpu] = -1;
	units->next = 0;
}

static void set(struct units *units, const struct cpulist *list, int32_t number)
{
	for (size_t i = 0; i < list->count; i++)
		units->of[list->ids[i]] = number;
}

/* The CPUs listed in a file under devices/system are unit `number`: whether there is such a list. */
static bool set_from(struct units *units, const char *path, int32_t number)
{
	char full[PATH_MAX_BYTES];
	struct cpulist list;

	snprintf(full, sizeof(full), "%s/devices/%s", units->sysfs, path);
	if (cpulist_read(full, &list) < 0)
		return false;
	set(units, &list, number);
	cpulist_fini(&list);
	return true;
}

/* --- each kind of unit ------------------------------------------------------------------------ */

/* From topology/NAME of each CPU, or OLD as kernels before 5.2 call it. */
static void read_lists(struct units *units, const struct cpulist *present, const char *name,
		       const char *old)
{
	for (size_t i = 0; i < present->count; i++) {
		int cpu = present->ids[i];
		char path[PATH_MAX_BYTES], other[PATH_MAX_BYTES];

		if (units->of[cpu] >= 0)
			continue;
		snprintf(path, sizeof(path), "system/cpu/cpu%d/topology/%s", cpu, name);
		snprintf(other, sizeof(other), "system/cpu/cpu%d/topology/%s", cpu, old);
		if (set_from(units, path, units->next) || set_from(units, other, units->next))
			units->next++;
	}
}

/* The index of the largest data cache of a CPU, or -1. */
static int last_cache(const char *sysfs, int cpu)
{
	long long most = 0;
	int last = -1;

	for (int index = 0; index < CACHES_MOST; index++) {
		char path[PATH_MAX_BYTES], type[32];
		long long level;
		int len = snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/cache/index%d/",
				   sysfs, cpu, index);

		snprintf(path + len, sizeof(path) - (size_t)len, "level");
		if (sys_read_int(path, &level) < 0)
			break;
		snprintf(path + len, sizeof(path) - (size_t)len, "type");
		if (level <= most || sys_read_file(path, type, sizeof(type)) < 0 ||
		    strncmp(type, "Instruction", 11) == 0)
			continue;
		most = level;
		last = index;
	}
	return last;
}

static void read_caches(struct units *units, const struct cpulist *present)
{
	for (size_t i = 0; i < present->count; i++) {
		int cpu = present->ids[i];
		char path[PATH_MAX_BYTES];

		if (units->of[cpu] >= 0)
			continue;
		snprintf(path, sizeof(path), "system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu,
			 last_cache(units->sysfs, cpu));
		if (set_from(units, path, units->next))
			units->next++;
	}
}

static void read_nodes(struct units *units)
{
	char path[PATH_MAX_BYTES];
	struct cpulist nodes; /* of the same format */

	snprintf(path, sizeof(path), "%s/devices/system/node/online", units->sysfs);
	if (cpulist_read(path, &nodes) < 0)
		return;
	for (size_t i = 0; i < nodes.count && nodes.ids[i] < NODES_MOST; i++) {
		snprintf(path, sizeof(path), "system/node/node%d/cpulist", nodes.ids[i]);
		set_from(units, path, nodes.ids[i]);
	}
	cpulist_fini(&nodes);
}

static int falling(const void *a, const void *b)
{
	long long left = *(const long long *)a, right = *(const long long *)b;

	return left < right ? 1 : -(left > right);
}

/* Arm and RISC-V: the capacity of each CPU, 1024 for the fastest. */
static void read_capacities(struct units *units, const struct cpulist *present)
{
	long long *of = xcalloc(present->count, sizeof(*of));
	long long *all = xcalloc(present->count, sizeof(*all));
	size_t kinds = 0;

	for (size_t i = 0; i < present->count; i++) {
		char path[PATH_MAX_BYTES];

		snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/cpu_capacity",
			 units->sysfs, present->ids[i]);
		if (sys_read_int(path, &of[i]) < 0)
			of[i] = 0;
		all[i] = of[i];
	}
	qsort(all, present->count, sizeof(*all), falling);
	for (size_t i = 0; i < present->count && all[i] > 0; i++) {
		if (i == 0 || all[i] != all[i - 1])
			all[kinds++] = all[i];
	}
	for (size_t i = 0; i < present->count; i++) {
		for (size_t kind = 0; kind < kinds && kinds > 1; kind++)
			if (of[i] == all[kind])
				units->of[present->ids[i]] = (int32_t)kind;
	}
	free(of);
	free(all);
}

/* Intel has a PMU for each type of core. */
static void read_types(struct units *units, const struct cpulist *present)
{
	bool is_hybrid = set_from(units, "cpu_core/cpus", 0);

	if (!is_hybrid || !set_from(units, "cpu_atom/cpus", 1)) {
		forget(units);
		read_capacities(units, present);
		return;
	}
	set_from(units, "cpu_lowpower/cpus", 2);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* Copy them to the member at `offset` of each place, and forget them. */
static void hand_over(struct units *units, const int *cpus, size_t count, struct cpu_place *places,
		      size_t offset)
{
	for (size_t i = 0; i < count; i++) {
		bool is_valid = cpus[i] >= 0 && cpus[i] <= CPULIST_MAX_ID;

		*(int32_t *)((char *)&places[i] + offset) = is_valid ? units->of[cpus[i]] : -1;
	}
	forget(units);
}

void topology_read(const char *sysfs, const int *cpus, size_t count, struct cpu_place *places)
{
	struct units units = { .sysfs = sysfs };
	struct cpulist present;
	char path[PATH_MAX_BYTES];

	units.of = xcalloc(CPULIST_MAX_ID + 1, sizeof(*units.of));
	forget(&units);
	snprintf(path, sizeof(path), "%s/devices/system/cpu/present", sysfs);
	cpulist_read(path, &present);
	read_lists(&units, &present, "core_cpus_list", "thread_siblings_list");
	hand_over(&units, cpus, count, places, offsetof(struct cpu_place, core));
	read_caches(&units, &present);
	hand_over(&units, cpus, count, places, offsetof(struct cpu_place, cache));
	read_lists(&units, &present, "package_cpus_list", "core_siblings_list");
	hand_over(&units, cpus, count, places, offsetof(struct cpu_place, package));
	read_nodes(&units);
	hand_over(&units, cpus, count, places, offsetof(struct cpu_place, node));
	read_types(&units, &present);
	hand_over(&units, cpus, count, places, offsetof(struct cpu_place, type));
	cpulist_fini(&present);
	free(units.of);
}
