/* SPDX-License-Identifier: MIT */
/*
 * cgroup - -G: the folder of a control group, which is how perf events name it.
 */
#ifndef CLI_CGROUP_H
#define CLI_CGROUP_H

/*
 * Open the group `name`, a path below the place where its hierarchy is mounted (or the whole path):
 * an fd that the caller owns, or -1 and *reason, allocated.  `mounts` is "/proc/mounts", but in
 * tests.
 */
int cgroup_open(const char *mounts, const char *name, char **reason);

#endif
