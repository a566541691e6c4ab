/* SPDX-License-Identifier: MIT */
/*
 * request - whether the opener may do what it is asked to.
 *
 * Pure: it looks at the bytes and nothing else.  What it passes on is: one event
 * with the fields that capture/attr.c fills in and no others (no user stacks or
 * registers, no physical addresses, nothing with a side effect on the watched
 * task), of a task or a CPU that is named; no pointer of main's making; plain
 * names only.
 *
 * It does not say whose tasks may be watched.  Whoever may watch the whole
 * machine, which is what the program is for, sees every task anyway.
 */
#ifndef OPENER_REQUEST_H
#define OPENER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opener/protocol.h"

#define PROBE_TYPES_MAX 2 /* uprobe, kprobe */

/* The PMUs whose config1 is a pointer to text. */
struct probe_types {
	uint32_t types[PROBE_TYPES_MAX];
	size_t count;
};

/*
 * Whether the event of an OPEN takes CAP_SYS_ADMIN, and more than watching can be done with it: a probe
 * rewrites an instruction where it is told to, a breakpoint is set anywhere.
 */
bool request_is_probe(const struct opener_request *request, const struct probe_types *probes);

/* Whether two OPENs are of one event, on one CPU or two, for one target or two. */
bool request_is_same_event(const struct opener_request *one, const struct opener_request *other);

/* 0, or the errno to answer with.  `has_fd`: whether an fd came along. */
int request_check(const struct opener_request *request, size_t len, int has_fd,
		  const struct probe_types *probes);

#endif
