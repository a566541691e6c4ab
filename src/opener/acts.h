/* SPDX-License-Identifier: MIT */
/*
 * acts - the opener's privileged operations, called for requests that were checked.
 *
 * A table, so that tests can replace acts_real() by functions that need no rights.
 */
#ifndef OPENER_ACTS_H
#define OPENER_ACTS_H

#include <stdint.h>

#include "opener/protocol.h"
#include "opener/request.h"

struct acts {
	void *ctx;
	uint64_t ring_pages_max; /* of all rings: locked memory, beyond what the user may lock */
	/* An fd that the opener owns, or -1 and errno.  Borrows `leader`, of its group, and
	 * `cgroup`, the folder; or -1. */
	int (*open_event)(void *ctx, const struct opener_request *request, int leader, int cgroup);
	int (*open_file)(void *ctx, const struct opener_request *request);
	/* 0, or -1 and errno. */
	int (*end_command)(void *ctx, int number);
	/* Drop all capabilities but `caps` and those of every event.  0, or -1 and errno. */
	int (*seal)(void *ctx, uint64_t caps);
};

struct acts_real {
	struct tracefs *tracefs; /* owned; NULL when there is none */
	struct request_rules rules;
	int command_pidfd; /* borrowed, or WIRE_NO_FD */
	uint64_t caps;	   /* kept whatever the events are */
	uint64_t ring_pages_max;
};

/* Find tracefs, the probe PMUs, the size of memory: while still root and without seccomp. */
void acts_real_init(struct acts_real *real, int command_pidfd);

/* The table of the real operations; borrows `real`. */
struct acts acts_real(struct acts_real *real);

#endif
