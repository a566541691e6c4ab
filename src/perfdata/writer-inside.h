/* SPDX-License-Identifier: MIT */
/*
 * writer-inside - shared by writer.c (records, opening, closing), writer-end.c (head, front, end) and
 * writer-features.c (features).
 */
#ifndef PERFDATA_WRITER_INSIDE_H
#define PERFDATA_WRITER_INSIDE_H

#include "base/strbuf.h"
#include "perfdata/layout.h"
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
	int fd;
	bool has_failed;
	uint64_t data_start, end; /* of the records; where the next one goes */
	uint64_t reserved;	  /* file size up to which the disk space is allocated */
	bool can_reserve;
	uint64_t limit; /* of a file's size (RLIMIT_FSIZE): fallocate(2) does not check it */
	struct written_event *events; /* by number */
	size_t nevents;
	struct written_format *formats;
	size_t nformats;
	struct strbuf origin[WRITER_FEATURES]; /* features that are known before the end, encoded */
	struct written_section front[WRITER_FEATURES], front_attrs;
	/* The last end: where it is, its size, and what is to be written there at the next one. */
	uint64_t end_at, end_size;
	struct strbuf held;
};

/* Append a word; a length and a NUL-terminated string, padded to a multiple of 8 bytes. */
void writer_put32(struct strbuf *out, uint32_t value);
void writer_put64(struct strbuf *out, uint64_t value);
void writer_put_string(struct strbuf *out, const char *text);

/* How many events the file has. */
size_t writer_count_known(const struct perfdata_writer *writer);

/* Write these bytes at an offset: 0, or -1 and errno; the writer has failed then. */
int writer_write_at(struct perfdata_writer *writer, const void *bytes, size_t len, uint64_t at);

/* Reserve disk space for `len` more bytes of records, and the end: 0, or -1 and errno. */
int writer_reserve(struct perfdata_writer *writer, size_t len);

/* Write the end after the records, then what was held back, for a file that goes on or is to be closed. */
int writer_write_end(struct perfdata_writer *writer, bool goes_on);

/* How many of the next bytes of records are to be held, as the last end is where they go. */
size_t writer_room_held(const struct perfdata_writer *writer);

/* Encode the features that describe the file's origin. */
void writer_keep_origin(struct perfdata_writer *writer,
			const struct perfdata_writer_origin *origin);

/* Append the sections' bodies to what follows the header, and note where they are. */
void writer_put_front(struct perfdata_writer *writer, struct strbuf *out);

/* Append the sections' table and those that are not in front, to follow the records: the header's bits. */
uint64_t writer_put_features(const struct perfdata_writer *writer, struct strbuf *out);

#endif
