/* SPDX-License-Identifier: MIT */
#include "perfdata/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "perfdata/reader-inside.h"

#define RECORD_BYTES 65536u /* a header's size has 16 bits */
/* The limit of one decompressed COMPRESSED record: perf compresses at most a ring's content. */
#define PLAIN_OF_RECORD_MAX (64u << 20)
/* The buffer for decompression: the start of a record and some more. */
#define PLAIN_BYTES (4 * RECORD_BYTES)

void perfdata_hurt(struct perfdata *data, uint64_t offset, uint32_t type, uint64_t bytes,
		   uint64_t records, const char *format, ...)
{
	struct perfdata_damage *damage = &data->damage;
	va_list args;

	if (offset < data->known_to)
		return;
	if (damage->count++ == 0) {
		damage->offset = offset;
		damage->type = type;
		va_start(args, format);
		vsnprintf(damage->what, sizeof(damage->what), format, args);
		va_end(args);
	}
	if (__builtin_add_overflow(damage->bytes, bytes, &damage->bytes))
		damage->bytes = UINT64_MAX;
	damage->records += records;
}

/* --- opening and closing -------------------------------------------------------------------- */

static bool check_magic(struct perfdata *data, char **error)
{
	const unsigned char *head = input_peek(&data->input, PERFDATA_PIPE_HEAD_BYTES);
	uint64_t size;

	if (head == NULL) {
		*error = data->input.error != 0 ? xstrdup(strerror(data->input.error)) :
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
	data->is_pipe = size == PERFDATA_PIPE_HEAD_BYTES || !data->input.is_file;
	if (data->is_pipe && size != PERFDATA_PIPE_HEAD_BYTES) {
		*error = xstrdup(
			"a file with offsets cannot be read from a pipe: give its name to -i, or "
			"record with -o -");
		return false;
	}
	return true;
}

/* A pipe has no table of attrs: they come as records, from perfdata_next(). */
static bool open_pipe(struct perfdata *data)
{
	input_skip(&data->input, PERFDATA_PIPE_HEAD_BYTES);
	data->data_offset = PERFDATA_PIPE_HEAD_BYTES;
	data->data_end = data->input.is_file ? data->input.file_bytes : UINT64_MAX;
	return true;
}

struct perfdata *perfdata_open(int fd, const struct input_wait *wait, char **error)
{
	struct perfdata *data = xcalloc(1, sizeof(*data));

	*error = NULL;
	data->by_id = idmap_new();
	data->cpu_of = idmap_new();
	data->formats = fieldformats_new();
	data->build_ids = build_ids_new();
	data->record = xcalloc(1, RECORD_BYTES);
	if (input_init(&data->input, fd, wait) != 0) {
		*error =
			errno == EISDIR ?
				xstrdup("it is a directory, as of perf record --threads: only single files are read") :
				xstrdup(strerror(errno));
	} else if (check_magic(data, error) &&
		   (data->is_pipe ? open_pipe(data) : perfdata_read_head(data, error))) {
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
		free(data->events[i].ids);
	}
	free(data->events);
	idmap_free(data->by_id);
	idmap_free(data->cpu_of);
	fieldformats_free(data->formats);
	build_ids_free(data->build_ids);
	zstd_free(data->zstd);
	free(data->packed_copy);
	free(data->plain);
	free(data->record);
	free(data->origin.hostname);
	free(data->origin.osrelease);
	free(data->origin.version);
	free(data->origin.arch);
	free(data->origin.cmdline);
	input_fini(&data->input);
	free(data);
}

/* Whether the current record was handled before the file was rewound. */
static bool is_known(const struct perfdata *data)
{
	return data->record_offset < data->known_to;
}

bool perfdata_can_rewind(const struct perfdata *data)
{
	return data->input.is_file;
}

int perfdata_rewind(struct perfdata *data)
{
	if (input_seek(&data->input, data->data_offset) != 0)
		return -1;
	if (data->is_over)
		data->known_to = UINT64_MAX;
	else if (data->record_offset >= data->known_to)
		data->known_to = data->record_offset + 1;
	zstd_free(data->zstd);
	data->zstd = NULL;
	free(data->plain);
	free(data->packed_copy);
	data->plain = data->packed_copy = NULL;
	data->packed = (struct cursor){ 0 };
	data->plain_start = data->plain_end = 0;
	data->is_over = false;
	return 0;
}

/* --- giving up ------------------------------------------------------------------------------ */

/* Bytes of records from the current one on. */
static uint64_t bytes_left(const struct perfdata *data)
{
	if (data->data_end == UINT64_MAX)
		return input_rest(&data->input);
	return data->data_end > data->record_offset ? data->data_end - data->record_offset : 0;
}

/* After a bad size the next record cannot be found: end here. */
static int give_up(struct perfdata *data, uint32_t type, const char *what)
{
	perfdata_hurt(data, data->record_offset, type, bytes_left(data), 1, "%s", what);
	data->is_over = true;
	return 0;
}

/* --- compressed records --------------------------------------------------------------------- */

static int begin_packed(struct perfdata *data, const struct perf_event_header *header)
{
	struct cursor body = { (const unsigned char *)(header + 1), header->size - sizeof(*header),
			       false };

	if (data->zstd == NULL) {
		data->zstd = zstd_new();
		if (data->zstd == NULL)
			return give_up(
				data, header->type,
				"its records are compressed, and this program was built without "
				"libzstd");
		data->plain = xcalloc(1, PLAIN_BYTES);
		data->packed_copy = xcalloc(1, RECORD_BYTES);
	}
	if (header->type == PERFDATA_RECORD_COMPRESSED2) {
		uint64_t size = cursor_u64(&body);

		body = cursor_sub(&body, size); /* without the padding */
	}
	if (body.is_short)
		return give_up(data, header->type, "the size of a compressed record is wrong");
	memcpy(data->packed_copy, body.at, body.left);
	data->packed = (struct cursor){ data->packed_copy, body.left, false };
	data->plain_of_record = 0;
	return 1;
}

/* Decompress more bytes after the partial record: 1, 0 when there are none, -1 on damage. */
static int unpack_more(struct perfdata *data)
{
	if (data->plain_start > 0) {
		data->plain_end -= data->plain_start;
		memmove(data->plain, data->plain + data->plain_start, data->plain_end);
		data->plain_start = 0;
	}

	long got = zstd_feed(data->zstd, &data->packed, data->plain + data->plain_end,
			     PLAIN_BYTES - data->plain_end);
	if (got < 0) {
		give_up(data, PERFDATA_RECORD_COMPRESSED,
			"a compressed record cannot be decompressed");
		return -1;
	}
	data->plain_end += (size_t)got;
	data->plain_of_record += (uint64_t)got;
	if (data->plain_of_record > PLAIN_OF_RECORD_MAX) {
		give_up(data, PERFDATA_RECORD_COMPRESSED, "a compressed record grows without end");
		return -1;
	}
	return got > 0;
}

/* Copy the next whole record out of `plain`: 1, 0 when there is none, -1 on damage. */
static int next_plain(struct perfdata *data)
{
	for (;;) {
		size_t here = data->plain_end - data->plain_start;
		struct perf_event_header header = { 0 };

		if (here >= sizeof(header)) {
			memcpy(&header, data->plain + data->plain_start, sizeof(header));
			if (header.size < sizeof(header)) {
				give_up(data, header.type,
					"a record in a compressed one has no size");
				return -1;
			}
			if (header.size <= here) {
				memcpy(data->record, data->plain + data->plain_start, header.size);
				data->plain_start += header.size;
				return 1;
			}
		}
		int more = unpack_more(data);
		if (more <= 0)
			return more;
	}
}

/* --- records -------------------------------------------------------------------------------- */

/* Trailing bytes that belong to a record but are not in its size. */
static bool skip_trailing(struct perfdata *data, uint32_t type, uint64_t bytes)
{
	uint64_t most = data->data_end == UINT64_MAX ? UINT64_MAX :
						       data->data_end - data->input.offset;

	if (bytes <= most && input_skip(&data->input, bytes) == bytes)
		return true;
	give_up(data, type, "the data of a record is not all there");
	return false;
}

static bool take_tracing(struct perfdata *data, const struct perf_event_header *header)
{
	struct cursor body = { (const unsigned char *)(header + 1), header->size - sizeof(*header),
			       false };
	uint32_t size = cursor_u32(&body);
	uint64_t padded = ((uint64_t)size + 7) & ~7ull;

	if (body.is_short || size > PERFDATA_TRACING_MAX || is_known(data))
		return skip_trailing(data, header->type, padded);

	unsigned char *bytes = malloc((size_t)padded + 1);
	if (bytes == NULL)
		return skip_trailing(data, header->type, padded);
	bool is_there = input_read(&data->input, bytes, padded) == padded;
	if (!is_there)
		give_up(data, header->type, "the tracing data is not all there");
	else if (!perfdata_take_feature(data, FEATURE_TRACING_DATA,
					(struct cursor){ bytes, size, false }))
		perfdata_hurt(data, data->record_offset, header->type, size, 0,
			      "the tracing data makes no sense");
	free(bytes);
	return is_there;
}

static bool take_auxtrace(struct perfdata *data, const struct perf_event_header *header)
{
	struct cursor body = { (const unsigned char *)(header + 1), header->size - sizeof(*header),
			       false };
	uint64_t size = cursor_u64(&body);

	if (body.is_short) {
		perfdata_hurt(data, data->record_offset, header->type, header->size, 1,
			      "a record is too short for its type");
		return true;
	}
	return skip_trailing(data, header->type, size);
}

static bool take_described(struct perfdata *data, const struct perf_event_header *header)
{
	struct cursor body = { (const unsigned char *)(header + 1), header->size - sizeof(*header),
			       false };

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
static bool take_user(struct perfdata *data, const struct perf_event_header *header)
{
	if (header->type == PERFDATA_RECORD_TRACING_DATA)
		return take_tracing(data, header);
	if (header->type == PERFDATA_RECORD_AUXTRACE)
		return take_auxtrace(data, header);
	if (header->type == PERFDATA_RECORD_COMPRESSED ||
	    header->type == PERFDATA_RECORD_COMPRESSED2)
		return begin_packed(data, header) == 1;
	if (!is_known(data) && !take_described(data, header))
		perfdata_hurt(data, data->record_offset, header->type, header->size, 1,
			      "the contents of a record make no sense");
	return true;
}

/* Copy out the next record of the input: 1, 0 at the end. */
static int read_record(struct perfdata *data)
{
	struct perf_event_header header;

	data->record_offset = data->input.offset;
	if (data->record_offset >= data->data_end)
		return 0;

	const unsigned char *bytes = input_peek(&data->input, sizeof(header));
	if (bytes == NULL)
		return input_rest(&data->input) == 0 ?
			       0 :
			       give_up(data, 0, "the file ends within a record");
	memcpy(&header, bytes, sizeof(header));
	if (header.size < sizeof(header))
		return give_up(data, header.type, "a record has no size");
	if (header.size > data->data_end - data->record_offset)
		return give_up(data, header.type, "a record is longer than what is left");
	bytes = input_peek(&data->input, header.size);
	if (bytes == NULL)
		return give_up(data, header.type, "the file ends within a record");
	memcpy(data->record, bytes, header.size);
	input_skip(&data->input, header.size);
	return 1;
}

/* Whether perfdata_next() returns it. */
static bool is_for_caller(struct perfdata *data, const struct perf_event_header *header)
{
	if (header->type == PERFDATA_RECORD_FINISHED_ROUND)
		return true;
	if (header->size % sizeof(uint64_t) == 0)
		return true;
	perfdata_hurt(data, data->record_offset, header->type, header->size, 1,
		      "a record's size is no multiple of 8");
	return false;
}

int perfdata_next(struct perfdata *data, const struct perf_event_header **record)
{
	const struct perf_event_header *header = (const void *)data->record;

	*record = header;
	while (!data->is_over) {
		bool is_plain = false;

		if (data->packed.at != NULL) {
			int got = next_plain(data);

			if (got < 0)
				break;
			is_plain = got > 0;
			if (!is_plain)
				data->packed.at = NULL;
		}
		if (!is_plain && read_record(data) == 0)
			break;
		if (header->type >= PERFDATA_RECORD_FIRST &&
		    header->type != PERFDATA_RECORD_FINISHED_ROUND) {
			/* perf record compresses only kernel records. */
			if (is_plain)
				give_up(data, header->type, "a record that cannot be compressed");
			else if (!take_user(data, header))
				break;
		} else if (is_for_caller(data, header)) {
			return 1;
		}
	}
	if (!data->is_over && data->plain_end != data->plain_start)
		perfdata_hurt(data, data->record_offset, PERFDATA_RECORD_COMPRESSED,
			      data->plain_end - data->plain_start, 1,
			      "the last record of the compressed ones is cut off");
	if (!data->is_over && data->input.error != 0)
		perfdata_hurt(data, data->input.offset, 0, 0, 0, "%s", strerror(data->input.error));
	data->is_over = true;
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
	const struct perf_event_header *header = (const void *)data->record;

	perfdata_hurt(data, data->record_offset, header->type, header->size, 1, "%s", what);
}

void perfdata_progress(const struct perfdata *data, uint64_t *done, uint64_t *whole)
{
	*done = data->input.offset - data->data_offset;
	*whole = data->data_end == UINT64_MAX ? 0 : data->data_end - data->data_offset;
}
