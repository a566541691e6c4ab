/* SPDX-License-Identifier: MIT */
/*
 * Software events: the kernel's own counters and clocks.
 */
#include "base/abi.h"
#include "event/kind.h"

#define ROW(name, alias, id, text)                           \
	{                                                    \
		name, alias, PERF_COUNT_SW_##id, false, text \
	}
#define CLOCK(name, id, text)                              \
	{                                                  \
		name, NULL, PERF_COUNT_SW_##id, true, text \
	}
#define PERF_COUNT_SW_NEWER_CGROUP_SWITCHES ABI_COUNT_SW_CGROUP_SWITCHES

/* Names and aliases: perf-list(1), tools/perf of 6.1. */
static const struct kind_name names[] = {
	ROW("alignment-faults", NULL, ALIGNMENT_FAULTS,
	    "unaligned accesses that the kernel had to fix up"),
	ROW("bpf-output", NULL, BPF_OUTPUT, "what BPF programs write out"),
	ROW("cgroup-switches", NULL, NEWER_CGROUP_SWITCHES,
	    "switches to a task of another cgroup (Linux 5.13)"),
	ROW("context-switches", "cs", CONTEXT_SWITCHES, "switches from one task to another"),
	CLOCK("cpu-clock", CPU_CLOCK, "time on the CPU, ns; samples without a PMU"),
	ROW("cpu-migrations", "migrations", CPU_MIGRATIONS, "tasks moved to another CPU"),
	ROW("dummy", NULL, DUMMY, "counts nothing"),
	ROW("emulation-faults", NULL, EMULATION_FAULTS,
	    "instructions that the kernel had to emulate"),
	ROW("major-faults", NULL, PAGE_FAULTS_MAJ, "page faults that waited for the disk"),
	ROW("minor-faults", NULL, PAGE_FAULTS_MIN, "page faults that did not wait for the disk"),
	ROW("page-faults", "faults", PAGE_FAULTS, "page faults of either kind"),
	CLOCK("task-clock", TASK_CLOCK, "time that the task has run, ns"),
	{ 0 },
};

static bool fires_in_user_mode(const struct event_spec *spec)
{
	return spec->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
	       spec->config != PERF_COUNT_SW_CPU_MIGRATIONS &&
	       spec->config != ABI_COUNT_SW_CGROUP_SWITCHES;
}

static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	(void)catalog;
	(void)text;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	return 0;
}

const struct kind *kind_software(void)
{
	static const struct kind kind = {
		.type = PERF_TYPE_SOFTWARE,
		.names = names,
		.fires_in_user_mode = fires_in_user_mode,
		.probe = { "software", "cpu-clock", .ask = ask },
	};

	return &kind;
}
