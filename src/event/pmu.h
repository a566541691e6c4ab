/* SPDX-License-Identifier: MIT */
/*
 * pmu - what the kernel says in sysfs about its performance units.
 *
 *     /sys/bus/event_source/devices/NAME/type           perf_event_attr.type
 *                                       /format/TERM    "config1:0-7,32-35": where a value goes
 *                                       /events/ALIAS   "event=0x3c,umask=1", ALIAS.unit, ALIAS.scale
 *                                       /cpumask        an uncore PMU: who may ask for it
 *                                       /cpus           a core PMU of some CPUs only (hybrid)
 *
 * Names are read when the set is made, the rest when it is asked for.  One thread.
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

/* The bits of one word that a term's value goes to, the lowest first. */
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

/* Whether PMU `name` is meant by `typed`: itself, a glob of it, or the "uncore_imc" of "uncore_imc_0". */
bool pmu_is_meant(const char *name, const char *typed);

/* "cpu_core" and "cpu_atom": one of several kinds of CPU in this machine, each with its own counters. */
bool pmu_is_hybrid_core(const struct pmu *pmu);

/* A term's format: 0, or -1 with ENOENT (no such term) or EINVAL (nothing that we understand). */
int pmu_format(const struct pmus *pmus, const struct pmu *pmu, const char *term,
	       struct pmu_format *format);

/* The same from its text, "config1:0-7,32-35": 0, or -1 and EINVAL. */
int pmu_format_parse(const char *text, struct pmu_format *format);

/* Spread `value` over the format's bits of `words`, whose old content there goes: 0, or -1 and ERANGE. */
int pmu_format_apply(const struct pmu_format *format, uint64_t value, uint64_t words[PMU_WORDS]);

/* The greatest value that fits. */
uint64_t pmu_format_max(const struct pmu_format *format);

/* An event of events/: 0 and *alias, to be freed with pmu_alias_fini(), or -1 and errno. */
int pmu_alias(const struct pmus *pmus, const struct pmu *pmu, const char *name,
	      struct pmu_alias *alias);
void pmu_alias_fini(struct pmu_alias *alias);

/* Call `visit` with each event name, or each term of the formats, sorted. */
void pmu_each_event(const struct pmus *pmus, const struct pmu *pmu,
		    void (*visit)(void *ctx, const char *name), void *ctx);
void pmu_each_term(const struct pmus *pmus, const struct pmu *pmu,
		   void (*visit)(void *ctx, const char *name), void *ctx);

#endif
