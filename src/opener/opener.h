/* SPDX-License-Identifier: MIT */
/*
 * opener - the process that keeps the rights, so that main needs none.
 *
 *     sudo perftop-ng ── main (root) ──fork──▶ opener: the user's uid; PERFMON, IPC_LOCK, SYSLOG,
 *                          │                     DAC_READ_SEARCH; no tty, no parser, no exec
 *                          ▼ drop                  ▲
 *                        main (the user) ◀────────┘ requests, answers, fds  (protocol.h)
 *
 * The opener also keeps SYS_ADMIN where the kernel opens no event without it (caps.h).
 *
 * Once all requested events are open, main seals the opener: from then on it opens no
 * probe or breakpoint except those requested before (on a CPU that came online, or
 * switched on again), and keeps only the capabilities that the events need (needs.h).
 *
 * It opens events, maps large rings before main does, opens the kernel's own files, and
 * nothing else.  It ignores the terminal's signals, exits when main is gone, and
 * then closes what is still open without holding terminal, pipe or session.
 */
#ifndef OPENER_OPENER_H
#define OPENER_OPENER_H

#include <stdbool.h>

#include "opener/drop.h"

struct opener_config {
	const struct caller *caller; /* borrowed: the user it runs as */
	int command_pidfd; /* the command that it may kill on request (keeps CAP_KILL), or -1 */
	/*
	 * Keep CAP_SYS_ADMIN until the seal, and after it if an event needs it: uprobes and
	 * breakpoints on kernel memory require it (kernel: perf_uprobe_event_init).
	 */
	bool may_probe;
	bool may_walk_user; /* samples may have the user's part of call chains */
	bool may_add;	    /* events can be added after the seal: keep what any but probes needs */
};

/*
 * Fork it: before any thread, as root.  Returns, once it is ready, the socket for
 * requests, owned by the caller and closed on exec; or -1 and errno.
 */
int opener_start(const struct opener_config *config);

#endif
