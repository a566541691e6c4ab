/* SPDX-License-Identifier: MIT */
/*
 * writer-inside - shared by writer.c (records, opening, closing), writer-end.c (head, front, end) and
 * writer-features.c (features).
 */
#ifndef PERFDATA_WRITER_INSIDE_H
#define PERFDATA_WRITER_INSIDE_H

#include "base/strbuf.h"
#include "perfdata/layout.h"
#include "perfdata/output.h"
#include "perfdata/spool.h"
#include "perfdata/writer.h"

/* A section that stands in front of the records. */
struct written_section {
	uint64_t at, len; /* 0: it is not there, or has changed since */
};

/* One more than the last feature that is written. */
#define WRITER_FEATURES (FEATURE_CLOCK_DATA + 1)

struct written_event {
	bool is_known;
	struct perf_event_attr attr;
	char *name;
	uint64_t *ids;
	size_t nids;
};

struct written_format {
	char *system, *text;
	size_t len;
};

struct perfdata_writer {
	struct output *output; /* the spool's until it is freed */
	struct spool *spool;
	bool has_failed;
	uint64_t data_start, end;     /* of the records; where the next one goes */
	uint64_t end_at, end_size;    /* of the last checkpoint */
	struct written_event *events; /* by number */
	size_t nevents;
	struct written_format *formats;
	size_t nformats;
	struct strbuf origin[WRITER_FEATURES]; /* features that are known before the end, encoded */
	struct written_section front[WRITER_FEATURES], front_attrs;
};

/* Append a word; a length and a NUL-terminated string, padded to a multiple of 8 bytes. */
void writer_put32(struct strbuf *out, uint32_t value);
void writer_put64(struct strbuf *out, uint64_t value);
void writer_put_string(struct strbuf *out, const char *text);

/* How many events the file has. */
size_t writer_count_known(const struct perfdata_writer *writer);

/* Append bytes, unless writing has failed: 0, or -1 and errno; the writer has failed then. */
int writer_append(struct perfdata_writer *writer, const void *bytes, size_t len);

/* Once the spool is freed: write the end of the file.  0, or -1 and errno. */
int writer_end_output(struct perfdata_writer *writer);

/* Encode the features that describe the file's origin. */
void writer_keep_origin(struct perfdata_writer *writer,
			const struct perfdata_writer_origin *origin);

/* Append the sections' bodies to what follows the header, and note where they are. */
void writer_put_front(struct perfdata_writer *writer, struct strbuf *out);

/* Append the sections' table and those that are not in front, to follow the records: the header's bits. */
uint64_t writer_put_features(const struct perfdata_writer *writer, struct strbuf *out);

#endif
