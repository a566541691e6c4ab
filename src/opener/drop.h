/* SPDX-License-Identifier: MIT */
/*
 * drop - from root to who called root (caller.h), with no way back.
 *
 * Capabilities and seccomp are per thread: all of this comes before the first
 * thread.  The uid goes too, not only the capabilities: uid 0 without any still
 * owns /etc/shadow.
 */
#ifndef OPENER_DROP_H
#define OPENER_DROP_H

#include <stdint.h>

struct caller;

/*
 * Become that user and group, keeping `caps` and nothing else: no other group, no
 * capability in any set, none to be had by exec; no core file, no ptrace by the
 * user's other processes.  Checked by trying to be root again.  0, or -1 and
 * errno: then the process must not go on.
 */
int drop_to_user(const struct caller *caller, uint64_t caps);

/* What of root's run must not reach the user's: loader and terminfo variables, umask, HOME. */
void drop_environment(const struct caller *caller);

#endif
