/* SPDX-License-Identifier: MIT */
/*
 * cgroup - -G: the folder of a control group, whose fd perf_event_open takes.
 */
#ifndef CLI_CGROUP_H
#define CLI_CGROUP_H

/*
 * Open the group `name`, a path relative to the mount of its hierarchy (or the whole path): an fd
 * that the caller owns, or -1 and *reason, allocated.  `mounts` is "/proc/mounts" except in tests.
 */
int cgroup_open(const char *mounts, const char *name, char **reason);

#endif
