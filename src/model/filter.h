/* SPDX-License-Identifier: MIT */
/*
 * filter - what the user typed after `/`: which rows stay.
 *
 *     text       the row's text contains it, case folded
 *     !text      it does not
 *     ~regex     an extended regular expression matches, case folded
 *     !~regex    it does not
 *
 * Several words are and-ed.  The empty filter keeps everything.
 */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#define FILTER_MAX 256 /* bytes of an expression; a longer one is refused */

struct filter;

/*
 * Compile `text`: a filter, or NULL with one line in `error` that says what is
 * wrong and where.  While a user types, the caller keeps the last good one.
 */
struct filter *filter_new(const char *text, char *error, size_t room);

/* Whether a row with this text stays; a NULL filter keeps all. */
bool filter_match(const struct filter *filter, const char *row);

/* What it was compiled from. */
const char *filter_text(const struct filter *filter);

/* NULL is allowed. */
void filter_free(struct filter *filter);

#endif
