/* SPDX-License-Identifier: MIT */
/*
 * replay - shows a perf.data file, directory or pipe: the same decoder, model and snapshots as for a live
 * run, at the file's clock.
 *
 *     files -> perfdata -> merge -> order -> decoder -> model -> a snapshot each interval of its time
 *
 * One thread does all of this.  A file has no counters: for totals see file-model.h.
 *
 * source_move() to a later time reads on without waiting, to an earlier one it reads the file from its
 * start again, unless the snapshot of that interval is kept, as with `stays`: it is the same however it
 * was reached, but for totals that were set to zero.
 */
#ifndef SOURCE_REPLAY_H
#define SOURCE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "source/file-symbols.h"
#include "source/source.h"

struct replay_config {
	const int *fds; /* borrowed: see perfdata_open() */
	size_t nfds;
	double interval_s;   /* of the file's time */
	double speed;	     /* the file's seconds per second; 0: without waiting */
	uint64_t iterations; /* number of ticks, the last one final; 0: no limit */
	struct model_keep keep;
	const struct running_kernel
		*kernel; /* borrowed: for the symbols of one that was recorded; or NULL */
	bool stays;	 /* at the end of the file wait for source_finish(), for a screen */
};

/*
 * Open a source and read the head of the file.  NULL and *error (the caller frees) when it cannot
 * be read.  Samples of an event that is toggled off are not counted.
 */
struct source *replay_open(const struct replay_config *config, char **error);

struct replay_file {
	bool can_move;		/* a regular file: source_pause() and source_move() work */
	double first_s, last_s; /* time of its first and last sample, since 1970; 0: unknown */
};

/* What the head of the file says. */
struct replay_file replay_file(const struct source *source);

#endif
