/* SPDX-License-Identifier: MIT */
#include "model/filter-lexer.h"

#include <string.h>

#define BLANKS " \t"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The longest first. */
static const struct {
	const char *sign;
	enum filter_compare compare;
} signs[] = {
	{ "!=", FILTER_UNEQUAL }, { "==", FILTER_EQUAL },  { "=", FILTER_EQUAL },
	{ "<=", FILTER_AT_MOST }, { "<", FILTER_LESS },	   { ">=", FILTER_AT_LEAST },
	{ ">", FILTER_MORE },	  { "!~", FILTER_UNLIKE }, { "~", FILTER_LIKE },
};

static bool take_sign(struct filter_lexer *lexer, bool is_after_word)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		size_t len = strlen(signs[i].sign);
		bool is_like = signs[i].sign[len - 1] == '~';
		bool is_glued = lexer->at > lexer->source && !is_blank(lexer->at[-1]);

		if (strncmp(lexer->at, signs[i].sign, len) != 0)
			continue;
		/* "task ~x" is a word and an expression; "task~x" and "task ~ x" compare. */
		if (is_like && (!is_after_word || (!is_glued && !is_blank(lexer->at[len]))))
			return false;
		lexer->token = FILTER_COMPARE;
		lexer->compare = signs[i].compare;
		lexer->at += len;
		return true;
	}
	return false;
}

static bool ends_word(const char *at)
{
	return *at == '=' || *at == '<' || *at == '>' || *at == '~' || strncmp(at, "!=", 2) == 0 ||
	       strncmp(at, "!~", 2) == 0;
}

/* Bytes up to a blank, to an unopened parenthesis and, of a word, to an operator. */
static size_t length_of(const char *from, bool is_regex)
{
	bool is_in_set = false; /* between [ and ] */
	size_t open = 0;
	const char *at = from;

	for (; *at != '\0' && !is_blank(*at); at++) {
		if (!is_regex && ends_word(at))
			break;
		if (is_regex && at[0] == '\\' && at[1] != '\0' && !is_blank(at[1])) {
			at++;
			continue;
		}
		if (is_regex && (*at == '[' || *at == ']'))
			is_in_set = *at == '[';
		if (*at == ')' && !is_in_set && open-- == 0)
			break;
		open += *at == '(' && !is_in_set;
	}
	return (size_t)(at - from);
}

static void take_text(struct filter_lexer *lexer, bool is_regex)
{
	const char *from = lexer->at;
	size_t len;

	lexer->is_quoted = *from == '"';
	if (lexer->is_quoted) {
		from++;
		len = strcspn(from, "\"");
		if (from[len] == '\0')
			lexer->fault = "'\"' is not closed";
		lexer->at = from + len + (from[len] == '"');
	} else {
		len = length_of(from, is_regex);
		lexer->at = from + len;
	}
	lexer->text = lexer->room;
	memcpy(lexer->text, from, len);
	lexer->text[len] = '\0';
	lexer->room += len + 1;
	lexer->token = is_regex ? FILTER_REGEX : FILTER_TEXT;
	if (lexer->is_quoted || is_regex)
		return;
	if (strcmp(lexer->text, "and") == 0)
		lexer->token = FILTER_AND;
	else if (strcmp(lexer->text, "or") == 0)
		lexer->token = FILTER_OR;
	else if (strcmp(lexer->text, "not") == 0)
		lexer->token = FILTER_NOT;
}

static void take_char(struct filter_lexer *lexer, enum filter_token token)
{
	lexer->token = token;
	lexer->at++;
}

void filter_lexer_next(struct filter_lexer *lexer)
{
	bool is_after_word = lexer->token == FILTER_TEXT && !lexer->is_quoted;
	bool is_after_like = lexer->token == FILTER_COMPARE && lexer->compare >= FILTER_LIKE;

	lexer->at += strspn(lexer->at, BLANKS);
	lexer->column = (size_t)(lexer->at - lexer->source) + 1;
	lexer->fault = NULL;
	if (*lexer->at == '\0') {
		lexer->token = FILTER_END;
	} else if (is_after_like) {
		take_text(lexer, true);
	} else if (*lexer->at == '(') {
		take_char(lexer, FILTER_OPEN);
	} else if (*lexer->at == ')') {
		take_char(lexer, FILTER_CLOSE);
	} else if (take_sign(lexer, is_after_word)) {
		return;
	} else if (*lexer->at == '!') {
		take_char(lexer, FILTER_NOT);
	} else if (*lexer->at == '~') {
		lexer->at++;
		lexer->column++;
		take_text(lexer, true);
	} else {
		take_text(lexer, false);
	}
}

void filter_lexer_init(struct filter_lexer *lexer, const char *source, char *buffer)
{
	*lexer = (struct filter_lexer){ .source = source, .at = source, .room = buffer };
	filter_lexer_next(lexer);
}
