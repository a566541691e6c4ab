/* SPDX-License-Identifier: MIT */
#include "event/fields.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static struct field *add(struct fields *fields, const char *name, size_t len)
{
	fields->all = xreallocarray(fields->all, fields->count + 1, sizeof(*fields->all));

	struct field *field = &fields->all[fields->count++];
	*field = (struct field){
		.name = xstrndup(name, len),
		.is_common = strncmp(name, "common_", strlen("common_")) == 0,
	};
	return field;
}

/* Generic filter fields of every event, which no format file lists. */
static void add_generic(struct fields *fields)
{
	static const struct {
		const char *name;
		enum field_type type;
	} generic[] = {
		{ "CPU", FIELD_NUMBER },
		{ "cpu", FIELD_NUMBER },
		{ "COMM", FIELD_STRING },
		{ "comm", FIELD_STRING },
	};

	for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
		/* The event's own field of that name comes first, as in the kernel. */
		if (fields_find(fields, generic[i].name, strlen(generic[i].name)) != NULL)
			continue;
		struct field *field = add(fields, generic[i].name, strlen(generic[i].name));
		field->type = generic[i].type;
		field->is_signed = true;
		field->is_common = true;
	}
}

/* --- a line of the format ------------------------------------------------------------------- */

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* The first occurrence of the text in [from, to), or NULL. */
static const char *find(const char *from, const char *to, const char *text)
{
	return memmem(from, (size_t)(to - from), text, strlen(text));
}

/* "size:4;" in the rest of a line: 4, or -1. */
static long number_of(const char *from, const char *to, const char *key)
{
	const char *at = find(from, to, key);

	return at != NULL ? strtol(at + strlen(key), NULL, 10) : -1;
}

static bool is_char_pointer(const char *from, const char *to)
{
	static const char *const spellings[] = { "char *", "const char *" };

	while (to > from && to[-1] == ' ')
		to--;
	for (size_t i = 0; i < 2; i++) {
		if ((size_t)(to - from) == strlen(spellings[i]) &&
		    memcmp(from, spellings[i], strlen(spellings[i])) == 0)
			return true;
	}
	return false;
}

/* `type` to `name` is "const char *", `name` to `end` is "comm[16]" ("[] name" with __data_loc). */
static enum field_type type_of(const char *type, const char *name, const char *end, long size,
			       bool is_syscall)
{
	bool is_located = find(type, end, "__data_loc") != NULL ||
			  find(type, end, "__rel_loc") != NULL;

	if (is_located && find(type, end, "char"))
		return FIELD_STRING;
	if (is_located)
		return find(type, end, "cpumask_t") ? FIELD_CPUMASK : FIELD_ARRAY;
	if (memchr(name, '[', (size_t)(end - name)) != NULL && find(type, name, "char"))
		return FIELD_STRING;
	if (is_char_pointer(type, name))
		return is_syscall ? FIELD_USER_STRING : FIELD_STRING;
	return size == 1 || size == 2 || size == 4 || size == 8 ? FIELD_NUMBER : FIELD_ARRAY;
}

/* "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;" */
static void parse_line(struct fields *fields, const char *line, const char *end, bool is_syscall)
{
	const char *type = find(line, end, "field:");

	if (type == NULL)
		return;
	type += strlen("field:");
	const char *semicolon = memchr(type, ';', (size_t)(end - type));
	if (semicolon == NULL)
		return;

	/* The name is the last word, "comm[16]" without its brackets. */
	const char *name_end = semicolon;
	if (name_end > type && name_end[-1] == ']') {
		while (name_end > type && *name_end != '[')
			name_end--;
	}
	const char *name = name_end;
	while (name > type && is_name_char(name[-1]))
		name--;
	if (name == name_end || name == type)
		return;

	struct field *field = add(fields, name, (size_t)(name_end - name));
	field->type =
		type_of(type, name, semicolon, number_of(semicolon, end, "size:"), is_syscall);
	field->is_signed = number_of(semicolon, end, "signed:") == 1;
}

void fields_parse(struct fields *fields, const char *format, bool is_syscall)
{
	*fields = (struct fields){ 0 };
	for (const char *line = format; *line != '\0';) {
		const char *end = line + strcspn(line, "\n");

		/* The rest is the print format's code: no fields. */
		if (strncmp(line, "print fmt:", strlen("print fmt:")) == 0)
			break;
		parse_line(fields, line, end, is_syscall);
		line = *end != '\0' ? end + 1 : end;
	}
	add_generic(fields);
}

void fields_of_probe(struct fields *fields)
{
	fields_parse(fields,
		     "\tfield:unsigned short common_type;\tsize:2;\tsigned:0;\n"
		     "\tfield:unsigned char common_flags;\tsize:1;\tsigned:0;\n"
		     "\tfield:unsigned char common_preempt_count;\tsize:1;\tsigned:0;\n"
		     "\tfield:int common_pid;\tsize:4;\tsigned:1;\n",
		     false);
}

void fields_fini(struct fields *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		free(fields->all[i].name);
	free(fields->all);
	*fields = (struct fields){ 0 };
}

/* --- lookups -------------------------------------------------------------------------------- */

const struct field *fields_find(const struct fields *fields, const char *name, size_t len)
{
	for (int is_common = 0; is_common <= 1; is_common++) {
		for (size_t i = 0; i < fields->count; i++) {
			const struct field *field = &fields->all[i];

			if (field->is_common == is_common && strlen(field->name) == len &&
			    memcmp(field->name, name, len) == 0)
				return field;
		}
	}
	return NULL;
}

void fields_print(const struct fields *fields, struct strbuf *out)
{
	static const char *const remarks[] = {
		[FIELD_NUMBER] = "",
		[FIELD_STRING] = " (string)",
		[FIELD_USER_STRING] = ".ustring (string)",
		[FIELD_CPUMASK] = " (CPUs)",
		[FIELD_ARRAY] = NULL, /* nothing to filter by */
	};
	const char *before = "";

	for (int is_common = 0; is_common <= 1; is_common++) {
		for (size_t i = 0; i < fields->count; i++) {
			const struct field *field = &fields->all[i];

			if (field->is_common != is_common || remarks[field->type] == NULL)
				continue;
			strbuf_printf(out, "%s%s%s", before, field->name, remarks[field->type]);
			before = ", ";
		}
	}
}
