/* SPDX-License-Identifier: MIT */
/*
 * caps - the calling thread's capabilities, as a bit each.
 *
 * By the kernel's own calls: libcap would be a dependency for two of them, on a
 * path that must never be left out of a build.
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
 * The capabilities that open events on this kernel: CAP_PERFMON; CAP_SYS_ADMIN instead before 5.8, and
 * beside it where the kernel asks for it (tried by opening an event, as root).
 */
uint64_t caps_perf(void);

/* What is permitted now; CAPS_NONE on failure. */
uint64_t caps_permitted(void);

/* Have just these, permitted and effective; inheritable and ambient ones go.  0, or -1 and errno. */
int caps_set(uint64_t caps);

/* Give up all but these, for good; by capget and capset alone.  0, or -1 and errno. */
int caps_keep(uint64_t caps);

/* No exec can give any back: empties the bounding set (takes CAP_SETPCAP).  0, or -1 and errno. */
int caps_seal(void);

#endif
