/* SPDX-License-Identifier: MIT */
/*
 * filter - selects the rows to show, by the expression that the user typed after `/`.
 *
 *     text            the row's text contains it, case folded; "text" may have blanks and = < > ( )
 *     ~regex          an extended regular expression matches the row's text, case folded
 *     column = value  of numbers: = != < <= > >=; with k M G, %, s ms us ns behind the value
 *     column = text   of words, case folded: = != ~ (regex) !~
 *     a b, a and b    both;  a or b: one of them;  !a, not a: not that;  ( ): in which order
 *
 * A comparison with an unknown number is false.  Shares are in percent, with or without the sign.
 * The empty filter keeps all rows.
 */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#define FILTER_MAX 256 /* bytes of an expression; a longer one is refused */

/* How the cells of a column are compared. */
enum filter_kind {
	FILTER_NONE,   /* not at all */
	FILTER_NUMBER, /* of times: seconds */
	FILTER_SHARE,  /* a number of which 1 is 100 % */
	FILTER_WORDS,
};

/* What a filter selects from; all but `data` are constant. */
struct filter_rows {
	const void *data; /* borrowed; handed to every callback */
	size_t ncolumns;
	const char *(*name)(const void *data, size_t column);
	enum filter_kind (*kind)(const void *data, size_t column);
	double (*number)(const void *data, size_t row, size_t column); /* NAN: unknown */
	const char *(*words)(const void *data, size_t row, size_t column);
	/* The text that is matched without a column. */
	void (*text)(const void *data, size_t row, char *out, size_t room);
};

struct filter;

/*
 * Compile `text` for these rows: a filter, or NULL and one line in `error` (`room` bytes) with the
 * fault and its place.  While the user types, the caller keeps the last valid filter.
 */
struct filter *filter_new(const char *text, const struct filter_rows *rows, char *error,
			  size_t room);

/* Whether it keeps this row of rows like those it was compiled for; a NULL filter keeps all. */
bool filter_match(const struct filter *filter, const struct filter_rows *rows, size_t row);

/* The text it was compiled from. */
const char *filter_text(const struct filter *filter);

/* NULL is allowed. */
void filter_free(struct filter *filter);

#endif
