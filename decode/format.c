/* SPDX-License-Identifier: MIT */
#include "decode/format.h"

#include <event-parse.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "base/xalloc.h"

struct formats {
	struct tep_handle *tep;
};

/* Replaces libtraceevent's log hook, which would write its warnings onto the screen. */
int tep_vprint(const char *name, enum tep_loglevel level, bool print_err, const char *fmt,
	       va_list ap);

int tep_vprint(const char *name, enum tep_loglevel level, bool print_err, const char *fmt,
	       va_list ap)
{
	(void)name;
	(void)level;
	(void)print_err;
	(void)fmt;
	(void)ap;
	return 0;
}

struct formats *formats_new(void)
{
	struct formats *formats = xcalloc(1, sizeof(*formats));

	tep_set_loglevel(TEP_LOG_NONE);
	formats->tep = tep_alloc();
	if (formats->tep == NULL) {
		free(formats);
		return NULL;
	}
	tep_set_long_size(formats->tep, (int)sizeof(long));
	tep_set_page_size(formats->tep, 4096);
	tep_set_file_bigendian(formats->tep,
			       tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return formats;
}

void formats_free(struct formats *formats)
{
	if (formats == NULL)
		return;

	tep_free(formats->tep);
	free(formats);
}

void formats_add(struct formats *formats, const char *system, const char *text, size_t len)
{
	/* The result is ignored: after a print format that it cannot parse the fields are known. */
	tep_parse_event(formats->tep, text, len, system);
}

bool formats_knows(const struct formats *formats, uint64_t id)
{
	return tep_find_event(formats->tep, (int)id) != NULL;
}

uint32_t formats_offset(const struct formats *formats, uint64_t id, const char *field, size_t size)
{
	struct tep_event *event = tep_find_event(formats->tep, (int)id);
	const struct tep_format_field *found = event != NULL ? tep_find_field(event, field) : NULL;

	if (found == NULL || found->offset < 0 || found->size < 0 || (size_t)found->size != size ||
	    (found->flags & TEP_FIELD_IS_DYNAMIC))
		return 0;
	return (uint32_t)found->offset;
}

/* Whether what the __data_loc (or __rel_loc) word at `field` points to is inside the record. */
static bool dynamic_fits(const struct tep_format_field *field, const unsigned char *raw,
			 size_t size)
{
	uint32_t word;

	memcpy(&word, raw + field->offset, sizeof(word));
	size_t offset = word & 0xffff, len = word >> 16;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		offset += (size_t)field->offset + (size_t)field->size;
	return offset <= size && len <= size - offset;
}

static bool fields_fit(const struct tep_format_field *field, const unsigned char *raw, size_t size)
{
	for (; field != NULL; field = field->next) {
		if (field->offset < 0 || field->size < 0 || (size_t)field->offset > size ||
		    (size_t)field->size > size - (size_t)field->offset)
			return false;
		if ((field->flags & TEP_FIELD_IS_DYNAMIC) &&
		    (field->size < 4 || !dynamic_fits(field, raw, size)))
			return false;
	}
	return true;
}

bool formats_print(struct formats *formats, uint64_t id, uint32_t cpu, const unsigned char *raw,
		   size_t size, struct strbuf *out)
{
	struct tep_event *event = tep_find_event(formats->tep, (int)id);

	if (event == NULL || !fields_fit(event->format.common_fields, raw, size) ||
	    !fields_fit(event->format.fields, raw, size))
		return false;

	/* libtraceevent reads strings up to a NUL: the copy adds one after the sample. */
	unsigned char *copy = xcalloc(1, size + 1);
	memcpy(copy, raw, size);
	struct tep_record record = { .data = copy, .size = (int)size, .cpu = (int)cpu };
	struct trace_seq seq;
	trace_seq_init(&seq);
	if (event->flags & TEP_EVENT_FL_FAILED)
		tep_record_print_fields(&seq, &record, event);
	else
		tep_print_event(formats->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	strbuf_puts(out, seq.buffer);
	trace_seq_destroy(&seq);
	free(copy);
	return true;
}
