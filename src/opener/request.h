/* SPDX-License-Identifier: MIT */
/*
 * request - checks whether the opener may execute a request.
 *
 * Pure: it checks only the bytes.  It allows one event with no fields set but
 * those that capture/attr.c sets (no user stacks or registers, no physical
 * addresses, nothing with a side effect on the watched task), on a given task or
 * CPU; no pointer from main; plain names only.
 *
 * It does not restrict whose tasks are watched: the program may watch the whole
 * machine, and so every task, anyway.
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

/* What requests may ask for. */
struct request_rules {
	struct probe_types probes;
	bool may_walk_user; /* call chains with the user's part: words of the tasks' stacks */
};

/*
 * Whether the event of an OPEN is one that can do more than watch: a probe rewrites an instruction
 * at any given place, a breakpoint is set at any address.
 */
bool request_is_probe(const struct opener_request *request, const struct probe_types *probes);

/* Whether two OPENs are for the same event, whatever their CPUs and targets. */
bool request_is_same_event(const struct opener_request *one, const struct opener_request *other);

/* 0, or the errno to answer with.  `has_fd`: whether an fd came with the request. */
int request_check(const struct opener_request *request, size_t len, int has_fd,
		  const struct request_rules *rules);

#endif
