/* SPDX-License-Identifier: MIT */
/*
 * processor - the name and the type of this machine's processor, as perf.data has them.
 *
 * perf data convert --to-json needs both.  The type has the form of perf's get_cpuid() (tools/perf/arch/.../header.c):
 * "vendor,family,model,stepping" on x86, the main ID register on arm64.
 */
#ifndef SOURCE_PROCESSOR_H
#define SOURCE_PROCESSOR_H

#define PROCESSOR_CPUINFO "/proc/cpuinfo"
#define PROCESSOR_MIDR	  "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"

/* Terminated; "unknown" where the files do not say. */
struct processor {
	char name[128], type[128];
};

/* That of the first CPU in these files: cpuinfo as in /proc; the main ID register, which only arm64 has. */
struct processor processor_read(const char *cpuinfo_path, const char *midr_path);

#endif
