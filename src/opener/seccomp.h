/* SPDX-License-Identifier: MIT */
/*
 * seccomp - restricts the system calls of a process that has given up its rights.
 *
 * An allow-list: no exec, no new process, no ptrace, no socket, no executable memory, no
 * TIOCSTI.  Anything else returns EPERM (and is in the audit log if enabled); in a
 * build with -DSECCOMP_KILL it kills the process, so that tests find it.
 */
#ifndef OPENER_SECCOMP_H
#define OPENER_SECCOMP_H

enum seccomp_role { SECCOMP_MAIN, SECCOMP_OPENER };

/*
 * Install the filter, permanently, for this thread and all that it starts; call it before
 * the first one.  0 when installed, 1 when this build has no filter (no libseccomp, or a
 * sanitizer), -1 and errno when the kernel refused.
 */
int seccomp_enter(enum seccomp_role role);

#endif
