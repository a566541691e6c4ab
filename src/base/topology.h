/* SPDX-License-Identifier: MIT */
/*
 * topology - which CPUs share a core, a cache, a NUMA node, a package, as sysfs shows it.
 *
 * Linux: Documentation/admin-guide/cputopology.rst, Documentation/ABI/stable/sysfs-devices-node,
 * Documentation/ABI/testing/sysfs-devices-system-cpu.
 */
#ifndef BASE_TOPOLOGY_H
#define BASE_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

/* The number of each unit that a CPU is in; -1 where the kernel does not say, as of an offline CPU. */
struct cpu_place {
	int32_t core;  /* from 0, by the first CPU in it; as are the next two */
	int32_t cache; /* the largest data cache of the CPU, shared with those of the same number */
	int32_t package; /* a socket */
	int32_t node;	 /* the kernel's number */
	int32_t type;	 /* of CPUs: 0 the fastest; -1 when all are the same */
};

#define CPU_PLACE_UNKNOWN          \
	{                          \
		-1, -1, -1, -1, -1 \
	}

/*
 * Read it for the CPUs numbered [count], from the sysfs mounted at `sysfs` ("/sys").  Two readings
 * give a unit the same number as long as no CPU goes online or offline between them.
 */
void topology_read(const char *sysfs, const int *cpus, size_t count, struct cpu_place *places);

#endif
