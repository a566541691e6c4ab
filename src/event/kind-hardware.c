/* SPDX-License-Identifier: MIT */
/*
 * Hardware events: the kernel's generic names for a CPU PMU's events.
 */
#include <errno.h>

#include "event/kind.h"

#define ROW(name, alias, id, text)                           \
	{                                                    \
		name, alias, PERF_COUNT_HW_##id, false, text \
	}

/* Names and aliases: perf-list(1), tools/perf of 6.1. */
static const struct kind_name names[] = {
	ROW("cycles", "cpu-cycles", CPU_CYCLES, "cycles of the CPU while it is not halted"),
	ROW("instructions", NULL, INSTRUCTIONS, "instructions retired"),
	ROW("cache-references", NULL, CACHE_REFERENCES, "accesses to the last level cache"),
	ROW("cache-misses", NULL, CACHE_MISSES, "misses of the last level cache"),
	ROW("branches", "branch-instructions", BRANCH_INSTRUCTIONS, "branches retired"),
	ROW("branch-misses", NULL, BRANCH_MISSES, "branches predicted wrongly"),
	ROW("bus-cycles", NULL, BUS_CYCLES, "cycles of the bus"),
	ROW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
	    "cycles in which no instruction was fetched"),
	ROW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
	    "cycles in which no instruction was retired"),
	ROW("ref-cycles", NULL, REF_CPU_CYCLES, "cycles at the nominal frequency"),
	{ 0 },
};

static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	(void)catalog;
	(void)text;
	attr->type = PERF_TYPE_HARDWARE;
	attr->config = PERF_COUNT_HW_CPU_CYCLES;
	return 0;
}

static const struct why_cause causes[] = { { ENOENT, .make = why_no_pmu }, { 0 } };

const struct kind *kind_hardware(void)
{
	static const struct kind kind = {
		.type = PERF_TYPE_HARDWARE,
		.is_on_counter = true,
		.names = names,
		.causes = causes,
		.probe = { "hardware", "cycles", .instead = "perftop-ng -e cpu-clock", .ask = ask },
	};

	return &kind;
}
