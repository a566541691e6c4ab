/* SPDX-License-Identifier: MIT */
#include "perfdata/writer-inside.h"

#include <unistd.h>

/* --- in front of the records ---------------------------------------------------------------- */

/* Append the attrs with the offsets of their ids, then the ids, for file offset `at`. */
static void put_attrs(const struct perfdata_writer *writer, struct strbuf *out, uint64_t at)
{
	uint64_t ids_at = at + writer_count_known(writer) * PERFDATA_ENTRY_BYTES;

	for (size_t i = 0; i < writer->nevents; i++) {
		const struct written_event *event = &writer->events[i];

		if (!event->is_known)
			continue;
		strbuf_add(out, (const char *)&event->attr, sizeof(event->attr));
		writer_put64(out, ids_at);
		writer_put64(out, event->nids * sizeof(uint64_t));
		ids_at += event->nids * sizeof(uint64_t);
	}
	for (size_t i = 0; i < writer->nevents; i++) {
		const struct written_event *event = &writer->events[i];

		if (event->is_known)
			strbuf_add(out, (const char *)event->ids, event->nids * sizeof(uint64_t));
	}
}

static int write_head(struct perfdata_writer *writer, struct written_section attrs,
		      uint64_t features, bool goes_on)
{
	struct strbuf head;

	strbuf_init(&head);
	strbuf_add(&head, PERFDATA_MAGIC, PERFDATA_MAGIC_BYTES);
	writer_put64(&head, PERFDATA_HEAD_BYTES);
	writer_put64(&head, PERFDATA_ENTRY_BYTES);
	writer_put64(&head, attrs.at);
	writer_put64(&head, attrs.len);
	writer_put64(&head, writer->data_start);
	writer_put64(&head, writer->end - writer->data_start);
	writer_put64(&head, goes_on ? PERFDATA_GOES_ON : 0); /* event types */
	writer_put64(&head, 0);
	writer_put64(&head, features);
	strbuf_repeat(&head, '\0', PERFDATA_HEAD_BYTES - head.len);
	int result = writer_write_at(writer, head.text, head.len, 0);
	strbuf_fini(&head);
	return result;
}

/* The attrs and ids for file offset `at`. */
static struct written_section put_attrs_section(const struct perfdata_writer *writer,
						struct strbuf *out, uint64_t at)
{
	put_attrs(writer, out, at);
	return (struct written_section){ at, writer_count_known(writer) * PERFDATA_ENTRY_BYTES };
}

int perfdata_writer_begin(struct perfdata_writer *writer)
{
	struct strbuf front;

	strbuf_init(&front);
	writer->front_attrs = put_attrs_section(writer, &front, PERFDATA_HEAD_BYTES);
	writer_put_front(writer, &front);
	strbuf_repeat(&front, '\0', -front.len & 7);
	writer->data_start = writer->end = PERFDATA_HEAD_BYTES + front.len;
	int result = writer_reserve(writer, 0);
	if (result == 0)
		result = writer_write_at(writer, front.text, front.len, PERFDATA_HEAD_BYTES);
	if (result == 0)
		result = writer_write_end(writer, true);
	strbuf_fini(&front);
	return result;
}

/* --- the end -------------------------------------------------------------------------------- */

size_t writer_room_held(const struct perfdata_writer *writer)
{
	return writer->end_size > writer->held.len ? writer->end_size - writer->held.len : 0;
}

/*
 * In this order, a writer that is killed between two writes leaves a whole file, but for the last: then
 * the file has an old end among its records.
 */
int writer_write_end(struct perfdata_writer *writer, bool goes_on)
{
	struct written_section attrs = writer->front_attrs;
	struct strbuf tail;

	strbuf_init(&tail);
	uint64_t flags = writer_put_features(writer, &tail);
	if (attrs.len == 0)
		attrs = put_attrs_section(writer, &tail, writer->end + tail.len);

	int result = writer_write_at(writer, tail.text, tail.len, writer->end);
	if (result == 0)
		result = write_head(writer, attrs, flags, goes_on);
	if (result == 0)
		result = writer_write_at(writer, writer->held.text, writer->held.len,
					 writer->end_at);
	/* Free the unused reserved space. */
	if (result == 0 && !goes_on)
		result = ftruncate(writer->fd, (off_t)(writer->end + tail.len));
	if (result == 0) {
		writer->end_at = writer->end;
		writer->end_size = tail.len;
		strbuf_clear(&writer->held);
	}
	strbuf_fini(&tail);
	return result;
}

int perfdata_writer_checkpoint(struct perfdata_writer *writer)
{
	if (writer->has_failed || writer_room_held(writer) > 0)
		return 0;
	return writer_write_end(writer, true);
}
