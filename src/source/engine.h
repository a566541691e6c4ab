/* SPDX-License-Identifier: MIT */
/*
 * engine - the collecting half of the program: readers, decoder thread, model.
 *
 *     main (screen or batch)                 decoder thread              readers
 *     engine_toggle, _zero ... --command-->  changes events, asks  -->   drain, count
 *     engine_take              <--snapshot-- builds one a tick     <--   blocks, marks
 *
 * A snapshot that nobody has taken yet is not replaced: the next tick is put
 * off, and its interval is longer by that.  So no count is ever skipped over.
 *
 * A tick waits 100 ms for the readers' marks.  A reader that is late by
 * 50 ms is asked for its counts alone; of a CPU without either the figures are those of
 * its last answer.  The snapshot says which CPUs these are (enum cpu_answer).
 * Decoding gives way to ticks and commands every 20 ms.
 *
 *     decoder                                 main
 *     build a snapshot, exchange  --E1-->     exchange for NULL, then read it
 */
#ifndef SOURCE_ENGINE_H
#define SOURCE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/access.h"
#include "capture/evset.h"
#include "model/snapshot.h"
#include "source/recorder.h"

struct engine;

struct engine_config {
	struct evset *set;	     /* borrowed; the decoder thread's from engine_start() on */
	const struct cpulist *cpus;  /* borrowed: the slots */
	const struct access *access; /* borrowed */
	struct recorder
		*recorder;  /* borrowed, or NULL; the decoder thread's from engine_start() on */
	bool has_lost;	    /* features: PERF_FORMAT_LOST */
	bool is_task_bound; /* events follow tasks */
	double interval_s;
	double first_tick_s; /* after start; the screen wants something soon */
	uint64_t iterations; /* the last tick of so many is the final one; 0: no end */
	bool is_batch;	     /* the final snapshot is read by somebody: it may take a moment */
	size_t top;
	bool has_self;
	size_t blocks; /* of each reader; 0: default */
	int realtime;
	const char *host, *kernel;
	const char *const *notes; /* lines for the user, copied */
	size_t nnotes;
};

/*
 * Start all threads; the first interval begins here.  The caller enables the events just before.
 * When engine_error() says that it failed, only engine_free() may be called.
 */
struct engine *engine_start(const struct engine_config *config);

/* What could not be done at the start, and its errno; NULL when all is well. */
const char *engine_error(const struct engine *engine);

/* Readable when a snapshot waits. */
int engine_fd(const struct engine *engine);

/* The waiting snapshot, the caller's from here on, or NULL. */
struct snapshot *engine_take(struct engine *engine);

void engine_toggle(struct engine *engine, uint32_t row);
void engine_zero(struct engine *engine);
void engine_interval(struct engine *engine, double seconds);

/*
 * Disable all, drain, read last: the snapshot with is_final will come, after which the threads end.
 * It comes by `until_ns` (CLOCK_MONOTONIC) even when not all could be decoded; UINT64_MAX: as long as
 * there is progress.  May be called again with an earlier time.
 */
void engine_finish(struct engine *engine, uint64_t until_ns);

/*
 * Finish if nobody did, drop the snapshots that nobody took, join the threads, free all.  False: a
 * thread did not end by `until_ns` (CLOCK_MONOTONIC).  Then the engine stays, and all that its
 * configuration borrows must stay until the process ends.  NULL is allowed.
 */
bool engine_free(struct engine *engine, uint64_t until_ns);

#endif
