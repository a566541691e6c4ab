/* SPDX-License-Identifier: MIT */
#include "event/fieldfilter.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/suggest.h"
#include "base/xalloc.h"

/* MAX_FILTER_STR_VAL, and num_buf[24] of parse_pred(), in kernel/trace/trace_events_filter.c. */
#define TEXT_MAX   255
#define DIGITS_MAX 23

enum op { OP_EQ, OP_NE, OP_LE, OP_LT, OP_GE, OP_GT, OP_AND, OP_GLOB, OPS };

/* The longer ones first. */
static const char *const op_names[OPS] = { "==", "!=", "<=", "<", ">=", ">", "&", "~" };

enum accessor { PLAIN, USTRING, FUNCTION };

struct parser {
	const char *text;
	size_t at;
	const struct fields *fields;
	struct fieldfilter_fault *fault;
	/* The current comparison. */
	const struct field *field;
	enum accessor accessor;
	size_t name_at, name_len;
	size_t op_at;
	enum op op;
	/* The positions of the open parentheses; the last operator or parenthesis before `at`. */
	uint16_t open[FIELDFILTER_MAX];
	size_t depth;
	size_t last_at, last_len;
};

static bool __attribute__((format(printf, 4, 5)))
fail(struct parser *parser, size_t column, size_t length, const char *format, ...)
{
	struct fieldfilter_fault *fault = parser->fault;
	va_list args;

	fault->column = column;
	fault->length = length;
	va_start(args, format);
	vsnprintf(fault->reason, sizeof(fault->reason), format, args);
	va_end(args);
	return false;
}

/* --- words ---------------------------------------------------------------------------------- */

static void skip_blanks(struct parser *parser)
{
	parser->at += strspn(parser->text + parser->at, " \t\n\v\f\r");
}

static const char *here(const struct parser *parser)
{
	return parser->text + parser->at;
}

static bool starts(const struct parser *parser, const char *with)
{
	return strncmp(here(parser), with, strlen(with)) == 0;
}

static size_t word_length(const char *at)
{
	return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* The length to underline in a message: a word or one character. */
static size_t thing_length(const char *at)
{
	size_t len = strcspn(at, " \t\n\v\f\r()&|!=<>~\"'");

	return len > 0 ? len : *at != '\0';
}

static bool is_end_of_comparison(const struct parser *parser)
{
	return *here(parser) == '\0' || *here(parser) == ')' || starts(parser, "&&") ||
	       starts(parser, "||");
}

static bool is_text(const struct parser *parser)
{
	return parser->field->type == FIELD_STRING || parser->accessor == USTRING;
}

/* --- field ---------------------------------------------------------------------------------- */

static bool unknown_field(struct parser *parser)
{
	struct suggest suggest;
	char *name = xstrndup(parser->text + parser->name_at, parser->name_len);

	suggest_init(&suggest, name);
	for (size_t i = 0; i < parser->fields->count; i++) {
		const char *offer = parser->fields->all[i].name;

		suggest_offer(&suggest, offer);
		/* Suggest next_pid for "pid", whatever the edit distance. */
		if (suggest_best(&suggest) == NULL && parser->name_len >= 3 &&
		    strstr(offer, name) != NULL)
			snprintf(suggest.best, sizeof(suggest.best), "%s", offer);
	}
	snprintf(parser->fault->nearest, sizeof(parser->fault->nearest), "%.63s", suggest.best);
	parser->fault->is_field_unknown = true;
	fail(parser, parser->name_at, parser->name_len, "the event has no field '%.64s'", name);
	free(name);
	return false;
}

static bool no_field(struct parser *parser)
{
	const char *at = here(parser);

	if (*at == '"' || *at == '\'')
		return fail(parser, parser->at, 1,
			    "a field comes first, then the text it is compared to");
	return fail(parser, parser->at, thing_length(at),
		    "a field's name is wanted here, as in: common_pid == 1");
}

/* ".ustring" (Linux 5.18) reads user memory, ".function" (6.3) compares to a function's name. */
static bool take_accessor(struct parser *parser)
{
	size_t len = *here(parser) == '.' ? 1 + word_length(here(parser) + 1) : 0;
	bool is_user = parser->field->type == FIELD_USER_STRING;

	parser->accessor = PLAIN;
	if (len == strlen(".ustring") && starts(parser, ".ustring"))
		parser->accessor = USTRING;
	else if (len == strlen(".function") && starts(parser, ".function"))
		parser->accessor = FUNCTION;
	else if (len > 0)
		return fail(parser, parser->at, len,
			    "only .ustring and .function can follow a field");
	if (parser->accessor == USTRING && !is_user && parser->field->type != FIELD_STRING)
		return fail(parser, parser->at, len, "%s is no text", parser->field->name);
	parser->at += len;
	return true;
}

static bool take_field(struct parser *parser)
{
	parser->name_at = parser->at;
	parser->name_len = word_length(here(parser));
	if (parser->name_len == 0)
		return no_field(parser);

	const char *name = here(parser);
	parser->field = fields_find(parser->fields, name, parser->name_len);
	if (parser->field == NULL && name[0] >= '0' && name[0] <= '9')
		return fail(parser, parser->at, parser->name_len,
			    "a field comes first, then the number it is compared to");
	if (parser->field == NULL)
		return unknown_field(parser);
	if (parser->field->type == FIELD_ARRAY)
		return fail(parser, parser->at, parser->name_len,
			    "%s is an array: the kernel compares numbers and texts",
			    parser->field->name);
	parser->at += parser->name_len;
	if (!take_accessor(parser))
		return false;
	skip_blanks(parser);
	return true;
}

/* --- operator ------------------------------------------------------------------------------- */

static bool no_op(struct parser *parser)
{
	const char *name = parser->field->name;

	if (is_end_of_comparison(parser))
		return fail(parser, parser->name_at, parser->name_len,
			    "compare it to something: %s == %s", name,
			    parser->field->type == FIELD_NUMBER ? "1" : "\"text\"");
	if (starts(parser, "!~"))
		return fail(parser, parser->at, 2, "write !(%s ~ ...)", name);
	if (starts(parser, "="))
		return fail(parser, parser->at, 1, "a comparison is ==");
	return fail(parser, parser->at, thing_length(here(parser)),
		    "an operator is wanted here: == != < <= > >= & ~");
}

/* Whether the operator is valid for the field's type. */
static bool check_op(struct parser *parser)
{
	const char *name = op_names[parser->op], *field = parser->field->name;

	if (parser->accessor == FUNCTION)
		return parser->op == OP_EQ || parser->op == OP_NE ||
		       fail(parser, parser->op_at, strlen(name), "functions have only == and !=");
	if (is_text(parser))
		return parser->op == OP_EQ || parser->op == OP_NE || parser->op == OP_GLOB ||
		       fail(parser, parser->op_at, strlen(name),
			    "%s is a text, and texts have only == != ~", field);
	if (parser->field->type == FIELD_USER_STRING)
		return fail(parser, parser->name_at, parser->name_len,
			    "a text in user memory, which the kernel reads only as %s.ustring",
			    field);
	if (parser->op == OP_GLOB)
		return fail(parser, parser->op_at, 1, "%s is a number, and ~ is for texts", field);
	return true;
}

static bool take_op(struct parser *parser)
{
	parser->op_at = parser->at;
	parser->op = OPS;
	for (int op = 0; op < OPS && parser->op == OPS && !is_end_of_comparison(parser); op++) {
		if (starts(parser, op_names[op]))
			parser->op = (enum op)op;
	}
	if (parser->op == OPS)
		return no_op(parser);
	parser->at += strlen(op_names[parser->op]);
	skip_blanks(parser);
	if (is_end_of_comparison(parser))
		return fail(parser, parser->op_at, strlen(op_names[parser->op]),
			    "a value is missing after %s", op_names[parser->op]);
	return check_op(parser);
}

/* --- value ---------------------------------------------------------------------------------- */

static bool take_text(struct parser *parser)
{
	const char *start = here(parser), *end = strchr(start + 1, *start);
	const char *rest = start + strcspn(start + 1, "&|)") + 1;
	size_t length = (size_t)((end != NULL ? end + 1 : rest) - start);

	if (end == NULL)
		return fail(parser, parser->at, length, "this quote is never closed");
	if (!is_text(parser))
		return fail(parser, parser->at, length, "%s is a number: without quotes",
			    parser->field->name);
	if (length - 2 > TEXT_MAX)
		return fail(parser, parser->at, length, "the kernel takes texts of up to %d bytes",
			    TEXT_MAX);
	parser->at += length;
	return true;
}

/* Linux 6.6: CPUS{0-3,5}. */
static bool take_cpus(struct parser *parser)
{
	const char *start = here(parser), *end = strchr(start, '}');
	struct cpulist cpus;

	if (parser->op != OP_EQ && parser->op != OP_NE && parser->op != OP_AND)
		return fail(parser, parser->op_at, strlen(op_names[parser->op]),
			    "CPUs have only == != &");
	if (end == NULL)
		return fail(parser, parser->at, thing_length(start), "its } is missing");

	char *list = xstrndup(start + strlen("CPUS{"), (size_t)(end - start) - strlen("CPUS{"));
	bool is_right = cpulist_parse(list, &cpus) == 0 && cpus.count > 0;
	cpulist_fini(&cpus);
	free(list);
	if (!is_right)
		return fail(parser, parser->at, (size_t)(end + 1 - start),
			    "a list of CPUs is CPUS{0-3,5}");
	parser->at += (size_t)(end + 1 - start);
	return true;
}

/* Up to the next blank: the kernel parses a parenthesis as part of the name. */
static bool take_function(struct parser *parser)
{
	size_t len = strcspn(here(parser), " \t\n\v\f\r)");

	if (here(parser)[len] == ')')
		return fail(parser, parser->at + len, 1,
			    "the kernel needs a blank between a function's name and )");
	parser->at += len;
	return true;
}

static bool is_number(const struct parser *parser, const char *text)
{
	char *end;

	/* Like the kernel's kstrtoll() and kstrtoull() with base 0: no blanks, no + sign. */
	if (text[0] == '-' && (text[1] < '0' || text[1] > '9'))
		return false;
	if (text[0] != '-' && (text[0] < '0' || text[0] > '9'))
		return false;
	errno = 0;
	if (parser->field->is_signed)
		strtoll(text, &end, 0);
	else
		strtoull(text, &end, 0);
	return errno == 0 && *end == '\0';
}

static bool check_number(struct parser *parser, const char *text, size_t len)
{
	size_t at = parser->at;

	if (text[0] == '-' && !parser->field->is_signed && len > 1)
		return fail(parser, at, len, "%s is unsigned: write a negative number in hex",
			    parser->field->name);
	if (len > DIGITS_MAX)
		return fail(parser, at, len, "the kernel takes numbers of up to %d digits",
			    DIGITS_MAX);
	if (is_number(parser, text))
		return true;
	if (fields_find(parser->fields, text, len) != NULL)
		return fail(parser, at, len, "the right side is a value, not another field");
	return fail(parser, at, len, "%s is a number, and this is none", parser->field->name);
}

static bool take_word(struct parser *parser)
{
	size_t len = thing_length(here(parser));

	if (is_text(parser))
		return fail(parser, parser->at, len, "%s is a text: in quotes",
			    parser->field->name);

	char *text = xstrndup(here(parser), len);
	bool is_right = check_number(parser, text, len);
	free(text);
	parser->at += is_right ? len : 0;
	return is_right;
}

static bool take_value(struct parser *parser)
{
	if (*here(parser) == '"' || *here(parser) == '\'')
		return take_text(parser);
	if (parser->accessor == FUNCTION)
		return take_function(parser);
	if (starts(parser, "CPUS{") && !is_text(parser))
		return take_cpus(parser);
	return take_word(parser);
}

/* --- the expression ------------------------------------------------------------------------- */

/* The fault when a comparison is missing at `at`. */
static bool missing(struct parser *parser)
{
	if (*here(parser) == ')')
		return fail(parser, parser->at, 1, "a comparison is missing before )");
	if (*here(parser) != '\0')
		return fail(parser, parser->at, 2, "a comparison is missing before %.2s",
			    here(parser));
	if (parser->last_len == 0)
		return fail(parser, 0, 1, "the filter is empty");
	return fail(parser, parser->last_at, parser->last_len, "nothing follows %.*s",
		    (int)parser->last_len, parser->text + parser->last_at);
}

static void take_sign(struct parser *parser, size_t len)
{
	parser->last_at = parser->at;
	parser->last_len = len;
	parser->at += len;
}

static bool take_term(struct parser *parser)
{
	for (;;) {
		skip_blanks(parser);
		if (is_end_of_comparison(parser))
			return missing(parser);
		if (*here(parser) == '(')
			parser->open[parser->depth++] = (uint16_t)parser->at;
		else if (*here(parser) != '!')
			return take_field(parser) && take_op(parser) && take_value(parser);
		take_sign(parser, 1);
	}
}

static bool take_joint(struct parser *parser, bool *is_over)
{
	skip_blanks(parser);
	while (*here(parser) == ')') {
		if (parser->depth == 0)
			return fail(parser, parser->at, 1, "this ) closes nothing");
		parser->depth--;
		parser->at++;
		skip_blanks(parser);
	}
	*is_over = *here(parser) == '\0';
	if (*is_over && parser->depth > 0)
		return fail(parser, parser->open[parser->depth - 1], 1, "this ( is never closed");
	if (*is_over)
		return true;
	if (!starts(parser, "&&") && !starts(parser, "||"))
		return fail(parser, parser->at, thing_length(here(parser)),
			    "&& or || is wanted here");
	take_sign(parser, 2);
	return true;
}

bool fieldfilter_check(const char *text, const struct fields *fields,
		       struct fieldfilter_fault *fault)
{
	size_t len = strlen(text);
	struct parser parser = { .text = text, .fields = fields, .fault = fault };
	bool is_over = false;

	*fault = (struct fieldfilter_fault){ 0 };
	if (len > FIELDFILTER_MAX)
		return fail(&parser, FIELDFILTER_MAX, len - FIELDFILTER_MAX,
			    "the kernel takes filters of up to %d bytes", FIELDFILTER_MAX);
	while (!is_over) {
		if (!take_term(&parser) || !take_joint(&parser, &is_over))
			return false;
	}
	return true;
}

char *fieldfilter_join(const char *first, const char *second)
{
	/* The kernel needs a blank after the name of a function; see take_function(). */
	const char *blank =
		first != NULL && (strstr(first, ".function") || strstr(second, ".function")) ? " " :
											       "";

	if (first == NULL)
		return xstrdup(second);
	return xasprintf("(%s%s) && (%s%s)", first, blank, second, blank);
}
