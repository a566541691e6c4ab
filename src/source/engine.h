/* SPDX-License-Identifier: MIT */
/*
 * engine - the collecting half of the program: readers, decoder thread, model.
 *
 *     decoder thread                              readers, one a CPU
 *     changes events, asks for marks  --request->  drain the ring, read the counters
 *     decodes, builds a snapshot      <--blocks--  records, and the marks with the counts
 *
 * A tick waits 100 ms for the readers' marks.  A reader that is late by
 * 50 ms is asked for its counts alone; of a CPU without either the figures are those of
 * its last answer.  The snapshot says which CPUs these are (enum cpu_answer).
 * Decoding gives way to ticks and commands every 20 ms.
 */
#ifndef SOURCE_ENGINE_H
#define SOURCE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/access.h"
#include "capture/evset.h"
#include "source/recorder.h"
#include "source/source.h"

struct engine_config {
	struct evset *set;	     /* borrowed; the decoder thread's from source_start() on */
	const struct cpulist *cpus;  /* borrowed: the slots */
	const struct access *access; /* borrowed */
	struct recorder
		*recorder;  /* borrowed, or NULL; the decoder thread's from source_start() on */
	bool has_lost;	    /* features: PERF_FORMAT_LOST */
	bool is_task_bound; /* events follow tasks */
	double interval_s;
	uint64_t iterations; /* the last tick of so many is the final one; 0: no end */
	bool is_batch;	     /* the final snapshot is read by somebody: it may take a moment */
	size_t top;
	bool has_self;
	size_t blocks; /* of each reader; 0: default */
	int realtime;
	const char *host, *kernel; /* borrowed until source_start() has returned */
	const char *const *notes;  /* lines for the user, borrowed as long */
	size_t nnotes;
};

/* A source that enables the events of the set when it starts.  NULL and errno. */
struct source *engine_new(const struct engine_config *config);

#endif
