/* SPDX-License-Identifier: MIT */
#include "perfdata/fieldformat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "decode/cursor.h"

/* More than any kernel has (2,324 tracepoints in 6.18, 40 fields at most). */
#define FORMATS_MAX    8192
#define FIELDS_MAX     128
#define NAME_MAX_BYTES 128
/* Elements of an array that are shown; a longer one ends in "...". */
#define ELEMENTS_SHOWN 16

enum field_place {
	FIELD_HERE,
	FIELD_DATA_LOC, /* 16 bits length, 16 bits offset from the sample's start */
	FIELD_REL_LOC,	/* the same, offset from the end of this field */
};

struct field {
	char *name;
	uint32_t offset, size;
	enum field_place place;
	bool is_signed;
	bool is_string;	 /* char[] or a location of chars */
	bool is_pointer; /* shown in hexadecimal */
	bool is_array;
	uint32_t element; /* bytes of one element; 0: unknown, shown as bytes */
};

struct format {
	uint64_t id;
	char *name;
	struct field *fields;
	size_t nfields;
};

struct fieldformats {
	struct format *all; /* ascending by id */
	size_t count;
};

struct fieldformats *fieldformats_new(void)
{
	return xcalloc(1, sizeof(struct fieldformats));
}

static void format_fini(struct format *format)
{
	for (size_t i = 0; i < format->nfields; i++)
		free(format->fields[i].name);
	free(format->fields);
	free(format->name);
}

void fieldformats_free(struct fieldformats *formats)
{
	if (formats == NULL)
		return;

	for (size_t i = 0; i < formats->count; i++)
		format_fini(&formats->all[i]);
	free(formats->all);
	free(formats);
}

/* --- the text ------------------------------------------------------------------------------- */

/* A piece of the text: never terminated, never beyond its end. */
struct span {
	const char *at;
	size_t len;
};

/* Cut up to `stop` (which is skipped) off the front; the rest when there is none. */
static struct span cut(struct span *text, char stop)
{
	const char *end = text->len > 0 ? memchr(text->at, stop, text->len) : NULL;
	struct span piece = { text->at, end != NULL ? (size_t)(end - text->at) : text->len };
	size_t taken = end != NULL ? piece.len + 1 : piece.len;

	text->at += taken;
	text->len -= taken;
	return piece;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span trim(struct span text)
{
	while (text.len > 0 && is_blank(text.at[0]))
		text = (struct span){ text.at + 1, text.len - 1 };
	while (text.len > 0 && is_blank(text.at[text.len - 1]))
		text.len--;
	return text;
}

static bool begins(struct span text, const char *with)
{
	size_t len = strlen(with);

	return text.len >= len && memcmp(text.at, with, len) == 0;
}

/* "KEY:" and a number of at most ten digits. */
static bool key_number(struct span text, const char *key, uint64_t *value)
{
	text = trim(text);
	if (!begins(text, key))
		return false;

	struct span digits = trim((struct span){ text.at + strlen(key), text.len - strlen(key) });
	*value = 0;
	if (digits.len == 0 || digits.len > 10)
		return false;
	for (size_t i = 0; i < digits.len; i++) {
		if (digits.at[i] < '0' || digits.at[i] > '9')
			return false;
		*value = *value * 10 + (uint64_t)(digits.at[i] - '0');
	}
	return true;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool has_word(struct span text, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= text.len; i++) {
		if (memcmp(text.at + i, word, len) == 0 &&
		    (i == 0 || !is_name_char(text.at[i - 1])) &&
		    (i + len == text.len || !is_name_char(text.at[i + len])))
			return true;
	}
	return false;
}

/* The size of one element: from the count in brackets if given, else from the type's name. */
static uint32_t element_size(struct span type, uint32_t size, uint64_t count)
{
	if (count > 0 && size % count == 0)
		return (uint32_t)(size / count);
	if (has_word(type, "long") || has_word(type, "u64") || has_word(type, "__u64") ||
	    has_word(type, "s64"))
		return 8;
	if (has_word(type, "short") || has_word(type, "u16"))
		return 2;
	if (has_word(type, "int") || has_word(type, "u32") || has_word(type, "__u32"))
		return 4;
	return 1;
}

/* "__data_loc char[] name", "char comm[16]", "unsigned long args[6]", "const char * p". */
static bool parse_declaration(struct field *field, struct span text)
{
	struct span type = trim(text);
	uint64_t count = 0;

	field->place = has_word(type, "__data_loc") ? FIELD_DATA_LOC :
		       has_word(type, "__rel_loc")  ? FIELD_REL_LOC :
						      FIELD_HERE;
	if (type.len > 0 && type.at[type.len - 1] == ']') {
		const char *open = memrchr(type.at, '[', type.len);

		if (open == NULL)
			return false;
		struct span inside = { open, (size_t)(type.at + type.len - open) - 1 };
		/* A name instead of a number ("[TASK_COMM_LEN]") is allowed and ignored. */
		key_number(inside, "[", &count);
		field->is_array = true;
		type.len = (size_t)(open - type.at);
		type = trim(type);
	}

	size_t name_len = 0;
	while (name_len < type.len && is_name_char(type.at[type.len - 1 - name_len]))
		name_len++;
	if (name_len == 0 || name_len == type.len || name_len > NAME_MAX_BYTES)
		return false;
	field->name = xstrndup(type.at + type.len - name_len, name_len);
	type.len -= name_len;
	field->is_array |= field->place != FIELD_HERE;
	field->is_pointer = memchr(type.at, '*', type.len) != NULL;
	field->is_string = has_word(type, "char") && field->is_array && !has_word(type, "unsigned");
	field->element =
		field->is_array ?
			element_size(type, field->place == FIELD_HERE ? field->size : 0, count) :
			field->size;
	return true;
}

/* Parse a line's text after "field:". */
static bool parse_field(struct field *field, struct span line)
{
	struct span declaration = cut(&line, ';');
	uint64_t offset, size, is_signed = 0;

	if (!key_number(cut(&line, ';'), "offset:", &offset) ||
	    !key_number(cut(&line, ';'), "size:", &size) || offset > UINT16_MAX ||
	    size > UINT16_MAX)
		return false;
	key_number(cut(&line, ';'), "signed:", &is_signed);
	field->offset = (uint32_t)offset;
	field->size = (uint32_t)size;
	field->is_signed = is_signed != 0;
	return parse_declaration(field, declaration);
}

static void add_field(struct format *format, struct span line)
{
	struct field field = { 0 };

	if (format->nfields == FIELDS_MAX)
		return;
	if (!parse_field(&field, line) || strncmp(field.name, "common_", 7) == 0) {
		free(field.name);
		return;
	}
	format->fields = xreallocarray(format->fields, format->nfields + 1, sizeof(field));
	format->fields[format->nfields++] = field;
}

static void parse_lines(struct format *format, struct span text, struct span *name, bool *has_id)
{
	while (text.len > 0) {
		struct span line = trim(cut(&text, '\n'));

		if (begins(line, "name:"))
			*name = trim((struct span){ line.at + 5, line.len - 5 });
		else if (begins(line, "ID:"))
			*has_id = key_number(line, "ID:", &format->id);
		else if (begins(line, "field:"))
			add_field(format, (struct span){ line.at + 6, line.len - 6 });
		else if (begins(line, "print fmt:"))
			return;
	}
}

/* The index of the id, or where to insert it. */
static size_t place(const struct fieldformats *formats, uint64_t id)
{
	size_t low = 0, high = formats->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (formats->all[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct format *find(const struct fieldformats *formats, uint64_t id)
{
	size_t at = place(formats, id);

	return at < formats->count && formats->all[at].id == id ? &formats->all[at] : NULL;
}

bool fieldformats_add(struct fieldformats *formats, const char *system, const char *text,
		      size_t len)
{
	struct format format = { 0 };
	struct span name = { NULL, 0 };
	bool has_id = false;

	parse_lines(&format, (struct span){ text, len }, &name, &has_id);
	if (!has_id || name.len == 0 || name.len > NAME_MAX_BYTES ||
	    strlen(system) > NAME_MAX_BYTES || formats->count == FORMATS_MAX ||
	    find(formats, format.id) != NULL) {
		format_fini(&format);
		return false;
	}
	format.name = xasprintf("%s:%.*s", system, (int)name.len, name.at);

	size_t at = place(formats, format.id);
	formats->all = xreallocarray(formats->all, formats->count + 1, sizeof(format));
	memmove(&formats->all[at + 1], &formats->all[at], (formats->count - at) * sizeof(format));
	formats->all[at] = format;
	formats->count++;
	return true;
}

const char *fieldformats_name(const struct fieldformats *formats, uint64_t id)
{
	const struct format *format = find(formats, id);

	return format != NULL ? format->name : NULL;
}

/* --- a sample ------------------------------------------------------------------------------- */

uint32_t fieldformats_offset(const struct fieldformats *formats, uint64_t id, const char *field,
			     size_t size)
{
	const struct format *format = find(formats, id);

	for (size_t i = 0; format != NULL && i < format->nfields; i++) {
		const struct field *found = &format->fields[i];

		if (strcmp(found->name, field) == 0)
			return found->place == FIELD_HERE && found->size == size ? found->offset :
										   0;
	}
	return 0;
}

static uint64_t load(const unsigned char *at, uint32_t size, bool is_signed)
{
	uint64_t value = 0;

	memcpy(&value, at, size); /* little-endian files only: reader.c refuses the others */
	if (is_signed && size > 0 && size < 8 && (at[size - 1] & 0x80))
		value |= ~0ull << (size * 8);
	return value;
}

static void print_value(const struct field *field, const unsigned char *at, uint32_t size,
			struct strbuf *out)
{
	if (size == 0 || size > 8) {
		strbuf_puts(out, "?");
		return;
	}

	uint64_t value = load(at, size, field->is_signed);
	if (field->is_pointer)
		strbuf_printf(out, "0x%" PRIx64, value);
	else if (field->is_signed)
		strbuf_printf(out, "%" PRId64, (int64_t)value);
	else
		strbuf_printf(out, "%" PRIu64, value);
}

static void print_array(const struct field *field, struct cursor bytes, struct strbuf *out)
{
	uint32_t step = field->element != 0 && field->element <= 8 ? field->element : 1;
	size_t count = bytes.left / step;

	strbuf_putc(out, '[');
	for (size_t i = 0; i < count && i < ELEMENTS_SHOWN; i++) {
		if (i > 0)
			strbuf_putc(out, ',');
		print_value(field, cursor_take(&bytes, step), step, out);
	}
	strbuf_puts(out, count > ELEMENTS_SHOWN ? ",...]" : "]");
}

/* The bytes of a field, wherever they are; is_short when they are not in the sample. */
static struct cursor bytes_of(const struct field *field, const unsigned char *raw, size_t size)
{
	struct cursor cursor = { raw, size, false };

	cursor_take(&cursor, field->offset);
	if (field->place == FIELD_HERE)
		return cursor_sub(&cursor, field->size);

	uint32_t location = cursor_u32(&cursor);
	uint64_t offset = location & 0xffff;
	if (cursor.is_short)
		return cursor;
	if (field->place == FIELD_REL_LOC)
		offset += (uint64_t)field->offset + sizeof(location);

	struct cursor there = { raw, size, false };
	cursor_take(&there, offset);
	return cursor_sub(&there, location >> 16);
}

static void print_field(const struct field *field, const unsigned char *raw, size_t size,
			struct strbuf *out)
{
	struct cursor bytes = bytes_of(field, raw, size);

	strbuf_printf(out, "%s=", field->name);
	if (bytes.is_short)
		strbuf_putc(out, '?');
	else if (field->is_string)
		strbuf_add(out, (const char *)bytes.at,
			   strnlen((const char *)bytes.at, bytes.left));
	else if (field->is_array)
		print_array(field, bytes, out);
	else
		print_value(field, bytes.at, (uint32_t)bytes.left, out);
}

bool fieldformats_print(const struct fieldformats *formats, uint64_t id, const unsigned char *raw,
			size_t size, struct strbuf *out)
{
	const struct format *format = find(formats, id);

	if (format == NULL)
		return false;
	for (size_t i = 0; i < format->nfields; i++) {
		if (i > 0)
			strbuf_putc(out, ' ');
		print_field(&format->fields[i], raw, size, out);
	}
	return true;
}
