/* SPDX-License-Identifier: MIT */
/*
 * reader-inside - shared by reader.c (records) and reader-head.c (header,
 * attrs, features).
 */
#ifndef PERFDATA_READER_INSIDE_H
#define PERFDATA_READER_INSIDE_H

#include "decode/cursor.h"
#include "decode/idmap.h"
#include "perfdata/build-ids.h"
#include "perfdata/layout.h"
#include "perfdata/reader.h"
#include "perfdata/stream.h"

/* Far above real files (perf is limited by fds), low enough to keep memory bounded. */
#define PERFDATA_EVENTS_MAX 4096
#define PERFDATA_IDS_MAX    (1u << 20)
/* All formats of a kernel are 4 MB of text. */
#define PERFDATA_TRACING_MAX (16u << 20)
/* A feature of a big machine (topologies, thousands of CPUs) is some 100 KB. */
#define PERFDATA_FEATURE_MAX (1u << 20)

struct perfdata {
	struct stream *streams; /* the first has the header */
	size_t nstreams;
	const struct stream *now; /* of the current record, or the first */
	bool is_pipe;

	struct perfdata_event *events;
	size_t nevents, nids;
	uint64_t changes;
	struct idmap *by_id;  /* id -> event */
	struct idmap *cpu_of; /* id -> CPU */
	size_t ncpu_ids;
	struct perfdata_origin origin;
	struct fieldformats *formats;
	struct build_ids *build_ids;
	struct perfdata_damage damage;
	uint64_t head_end; /* the end of the last section that was read of the file */

	struct perf_event_header *copy;		/* of a record: STREAM_RECORD_BYTES */
	const struct perf_event_header *record; /* the last of perfdata_next() */
};

/*
 * Note damage at an offset of the current stream, unless that was done: bytes and records (0: none, or
 * unknown) that are not read, of those that the files have.
 */
void perfdata_hurt(struct perfdata *data, uint64_t offset, uint32_t type, uint64_t bytes,
		   uint64_t records, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Read the head of a file: attrs, ids, features.  False with *error when nothing can be read. */
bool perfdata_read_head(struct perfdata *data, char **error);

/* Add an attr and the ids after it, the body of HEADER_ATTR: false when it is malformed. */
bool perfdata_add_attr_record(struct perfdata *data, struct cursor cursor);

/* Take the body of an EVENT_UPDATE or ID_INDEX: false when it is malformed. */
bool perfdata_update_event(struct perfdata *data, struct cursor cursor);
bool perfdata_index_ids(struct perfdata *data, struct cursor cursor);

/* Take one feature's bytes: false when they are malformed.  Unused features are ignored. */
bool perfdata_take_feature(struct perfdata *data, uint64_t feature, struct cursor cursor);

#endif
