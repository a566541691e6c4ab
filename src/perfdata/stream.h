/* SPDX-License-Identifier: MIT */
/*
 * stream - the records of one file or pipe, one after the other, decompressed.
 *
 * A perf.data file has one stream; a directory of perf record --threads has one per file.  What a
 * record means is the reader's business, only sizes are checked here.  One thread.
 */
#ifndef PERFDATA_STREAM_H
#define PERFDATA_STREAM_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/cursor.h"
#include "perfdata/input.h"
#include "perfdata/zstd.h"

#define STREAM_RECORD_BYTES 65536u /* a header's size has 16 bits */

struct stream {
	struct input input;
	uint64_t begin, end; /* offsets of the records; `end` is UINT64_MAX for a pipe */
	bool is_over;
	uint64_t record_offset; /* of the current record, or the compressed one that it is in */
	uint64_t known_to; /* after stream_rewind(): records before this offset were read before */

	/* After STREAM_DAMAGED: the type of the record there, 0 for none. */
	const char *fault;
	uint32_t fault_type;

	/* Decompression: whole records are taken out of `plain`, a partial one stays. */
	struct zstd *zstd;
	struct cursor packed;	    /* the rest of the current compressed record */
	unsigned char *packed_copy; /* the bytes of `packed` */
	unsigned char *plain;
	size_t plain_start, plain_end;
	uint64_t plain_of_record; /* bytes decompressed from the current one */
};

enum stream_result {
	STREAM_DAMAGED = -1, /* the next record cannot be found */
	STREAM_END = 0,
	STREAM_RECORD = 1,
	STREAM_UNPACKED = 2, /* a record out of a compressed one */
};

/* The record's content, without the header. */
static inline struct cursor stream_body(const struct perf_event_header *record)
{
	return (struct cursor){ (const unsigned char *)(record + 1), record->size - sizeof(*record),
				false };
}

/* Free what decompression needs; the input is the caller's. */
void stream_free_buffers(struct stream *stream);

/*
 * The next record, aligned to 8: in its buffer, valid until the next call that reads, or, where it is
 * not aligned there, in `copy`, which has STREAM_RECORD_BYTES.
 */
enum stream_result stream_next(struct stream *stream, struct perf_event_header *copy,
			       const struct perf_event_header **record);

/* Decompress a COMPRESSED record, which stream_next() has returned: false with `fault` set. */
bool stream_unpack(struct stream *stream, const struct perf_event_header *record);

/* Skip bytes that belong to the current record but are not in its size: false with `fault` set. */
bool stream_skip(struct stream *stream, uint32_t type, uint64_t bytes);

/* Bytes left from the current record on, as far as known; decompressed ones if only these are left. */
uint64_t stream_rest(const struct stream *stream);

/* Go back to the first record: 0, or -1 and errno. */
int stream_rewind(struct stream *stream);

#endif
