/* SPDX-License-Identifier: MIT */
/*
 * drop - switches from root to the calling user (caller.h), irreversibly.
 *
 * Capabilities and seccomp are per thread: all of this comes before the first
 * thread.  The uid is changed too, not only the capabilities: uid 0 without any
 * still owns /etc/shadow.
 */
#ifndef OPENER_DROP_H
#define OPENER_DROP_H

#include <stdint.h>

struct caller;

/*
 * Become that user with no groups but its own, keeping only `caps`: no other capability
 * in any set, none regained by exec; no core file, no ptrace by the user's processes.
 * Verified by trying to become root again.  0, or -1 and errno: the caller must
 * then exit.
 */
int drop_to_user(const struct caller *caller, uint64_t caps);

/* Clean up what was set for root: loader and terminfo variables, umask, HOME. */
void drop_environment(const struct caller *caller);

#endif
