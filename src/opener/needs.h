/* SPDX-License-Identifier: MIT */
/*
 * needs - which capabilities the opener keeps, and what for.
 *
 * It starts with what the command line may come to need.  The seal leaves what
 * the events need that were opened: to be opened again (a CPU that comes online,
 * `f` in the screen), and to be explained (symbols, formats of tracepoints).
 */
#ifndef OPENER_NEEDS_H
#define OPENER_NEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opener/request.h"

struct need {
	int cap;
	const char *name; /* "CAP_SYSLOG" */
	const char *what_for;
};

/* For --doctor: the i-th, or NULL behind the last. */
const struct need *needs_at(size_t i);

/*
 * Whatever the events are; looks at the kernel (caps_perf()).  `has_command`: there is one that may
 * have to be ended.
 */
uint64_t needs_base(bool has_command);

/* Until the seal.  `may_probe`: a uprobe, a kprobe or a breakpoint may be asked for. */
uint64_t needs_to_start(bool may_probe);

/* Behind the seal, for the event of this OPEN. */
uint64_t needs_of_event(const struct opener_request *request, const struct probe_types *probes);

#endif
