/* SPDX-License-Identifier: MIT */
#include "event/probe.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sys.h"
#include "event/tracefs.h"

#define DEVICES "/sys/bus/event_source/devices"

/* Exported to modules as long as there are kprobes, and called once in a task's life. */
static const char kprobe_symbol[] = "do_exit";
static long watched_word;

static void __attribute__((noinline, used)) watched_function(void)
{
	__asm__ volatile("");
}

/* --- what to ask for: 0 and *attr, or an errno ----------------------------------------------- */

static int device_type(const char *name, struct perf_event_attr *attr)
{
	char path[128];
	long long type;

	snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	if (sys_read_int(path, &type) != 0)
		return errno;
	attr->type = (uint32_t)type;
	return 0;
}

static int ask_tracepoint(struct perf_event_attr *attr)
{
	struct tracefs *tracefs = tracefs_open();

	if (tracefs == NULL)
		return errno;
	long id = tracefs_id(tracefs, "sched", "sched_switch");
	int error = id < 0 ? errno : 0;
	tracefs_close(tracefs);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = (uint64_t)id;
	return error;
}

static int ask_kprobe(struct perf_event_attr *attr)
{
	attr->config1 = (uintptr_t)kprobe_symbol;
	return device_type("kprobe", attr);
}

/* The place in our file of what stands in memory at `address`: "55d0-55e0 r-xp 00002000 ..." says it. */
static int64_t file_offset(uintptr_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long start, end, offset;
	int64_t found = -1;
	char line[512];

	if (maps == NULL)
		return -1;
	while (found < 0 && fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 &&
		    address >= start && address < end)
			found = (int64_t)(address - start + offset);
	}
	fclose(maps);
	return found;
}

static int ask_uprobe(struct perf_event_attr *attr)
{
	static char path[4096];
	int64_t offset = file_offset((uintptr_t)watched_function);
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len < 0 || offset < 0)
		return ENOENT;
	path[len] = '\0';
	attr->config1 = (uintptr_t)path;
	attr->config2 = (uint64_t)offset;
	return device_type("uprobe", attr);
}

static int ask(enum probe_class class, struct perf_event_attr *attr)
{
	switch (class) {
	case PROBE_SOFTWARE:
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_CPU_CLOCK;
		return 0;
	case PROBE_HARDWARE:
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = PERF_COUNT_HW_CPU_CYCLES;
		return 0;
	case PROBE_CACHE:
		attr->type = PERF_TYPE_HW_CACHE;
		attr->config = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
		return 0;
	case PROBE_TRACEPOINT:
		return ask_tracepoint(attr);
	case PROBE_KPROBE:
		return ask_kprobe(attr);
	case PROBE_UPROBE:
		return ask_uprobe(attr);
	case PROBE_BREAKPOINT:
		attr->type = PERF_TYPE_BREAKPOINT;
		attr->bp_type = HW_BREAKPOINT_W;
		attr->bp_addr = (uintptr_t)&watched_word;
		attr->bp_len = sizeof(watched_word);
		return 0;
	default:
		return device_type("msr", attr); /* config 0 is the time stamp counter */
	}
}

/* --- asking --------------------------------------------------------------------------------- */

static int try_open(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	struct perf_event_attr copy = *attr;
	int fd = (int)syscall(SYS_perf_event_open, &copy, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

void probe_class(enum probe_class class, int cpu, struct probe *probe)
{
	static const struct probe classes[PROBE_CLASSES] = {
		[PROBE_SOFTWARE] = { .name = "software",
				     .event = "cpu-clock",
				     .kind = EVENT_SOFTWARE },
		[PROBE_HARDWARE] = { .name = "hardware", .event = "cycles", .kind = EVENT_HARDWARE },
		[PROBE_CACHE] = { .name = "cache",
				  .event = "L1-dcache-load-misses",
				  .kind = EVENT_CACHE },
		[PROBE_TRACEPOINT] = { .name = "tracepoint",
				       .event = "sched:sched_switch",
				       .kind = EVENT_TRACEPOINT },
		[PROBE_KPROBE] = { .name = "kprobe",
				   .event = "kprobe:do_exit",
				   .kind = EVENT_KPROBE },
		[PROBE_UPROBE] = { .name = "uprobe",
				   .event = "uprobe on a function of ours",
				   .kind = EVENT_UPROBE },
		[PROBE_BREAKPOINT] = { .name = "breakpoint",
				       .event = "mem: on a word of ours",
				       .kind = EVENT_BREAKPOINT },
		[PROBE_MSR] = { .name = "msr", .event = "msr/tsc/", .kind = EVENT_PMU },
	};
	struct perf_event_attr attr = { .size = PERF_ATTR_SIZE_VER5, .disabled = 1 };
	int error = ask(class, &attr);

	*probe = classes[class];
	probe->is_known = error == 0;
	probe->machine_error = error != 0 ? error : try_open(&attr, -1, cpu);
	probe->task_error = error != 0 ? error : try_open(&attr, 0, -1);
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	probe->user_error = error != 0 ? error : try_open(&attr, 0, -1);
}
