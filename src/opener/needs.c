/* SPDX-License-Identifier: MIT */
#include "opener/needs.h"

#include <sys/utsname.h>

#include "opener/caps.h"

static const struct need table[] = {
	{ CAP_PERFMON, "CAP_PERFMON", "events of the whole machine" },
	{ CAP_IPC_LOCK, "CAP_IPC_LOCK", "rings larger than kernel.perf_event_mlock_kb allows" },
	{ CAP_SYSLOG, "CAP_SYSLOG",
	  "kernel symbols, while an event samples addresses or a screen can add one" },
	{ CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH",
	  "formats and files, while there are tracepoints or probes or a screen can add them" },
	{ CAP_SYS_ADMIN, "CAP_SYS_ADMIN",
	  "uprobes, kprobes and mem: breakpoints in the kernel, while there are some" },
	{ CAP_KILL, "CAP_KILL", "ending the command after --, if there is one" },
	/* The last: not every kernel asks for it. */
	{ CAP_SYS_PTRACE, "CAP_SYS_PTRACE",
	  "/proc/PID/maps, while an event samples addresses or a screen can add one" },
};

#define NEEDS (sizeof(table) / sizeof(table[0]))

static uint64_t needs_of_maps(void)
{
	struct utsname system;

	return caps_maps(uname(&system) == 0 ? system.release : "");
}

const struct need *needs_at(size_t i)
{
	return i < NEEDS - (needs_of_maps() == CAPS_NONE) ? &table[i] : NULL;
}

uint64_t needs_base(bool has_command)
{
	return caps_perf() | CAPS_BIT(CAP_IPC_LOCK) | (has_command ? CAPS_BIT(CAP_KILL) : 0);
}

uint64_t needs_to_start(bool may_probe)
{
	return CAPS_BIT(CAP_SYSLOG) | CAPS_BIT(CAP_DAC_READ_SEARCH) | needs_of_maps() |
	       (may_probe ? CAPS_BIT(CAP_SYS_ADMIN) : 0);
}

/* kernel: arch_check_bp_in_kernelspace(); the upper half of 64-bit addresses. */
static bool is_in_kernel(const struct perf_event_attr *attr)
{
	return sizeof(long) < sizeof(attr->bp_addr) || (int64_t)attr->bp_addr < 0;
}

uint64_t needs_of_event(const struct opener_request *request, const struct probe_types *probes)
{
	const struct perf_event_attr *attr = &request->attr;
	uint64_t caps = 0;

	/* kernel: kallsyms_show_value() checks the credentials of the opening process. */
	if (attr->sample_type & PERF_SAMPLE_IP)
		caps |= CAPS_BIT(CAP_SYSLOG) | needs_of_maps();
	if (attr->type == PERF_TYPE_TRACEPOINT)
		caps |= CAPS_BIT(CAP_DAC_READ_SEARCH);
	/* kernel: perf_uprobe_event_init() and hw_breakpoint_parse() */
	if (attr->type == PERF_TYPE_BREAKPOINT)
		caps |= is_in_kernel(attr) ? CAPS_BIT(CAP_SYS_ADMIN) : 0;
	else if (request_is_probe(request, probes))
		caps |= CAPS_BIT(CAP_DAC_READ_SEARCH) | CAPS_BIT(CAP_SYS_ADMIN);
	return caps;
}
