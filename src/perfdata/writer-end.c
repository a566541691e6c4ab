/* SPDX-License-Identifier: MIT */
#include "perfdata/writer-inside.h"

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

static void put_head(const struct perfdata_writer *writer, struct strbuf *head,
		     struct written_section attrs, uint64_t features, bool goes_on)
{
	strbuf_add(head, PERFDATA_MAGIC, PERFDATA_MAGIC_BYTES);
	writer_put64(head, PERFDATA_HEAD_BYTES);
	writer_put64(head, PERFDATA_ENTRY_BYTES);
	writer_put64(head, attrs.at);
	writer_put64(head, attrs.len);
	writer_put64(head, writer->data_start);
	writer_put64(head, writer->end - writer->data_start);
	writer_put64(head, goes_on ? PERFDATA_GOES_ON : 0); /* event types */
	writer_put64(head, 0);
	writer_put64(head, features);
	strbuf_repeat(head, '\0', PERFDATA_HEAD_BYTES - head->len);
}

/* The attrs and ids for file offset `at`. */
static struct written_section put_attrs_section(const struct perfdata_writer *writer,
						struct strbuf *out, uint64_t at)
{
	put_attrs(writer, out, at);
	return (struct written_section){ at, writer_count_known(writer) * PERFDATA_ENTRY_BYTES };
}

/* --- the end -------------------------------------------------------------------------------- */

/* What stands behind the records, and the head that refers to it. */
struct end {
	struct strbuf head, tail;
};

static void put_end(const struct perfdata_writer *writer, struct end *end, bool goes_on)
{
	struct written_section attrs = writer->front_attrs;

	strbuf_init(&end->head);
	strbuf_init(&end->tail);
	uint64_t flags = writer_put_features(writer, &end->tail);
	if (attrs.len == 0)
		attrs = put_attrs_section(writer, &end->tail, writer->end + end->tail.len);
	put_head(writer, &end->head, attrs, flags, goes_on);
}

static void free_end(struct end *end)
{
	strbuf_fini(&end->head);
	strbuf_fini(&end->tail);
}

static int give_end(struct perfdata_writer *writer)
{
	struct end end;

	put_end(writer, &end, true);
	int result = spool_end(writer->spool, end.head.text, end.tail.text, end.tail.len);
	writer->has_failed = result != 0;
	writer->end_at = writer->end;
	writer->end_size = end.tail.len;
	free_end(&end);
	return result;
}

int perfdata_writer_begin(struct perfdata_writer *writer)
{
	struct strbuf front;

	strbuf_init(&front);
	writer->front_attrs = put_attrs_section(writer, &front, PERFDATA_HEAD_BYTES);
	writer_put_front(writer, &front);
	strbuf_repeat(&front, '\0', -front.len & 7);
	writer->data_start = PERFDATA_HEAD_BYTES + front.len;
	int result = writer_append(writer, front.text, front.len);
	if (result == 0)
		result = give_end(writer);
	strbuf_fini(&front);
	return result;
}

int perfdata_writer_checkpoint(struct perfdata_writer *writer)
{
	if (writer->has_failed || writer->end - writer->end_at < writer->end_size ||
	    spool_has_end(writer->spool))
		return 0;
	return give_end(writer);
}

int writer_end_output(struct perfdata_writer *writer)
{
	struct end end;

	put_end(writer, &end, false);
	int result = output_end(writer->output, end.head.text, end.tail.text, end.tail.len);
	free_end(&end);
	return result;
}
