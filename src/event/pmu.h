/* SPDX-License-Identifier: MIT */
/*
 * pmu - the kernel's PMUs, as sysfs describes them.
 *
 *     /sys/bus/event_source/devices/NAME/type           perf_event_attr.type
 *                                       /format/TERM    "config1:0-7,32-35": where a value goes
 *                                       /events/ALIAS   "event=0x3c,umask=1", ALIAS.unit, ALIAS.scale
 *                                       /cpumask        an uncore PMU: the CPUs to open it on
 *                                       /cpus           a core PMU of some CPUs only (hybrid)
 *
 * pmus_open() reads names, types and CPUs, the other calls read the rest.  Not thread-safe.
 */
#ifndef EVENT_PMU_H
#define EVENT_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"

#define PMU_ROOT "/sys/bus/event_source/devices"

/* config, config1, config2, config3. */
#define PMU_WORDS 4

struct pmu {
	char *name;
	uint32_t type;
	struct cpulist cpus; /* from cpumask or cpus; none: all */
	bool is_uncore;	     /* has a cpumask: it cannot be bound to a task */
};

/* The bits of one config word that take a term's value, the lowest first. */
struct pmu_format {
	unsigned int word; /* < PMU_WORDS */
	uint64_t bits;
};

struct pmu_alias {
	char *terms;  /* "event=0x3c,umask=1" */
	char *unit;   /* or NULL */
	double scale; /* 1 when there is none */
};

struct pmus;

/* The PMUs below `root`, sorted; a missing folder is an empty set. */
struct pmus *pmus_open(const char *root);
void pmus_close(struct pmus *pmus);

/* How many pmus_at() has. */
size_t pmus_count(const struct pmus *pmus);

/* Borrowed, valid as long as the set. */
const struct pmu *pmus_at(const struct pmus *pmus, size_t i);

/* By its exact name, or NULL. */
const struct pmu *pmus_find(const struct pmus *pmus, const char *name);

/* Whether `typed` matches PMU `name`: exactly, as a glob, or as "uncore_imc" for "uncore_imc_0". */
bool pmu_is_meant(const char *name, const char *typed);

/* Whether it is one of several core PMUs of a hybrid machine: "cpu_core", "cpu_atom". */
bool pmu_is_hybrid_core(const struct pmu *pmu);

/* A term's format: 0, or -1 with ENOENT (no such term) or EINVAL (cannot be parsed). */
int pmu_format(const struct pmus *pmus, const struct pmu *pmu, const char *term,
	       struct pmu_format *format);

/* Parse a format, "config1:0-7,32-35": 0, or -1 and EINVAL. */
int pmu_format_parse(const char *text, struct pmu_format *format);

/* Overwrite the format's bits in `words` with `value`: 0, or -1 and ERANGE. */
int pmu_format_apply(const struct pmu_format *format, uint64_t value, uint64_t words[PMU_WORDS]);

/* The greatest value that fits. */
uint64_t pmu_format_max(const struct pmu_format *format);

/* Read an event of events/: 0 and *alias, to be freed with pmu_alias_fini(), or -1 and errno. */
int pmu_alias(const struct pmus *pmus, const struct pmu *pmu, const char *name,
	      struct pmu_alias *alias);
void pmu_alias_fini(struct pmu_alias *alias);

/* Call `visit` with each event name, or each term of the formats, sorted. */
void pmu_each_event(const struct pmus *pmus, const struct pmu *pmu,
		    void (*visit)(void *ctx, const char *name), void *ctx);
void pmu_each_term(const struct pmus *pmus, const struct pmu *pmu,
		   void (*visit)(void *ctx, const char *name), void *ctx);

#endif
