/* SPDX-License-Identifier: MIT */
/*
 * needs - which capabilities the opener keeps, and what for.
 *
 * It starts with all that the command line may need.  The seal leaves only what the
 * requested events need: to be opened again (a CPU that comes online, `f` on the
 * screen), and to be decoded (symbols, formats of tracepoints).  With a screen, which
 * can add events, it leaves what all but probes need.
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

/* For --doctor: the i-th of those that this kernel asks for, or NULL after the last. */
const struct need *needs_at(size_t i);

/*
 * The capabilities needed for any event; tests the kernel (caps_perf()).  `has_command`: there is a
 * command that may have to be killed.
 */
uint64_t needs_base(bool has_command);

/* More of them, until the seal.  `may_probe`: a uprobe, kprobe or breakpoint may be requested. */
uint64_t needs_to_start(bool may_probe);

/* More of them, after the seal, for the event of this OPEN. */
uint64_t needs_of_event(const struct opener_request *request, const struct probe_types *probes);

#endif
