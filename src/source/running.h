/* SPDX-License-Identifier: MIT */
/*
 * running - the tasks that run when a recording begins, as records: their names and what is mapped in them.
 *
 * The kernel's records tell only what changes during the recording.  These are read from /proc and have the
 * time 0: perf processes them where they are in the file, which must be before the samples of the tasks.
 */
#ifndef SOURCE_RUNNING_H
#define SOURCE_RUNNING_H

#include <stddef.h>

#include "capture/access.h"
#include "capture/evset.h"
#include "model/model.h"
#include "perfdata/writer.h"

/*
 * Those that ran at a cut between two files, and may have ended by the time that /proc is read, are known by the
 * model, which has the records up to the cut.  Write their names, also over what /proc has: 0, or -1 and errno.
 */
int running_write_known_names(struct perfdata_writer *writer, const struct model *model);

/* The same of the code that is mapped in processes that are gone. */
int running_write_known_maps(struct perfdata_writer *writer, const struct model *model);

/* Write the names of all tasks: 0, or -1 and errno. */
int running_write_names(struct perfdata_writer *writer);

/* How many processes there were, and of how many the file was not read: reading one hangs, or there is no thread. */
struct running_maps {
	size_t processes, unread;
};

/* Write what is mapped in the processes that the set watches: 0, or -1 and errno. */
int running_write_maps(struct perfdata_writer *writer, const struct evset *set,
		       const struct access *access, struct running_maps *result);

#endif
