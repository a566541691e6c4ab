/* SPDX-License-Identifier: MIT */
#include "perfdata/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "perfdata/layout.h"

/* The limit of one decompressed COMPRESSED record: perf compresses at most a ring's content. */
#define PLAIN_OF_RECORD_MAX (64u << 20)
/* The buffer for decompression: the start of a record and some more. */
#define PLAIN_BYTES (4 * STREAM_RECORD_BYTES)

static enum stream_result damaged(struct stream *stream, uint32_t type, const char *what)
{
	stream->fault = what;
	stream->fault_type = type;
	return STREAM_DAMAGED;
}

void stream_free_buffers(struct stream *stream)
{
	zstd_free(stream->zstd);
	free(stream->plain);
	free(stream->packed_copy);
	stream->zstd = NULL;
	stream->plain = stream->packed_copy = NULL;
	stream->packed = (struct cursor){ 0 };
	stream->plain_start = stream->plain_end = 0;
}

int stream_rewind(struct stream *stream)
{
	if (input_seek(&stream->input, stream->begin) != 0)
		return -1;
	if (stream->is_over)
		stream->known_to = UINT64_MAX;
	else if (stream->record_offset >= stream->known_to)
		stream->known_to = stream->record_offset + 1;
	stream_free_buffers(stream);
	stream->is_over = false;
	return 0;
}

uint64_t stream_rest(const struct stream *stream)
{
	uint64_t bytes = 0;

	if (stream->end == UINT64_MAX)
		bytes = input_rest(&stream->input);
	else if (stream->end > stream->record_offset)
		bytes = stream->end - stream->record_offset;
	return bytes != 0 ? bytes : stream->plain_end - stream->plain_start;
}

bool stream_skip(struct stream *stream, uint32_t type, uint64_t bytes)
{
	uint64_t most = stream->end == UINT64_MAX ? UINT64_MAX : stream->end - stream->input.offset;

	if (bytes <= most && input_skip(&stream->input, bytes) == bytes)
		return true;
	damaged(stream, type, "the data of a record is not all there");
	return false;
}

/* --- compressed records --------------------------------------------------------------------- */

bool stream_unpack(struct stream *stream, const struct perf_event_header *record)
{
	struct cursor body = stream_body(record);

	if (stream->zstd == NULL) {
		stream->zstd = zstd_new();
		if (stream->zstd == NULL) {
			damaged(stream, record->type,
				"its records are compressed, and this program was built without "
				"libzstd");
			return false;
		}
		stream->plain = xcalloc(1, PLAIN_BYTES);
		stream->packed_copy = xcalloc(1, STREAM_RECORD_BYTES);
	}
	if (record->type == PERFDATA_RECORD_COMPRESSED2) {
		uint64_t size = cursor_u64(&body);

		body = cursor_sub(&body, size); /* without the padding */
	}
	if (body.is_short) {
		damaged(stream, record->type, "the size of a compressed record is wrong");
		return false;
	}
	memcpy(stream->packed_copy, body.at, body.left);
	stream->packed = (struct cursor){ stream->packed_copy, body.left, false };
	stream->plain_of_record = 0;
	return true;
}

/* Decompress more bytes after the partial record: STREAM_END when there are none. */
static enum stream_result unpack_more(struct stream *stream)
{
	if (stream->plain_start > 0) {
		stream->plain_end -= stream->plain_start;
		memmove(stream->plain, stream->plain + stream->plain_start, stream->plain_end);
		stream->plain_start = 0;
	}

	long got = zstd_feed(stream->zstd, &stream->packed, stream->plain + stream->plain_end,
			     PLAIN_BYTES - stream->plain_end);
	if (got < 0)
		return damaged(stream, PERFDATA_RECORD_COMPRESSED,
			       "a compressed record cannot be decompressed");
	stream->plain_end += (size_t)got;
	stream->plain_of_record += (uint64_t)got;
	if (stream->plain_of_record > PLAIN_OF_RECORD_MAX)
		return damaged(stream, PERFDATA_RECORD_COMPRESSED,
			       "a compressed record grows without end");
	return got > 0 ? STREAM_UNPACKED : STREAM_END;
}

/* The record of `size` bytes, which are valid: copied if it is not aligned. */
static const struct perf_event_header *aligned(const unsigned char *bytes, size_t size,
					       struct perf_event_header *copy)
{
	if ((uintptr_t)bytes % sizeof(uint64_t) == 0)
		return (const void *)bytes;
	memcpy(copy, bytes, size);
	return copy;
}

/* The next whole record of `plain`. */
static enum stream_result next_plain(struct stream *stream, struct perf_event_header *copy,
				     const struct perf_event_header **record)
{
	for (;;) {
		size_t here = stream->plain_end - stream->plain_start;
		const unsigned char *at = stream->plain + stream->plain_start;
		struct perf_event_header header = { 0 };

		if (here >= sizeof(header)) {
			memcpy(&header, at, sizeof(header));
			if (header.size < sizeof(header))
				return damaged(stream, header.type,
					       "a record in a compressed one has no size");
			if (header.size <= here) {
				*record = aligned(at, header.size, copy);
				stream->plain_start += header.size;
				return STREAM_UNPACKED;
			}
		}

		enum stream_result more = unpack_more(stream);
		if (more != STREAM_UNPACKED)
			return more;
	}
}

/* --- records -------------------------------------------------------------------------------- */

/* At the end: what is left over, if anything. */
static enum stream_result end(struct stream *stream)
{
	if (stream->plain_end != stream->plain_start)
		return damaged(stream, PERFDATA_RECORD_COMPRESSED,
			       "the last record of the compressed ones is cut off");
	return STREAM_END;
}

enum stream_result stream_next(struct stream *stream, struct perf_event_header *copy,
			       const struct perf_event_header **record)
{
	struct perf_event_header header;

	if (stream->packed.at != NULL) {
		enum stream_result got = next_plain(stream, copy, record);

		if (got != STREAM_END)
			return got;
		stream->packed.at = NULL;
	}
	stream->record_offset = stream->input.offset;
	if (stream->record_offset >= stream->end)
		return end(stream);

	const unsigned char *bytes = input_peek(&stream->input, sizeof(header));
	if (bytes == NULL)
		return input_rest(&stream->input) == 0 ?
			       end(stream) :
			       damaged(stream, 0, "the file ends within a record");
	memcpy(&header, bytes, sizeof(header));
	if (header.size < sizeof(header))
		return damaged(stream, header.type, "a record has no size");
	if (header.size > stream->end - stream->record_offset)
		return damaged(stream, header.type, "a record is longer than what is left");
	bytes = input_peek(&stream->input, header.size);
	if (bytes == NULL)
		return damaged(stream, header.type, "the file ends within a record");
	*record = aligned(bytes, header.size, copy);
	input_advance(&stream->input, header.size);
	return STREAM_RECORD;
}
