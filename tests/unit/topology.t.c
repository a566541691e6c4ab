/* SPDX-License-Identifier: MIT */
/* Which CPUs share what, from made-up sysfs trees: 512 CPUs of four nodes, P and E cores, and none. */
#include "base/topology.h"

#include "made-folder.h"

#include "base/cpulist.h"

#include <limits.h>
#include <unistd.h>

#define SERVER 512
#define HALF   (SERVER / 2) /* CPU n and n + HALF are the two threads of a core */

static void put_of_cpu(const char *tree, int cpu, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/%s", tree, cpu, name);
	put(path, text);
}

/* "8-15,264-271": `count` CPUs from `first` and their siblings. */
static const char *pairs(int first, int count)
{
	static char text[64];

	if (count == 1)
		snprintf(text, sizeof(text), "%d,%d\n", first, first + HALF);
	else
		snprintf(text, sizeof(text), "%d-%d,%d-%d\n", first, first + count - 1,
			 first + HALF, first + HALF + count - 1);
	return text;
}

/* Two packages of two nodes of eight caches of eight cores of two threads. */
static void make_server(void)
{
	put("server/devices/system/cpu/present", "0-511\n");
	put("server/devices/system/node/online", "0-1,4,6-7\n");
	for (int node = 0; node < 4; node++) {
		static const int numbers[] = { 0, 1, 4, 6 };
		char path[128];

		snprintf(path, sizeof(path), "server/devices/system/node/node%d/cpulist",
			 numbers[node]);
		put(path, pairs(node * 64, 64));
	}
	put("server/devices/system/node/node7/cpulist", "\n");
	for (int cpu = 0; cpu < SERVER; cpu++) {
		int core = cpu % HALF;

		put_of_cpu("server", cpu, "topology/core_cpus_list", pairs(core, 1));
		put_of_cpu("server", cpu, "topology/package_cpus_list",
			   pairs(core / 128 * 128, 128));
		put_of_cpu("server", cpu, "cache/index0/level", "1\n");
		put_of_cpu("server", cpu, "cache/index0/type", "Data\n");
		put_of_cpu("server", cpu, "cache/index0/shared_cpu_list", pairs(core, 1));
		put_of_cpu("server", cpu, "cache/index1/level", "3\n");
		put_of_cpu("server", cpu, "cache/index1/type", "Unified\n");
		put_of_cpu("server", cpu, "cache/index1/shared_cpu_list", pairs(core / 8 * 8, 8));
		put_of_cpu("server", cpu, "cache/index2/level", "4\n");
		put_of_cpu("server", cpu, "cache/index2/type", "Instruction\n");
		put_of_cpu("server", cpu, "cpu_capacity", "1024\n");
	}
}

static struct cpu_place *read_all(const char *tree, int count)
{
	struct cpu_place *places = calloc((size_t)count, sizeof(*places));
	int *cpus = calloc((size_t)count, sizeof(*cpus));
	char path[PATH_MAX];

	for (int i = 0; i < count; i++)
		cpus[i] = i;
	snprintf(path, sizeof(path), "%s/%s", root, tree);
	topology_read(path, cpus, (size_t)count, places);
	free(cpus);
	return places;
}

static void test_server(void)
{
	int wrong = 0;

	make_server();
	struct cpu_place *places = read_all("server", SERVER);
	for (int cpu = 0; cpu < SERVER; cpu++) {
		static const int nodes[] = { 0, 1, 4, 6 };
		int core = cpu % HALF;

		wrong += places[cpu].core != core || places[cpu].cache != core / 8 ||
			 places[cpu].node != nodes[core / 64] ||
			 places[cpu].package != core / 128 || places[cpu].type != -1;
	}
	is_int(wrong, 0, "each of 512 CPUs in its core, cache, node and package, all of one type");
	free(places);

	struct cpu_place some[3];
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/server", root);
	topology_read(path, (int[]){ 511, -1, 9000 }, 3, some);
	ok(some[0].core == 255 && some[0].cache == 31 && some[0].package == 1,
	   "units have the same numbers when few CPUs are asked for");
	ok(some[1].core == -1 && some[2].core == -1, "CPUs that there are not are in no unit");
}

static void test_types(void)
{
	put("hybrid/devices/system/cpu/present", "0-5\n");
	put("hybrid/devices/cpu_core/cpus", "0-3\n");
	put("hybrid/devices/cpu_atom/cpus", "4-5\n");
	/* cpu3 is offline: sysfs has no topology of it.  An old kernel: other names. */
	put("hybrid/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n");
	put("hybrid/devices/system/cpu/cpu2/topology/thread_siblings_list", "2\n");
	struct cpu_place *places = read_all("hybrid", 6);

	ok(places[3].type == 0 && places[4].type == 1 && places[5].type == 1, "P and E cores");
	ok(places[0].core == 0 && places[1].core == 0 && places[2].core == 1,
	   "lists by their old name");
	ok(places[3].core == -1 && places[0].node == -1 && places[0].cache == -1,
	   "unknown what the kernel does not say");
	free(places);

	put("arm/devices/system/cpu/present", "0-3\n");
	put("arm/devices/system/cpu/cpu0/cpu_capacity", "446\n");
	put("arm/devices/system/cpu/cpu1/cpu_capacity", "446\n");
	put("arm/devices/system/cpu/cpu2/cpu_capacity", "871\n");
	put("arm/devices/system/cpu/cpu3/cpu_capacity", "1024\n");
	places = read_all("arm", 4);
	ok(places[3].type == 0 && places[2].type == 1 && places[1].type == 2 && places[0].type == 2,
	   "types by capacity, the fastest first");
	free(places);
}

static void test_bad(void)
{
	put("bad/devices/system/cpu/present", "0-1\n");
	put("bad/devices/system/cpu/cpu0/topology/core_cpus_list", "zero\n");
	put("bad/devices/system/node/online", "0-4000000\n");
	struct cpu_place *places = read_all("bad", 2);

	ok(places[0].core == -1 && places[0].node == -1, "lists that are none");
	free(places);
	places = read_all("nowhere", 2);
	ok(places[0].core == -1 && places[1].package == -1, "no sysfs");
	free(places);
}

/* By a different way: the symbolic link in the CPU's folder. */
static void test_here(void)
{
	struct cpulist online;
	int wrong = 0;

	if (cpulist_online(&online) < 0)
		bail("which CPUs are online cannot be read");
	struct cpu_place *places = calloc(online.count, sizeof(*places));
	topology_read("/sys", online.ids, online.count, places);
	for (size_t i = 0; i < online.count; i++) {
		char link[128];

		snprintf(link, sizeof(link), "/sys/devices/system/cpu/cpu%d/node%d", online.ids[i],
			 places[i].node);
		wrong += places[i].node >= 0 && access(link, F_OK) != 0;
	}
	is_int(wrong, 0, "the nodes of this machine's CPUs");
	free(places);
	cpulist_fini(&online);
}

int main(void)
{
	folder_begin();
	plan_lazy();
	test_server();
	test_types();
	test_bad();
	test_here();
	folder_end();
	return done();
}
