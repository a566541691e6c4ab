/* SPDX-License-Identifier: MIT */
/*
 * perfdata - a perf.data file or pipe: its metadata, then its records.
 *
 *     file:  header | ids, attrs ... | data: records ... | features, by the header's bits
 *     pipe:  16 bytes | records ..., of which some (type >= 64) are attrs, features, formats
 *     directory (perf record --threads):  data: a file, with few records | data.0, data.1 ...: records
 *
 * Each file is a stream of records.  Those of a directory have no order among each other: the caller
 * says which one is next.
 *
 * Everything in it is hostile input.  Every offset, size and count is checked
 * against the file, each record is in this program's memory before it is checked,
 * memory is bounded whatever the file contains, and what cannot be read is
 * skipped, counted and described.
 *
 * Layout: tools/perf/Documentation/perf.data-file-format.txt.  One thread.
 */
#ifndef PERFDATA_READER_H
#define PERFDATA_READER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/build-ids.h"
#include "perfdata/fieldformat.h"
#include "perfdata/input.h"
#include "perfdata/layout.h"

#define PERFDATA_CPU_UNKNOWN UINT32_MAX

struct perfdata;

struct perfdata_event {
	struct perf_event_attr attr; /* the part that the file has, the rest 0 */
	char *name;		     /* or NULL until the file has named it */
	char *unit;		     /* of a count times `scale`; or NULL */
	double scale;		     /* 0: the file has none */
	uint64_t *ids;
	size_t nids;
};

/* Where it was recorded; NULL and 0 where the file has no value. */
struct perfdata_origin {
	char *hostname, *osrelease, *version, *arch, *cmdline;
	uint32_t cpus_available;
	uint64_t first_ns, last_ns;	 /* of the samples */
	uint64_t wall_ns, wall_clock_ns; /* the records' clock at the time wall_ns */
};

/* What could not be read. */
struct perfdata_damage {
	uint64_t count;	  /* places */
	uint64_t bytes;	  /* not read, of those that the files have */
	uint64_t records; /* known to be lost; after the first broken one they cannot be counted */
	/* Of the first place: */
	size_t stream;
	uint64_t offset;
	uint32_t type; /* of the record there; 0: no record */
	char what[96];
};

/*
 * Read the header of fds[0], and prepare to read records from all: one stream each.  They are
 * borrowed; -errno stands for one of the others that could not be opened.  NULL with *error (the caller
 * frees) when nothing can be read at all: not such a file, foreign byte order, no event.  `wait` (or
 * NULL) is called before each read from a pipe.
 */
struct perfdata *perfdata_open(const int *fds, size_t nfds, const struct input_wait *wait,
			       char **error);

/* NULL is allowed. */
void perfdata_free(struct perfdata *data);

/*
 * The next kernel record of the stream of fds[stream], or a FINISHED_ROUND, STAT or STAT_ROUND: 1, and
 * *record is valid until the next call; 0 at the end, which comes early when the rest cannot be read.
 * Its size is at least 8, a multiple of 8, and the record is complete.
 */
int perfdata_next(struct perfdata *data, size_t stream, const struct perf_event_header **record);

/*
 * Go back to the first record of each stream, to read all again: 0, or -1 and errno.  Events, names and
 * formats are kept, and what was counted as damage is not counted again.  Only if perfdata_can_rewind().
 */
int perfdata_rewind(struct perfdata *data);

/* Whether it is a regular file. */
bool perfdata_can_rewind(const struct perfdata *data);

/* The events known so far; a pipe may add some and name them at each perfdata_next(). */
size_t perfdata_count(const struct perfdata *data);
const struct perfdata_event *perfdata_event(const struct perfdata *data, size_t number);

/* A counter that grows whenever an event is added or named. */
uint64_t perfdata_changes(const struct perfdata *data);

/*
 * The origin, the tracepoint formats, the build-ids of files, what could not be read so far: valid as
 * long as `data`.
 */
const struct perfdata_origin *perfdata_origin(const struct perfdata *data);
const struct fieldformats *perfdata_formats(const struct perfdata *data);
const struct build_ids *perfdata_build_ids(const struct perfdata *data);
const struct perfdata_damage *perfdata_damage(const struct perfdata *data);

/* Count the last record of perfdata_next() as damaged: the caller could not parse it. */
void perfdata_reject(struct perfdata *data, const char *what);

/* Count it as damaged, but as read: a part of it makes no sense. */
void perfdata_doubt(struct perfdata *data, const char *what);

/* The CPU that an id's event was opened on, or PERFDATA_CPU_UNKNOWN. */
uint32_t perfdata_cpu_of(const struct perfdata *data, uint64_t id);

/* Bytes of records read so far from all streams, and in all; *whole is 0 for a pipe. */
void perfdata_progress(const struct perfdata *data, uint64_t *done, uint64_t *whole);

#endif
