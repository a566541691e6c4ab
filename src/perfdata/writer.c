/* SPDX-License-Identifier: MIT */
#include "perfdata/writer-inside.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/sys.h"
#include "base/xalloc.h"

/* Of memory, for records that the disk has not taken yet. */
#define ROOM (16u << 20)

#define LEAVE_NSEC (50 * NSEC_PER_MSEC)

/* --- events --------------------------------------------------------------------------------- */

/* The attrs and names in front of the records no longer hold. */
static void note_change(struct perfdata_writer *writer)
{
	writer->front_attrs.len = 0;
	writer->front[FEATURE_EVENT_DESC].len = 0;
}

void perfdata_writer_event(struct perfdata_writer *writer, uint32_t number,
			   const struct perf_event_attr *attr, const char *name,
			   const uint64_t *ids, size_t nids)
{
	if (number >= writer->nevents) {
		writer->events = xreallocarray(writer->events, number + 1, sizeof(*writer->events));
		memset(&writer->events[writer->nevents], 0,
		       (number + 1 - writer->nevents) * sizeof(*writer->events));
		writer->nevents = number + 1;
	}

	struct written_event *event = &writer->events[number];
	for (size_t i = 0; i < nids; i++) {
		bool is_new = ids[i] != 0;

		for (size_t k = 0; k < event->nids && is_new; k++)
			is_new = event->ids[k] != ids[i];
		if (!is_new)
			continue;
		event->ids = xreallocarray(event->ids, event->nids + 1, sizeof(*event->ids));
		event->ids[event->nids++] = ids[i];
		note_change(writer);
	}
	/* An event that never opened has no records, and is left out. */
	if (event->is_known || event->nids == 0)
		return;
	event->is_known = true;
	note_change(writer);
	event->attr = *attr;
	event->attr.size = sizeof(event->attr);
	event->name = xstrdup(name);
}

void perfdata_writer_format(struct perfdata_writer *writer, const char *system, const char *text,
			    size_t len)
{
	struct written_format format = { xstrdup(system), xcalloc(len + 1, 1), len };

	memcpy(format.text, text, len);
	writer->formats =
		xreallocarray(writer->formats, writer->nformats + 1, sizeof(*writer->formats));
	writer->formats[writer->nformats++] = format;
	writer->front[FEATURE_TRACING_DATA].len = 0;
}

/* --- records -------------------------------------------------------------------------------- */

/* A generous estimate of the size of the end of the file. */
static uint64_t end_bytes(const struct perfdata_writer *writer)
{
	uint64_t sum = 65536;

	for (size_t i = 0; i < writer->nevents; i++)
		sum += 2 * (PERFDATA_ENTRY_BYTES + writer->events[i].nids * sizeof(uint64_t)) + 512;
	for (size_t i = 0; i < writer->nformats; i++)
		sum += writer->formats[i].len + 64;
	return sum;
}

int writer_append(struct perfdata_writer *writer, const void *bytes, size_t len)
{
	if (writer->has_failed)
		return 0;
	if (spool_append(writer->spool, bytes, len, end_bytes(writer)) != 0) {
		writer->has_failed = true;
		return -1;
	}
	writer->end += len;
	return 0;
}

uint64_t perfdata_writer_size(const struct perfdata_writer *writer)
{
	return writer->end;
}

size_t perfdata_writer_room(struct perfdata_writer *writer)
{
	return spool_room(writer->spool);
}

int perfdata_writer_records(struct perfdata_writer *writer, const void *bytes, size_t len)
{
	return len > 0 ? writer_append(writer, bytes, len) : 0;
}

int perfdata_writer_round(struct perfdata_writer *writer)
{
	struct perf_event_header header = { .type = PERFDATA_RECORD_FINISHED_ROUND,
					    .size = sizeof(header) };

	return perfdata_writer_records(writer, &header, sizeof(header));
}

struct trailer {
	uint64_t time_ns, id;
	uint32_t pid, tid, cpu;
};

/* The sample_id trailer of an event's records; without a time (0) perf does not sort it. */
static void put_trailer(struct strbuf *out, const struct perf_event_attr *attr,
			const struct trailer *trailer)
{
	uint64_t type = attr->sample_id_all ? attr->sample_type : 0;

	if (type & PERF_SAMPLE_TID) {
		writer_put32(out, trailer->pid);
		writer_put32(out, trailer->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		writer_put64(out, trailer->time_ns);
	if (type & PERF_SAMPLE_ID)
		writer_put64(out, trailer->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		writer_put64(out, 0);
	if (type & PERF_SAMPLE_CPU)
		writer_put64(out, trailer->cpu);
	if (type & PERF_SAMPLE_IDENTIFIER)
		writer_put64(out, trailer->id);
}

/* Set the size of the record that begins at `start`. */
static void set_size(struct strbuf *out, size_t start)
{
	uint16_t size = (uint16_t)(out->len - start);

	memcpy(out->text + start + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

static int write_made_up(struct perfdata_writer *writer, struct strbuf *record)
{
	set_size(record, 0);
	int result = perfdata_writer_records(writer, record->text, record->len);
	strbuf_fini(record);
	return result;
}

int perfdata_writer_comm(struct perfdata_writer *writer, int32_t pid, int32_t tid, const char *comm)
{
	struct trailer trailer = { .pid = (uint32_t)pid, .tid = (uint32_t)tid };
	size_t len = strnlen(comm, 15), padded = (len + 8) & ~7ul;
	struct strbuf record;

	if (writer->nevents == 0)
		return 0;
	strbuf_init(&record);
	writer_put64(&record, PERF_RECORD_COMM);
	writer_put32(&record, (uint32_t)pid);
	writer_put32(&record, (uint32_t)tid);
	strbuf_add(&record, comm, len);
	strbuf_repeat(&record, '\0', padded - len);
	trailer.id = writer->events[0].nids > 0 ? writer->events[0].ids[0] : 0;
	put_trailer(&record, &writer->events[0].attr, &trailer);
	return write_made_up(writer, &record);
}

int perfdata_writer_kernel(struct perfdata_writer *writer, uint64_t text_address)
{
	/* perf's name for it: the symbol at the address follows the bracket. */
	static const char name[24] = PERFDATA_KERNEL "_text";
	struct trailer trailer = { .pid = UINT32_MAX };
	struct strbuf record;

	if (writer->nevents == 0)
		return 0;
	strbuf_init(&record);
	writer_put64(&record, PERF_RECORD_MMAP | (uint64_t)PERF_RECORD_MISC_KERNEL << 32);
	writer_put32(&record, UINT32_MAX);
	writer_put32(&record, 0);
	writer_put64(&record, text_address);
	writer_put64(&record,
		     UINT64_MAX - text_address); /* to the end of the address space, for modules */
	writer_put64(&record, text_address);
	strbuf_add(&record, name, sizeof(name));
	put_trailer(&record, &writer->events[0].attr, &trailer);
	return write_made_up(writer, &record);
}

/* One is no longer than a record can be: the kernel's names have PATH_MAX bytes. */
static void put_map(struct perfdata_writer *writer, struct strbuf *out, int32_t pid,
		    const struct record_map *map)
{
	struct trailer trailer = { .pid = (uint32_t)pid, .tid = (uint32_t)pid };
	size_t start = out->len, len = map->name_len < PATH_MAX ? map->name_len : PATH_MAX - 1,
	       padded = (len + 8) & ~7ul;

	writer_put64(out, PERF_RECORD_MMAP2 | (uint64_t)PERF_RECORD_MISC_USER << 32);
	writer_put32(out, (uint32_t)pid);
	writer_put32(out, (uint32_t)pid);
	writer_put64(out, map->start);
	writer_put64(out, map->len);
	writer_put64(out, map->offset);
	writer_put32(out, map->major);
	writer_put32(out, map->minor);
	writer_put64(out, map->inode);
	writer_put64(out, 0); /* the inode's generation */
	writer_put32(out, PROT_READ | PROT_EXEC);
	writer_put32(out, MAP_PRIVATE);
	strbuf_add(out, map->name, len);
	strbuf_repeat(out, '\0', padded - len);
	put_trailer(out, &writer->events[0].attr, &trailer);
	set_size(out, start);
}

int perfdata_writer_maps(struct perfdata_writer *writer, int32_t pid, const struct record_map *maps,
			 size_t count)
{
	struct strbuf records;

	if (writer->nevents == 0)
		return 0;
	strbuf_init(&records);
	for (size_t i = 0; i < count; i++)
		put_map(writer, &records, pid, &maps[i]);
	int result = perfdata_writer_records(writer, records.text, records.len);
	strbuf_fini(&records);
	return result;
}

int perfdata_writer_lost(struct perfdata_writer *writer, uint32_t number,
			 const struct perfdata_writer_loss *loss)
{
	struct trailer trailer = { .time_ns = loss->time_ns, .id = loss->id, .cpu = loss->cpu };
	struct strbuf record;

	if (number >= writer->nevents || !writer->events[number].is_known)
		return 0;
	strbuf_init(&record);
	writer_put64(&record, PERF_RECORD_LOST_SAMPLES);
	writer_put64(&record, loss->samples);
	put_trailer(&record, &writer->events[number].attr, &trailer);
	return write_made_up(writer, &record);
}

/* --- opening and closing -------------------------------------------------------------------- */

/* Without origin or events. */
static struct perfdata_writer *open_writer(const char *path)
{
	struct output *output = output_open(path);
	struct spool *spool = output != NULL ? spool_new(output, ROOM) : NULL;

	if (spool == NULL) {
		int saved = errno;

		if (output != NULL)
			output_close(output);
		errno = saved;
		return NULL;
	}
	struct perfdata_writer *writer = xcalloc(1, sizeof(*writer));
	writer->output = output;
	writer->spool = spool;
	writer->data_start = writer->end = output_size(output);
	for (unsigned int i = 0; i < WRITER_FEATURES; i++)
		strbuf_init(&writer->origin[i]);
	return writer;
}

struct perfdata_writer *perfdata_writer_open(const char *path,
					     const struct perfdata_writer_origin *origin)
{
	struct perfdata_writer *writer = open_writer(path);

	if (writer != NULL)
		writer_keep_origin(writer, origin);
	return writer;
}

struct perfdata_writer *perfdata_writer_next(const struct perfdata_writer *writer, const char *path)
{
	struct perfdata_writer *next = open_writer(path);

	if (next == NULL)
		return NULL;
	for (unsigned int i = 0; i < WRITER_FEATURES; i++) {
		if (i != FEATURE_SAMPLE_TIME)
			strbuf_add(&next->origin[i], writer->origin[i].text, writer->origin[i].len);
	}
	for (size_t i = 0; i < writer->nevents; i++) {
		const struct written_event *event = &writer->events[i];

		if (event->is_known)
			perfdata_writer_event(next, (uint32_t)i, &event->attr, event->name,
					      event->ids, event->nids);
	}
	for (size_t i = 0; i < writer->nformats; i++) {
		const struct written_format *format = &writer->formats[i];

		perfdata_writer_format(next, format->system, format->text, format->len);
	}
	return next;
}

static void free_writer(struct perfdata_writer *writer)
{
	for (size_t i = 0; i < writer->nevents; i++) {
		free(writer->events[i].name);
		free(writer->events[i].ids);
	}
	for (size_t i = 0; i < writer->nformats; i++) {
		free(writer->formats[i].system);
		free(writer->formats[i].text);
	}
	for (unsigned int i = 0; i < WRITER_FEATURES; i++)
		strbuf_fini(&writer->origin[i]);
	free(writer->events);
	free(writer->formats);
	free(writer);
}

int perfdata_writer_settle(struct perfdata_writer *writer, uint64_t until_ns)
{
	return spool_settle(writer->spool, until_ns);
}

int perfdata_writer_close(struct perfdata_writer *writer)
{
	if (writer == NULL)
		return 0;

	int result = spool_settle(writer->spool, UINT64_MAX), saved = errno;
	spool_free(writer->spool, UINT64_MAX);
	/*
	 * After a failure: what was written before it, if the records can be read without the rest.  Without a
	 * beginning nothing.
	 */
	writer->end = output_size(writer->output);
	if (writer->data_start > PERFDATA_HEAD_BYTES && writer->end >= writer->data_start) {
		result = writer_end_output(writer);
		saved = errno;
	}
	if (output_close(writer->output) != 0 && result == 0) {
		result = -1;
		saved = errno;
	}
	free_writer(writer);
	errno = saved;
	return result;
}

void perfdata_writer_leave(struct perfdata_writer *writer)
{
	if (spool_free(writer->spool, sys_monotonic_ns() + LEAVE_NSEC))
		output_close(writer->output);
	free_writer(writer);
}
