/* SPDX-License-Identifier: MIT */
#include "perfdata/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "perfdata/reader-inside.h"
#include "perfdata/stat.h"

/* Of each file's buffer: one file is read in large steps, many files share the memory. */
#define BUFFER_BYTES	  (256u << 10)
#define BUFFER_BYTES_MANY STREAM_RECORD_BYTES

/* Of all streams, as far as known: of a pipe what has arrived. */
static uint64_t bytes_of(const struct perfdata *data)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < data->nstreams; i++) {
		const struct input *input = &data->streams[i].input;

		sum += input->is_file ? input->file_bytes : input->offset + input_rest(input);
	}
	return sum;
}

/* Damaged sections can overlap, and compressed records are longer than the file: no more than it has. */
static uint64_t add_unread(const struct perfdata *data, uint64_t bytes)
{
	const uint64_t most = bytes_of(data);

	return most - data->damage.bytes < bytes ? most : data->damage.bytes + bytes;
}

void perfdata_hurt(struct perfdata *data, uint64_t offset, uint32_t type, uint64_t bytes,
		   uint64_t records, const char *format, ...)
{
	struct perfdata_damage *damage = &data->damage;
	va_list args;

	if (offset < data->now->known_to)
		return;
	if (damage->count++ == 0) {
		damage->stream = (size_t)(data->now - data->streams);
		damage->offset = offset;
		damage->type = type;
		va_start(args, format);
		vsnprintf(damage->what, sizeof(damage->what), format, args);
		va_end(args);
	}
	damage->bytes = add_unread(data, bytes);
	damage->records += records;
}

/* --- opening and closing -------------------------------------------------------------------- */

static bool check_magic(struct perfdata *data, char **error)
{
	struct input *input = &data->streams[0].input;
	const unsigned char *head = input_peek(input, PERFDATA_PIPE_HEAD_BYTES);
	uint64_t size;

	if (head == NULL) {
		*error = input->error != 0 ? xstrdup(strerror(input->error)) :
					     xstrdup("it is empty, or ends within its header");
		return false;
	}
	if (memcmp(head, PERFDATA_MAGIC_FOREIGN, PERFDATA_MAGIC_BYTES) == 0) {
		*error =
			xstrdup("it was made on a machine of the other byte order, which cannot be "
				"read here");
		return false;
	}
	if (memcmp(head, PERFDATA_MAGIC, PERFDATA_MAGIC_BYTES) != 0) {
		*error = xstrdup(
			memcmp(head, PERFDATA_MAGIC_OLD, PERFDATA_MAGIC_BYTES) == 0 ?
				"its format is that of perf before Linux 2.6.37, which cannot be read" :
				"it is no perf.data file, and no snapshot of perftop-ng");
		return false;
	}
	memcpy(&size, head + PERFDATA_MAGIC_BYTES, sizeof(size));
	data->is_pipe = size == PERFDATA_PIPE_HEAD_BYTES || !input->is_file;
	if (data->is_pipe && size != PERFDATA_PIPE_HEAD_BYTES) {
		*error = xstrdup(
			"a file with offsets cannot be read from a pipe: give its name to -i, or "
			"record with -o -");
		return false;
	}
	return true;
}

/* A pipe has no table of attrs: they come as records, from perfdata_next(). */
static void open_pipe(struct stream *stream)
{
	input_skip(&stream->input, PERFDATA_PIPE_HEAD_BYTES);
	stream->begin = PERFDATA_PIPE_HEAD_BYTES;
	stream->end = stream->input.is_file ? stream->input.file_bytes : UINT64_MAX;
}

static bool open_head(struct perfdata *data, int fd, const struct input_wait *wait, char **error)
{
	struct stream *stream = &data->streams[0];
	size_t bytes = data->nstreams > 1 ? BUFFER_BYTES_MANY : BUFFER_BYTES;

	if (input_init(&stream->input, fd, bytes, wait) != 0 || !check_magic(data, error))
		return false;
	if (!data->is_pipe)
		return perfdata_read_head(data, error);
	open_pipe(stream);
	return true;
}

/* One of a directory's other files: it has records only, from the first byte. */
static void open_records(struct perfdata *data, struct stream *stream, int fd)
{
	data->now = stream;
	errno = -fd;
	if (fd >= 0 && input_init(&stream->input, fd, BUFFER_BYTES_MANY, NULL) == 0) {
		stream->end = stream->input.file_bytes;
	} else {
		perfdata_hurt(data, 0, 0, 0, 0, "%s", strerror(errno));
		stream->is_over = true;
	}
}

struct perfdata *perfdata_open(const int *fds, size_t nfds, const struct input_wait *wait,
			       char **error)
{
	struct perfdata *data = xcalloc(1, sizeof(*data));

	*error = NULL;
	data->by_id = idmap_new();
	data->cpu_of = idmap_new();
	data->formats = fieldformats_new();
	data->build_ids = build_ids_new();
	data->copy = xcalloc(1, STREAM_RECORD_BYTES);
	data->streams = xcalloc(nfds, sizeof(*data->streams));
	data->nstreams = nfds;
	data->now = data->streams;
	if (open_head(data, fds[0], wait, error)) {
		for (size_t i = 1; i < nfds; i++)
			open_records(data, &data->streams[i], fds[i]);
		return data;
	}
	if (*error == NULL)
		*error = xstrdup(strerror(errno));
	perfdata_free(data);
	return NULL;
}

void perfdata_free(struct perfdata *data)
{
	if (data == NULL)
		return;

	for (size_t i = 0; i < data->nevents; i++) {
		free(data->events[i].name);
		free(data->events[i].unit);
		free(data->events[i].ids);
	}
	free(data->events);
	idmap_free(data->by_id);
	idmap_free(data->cpu_of);
	fieldformats_free(data->formats);
	build_ids_free(data->build_ids);
	for (size_t i = 0; i < data->nstreams; i++) {
		stream_free_buffers(&data->streams[i]);
		input_fini(&data->streams[i].input);
	}
	free(data->streams);
	free(data->copy);
	free(data->origin.hostname);
	free(data->origin.osrelease);
	free(data->origin.version);
	free(data->origin.arch);
	free(data->origin.cmdline);
	free(data);
}

/* Whether the current record was handled before the file was rewound. */
static bool is_known(const struct stream *stream)
{
	return stream->record_offset < stream->known_to;
}

bool perfdata_can_rewind(const struct perfdata *data)
{
	return data->streams[0].input.is_file;
}

int perfdata_rewind(struct perfdata *data)
{
	for (size_t i = 0; i < data->nstreams; i++) {
		struct stream *stream = &data->streams[i];

		if (stream->input.buffer != NULL && stream_rewind(stream) != 0)
			return -1;
	}
	return 0;
}

/* --- records of perf record's own ----------------------------------------------------------- */

static bool take_tracing(struct perfdata *data, struct stream *stream,
			 const struct perf_event_header *header)
{
	struct cursor body = stream_body(header);
	uint32_t size = cursor_u32(&body);
	uint64_t padded = ((uint64_t)size + 7) & ~7ull;

	if (body.is_short || size > PERFDATA_TRACING_MAX || is_known(stream))
		return stream_skip(stream, header->type, padded);

	unsigned char *bytes = malloc((size_t)padded + 1);
	if (bytes == NULL)
		return stream_skip(stream, header->type, padded);
	size_t got = input_read(&stream->input, bytes, padded);
	if (got == padded && !perfdata_take_feature(data, FEATURE_TRACING_DATA,
						    (struct cursor){ bytes, size, false }))
		perfdata_hurt(data, stream->record_offset, header->type, size, 0,
			      "the tracing data makes no sense");
	free(bytes);
	return stream_skip(stream, header->type, padded - got);
}

static bool take_auxtrace(struct perfdata *data, struct stream *stream,
			  const struct perf_event_header *header)
{
	struct cursor body = stream_body(header);
	uint64_t size = cursor_u64(&body);

	if (body.is_short) {
		perfdata_hurt(data, stream->record_offset, header->type, header->size, 1,
			      "a record is too short for its type");
		return true;
	}
	return stream_skip(stream, header->type, size);
}

static bool take_described(struct perfdata *data, const struct perf_event_header *header)
{
	struct cursor body = stream_body(header);

	switch (header->type) {
	case PERFDATA_RECORD_HEADER_ATTR:
		return perfdata_add_attr_record(data, body);
	case PERFDATA_RECORD_EVENT_UPDATE:
		return perfdata_update_event(data, body);
	case PERFDATA_RECORD_BUILD_ID:
		return build_ids_add(data->build_ids,
				     (struct cursor){ (const unsigned char *)header, header->size,
						      false });
	case PERFDATA_RECORD_ID_INDEX:
		return perfdata_index_ids(data, body);
	case PERFDATA_RECORD_FEATURE: {
		uint64_t feature = cursor_u64(&body);

		/* In a pipe the tracing data is a separate record; here it would be empty. */
		return !body.is_short && (feature == FEATURE_TRACING_DATA || body.left == 0 ||
					  perfdata_take_feature(data, feature, body));
	}
	default:
		return true; /* ignored: its size is enough to skip it */
	}
}

/* Handle a record of perf record's own: false when reading cannot go on after it. */
static bool take_user(struct perfdata *data, struct stream *stream,
		      const struct perf_event_header *header)
{
	if (header->type == PERFDATA_RECORD_TRACING_DATA)
		return take_tracing(data, stream, header);
	if (header->type == PERFDATA_RECORD_AUXTRACE)
		return take_auxtrace(data, stream, header);
	if (header->type == PERFDATA_RECORD_COMPRESSED ||
	    header->type == PERFDATA_RECORD_COMPRESSED2)
		return stream_unpack(stream, header);
	if (!is_known(stream) && !take_described(data, header))
		perfdata_hurt(data, stream->record_offset, header->type, header->size, 1,
			      "the contents of a record make no sense");
	return true;
}

/* --- records of the kernel ------------------------------------------------------------------ */

/* Whether perfdata_next() returns records of this type. */
static bool is_type_for_caller(uint32_t type)
{
	return type < PERFDATA_RECORD_FIRST || type == PERFDATA_RECORD_FINISHED_ROUND ||
	       type == PERFDATA_RECORD_STAT || type == PERFDATA_RECORD_STAT_ROUND;
}

/* Whether perfdata_next() returns it, which is of such a type. */
static bool is_for_caller(struct perfdata *data, const struct perf_event_header *header)
{
	const char *fault = NULL;

	if (header->type == PERFDATA_RECORD_FINISHED_ROUND)
		return true;
	if (header->size % sizeof(uint64_t) != 0)
		fault = "a record's size is no multiple of 8";
	else if (header->type > PERFDATA_RECORD_FIRST &&
		 header->size - sizeof(*header) < stat_bytes(header->type))
		fault = "a record is too short for its type";
	if (fault != NULL)
		perfdata_hurt(data, data->now->record_offset, header->type, header->size, 1, "%s",
			      fault);
	return fault == NULL;
}

/* The next record that is for the caller; perf record's own are handled. */
static enum stream_result next_for_caller(struct perfdata *data, struct stream *stream)
{
	enum stream_result got;

	while ((got = stream_next(stream, data->copy, &data->record)) > STREAM_END) {
		const struct perf_event_header *header = data->record;

		if (is_type_for_caller(header->type)) {
			if (is_for_caller(data, header))
				break;
		} else if (got ==
			   STREAM_UNPACKED) { /* perf record compresses only kernel records */
			stream->fault = "a record that cannot be compressed";
			stream->fault_type = header->type;
			return STREAM_DAMAGED;
		} else {
			if (header != data->copy) /* reading on would overwrite it */
				memcpy(data->copy, header, header->size);
			if (!take_user(data, stream, data->copy))
				return STREAM_DAMAGED;
		}
	}
	return got;
}

int perfdata_next(struct perfdata *data, size_t number, const struct perf_event_header **record)
{
	struct stream *stream = &data->streams[number];

	data->now = stream;
	if (stream->is_over)
		return 0;

	enum stream_result got = next_for_caller(data, stream);
	if (got > STREAM_END) {
		*record = data->record;
		return 1;
	}
	if (got == STREAM_DAMAGED)
		perfdata_hurt(data, stream->record_offset, stream->fault_type, stream_rest(stream),
			      1, "%s", stream->fault);
	else if (stream->input.error != 0)
		perfdata_hurt(data, stream->input.offset, 0, 0, 0, "%s",
			      strerror(stream->input.error));
	stream->is_over = true;
	return 0;
}

/* --- queries -------------------------------------------------------------------------------- */

size_t perfdata_count(const struct perfdata *data)
{
	return data->nevents;
}

const struct perfdata_event *perfdata_event(const struct perfdata *data, size_t number)
{
	return &data->events[number];
}

uint64_t perfdata_changes(const struct perfdata *data)
{
	return data->changes;
}

const struct perfdata_origin *perfdata_origin(const struct perfdata *data)
{
	return &data->origin;
}

const struct build_ids *perfdata_build_ids(const struct perfdata *data)
{
	return data->build_ids;
}

const struct fieldformats *perfdata_formats(const struct perfdata *data)
{
	return data->formats;
}

const struct perfdata_damage *perfdata_damage(const struct perfdata *data)
{
	return &data->damage;
}

uint32_t perfdata_cpu_of(const struct perfdata *data, uint64_t id)
{
	return idmap_get(data->cpu_of, id); /* IDMAP_NONE is PERFDATA_CPU_UNKNOWN */
}

void perfdata_reject(struct perfdata *data, const char *what)
{
	perfdata_hurt(data, data->now->record_offset, data->record->type, data->record->size, 1,
		      "%s", what);
}

void perfdata_doubt(struct perfdata *data, const char *what)
{
	perfdata_hurt(data, data->now->record_offset, data->record->type, 0, 0, "%s", what);
}

void perfdata_progress(const struct perfdata *data, uint64_t *done, uint64_t *whole)
{
	*done = *whole = 0;
	for (size_t i = 0; i < data->nstreams; i++) {
		const struct stream *stream = &data->streams[i];

		if (stream->input.buffer == NULL)
			continue;
		*done += stream->input.offset - stream->begin;
		*whole += stream->end == UINT64_MAX ? 0 : stream->end - stream->begin;
	}
}
