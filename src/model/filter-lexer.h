/* SPDX-License-Identifier: MIT */
/*
 * filter-lexer - cuts a filter's expression into tokens.
 *
 * A word ends at a blank, an operator or a closing parenthesis that it has not opened.  A regular
 * expression ends at a blank or such a parenthesis.  Both may stand in double quotes.
 */
#ifndef MODEL_FILTER_LEXER_H
#define MODEL_FILTER_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum filter_token {
	FILTER_END,
	FILTER_OPEN,
	FILTER_CLOSE,
	FILTER_NOT,
	FILTER_AND,
	FILTER_OR,
	FILTER_TEXT,
	FILTER_REGEX,
	FILTER_COMPARE,
};

enum filter_compare {
	FILTER_EQUAL,
	FILTER_UNEQUAL,
	FILTER_LESS,
	FILTER_AT_MOST,
	FILTER_MORE,
	FILTER_AT_LEAST,
	FILTER_LIKE,
	FILTER_UNLIKE,
};

/* The token that it is at.  Behind ~ and !~ there is a FILTER_REGEX or the end. */
struct filter_lexer {
	enum filter_token token;
	size_t column;		     /* where it begins, from 1 */
	enum filter_compare compare; /* of FILTER_COMPARE */
	char *text;		     /* of FILTER_TEXT and FILTER_REGEX; in the caller's buffer */
	bool is_quoted;
	const char *fault; /* what is wrong with it, or NULL */
	/* inside */
	const char *source, *at;
	char *room;
};

/*
 * Start with the first token.  `buffer` has twice the bytes of `source`, and one: the tokens' texts
 * are valid as long as it is.
 */
void filter_lexer_init(struct filter_lexer *lexer, const char *source, char *buffer);

/* Go to the next token; FILTER_END stays. */
void filter_lexer_next(struct filter_lexer *lexer);

#endif
