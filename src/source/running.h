/* SPDX-License-Identifier: MIT */
/*
 * running - the tasks that run when a recording begins, as records: their names.
 *
 * The kernel's records tell only what changes during the recording.  These are read from /proc and have the
 * time 0: perf processes them where they are in the file, which must be before the samples of the tasks.
 */
#ifndef SOURCE_RUNNING_H
#define SOURCE_RUNNING_H

#include "perfdata/writer.h"

/* Write the names of all tasks: 0, or -1 and errno. */
int running_write_names(struct perfdata_writer *writer);

#endif
