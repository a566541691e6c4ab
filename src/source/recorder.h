/* SPDX-License-Identifier: MIT */
/*
 * recorder - writes the blocks to a perf.data file before they are decoded (--record).
 *
 * Called by the decoder thread.  A thread of its own writes (perfdata/writer.h): while a slow disk takes less than
 * arrives, records wait in memory, and when that is full samples and switches are left out of the file and counted
 * in it as lost.  When the disk is full the recording ends and the run continues.  recorder_note() says so during
 * the run, recorder_failure() after it.  All functions but recorder_open() accept NULL: no recording.
 */
#ifndef SOURCE_RECORDER_H
#define SOURCE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/access.h"
#include "capture/evset.h"
#include "model/model.h"
#include "source/rotation.h"

struct recorder;

/*
 * Create the file, before the threads start; borrows set and access.  `argv` is our command line, for the head of
 * the file; the plan says when another file follows it.  NULL and errno.
 */
struct recorder *recorder_open(const char *path, const struct evset *set,
			       const struct rotation_plan *plan, const struct access *access,
			       char *const *argv);

/*
 * Call when all events were added: write the head, and of the running tasks their names and, if an event samples
 * addresses, what is mapped in them.  An event that is added later and is the first to do so has it written then.
 */
void recorder_begin(struct recorder *recorder);

/* Add an event that was opened or reopened, with its ids. */
void recorder_event(struct recorder *recorder, uint32_t number);

/* Write whole records of the CPU in this slot. */
void recorder_block(struct recorder *recorder, size_t slot, const void *bytes, size_t len);

/* Set the times of the first and the last sample up to here, for the file's head. */
void recorder_times(struct recorder *recorder, uint64_t first_ns, uint64_t last_ns);

/* Write a FINISHED_ROUND: every ring was drained since the last one. */
void recorder_round(struct recorder *recorder);

/*
 * If the process is killed later, the file is read up to here, or to the call before if little was written since or
 * the disk is behind.
 */
void recorder_checkpoint(struct recorder *recorder);

/* Whether it is time for another file: recorder_lost() for all, recorder_round() and recorder_next() are to follow. */
bool recorder_is_due(struct recorder *recorder);

/*
 * Begin another file, with its own head, names and mappings, also those that the model has.  False: there is
 * none, and this one grows on, which recorder_note() and recorder_failure() say.
 */
bool recorder_next(struct recorder *recorder, const struct model *model);

/*
 * Write that an event lost so many samples on a CPU, counted from the start, the last of them at about this time
 * (perfdata_writer_loss).  While a slow disk leaves no room the next call does it.
 */
void recorder_lost(struct recorder *recorder, uint32_t number, size_t slot, uint64_t lost,
		   uint64_t time_ns);

/* Wait for room in memory, for recorder_lost() at the end. */
void recorder_await_room(struct recorder *recorder);

/* When something is missing, or the recording ended early: a line for the user, returned once; else NULL. */
const char *recorder_note(struct recorder *recorder);

/* Why the file is incomplete, or NULL; call after the final snapshot. */
const char *recorder_failure(const struct recorder *recorder);

/* Write the end of the file and close it: waits for the disk. */
void recorder_end(struct recorder *recorder);

/* Any thread: end that wait within 100 ms, and leave the file as it is then.  Valid until recorder_free(). */
void recorder_give_up(struct recorder *recorder);

void recorder_free(struct recorder *recorder);

#endif
