/* SPDX-License-Identifier: MIT */
/*
 * caps - the calling thread's capabilities, as a bit mask.
 *
 * By system calls: libcap would be a dependency for two of them, in code that no
 * build may leave out.
 */
#ifndef OPENER_CAPS_H
#define OPENER_CAPS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>

/* Since Linux 5.8; headers may be older. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define CAPS_NONE     0ull
#define CAPS_BIT(cap) (1ull << (cap))

/*
 * The capabilities that open events on this kernel: CAP_PERFMON; CAP_SYS_ADMIN instead before 5.8,
 * and in addition where the kernel requires it (tested by opening an event, as root).
 */
uint64_t caps_perf(void);

/*
 * The capability that opening any process's /proc/PID/maps needs besides those of caps_perf(), for a
 * kernel's release as of uname(2); CAPS_NONE since 6.15 (kernel: may_access_mm()).
 */
uint64_t caps_maps(const char *release);

/* The permitted set; CAPS_NONE on failure. */
uint64_t caps_permitted(void);

/* Set permitted and effective to these, clear inheritable and ambient.  0, or -1 and errno. */
int caps_set(uint64_t caps);

/* Drop all but these permanently; uses only capget and capset.  0, or -1 and errno. */
int caps_keep(uint64_t caps);

/* Empty the bounding set, so that no exec regains any (needs CAP_SETPCAP).  0, or -1 and errno. */
int caps_seal(void);

#endif
