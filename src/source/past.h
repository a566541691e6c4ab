/* SPDX-License-Identifier: MIT */
/*
 * past - the snapshots of a replay's intervals, kept so that a move back to them needs no reading.
 *
 * When they take more memory than allowed they are packed, then put into a temporary file; when that is
 * not enough every second one goes, and from then on only so many are kept: of those left out the file
 * is read again.  What a command has changed differs from what the file read from its start gives: then
 * nothing is kept until it is read again.
 *
 * Times are the file's, in ns.  One thread.
 */
#ifndef SOURCE_PAST_H
#define SOURCE_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

struct past_interval {
	const struct snapshot *snap; /* a reference */
	uint64_t start_ns, end_ns;
};

struct past {
	struct past_interval *list; /* [count], in order of time */
	size_t count, room;
	size_t bytes, most; /* of memory; `most` 0: keep nothing, as before past_init() */
	struct tempfile *file;
	uint64_t file_end; /* of what was put into it */
	uint64_t added_ns; /* end of the last one added, whether kept or not */
	uint64_t number;   /* of intervals added */
	uint64_t stride;   /* each so many are kept */
	bool is_off;	   /* until past_again() */
};

/* Keep nothing yet, and at most about `most` bytes in memory and `file_most` in a file. */
void past_init(struct past *past, size_t most, uint64_t file_most);

/* Drop all. */
void past_fini(struct past *past);

/* An interval has ended; one that was added before is ignored. */
void past_add(struct past *past, const struct snapshot *snap, uint64_t start_ns, uint64_t end_ns);

/* A command has changed what is counted: drop all, and keep nothing. */
void past_stop(struct past *past);

/* The file is read from its start again. */
void past_again(struct past *past);

/*
 * The interval that has the time, or the first one for what is before it; NULL when it is not kept.
 * It can be read until the next call, and further by one who holds it.
 */
const struct snapshot *past_find(struct past *past, uint64_t time_ns);

#endif
