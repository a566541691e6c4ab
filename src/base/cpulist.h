/* SPDX-License-Identifier: MIT */
/*
 * cpulist - which CPUs: the kernel's list format, "0-3,5,8-11".
 *
 * CPU numbers have holes and possible is not online, so everything per CPU in
 * this program is indexed by slot (0..count-1) and ids[slot] is the kernel's
 * CPU number.
 */
#ifndef BASE_CPULIST_H
#define BASE_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

/* The most that a kernel can be built for today (CONFIG_NR_CPUS, x86 MAXSMP). */
#define CPULIST_MAX_ID 8191

struct cpulist {
	int *ids; /* ascending, no duplicates */
	size_t count;
};

/*
 * Parse text (a trailing newline is allowed) into `list`: 0, or -1 with EINVAL and an
 * empty list.
 */
int cpulist_parse(const char *text, struct cpulist *list);

/* Parse a file: 0, or -1 and errno, and an empty list. */
int cpulist_read(const char *path, struct cpulist *list);

/* Bytes of such a file: 8192 CPUs with every other one offline are 20 KiB of text. */
#define CPULIST_TEXT_MAX (64 << 10)

#define CPULIST_ONLINE "/sys/devices/system/cpu/online"

/* The CPUs online now, from CPULIST_ONLINE: 0, or -1 and errno. */
int cpulist_online(struct cpulist *list);

/* The CPUs that are plugged in, online or not, from .../present: 0, or -1 and errno. */
int cpulist_present(struct cpulist *list);

/* The slot of a CPU, or -1. */
long cpulist_find(const struct cpulist *list, int cpu);

/* Whether both have the same CPUs. */
bool cpulist_equal(const struct cpulist *a, const struct cpulist *b);

/* Free its memory; the list is then empty. */
void cpulist_fini(struct cpulist *list);

#endif
