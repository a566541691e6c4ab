/* SPDX-License-Identifier: MIT */
/*
 * drop - from root to the user who called sudo, with no way back.
 *
 * Capabilities and seccomp are per thread: all of this comes before the first
 * thread.  The uid goes too, not only the capabilities: uid 0 without any still
 * owns /etc/shadow.
 */
#ifndef OPENER_DROP_H
#define OPENER_DROP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct drop_user {
	uid_t uid;
	gid_t gid;
	gid_t *groups; /* owned */
	size_t ngroups;
	char *home; /* owned; NULL: unknown */
};

/*
 * Whether we are root for somebody: effective uid 0, SUDO_UID and SUDO_GID set
 * and not root's.  Then *user is filled in (the last look into /etc/passwd); else
 * it is empty.  drop_user_fini() in either case.
 */
bool drop_find_user(struct drop_user *user);
void drop_user_fini(struct drop_user *user);

/*
 * Become that user, keeping `caps` and nothing else: no other group, no
 * capability in any set, none to be had by exec; no core file, no ptrace by the
 * user's other processes.  Checked by trying to be root again.  0, or -1 and
 * errno: then the process must not go on.
 */
int drop_to_user(const struct drop_user *user, uint64_t caps);

/* What of root's run must not reach the user's: loader and terminfo variables, umask, HOME. */
void drop_environment(const struct drop_user *user);

#endif
