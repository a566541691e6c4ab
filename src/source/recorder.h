/* SPDX-License-Identifier: MIT */
/*
 * recorder - what arrives is also written to a perf.data file (--record).
 *
 * Fed by the decoder thread with the blocks that it decodes anyway.  Writing
 * never loses an event by itself: a slow disk makes the decoder fall behind, and
 * then the kernel counts what it has no room for, as ever.  When the disk is
 * full the recording ends there and the run goes on; recorder_note() says so,
 * and recorder_failure() when all is over.
 */
#ifndef SOURCE_RECORDER_H
#define SOURCE_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "capture/access.h"
#include "capture/evset.h"

struct recorder;

/* Create the file, before the threads start; borrows set and access.  NULL and errno. */
struct recorder *recorder_open(const char *path, const struct evset *set,
			       const struct access *access, char *const *argv);

/* All events are known: write the head, and the names of the tasks that there are. */
void recorder_begin(struct recorder *recorder);

/* An event has been opened, or opened again: its ids.  Every function takes NULL for no recording. */
void recorder_event(struct recorder *recorder, uint32_t number);

/* Whole records, as they came. */
void recorder_block(struct recorder *recorder, const void *bytes, size_t len);

/* Every ring was drained. */
void recorder_round(struct recorder *recorder);

/* At the end: what an event lost on a CPU. */
void recorder_lost(struct recorder *recorder, uint32_t number, size_t slot, uint64_t lost);

/* Once, a line for the user when the recording had to end; else NULL. */
const char *recorder_note(struct recorder *recorder);

/* Why the file has less than was asked for, else NULL; once the final snapshot is there. */
const char *recorder_failure(const struct recorder *recorder);

/* Write the end and close. */
void recorder_end(struct recorder *recorder);
void recorder_free(struct recorder *recorder);

#endif
