/* SPDX-License-Identifier: MIT */
/*
 * filter - selects the rows to show, by the expression that the user typed after `/`.
 *
 *     text       the row's text contains it, case folded
 *     !text      it does not
 *     ~regex     an extended regular expression matches, case folded
 *     !~regex    it does not
 *
 * Words are separated by blanks, and all must match.  The empty filter keeps all rows.
 */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#define FILTER_MAX 256 /* bytes of an expression; a longer one is refused */

struct filter;

/*
 * Compile `text`: a filter, or NULL and one line in `error` (`room` bytes) with the fault and its
 * column.  While the user types, the caller keeps the last valid filter.
 */
struct filter *filter_new(const char *text, char *error, size_t room);

/* Whether a row with this text is kept; a NULL filter keeps all. */
bool filter_match(const struct filter *filter, const char *row);

/* The text it was compiled from. */
const char *filter_text(const struct filter *filter);

/* NULL is allowed. */
void filter_free(struct filter *filter);

#endif
