/* SPDX-License-Identifier: MIT */
/*
 * engine - collects live data: readers, decoder thread, model.
 *
 *     decoder thread                              readers, one per CPU
 *     changes events, asks for marks  --request->  drain the ring, read the counters
 *     decodes, builds a snapshot      <--blocks--  records, and the marks with the counts
 *
 * A tick waits at most 100 ms for the readers' marks.  After 50 ms, readers with a mark still due
 * are asked for their counts alone.  A CPU without either keeps the figures of its last answer.  The
 * snapshot says which CPUs these are (enum cpu_answer).  Decoding is interrupted every 20 ms for
 * ticks and commands.
 */
#ifndef SOURCE_ENGINE_H
#define SOURCE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/access.h"
#include "capture/closer.h"
#include "capture/evset.h"
#include "model/model.h"
#include "source/recorder.h"
#include "source/source.h"

struct engine_config {
	struct evset *set; /* borrowed; used by the decoder thread from source_start() on */
	const struct cpulist *cpus;  /* borrowed: the slots */
	const struct access *access; /* borrowed */
	struct closer *closer;	     /* of the fds of events that are switched off; borrowed */
	/* Borrowed, or NULL; used by the decoder thread from source_start() on. */
	struct recorder *recorder;
	bool has_lost;	    /* features: PERF_FORMAT_LOST */
	bool has_verify;    /* check the samples of events that are verified (evset.h) */
	bool is_task_bound; /* events are of tasks, not of CPUs */
	double interval_s;
	uint64_t iterations; /* number of ticks, the last one final; 0: no end */
	bool is_batch;	     /* the final snapshot is shown: wait for kernel symbols */
	double sample_ns;    /* what the kernel spends on a sample (capture/cost.h) */
	double budget;	     /* of what we cost, CPU seconds per second (governor.h); 0: none */
	struct model_keep keep;
	bool has_self;
	size_t blocks; /* of each reader; 0: default */
	int realtime;
	const char *host, *kernel; /* borrowed until source_start() has returned */
	const char *const *notes;  /* lines for the user, or NULL; borrowed until then, too */
	size_t nnotes;
};

/* A source that enables the events of the set when it starts.  NULL and errno. */
struct source *engine_new(const struct engine_config *config);

#endif
