/* SPDX-License-Identifier: MIT */
/*
 * request - whether the opener may do what it is asked to.
 *
 * Pure: it looks at the bytes and nothing else.  What it passes on is: one event
 * without side effects on the watched task, of a task or a CPU that is named; no
 * pointer of main's making; plain names only.
 *
 * It does not say whose tasks may be watched.  Whoever may watch the whole
 * machine, which is what the program is for, sees every task anyway.
 */
#ifndef OPENER_REQUEST_H
#define OPENER_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "opener/protocol.h"

#define PROBE_TYPES_MAX 2 /* uprobe, kprobe */

/* The PMUs whose config1 is a pointer to text. */
struct probe_types {
	uint32_t types[PROBE_TYPES_MAX];
	size_t count;
};

/* 0, or the errno to answer with.  `has_fd`: whether an fd came along. */
int request_check(const struct opener_request *request, size_t len, int has_fd,
		  const struct probe_types *probes);

#endif
