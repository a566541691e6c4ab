/* SPDX-License-Identifier: MIT */
/*
 * The metadata of the records: attrs with their ids, and the features.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/xalloc.h"
#include "perfdata/reader-inside.h"
#include "perfdata/tracingdata.h"

/* PERF_ATTR_SIZE_VER0, and a page: the kernel's own limits. */
#define ATTR_BYTES_MIN 64
#define ATTR_BYTES_MAX 4096
#define HEAD_BYTES     104
#define STRING_MAX     4096

struct section {
	uint64_t offset, size;
};

static struct section take_section(struct cursor *cursor)
{
	uint64_t offset = cursor_u64(cursor), size = cursor_u64(cursor);

	return (struct section){ offset, size };
}

/* --- events --------------------------------------------------------------------------------- */

/* Copy as much of an attr as the bytes have: false when its size field is invalid. */
static bool parse_attr(struct cursor bytes, struct perf_event_attr *attr)
{
	size_t len = bytes.left;
	uint32_t size;

	if (len < ATTR_BYTES_MIN)
		return false;
	memcpy(&size, bytes.at + offsetof(struct perf_event_attr, size), sizeof(size));
	if (size == 0)
		size = ATTR_BYTES_MIN; /* not set before Linux 2.6.33 */
	if (size < ATTR_BYTES_MIN || size > len)
		return false;
	if (size > sizeof(*attr))
		size = sizeof(*attr);
	*attr = (struct perf_event_attr){ 0 };
	memcpy(attr, bytes.at, size);
	return true;
}

static bool add_event(struct perfdata *data, const struct perf_event_attr *attr, struct cursor ids)
{
	size_t count = ids.left / sizeof(uint64_t);

	if (data->nevents == PERFDATA_EVENTS_MAX || count > PERFDATA_IDS_MAX - data->nids)
		return false;
	data->events = xreallocarray(data->events, data->nevents + 1, sizeof(*data->events));

	struct perfdata_event *event = &data->events[data->nevents];
	*event = (struct perfdata_event){ .attr = *attr, .nids = count };
	event->ids = xcalloc(count + 1, sizeof(*event->ids));
	idmap_reserve(data->by_id, count);
	for (size_t i = 0; i < count; i++) {
		event->ids[i] = cursor_u64(&ids);
		idmap_put(data->by_id, event->ids[i], (uint32_t)data->nevents);
	}
	data->nids += count;
	data->nevents++;
	data->changes++;
	return true;
}

bool perfdata_add_attr_record(struct perfdata *data, struct cursor cursor)
{
	struct perf_event_attr attr;
	uint32_t size = 0;

	if (cursor.left >= ATTR_BYTES_MIN)
		memcpy(&size, cursor.at + offsetof(struct perf_event_attr, size), sizeof(size));
	if (size % sizeof(uint64_t) != 0 || size > ATTR_BYTES_MAX)
		return false;
	return parse_attr(cursor_sub(&cursor, size != 0 ? size : ATTR_BYTES_MIN), &attr) &&
	       add_event(data, &attr, cursor);
}

static void name_event(struct perfdata *data, size_t number, const char *name)
{
	struct perfdata_event *event = &data->events[number];

	if (name[0] == '\0' || (event->name != NULL && strcmp(event->name, name) == 0))
		return;
	free(event->name);
	event->name = xstrndup(name, STRING_MAX);
	data->changes++;
}

static void set_unit(struct perfdata *data, struct perfdata_event *event, const char *unit)
{
	if (event->unit != NULL && strcmp(event->unit, unit) == 0)
		return;
	free(event->unit);
	event->unit = xstrndup(unit, STRING_MAX);
	data->changes++;
}

static bool set_scale(struct perfdata *data, struct perfdata_event *event, struct cursor cursor)
{
	uint64_t bits = cursor_u64(&cursor);
	double scale;

	memcpy(&scale, &bits, sizeof(scale));
	if (cursor.is_short || !isfinite(scale))
		return false;
	if (scale != event->scale)
		data->changes++;
	event->scale = scale;
	return true;
}

bool perfdata_update_event(struct perfdata *data, struct cursor cursor)
{
	enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME };
	uint64_t type = cursor_u64(&cursor), id = cursor_u64(&cursor);
	uint32_t number = idmap_get(data->by_id, id);

	if (type > UPDATE_NAME || number == IDMAP_NONE)
		return !cursor.is_short;
	if (type == UPDATE_SCALE)
		return set_scale(data, &data->events[number], cursor);

	const char *text = cursor_string(&cursor);
	if (text == NULL)
		return false;
	if (type == UPDATE_UNIT)
		set_unit(data, &data->events[number], text);
	else
		name_event(data, number, text);
	return true;
}

bool perfdata_index_ids(struct perfdata *data, struct cursor cursor)
{
	uint64_t count = cursor_u64(&cursor);

	if (count > cursor.left / (4 * sizeof(uint64_t)))
		return false;
	for (uint64_t i = 0; i < count && data->ncpu_ids < PERFDATA_IDS_MAX; i++) {
		uint64_t id = cursor_u64(&cursor);
		cursor_u64(&cursor); /* index of the ring */
		uint64_t cpu = cursor_u64(&cursor);
		cursor_u64(&cursor); /* task */

		if (cpu < UINT32_MAX) {
			idmap_put(data->cpu_of, id, (uint32_t)cpu);
			data->ncpu_ids++;
		}
	}
	return true;
}

/* --- features ------------------------------------------------------------------------------- */

/* A 32-bit length and that many bytes, with a NUL among them. */
static const char *take_string(struct cursor *cursor)
{
	uint32_t len = cursor_u32(cursor);
	const char *text = cursor_take(cursor, len);

	if (text == NULL || memchr(text, '\0', len) == NULL) {
		cursor->is_short = true;
		return NULL;
	}
	return text;
}

static bool set_string(char **out, struct cursor cursor)
{
	const char *text = take_string(&cursor);

	if (text == NULL)
		return false;
	free(*out);
	*out = xstrndup(text, STRING_MAX);
	return true;
}

static bool set_command(char **out, struct cursor cursor)
{
	struct strbuf line;
	uint32_t count = cursor_u32(&cursor);

	strbuf_init(&line);
	for (uint32_t i = 0; i < count && !cursor.is_short; i++) {
		const char *word = take_string(&cursor);

		if (word != NULL && line.len < STRING_MAX)
			strbuf_printf(&line, "%s%s", i > 0 ? " " : "", word);
	}
	free(*out);
	*out = strbuf_take(&line);
	strbuf_fini(&line);
	return !cursor.is_short;
}

/* Set the events' names: matched by id, or by position if there are no ids. */
static bool describe_events(struct perfdata *data, struct cursor cursor)
{
	uint32_t count = cursor_u32(&cursor), attr_bytes = cursor_u32(&cursor);

	for (uint32_t i = 0; i < count && !cursor.is_short; i++) {
		cursor_take(&cursor, attr_bytes);
		uint32_t nids = cursor_u32(&cursor);
		const char *name = take_string(&cursor);
		struct cursor ids = cursor_sub(&cursor, (uint64_t)nids * sizeof(uint64_t));
		uint32_t number = nids > 0 ? idmap_get(data->by_id, cursor_u64(&ids)) : i;

		if (name != NULL && number < data->nevents)
			name_event(data, number, name);
	}
	return !cursor.is_short;
}

static bool take_clock(struct perfdata *data, struct cursor cursor)
{
	cursor_u32(&cursor); /* version */
	cursor_u32(&cursor); /* which clock */
	uint64_t wall = cursor_u64(&cursor), clock = cursor_u64(&cursor);

	if (cursor.is_short)
		return false;
	data->origin.wall_ns = wall;
	data->origin.wall_clock_ns = clock;
	return true;
}

static bool take_times(struct perfdata *data, struct cursor cursor)
{
	data->origin.first_ns = cursor_u64(&cursor);
	data->origin.last_ns = cursor_u64(&cursor);
	return !cursor.is_short;
}

static bool take_cpus(struct perfdata *data, struct cursor cursor)
{
	/* perf swapped the two between file versions; the larger one is the available CPUs. */
	uint32_t one = cursor_u32(&cursor), other = cursor_u32(&cursor);

	if (cursor.is_short || one > CPULIST_MAX_ID + 1 || other > CPULIST_MAX_ID + 1)
		return false;
	data->origin.cpus_available = one > other ? one : other;
	return true;
}

bool perfdata_take_feature(struct perfdata *data, uint64_t feature, struct cursor cursor)
{
	struct perfdata_origin *origin = &data->origin;

	switch (feature) {
	case FEATURE_TRACING_DATA:
		return tracingdata_parse(cursor.at, cursor.left, data->formats);
	case FEATURE_BUILD_ID:
		return build_ids_add(data->build_ids, cursor);
	case FEATURE_HOSTNAME:
		return set_string(&origin->hostname, cursor);
	case FEATURE_OSRELEASE:
		return set_string(&origin->osrelease, cursor);
	case FEATURE_VERSION:
		return set_string(&origin->version, cursor);
	case FEATURE_ARCH:
		return set_string(&origin->arch, cursor);
	case FEATURE_NRCPUS:
		return take_cpus(data, cursor);
	case FEATURE_CMDLINE:
		return set_command(&origin->cmdline, cursor);
	case FEATURE_EVENT_DESC:
		return describe_events(data, cursor);
	case FEATURE_SAMPLE_TIME:
		return take_times(data, cursor);
	case FEATURE_CLOCK_DATA:
		return take_clock(data, cursor);
	default:
		return true;
	}
}

static bool is_of_use(uint64_t feature)
{
	switch (feature) {
	case FEATURE_TRACING_DATA:
	case FEATURE_BUILD_ID:
	case FEATURE_HOSTNAME:
	case FEATURE_OSRELEASE:
	case FEATURE_VERSION:
	case FEATURE_ARCH:
	case FEATURE_NRCPUS:
	case FEATURE_CMDLINE:
	case FEATURE_EVENT_DESC:
	case FEATURE_SAMPLE_TIME:
	case FEATURE_CLOCK_DATA:
		return true;
	default:
		return false;
	}
}

static bool is_inside(const struct perfdata *data, struct section section)
{
	uint64_t end;

	return !__builtin_add_overflow(section.offset, section.size, &end) &&
	       end <= data->streams[0].input.file_bytes;
}

/* The bytes of a section that are in the file. */
static uint64_t bytes_inside(const struct perfdata *data, struct section section)
{
	const uint64_t size = data->streams[0].input.file_bytes;
	const uint64_t most = section.offset < size ? size - section.offset : 0;

	return section.size < most ? section.size : most;
}

static void note_read(struct perfdata *data, uint64_t end)
{
	if (end > data->head_end)
		data->head_end = end;
}

/* A section of the file, copied; NULL when it is longer than `most` or not all there. */
static unsigned char *read_section(struct perfdata *data, struct section section, size_t most)
{
	if (section.size > most || !is_inside(data, section))
		return NULL;

	unsigned char *bytes = malloc(section.size + 1);
	if (bytes != NULL && input_read_at(&data->streams[0].input, section.offset, bytes,
					   section.size) != (long)section.size) {
		free(bytes);
		return NULL;
	}
	note_read(data, section.offset + section.size);
	return bytes;
}

static void read_feature(struct perfdata *data, uint32_t feature, struct section section)
{
	if (!is_of_use(feature)) {
		/* Unused, but a file that is truncated there is incomplete. */
		if (!is_inside(data, section))
			perfdata_hurt(data, section.offset, 0, bytes_inside(data, section), 0,
				      "feature %u lies outside of the file", feature);
		return;
	}

	size_t most = feature == FEATURE_TRACING_DATA ? PERFDATA_TRACING_MAX : PERFDATA_FEATURE_MAX;
	unsigned char *bytes = read_section(data, section, most);
	if (bytes == NULL)
		perfdata_hurt(data, section.offset, 0, bytes_inside(data, section), 0,
			      "feature %u lies outside of the file", feature);
	else if (!perfdata_take_feature(data, feature,
					(struct cursor){ bytes, section.size, false }))
		perfdata_hurt(data, section.offset, 0, section.size, 0, "feature %u makes no sense",
			      feature);
	free(bytes);
}

/* The table after the data has an entry for each bit set, in order. */
static void read_features(struct perfdata *data, const uint64_t flags[4])
{
	const struct stream *head = &data->streams[0];
	uint64_t at = head->end;

	for (uint32_t bit = 1; bit <= FEATURE_LAST; bit++) {
		unsigned char bytes[sizeof(struct section)];

		if (!(flags[bit / 64] >> (bit % 64) & 1))
			continue;
		if (at > head->input.file_bytes ||
		    input_read_at(&head->input, at, bytes, sizeof(bytes)) != (long)sizeof(bytes)) {
			perfdata_hurt(data, at, 0, 0, 0, "the file ends before its features");
			return;
		}
		struct cursor cursor = { bytes, sizeof(bytes), false };
		read_feature(data, bit, take_section(&cursor));
		at += sizeof(bytes);
		note_read(data, at);
	}
}

/* --- the head of a file --------------------------------------------------------------------- */

static void read_attr(struct perfdata *data, struct cursor entry, uint64_t offset)
{
	struct perf_event_attr attr;
	struct cursor bytes = cursor_sub(&entry, entry.left - sizeof(struct section));
	struct section section = take_section(&entry);
	unsigned char *ids = NULL;

	if (!parse_attr(bytes, &attr)) {
		perfdata_hurt(data, offset, 0, bytes.left, 0,
			      "an event's attr has an invalid size");
		return;
	}
	if (section.size % sizeof(uint64_t) == 0)
		ids = read_section(data, section, PERFDATA_IDS_MAX * sizeof(uint64_t));
	if (ids == NULL) {
		perfdata_hurt(data, offset, 0, bytes_inside(data, section), 0,
			      "an event's ids lie outside of the file");
		section.size = 0;
	}
	if (!add_event(data, &attr, (struct cursor){ ids, section.size, false }))
		perfdata_hurt(data, offset, 0, bytes.left, 0, "too many events or ids");
	free(ids);
}

static void read_attrs(struct perfdata *data, struct section section, uint64_t entry_bytes)
{
	unsigned char *bytes =
		read_section(data, section, (size_t)PERFDATA_EVENTS_MAX * ATTR_BYTES_MAX);

	if (bytes == NULL || entry_bytes < ATTR_BYTES_MIN + sizeof(struct section) ||
	    entry_bytes > ATTR_BYTES_MAX + sizeof(struct section)) {
		perfdata_hurt(data, section.offset, 0, bytes_inside(data, section), 0,
			      "the events' attrs lie outside of the file");
	} else {
		struct cursor cursor = { bytes, section.size, false };

		for (uint64_t at = section.offset; cursor.left >= entry_bytes; at += entry_bytes)
			read_attr(data, cursor_sub(&cursor, entry_bytes), at);
	}
	free(bytes);
}

/* Find the records; one of perf's that was killed has size 0: they go to the end of the file. */
static void place_data(struct perfdata *data, struct section section, bool goes_on)
{
	struct stream *head = &data->streams[0];
	uint64_t size = head->input.file_bytes, end;

	head->begin = section.offset < size ? section.offset : size;
	if (section.size == 0 && section.offset < size && !goes_on) {
		head->end = size;
		perfdata_hurt(data, section.offset, 0, 0, 0,
			      "the recording was not ended properly: no size, no features");
	} else if (__builtin_add_overflow(section.offset, section.size, &end) || end > size) {
		head->end = size;
		perfdata_hurt(data, size, 0, 0, 0, "the file ends before its records do");
	} else {
		head->end = end;
	}
}

/* A recording of ours that was killed: what follows its last end is of no use. */
static void hurt_unread(struct perfdata *data)
{
	const struct stream *head = &data->streams[0];

	note_read(data, head->end);
	perfdata_hurt(data, head->end, 0, head->input.file_bytes - data->head_end, 0,
		      "the recording was not ended properly: what came last is missing");
}

bool perfdata_read_head(struct perfdata *data, char **error)
{
	unsigned char bytes[HEAD_BYTES];
	struct cursor cursor = { bytes, sizeof(bytes), false };
	struct stream *head = &data->streams[0];
	uint64_t flags[4];

	if (input_read_at(&head->input, 0, bytes, sizeof(bytes)) != (long)sizeof(bytes)) {
		*error = xstrdup("it ends within its header");
		return false;
	}
	cursor_take(&cursor, 16); /* magic, header size */
	uint64_t entry_bytes = cursor_u64(&cursor);
	struct section attrs = take_section(&cursor);
	struct section records = take_section(&cursor);
	struct section types = take_section(&cursor);
	for (size_t i = 0; i < 4; i++)
		flags[i] = cursor_u64(&cursor);

	bool goes_on = types.offset == PERFDATA_GOES_ON && types.size == 0;
	place_data(data, records, goes_on);
	read_attrs(data, attrs, entry_bytes);
	if (data->damage.count == 0 || head->end < head->input.file_bytes)
		read_features(data, flags);
	if (goes_on)
		hurt_unread(data);
	if (data->nevents == 0) {
		*error = xasprintf("no event can be read from it (%s, at offset %llu)",
				   data->damage.count > 0 ? data->damage.what : "it has none",
				   (unsigned long long)data->damage.offset);
		return false;
	}
	return input_seek(&head->input, head->begin) == 0;
}
