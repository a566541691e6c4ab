/* SPDX-License-Identifier: MIT */
/*
 * cpu-units - CPUs, or the cores, caches, NUMA nodes, packages that they are in: what gets a cell
 * each when the CPUs are more than the cells.
 */
#ifndef UI_CPU_UNITS_H
#define UI_CPU_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

/* From small to large; a type is one of CPUs of different speed. */
enum unit_kind { UNIT_CPU, UNIT_CORE, UNIT_CACHE, UNIT_NODE, UNIT_PACKAGE, UNIT_TYPE, UNIT_KINDS };

#define UNIT_NAME_MAX 24
#define UNIT_NONE     SIZE_MAX

/* One kind of unit of a snapshot's CPUs. */
struct cpu_units {
	enum unit_kind kind;
	size_t count; /* 0: there are none, or not fewer than of a smaller kind */
	size_t *of;   /* [ncpus] the unit of each CPU, or UNIT_NONE */
	int32_t *ids; /* [count] the number of each */
	size_t ncpus;
};

/* All kinds of a machine; zeroed it has none. */
struct unit_kinds {
	struct cpu_units units[UNIT_KINDS];
};

/* Find the units of the snapshot's CPUs again; and free them. */
void cpu_units_take(struct unit_kinds *kinds, const struct snapshot *snap);
void cpu_units_fini(struct unit_kinds *kinds);

/*
 * The smallest units from `least` on that are at most `most`; if even the largest are more, the
 * largest.  Never NULL.
 */
const struct cpu_units *cpu_units_within(const struct unit_kinds *kinds, enum unit_kind least,
					 size_t most);

/* The next larger units, the next smaller ones; UNIT_KINDS when there are none. */
enum unit_kind cpu_units_larger(const struct unit_kinds *kinds, enum unit_kind kind);
enum unit_kind cpu_units_smaller(const struct unit_kinds *kinds, enum unit_kind kind);

/* "core"; and of one of them "core12", of types "P" and "E". */
const char *unit_kind_name(enum unit_kind kind);
char *cpu_unit_name(const struct cpu_units *units, size_t unit, char out[UNIT_NAME_MAX]);

#endif
