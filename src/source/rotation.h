/* SPDX-License-Identifier: MIT */
/*
 * rotation - the earlier files of a recording that has several (--record-every).
 *
 * The file that is written has the name that was asked for.  When it is full it is renamed, its time
 * appended as perf record --switch-output does: perf.data.2026112614055712.  A thread writes what
 * waits and its end, as that may take long; until it is done, no other file is due.
 *
 * One thread calls.
 */
#ifndef SOURCE_ROTATION_H
#define SOURCE_ROTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/writer.h"

/* When a file is full; both 0: never. */
struct rotation_plan {
	uint64_t bytes;
	uint64_t ns;
	uint64_t keep; /* files, with the one that is written; 0: all */
};

struct rotation;

/* For the regular file at `path`, which is there, and begins now.  Never NULL. */
struct rotation *rotation_new(const char *path, const struct rotation_plan *plan);

/* The file that is written, without symbolic links; valid as long as the rotation. */
const char *rotation_path(const struct rotation *rotation);

/* Whether the file, of so many bytes, is to be followed by another one. */
bool rotation_is_due(struct rotation *rotation, uint64_t bytes);

/*
 * Rename the full file, before the next one is begun.  0, or -1 and errno; then, and after rotation_undo(), no
 * file is due any more.
 */
int rotation_rename(struct rotation *rotation);

/* The next one cannot be begun: give the file its name back. */
void rotation_undo(struct rotation *rotation);

/*
 * After a rename: the next file has begun.  End the one before it, close its writer, and delete the oldest of
 * this run if there are too many.
 */
void rotation_next(struct rotation *rotation, struct perfdata_writer *before);

/* Wait until the one before is ended, until `until_ns` (CLOCK_MONOTONIC) at most: false when it is not. */
bool rotation_settle(struct rotation *rotation, uint64_t until_ns);

/* Which file could not be ended, and why, or NULL; valid as long as the rotation. */
const char *rotation_failure(const struct rotation *rotation);

/* A file that is not ended yet is left behind.  NULL is allowed. */
void rotation_free(struct rotation *rotation);

#endif
