/* SPDX-License-Identifier: MIT */
/*
 * seccomp - the system calls that are left to a process once it has no rights.
 *
 * An allow-list: no exec, no new process, no ptrace, no socket, no code made at run time, no
 * typing into the terminal.  Anything else answers EPERM (and is in the audit log
 * where that is on); a build with -DSECCOMP_KILL dies of it, so that tests find it.
 */
#ifndef OPENER_SECCOMP_H
#define OPENER_SECCOMP_H

enum seccomp_role { SECCOMP_MAIN, SECCOMP_OPENER };

/*
 * For this thread and all that it starts, for good; before the first one.  0 when in
 * force, 1 when this build goes without (no libseccomp, or a sanitizer), -1 and errno
 * when the kernel refused.
 */
int seccomp_enter(enum seccomp_role role);

#endif
