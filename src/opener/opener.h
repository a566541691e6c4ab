/* SPDX-License-Identifier: MIT */
/*
 * opener - the process that keeps the rights, so that main needs none.
 *
 *     sudo perftop-ng ── main (root) ──fork──▶ opener: the user's uid; PERFMON, IPC_LOCK, SYSLOG,
 *                          │                     DAC_READ_SEARCH; no tty, no parser, no exec
 *                          ▼ drop                  ▲
 *                        main (the user) ◀────────┘ requests, answers, fds  (protocol.h)
 *
 * Where the kernel opens no event without it, it keeps SYS_ADMIN too (caps.h).
 *
 * Once all that was asked for is open, main seals it: from then on it opens no probe
 * and no breakpoint but those of before (on a CPU that came online, or switched on
 * again), and keeps the capabilities that the events take (needs.h), no others.
 *
 * It opens events, maps large rings first, opens the kernel's own files, and
 * nothing else.  It ignores what the terminal sends, leaves when main is gone, and
 * then closes what is still open without holding terminal, pipe or session.
 */
#ifndef OPENER_OPENER_H
#define OPENER_OPENER_H

#include <stdbool.h>

#include "opener/drop.h"

struct opener_config {
	const struct caller *caller; /* borrowed: who it runs as */
	int command_pidfd; /* the command that it may end on request, or -1; makes it keep CAP_KILL */
	/*
	 * Keep CAP_SYS_ADMIN until the seal, and behind it when there are some: without it there is no
	 * uprobe and no breakpoint on kernel memory (kernel: perf_uprobe_event_init).
	 */
	bool may_probe;
};

/*
 * Fork it: before any thread, as root.  The socket to talk to it by, owned by the
 * caller and closed on exec, once it is ready; or -1 and errno.
 */
int opener_start(const struct opener_config *config);

#endif
