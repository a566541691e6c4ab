/* SPDX-License-Identifier: MIT */
/*
 * procfs - what /proc says of tasks: parent, command line, cgroup.
 *
 * Read by a thread of its own: a command line is in the task's memory, and the kernel waits for a
 * lock of it (mm/memory.c: access_remote_vm()), which a task that hangs in a page fault never
 * gives.  Nothing else may wait for such a task.
 */
#ifndef SOURCE_PROCFS_H
#define SOURCE_PROCFS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/* Tasks that are asked for and not yet taken; what exceeds them is to be asked for again. */
#define PROCFS_ROOM 64

struct procfs;

/*
 * Start the thread; signals are blocked in it as in the caller.  `root` is borrowed: "/proc".
 * NULL and errno.
 */
struct procfs *procfs_new(const char *root);

/* End the thread.  If it hangs in a read, it is left behind, and its memory with it. */
void procfs_free(struct procfs *procfs);

/*
 * What is known of a task: true and `facts`, which are then read anew when asked for again.  False
 * when they are not read yet; it is asked for then.  `comm` is its name: if it has another one now,
 * the tid is another task's, and all is unknown.  "": not compared.  Waits for no file.
 */
bool procfs_find(struct procfs *procfs, int32_t tid, const char *comm, struct task_facts *facts);

#endif
