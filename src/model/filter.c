/* SPDX-License-Identifier: MIT */
/*
 * A recursive descent into an array of nodes: `or` binds less than `and`, that less than `not`.
 * An expression has at most FILTER_MAX bytes, which limits nodes and depth.
 */
#include "model/filter.h"

#include "base/suggest.h"
#include "base/xalloc.h"
#include "model/filter-lexer.h"

#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_TEXT_MAX 1024
#define NODES_MAX    (2 * FILTER_MAX) /* one a token, and one between two of them */

/*
 * glibc's regcomp() expands x{n}: nested counts in 30 bytes of text take gigabytes.  This limits
 * the product of all counts, so that an expression compiles in less than a frame.
 */
#define REPEAT_MAX 1000

enum node_kind { NODE_TEXT, NODE_REGEX, NODE_NUMBER, NODE_WORDS, NODE_NOT, NODE_AND, NODE_OR };

struct node {
	enum node_kind kind;
	const struct node *left, *right; /* of NOT only left */
	/* What is compared: a column, or WHOLE_ROW */
	size_t column;
	enum filter_compare compare;
	double number;
	const char *text; /* in filter.texts */
	regex_t regex;
	bool has_regex;
};

#define WHOLE_ROW SIZE_MAX

struct filter {
	char source[FILTER_MAX + 1]; /* as it was typed */
	char texts[2 * FILTER_MAX + 2];
	const struct node *top; /* NULL: empty */
	size_t count;
	struct node nodes[NODES_MAX];
};

struct parser {
	struct filter *filter;
	const struct filter_rows *rows;
	struct filter_lexer lexer;
	char *error;
	size_t room;
};

/* --- errors ----------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static struct node *
fault_at(struct parser *parser, size_t column, const char *format, ...)
{
	int len = snprintf(parser->error, parser->room, "at %zu: ", column);
	va_list args;

	va_start(args, format);
	if (len > 0 && (size_t)len < parser->room)
		vsnprintf(parser->error + len, parser->room - (size_t)len, format, args);
	va_end(args);
	return NULL;
}

static struct node *fault(struct parser *parser, const char *what)
{
	return fault_at(parser, parser->lexer.column, "%s", what);
}

/* --- parsing ---------------------------------------------------------------------------------- */

static struct node *add_node(struct parser *parser, enum node_kind kind)
{
	struct node *node = &parser->filter->nodes[parser->filter->count++];

	node->kind = kind;
	node->column = WHOLE_ROW;
	return node;
}

/* The reason to refuse an expression that could take seconds or gigabytes, or NULL. */
static const char *find_explosive(const char *text)
{
	unsigned long product = 1;

	for (const char *at = text; *at; at++) {
		if (at[0] == '\\' && isdigit((unsigned char)at[1]))
			return "back-references are not supported";
		if (at[0] == '\\' && at[1])
			at++;
		else if (at[0] == '{') {
			unsigned long low = strtoul(at + 1, NULL, 10), high = low;
			const char *comma = at + 1 + strspn(at + 1, "0123456789");
			if (*comma == ',')
				high = strtoul(comma + 1, NULL, 10);
			unsigned long most = high > low ? high : low;
			if (most > REPEAT_MAX || (product *= most ? most : 1) > REPEAT_MAX)
				return "too many repetitions";
		}
	}
	return NULL;
}

/* Node with the expression at the lexer, which then goes on. */
static struct node *parse_regex(struct parser *parser)
{
	const struct filter_lexer *lexer = &parser->lexer;
	char reason[128];

	if (lexer->fault != NULL)
		return fault(parser, lexer->fault);
	if (lexer->token != FILTER_REGEX || lexer->text[0] == '\0')
		return fault(parser, "an expression is missing");
	const char *explosive = find_explosive(lexer->text);
	if (explosive != NULL)
		return fault(parser, explosive);
	struct node *node = add_node(parser, NODE_REGEX);
	int code = regcomp(&node->regex, lexer->text, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	if (code != 0) {
		regerror(code, &node->regex, reason, sizeof(reason));
		return fault(parser, reason);
	}
	node->has_regex = true;
	filter_lexer_next(&parser->lexer);
	return node;
}

static struct node *fault_column(struct parser *parser, const char *name, size_t at)
{
	const struct filter_rows *rows = parser->rows;
	struct suggest suggest;
	char all[256] = "";

	suggest_init(&suggest, name);
	for (size_t i = 0; i < rows->ncolumns; i++) {
		const char *column = rows->name(rows->data, i);
		size_t len = strlen(all);

		if (rows->kind(rows->data, i) == FILTER_NONE)
			continue;
		suggest_offer(&suggest, column);
		snprintf(all + len, sizeof(all) - len, " %s", column);
	}
	const char *best = suggest_best(&suggest);
	if (best != NULL)
		return fault_at(parser, at, "no column '%s', did you mean '%s'?", name, best);
	return fault_at(parser, at, "no column '%s'; there are%s", name,
			all[0] != '\0' ? all : " none");
}

static bool find_column(const struct filter_rows *rows, const char *name, size_t *column)
{
	for (size_t i = 0; i < rows->ncolumns; i++) {
		if (rows->kind(rows->data, i) != FILTER_NONE &&
		    strcasecmp(rows->name(rows->data, i), name) == 0) {
			*column = i;
			return true;
		}
	}
	return false;
}

static const struct {
	const char *unit;
	double scale;
} units[] = {
	{ "", 1 },     { "k", 1e3 }, { "K", 1e3 },   { "M", 1e6 },   { "G", 1e9 },
	{ "%", 0.01 }, { "s", 1 },   { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 },
};

static struct node *parse_number(struct parser *parser, enum filter_kind kind)
{
	const char *text = parser->lexer.text;
	char *end;
	double number = strtod(text, &end);

	if (end == text || !isfinite(number))
		return fault_at(parser, parser->lexer.column, "'%s' is not a number", text);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		struct node *node = add_node(parser, NODE_NUMBER);
		node->number = number * units[i].scale;
		if (kind == FILTER_SHARE && *end == '\0')
			node->number /= 100;
		filter_lexer_next(&parser->lexer);
		return node;
	}
	return fault_at(parser, parser->lexer.column,
			"no unit '%s': k M G, %% or s ms us ns behind the number", end);
}

static struct node *parse_words(struct parser *parser)
{
	struct node *node = add_node(parser, NODE_WORDS);

	node->text = parser->lexer.text;
	filter_lexer_next(&parser->lexer);
	return node;
}

/* What stands behind `column compare`. */
static struct node *parse_value(struct parser *parser, size_t column, enum filter_compare compare)
{
	enum filter_kind kind = parser->rows->kind(parser->rows->data, column);
	bool is_like = compare == FILTER_LIKE || compare == FILTER_UNLIKE;

	if (is_like && kind != FILTER_WORDS)
		return fault(parser, "this column has numbers: use = != < <= > >=");
	if (is_like)
		return parse_regex(parser);
	if (kind == FILTER_WORDS && compare != FILTER_EQUAL && compare != FILTER_UNEQUAL)
		return fault(parser, "this column has words: use = != ~ !~");
	if (parser->lexer.fault != NULL)
		return fault(parser, parser->lexer.fault);
	if (parser->lexer.token != FILTER_TEXT)
		return fault(parser, "a value is missing");
	return kind == FILTER_WORDS ? parse_words(parser) : parse_number(parser, kind);
}

/* A text; or a column if an operator follows. */
static struct node *parse_text(struct parser *parser)
{
	struct filter_lexer *lexer = &parser->lexer;
	const char *text = lexer->text;
	size_t at = lexer->column, column;

	if (lexer->fault != NULL)
		return fault(parser, lexer->fault);
	filter_lexer_next(lexer);
	if (lexer->token != FILTER_COMPARE) {
		struct node *node = add_node(parser, NODE_TEXT);
		node->text = text;
		return node;
	}
	enum filter_compare compare = lexer->compare;
	if (!find_column(parser->rows, text, &column))
		return fault_column(parser, text, at);
	filter_lexer_next(lexer);
	struct node *node = parse_value(parser, column, compare);
	if (node == NULL)
		return NULL;
	node->column = column;
	node->compare = compare;
	return node;
}

static struct node *parse_or(struct parser *parser);

static struct node *parse_group(struct parser *parser)
{
	filter_lexer_next(&parser->lexer);
	struct node *node = parse_or(parser);
	if (node != NULL && parser->lexer.token != FILTER_CLOSE)
		return fault(parser, "a ')' is missing");
	if (node != NULL)
		filter_lexer_next(&parser->lexer);
	return node;
}

static struct node *parse_term(struct parser *parser)
{
	switch (parser->lexer.token) {
	case FILTER_NOT:
		filter_lexer_next(&parser->lexer);
		const struct node *left = parse_term(parser);
		if (left == NULL)
			return NULL;
		struct node *node = add_node(parser, NODE_NOT);
		node->left = left;
		return node;
	case FILTER_OPEN:
		return parse_group(parser);
	case FILTER_REGEX:
		return parse_regex(parser);
	case FILTER_TEXT:
		return parse_text(parser);
	case FILTER_COMPARE:
		return fault(parser, "a column is missing");
	default:
		return fault(parser, "a text is missing");
	}
}

static struct node *join(struct parser *parser, enum node_kind kind, const struct node *left,
			 const struct node *right)
{
	if (right == NULL)
		return NULL;
	struct node *node = add_node(parser, kind);
	node->left = left;
	node->right = right;
	return node;
}

static bool ends_and(const struct parser *parser)
{
	enum filter_token token = parser->lexer.token;

	return token == FILTER_END || token == FILTER_CLOSE || token == FILTER_OR;
}

static struct node *parse_and(struct parser *parser)
{
	struct node *node = parse_term(parser);

	while (node != NULL && !ends_and(parser)) {
		if (parser->lexer.token == FILTER_AND)
			filter_lexer_next(&parser->lexer);
		node = join(parser, NODE_AND, node, parse_term(parser));
	}
	return node;
}

static struct node *parse_or(struct parser *parser)
{
	struct node *node = parse_and(parser);

	while (node != NULL && parser->lexer.token == FILTER_OR) {
		filter_lexer_next(&parser->lexer);
		node = join(parser, NODE_OR, node, parse_and(parser));
	}
	return node;
}

static int compile(struct filter *filter, const struct filter_rows *rows, char *error, size_t room)
{
	struct parser parser = { .filter = filter, .rows = rows, .error = error, .room = room };

	filter_lexer_init(&parser.lexer, filter->source, filter->texts);
	if (parser.lexer.token == FILTER_END)
		return 0;
	filter->top = parse_or(&parser);
	if (filter->top != NULL && parser.lexer.token != FILTER_END) {
		fault(&parser, "a '(' is missing");
		return -1;
	}
	return filter->top != NULL ? 0 : -1;
}

struct filter *filter_new(const char *text, const struct filter_rows *rows, char *error,
			  size_t room)
{
	size_t len = strlen(text);

	if (len > FILTER_MAX) {
		snprintf(error, room, "at %d: too long", FILTER_MAX + 1);
		return NULL;
	}
	struct filter *filter = xcalloc(1, sizeof(*filter));
	memcpy(filter->source, text, len);
	if (compile(filter, rows, error, room) != 0) {
		filter_free(filter);
		return NULL;
	}
	return filter;
}

/* --- matching --------------------------------------------------------------------------------- */

/* A row, and its text when that was asked for. */
struct subject {
	const struct filter_rows *rows;
	size_t row;
	bool has_text;
	char text[ROW_TEXT_MAX];
};

static const char *text_of(struct subject *subject)
{
	if (!subject->has_text)
		subject->rows->text(subject->rows->data, subject->row, subject->text,
				    sizeof(subject->text));
	subject->has_text = true;
	return subject->text;
}

static bool compare_numbers(double number, enum filter_compare compare, double with)
{
	switch (compare) {
	case FILTER_EQUAL:
		return number == with;
	case FILTER_UNEQUAL:
		return number < with || number > with;
	case FILTER_LESS:
		return number < with;
	case FILTER_AT_MOST:
		return number <= with;
	case FILTER_MORE:
		return number > with;
	case FILTER_AT_LEAST:
		return number >= with;
	default:
		return false;
	}
}

static const char *words_of(const struct node *node, struct subject *subject)
{
	if (node->column == WHOLE_ROW)
		return text_of(subject);
	return subject->rows->words(subject->rows->data, subject->row, node->column);
}

static bool match(const struct node *node, struct subject *subject)
{
	const struct filter_rows *rows = subject->rows;

	switch (node->kind) {
	case NODE_TEXT:
		return strcasestr(text_of(subject), node->text) != NULL;
	case NODE_REGEX:
		return (regexec(&node->regex, words_of(node, subject), 0, NULL, 0) == 0) !=
		       (node->compare == FILTER_UNLIKE);
	case NODE_NUMBER:
		return compare_numbers(rows->number(rows->data, subject->row, node->column),
				       node->compare, node->number);
	case NODE_WORDS:
		return (strcasecmp(words_of(node, subject), node->text) == 0) !=
		       (node->compare == FILTER_UNEQUAL);
	case NODE_NOT:
		return !match(node->left, subject);
	case NODE_AND:
		return match(node->left, subject) && match(node->right, subject);
	case NODE_OR:
		return match(node->left, subject) || match(node->right, subject);
	}
	return false;
}

bool filter_match(const struct filter *filter, const struct filter_rows *rows, size_t row)
{
	struct subject subject;

	if (filter == NULL || filter->top == NULL)
		return true;
	subject.rows = rows;
	subject.row = row;
	subject.has_text = false;
	return match(filter->top, &subject);
}

const char *filter_text(const struct filter *filter)
{
	return filter->source;
}

void filter_free(struct filter *filter)
{
	if (filter == NULL)
		return;
	for (size_t i = 0; i < filter->count; i++) {
		if (filter->nodes[i].has_regex)
			regfree(&filter->nodes[i].regex);
	}
	free(filter);
}
