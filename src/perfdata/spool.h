/* SPDX-License-Identifier: MIT */
/*
 * spool - a thread that writes what it is given to an output, so that a slow disk stops nobody else.
 *
 * What is given waits in memory.  One thread gives.  Between spool_new() and spool_free() the output
 * belongs to the spool's thread.
 */
#ifndef PERFDATA_SPOOL_H
#define PERFDATA_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/output.h"

struct spool;

/* Start the thread; `room`: bytes of memory for what waits.  NULL and errno. */
struct spool *spool_new(struct output *output, size_t room);

/* How many bytes can be given now without waiting. */
size_t spool_room(struct spool *spool);

/*
 * Give bytes to append, which are written all or not at all, and the size of an end at most.  Waits
 * for room.  They may be kept back until the next end or settle.  0, or -1 and errno, as all that
 * follow: why nothing more is written.
 */
int spool_append(struct spool *spool, const void *bytes, size_t len, uint64_t end_bytes);

/* Give an end, and a head of PERFDATA_HEAD_BYTES (see output_end()).  Waits for room. */
int spool_end(struct spool *spool, const void *head, const void *end, size_t end_len);

/* Whether an end waits to be written, or is being written. */
bool spool_has_end(struct spool *spool);

/* Wait until all is written, until `until_ns` (CLOCK_MONOTONIC) at most: ETIMEDOUT. */
int spool_settle(struct spool *spool, uint64_t until_ns);

/*
 * End the thread, without writing what waits.  True: the output is the caller's again.  False: it hangs
 * in a system call at `until_ns`, and is left behind with the output.
 */
bool spool_free(struct spool *spool, uint64_t until_ns);

#endif
