/* SPDX-License-Identifier: MIT */
/*
 * writer-inside - what writer.c (records, head, end) and writer-features.c (what describes them) share.
 */
#ifndef PERFDATA_WRITER_INSIDE_H
#define PERFDATA_WRITER_INSIDE_H

#include "base/strbuf.h"
#include "perfdata/layout.h"
#include "perfdata/writer.h"

/* One more than the last feature that is written. */
#define WRITER_FEATURES (FEATURE_EVENT_DESC + 1)

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
	uint64_t reserved;	  /* bytes that the disk has for us, as far as it can say */
	bool can_reserve;
	uint64_t limit; /* of a file's size (RLIMIT_FSIZE): fallocate(2) does not look at it */
	struct written_event *events; /* by number */
	size_t nevents;
	struct written_format *formats;
	size_t nformats;
	struct strbuf origin[WRITER_FEATURES]; /* the features that never change, ready */
};

/* A word; a length and a NUL-terminated string in a multiple of 8 bytes. */
void writer_put32(struct strbuf *out, uint32_t value);
void writer_put64(struct strbuf *out, uint64_t value);
void writer_put_string(struct strbuf *out, const char *text);

/* How many events the file has. */
size_t writer_count_known(const struct perfdata_writer *writer);

/* Make the features that say where the file comes from. */
void writer_keep_origin(struct perfdata_writer *writer,
			const struct perfdata_writer_origin *origin);

/* The sections' table and the sections, as they stand behind the records: the header's bits. */
uint64_t writer_put_features(const struct perfdata_writer *writer, struct strbuf *out);

#endif
