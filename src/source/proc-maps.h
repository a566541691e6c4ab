/* SPDX-License-Identifier: MIT */
/*
 * proc-maps - what is mapped in running processes, from /proc/PID/maps.
 *
 * Used by one thread.  The files are opened by it and read by another one: reading hangs while a process
 * holds its lock on its mappings.
 */
#ifndef SOURCE_PROC_MAPS_H
#define SOURCE_PROC_MAPS_H

#include <stddef.h>

#include "capture/access.h"
#include "model/model.h"

struct proc_maps;

/* Borrows `access`, which opens the files; its thread is started by the first process.  Never NULL. */
struct proc_maps *proc_maps_new(const struct access *access);
void proc_maps_free(struct proc_maps *maps);

/*
 * As in struct model_resolver.  What it gives is valid until the next call.  It waits for the thread, but only
 * shortly, and not at all while it is late.
 */
void proc_maps_read(struct proc_maps *maps, struct process_maps *processes, size_t count);

/* The next calls wait longer, so that nothing is missing: at the end, and for a recording. */
void proc_maps_settle(struct proc_maps *maps);

#endif
