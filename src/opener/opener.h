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
 * It opens events, maps large rings first, opens the kernel's own files, and
 * nothing else.  It ignores what the terminal sends, leaves when main is gone, and
 * then closes what is still open without holding terminal, pipe or session.
 */
#ifndef OPENER_OPENER_H
#define OPENER_OPENER_H

#include <stdbool.h>

#include "opener/drop.h"

struct opener_config {
	const struct drop_user *user; /* borrowed: who it runs as */
	int command_pidfd; /* the command that it may end on request, or -1; makes it keep CAP_KILL */
	bool has_probes; /* keep CAP_SYS_ADMIN, without which there is no uprobe and no breakpoint on
					 kernel memory (kernel: perf_uprobe_event_init) */
};

/*
 * Fork it: before any thread, as root.  The socket to talk to it by, owned by the
 * caller and closed on exec, once it is ready; or -1 and errno.
 */
int opener_start(const struct opener_config *config);

#endif
