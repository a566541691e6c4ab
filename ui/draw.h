/* SPDX-License-Identifier: MIT */
/*
 * draw - what views draw with: text, numbers with their marks, bars, sparklines.
 *
 * A pen is a place of fixed width on a canvas: drawing with it never touches
 * the cells beside it.
 */
#ifndef UI_DRAW_H
#define UI_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/canvas.h"

struct pen {
	struct canvas *canvas;
	int x, y, width;
	enum role role;
	bool is_ascii;
};

/* The prefix of a number that is not exact. */
enum mark {
	MARK_NONE,
	MARK_ESTIMATE, /* ~ from samples */
	MARK_ROUGH,    /* the same of so few that it has one digit, and is dim; ~ */
	MARK_AT_LEAST, /* ≥ a lower bound */
	MARK_WRONG,    /* ! the books do not balance */
	MARK_LESSENED, /* ↓ samples are limited, for the budget */
};

/* The same place in another role. */
struct pen draw_in_role(const struct pen *pen, enum role role);

/* The mark itself, "" for none. */
const char *draw_mark(enum mark mark, bool is_ascii);

/* Left-aligned text, cut with an ellipsis where it is too long; right-aligned text, clipped. */
void draw_left(const struct pen *pen, const char *text);
void draw_right(const struct pen *pen, const char *text);

/* Left-aligned text, with an ellipsis inside where it is too long: of events the end tells most. */
void draw_middle(const struct pen *pen, const char *text);

/* Not known, or not applicable: a right-aligned, dim en dash. */
void draw_unknown(const struct pen *pen);

/*
 * Right-aligned numbers, with their mark before them; zero is dim if the pen's
 * role is ROLE_TEXT.  Decimals are dropped when the pen is narrow.
 */
void draw_count(const struct pen *pen, uint64_t count, enum mark mark);
void draw_rate(const struct pen *pen, double rate, enum mark mark);

/* As the two above, for clocks: 1.25s of time instead of occurrences. */
void draw_time(const struct pen *pen, uint64_t ns, enum mark mark);
void draw_time_rate(const struct pen *pen, double ns_per_second, enum mark mark);

/* How many for each one of something else: 0.53, 1/2.5k; negative: unknown. */
void draw_ratio(const struct pen *pen, double ratio, enum mark mark);

/* 1,203,118: exact, so that the reader can check sums.  Returns `out`. */
#define DRAW_EXACT_MAX 32
char *draw_exact(char out[DRAW_EXACT_MAX], uint64_t count);

/* Bytes of the first line of a safe text when it is broken at blanks; all of it when it fits. */
size_t draw_line_length(const char *text, int width);

/*
 * Text over several lines, broken at blanks; returns how many it takes.  With a
 * NULL canvas in the pen nothing is drawn.  Lines past `lines` are left out, and
 * the last one shows that.
 */
int draw_wrapped(const struct pen *pen, int lines, const char *text);

/* A word in a column of numbers. */
void draw_word(const struct pen *pen, const char *word, enum mark mark);

/* One in so many: "all" for 1, "1/256", "~1/4.1k". */
void draw_one_in(const struct pen *pen, uint64_t many, enum mark mark);

/* "+4%", "×3.1", right-aligned; ROLE_STRONG unless it is 0. */
void draw_change(const struct pen *pen, double before, double now);

/* In place of a change that chance explains: a right-aligned, dim dot. */
void draw_unchanged(const struct pen *pen);

/* "12.3%" for a share of 0..1, right-aligned; negative is unknown. */
void draw_share(const struct pen *pen, double share, enum mark mark);

/* The same without decimals: "12%". */
void draw_percent(const struct pen *pen, double share, enum mark mark);

/* A bar from the left, over the pen's width when share is 1; the rest stays blank. */
void draw_bar(const struct pen *pen, double share);

/*
 * One vertical bar per value, as many as fit: values[i] / most.  More values than
 * cells are folded, the largest of each fold is shown.  Negative (unknown) is
 * blank, zero is the dim lowest bar, anything more is at least the second.
 * With `is_heat` the higher a bar the hotter its role.
 */
void draw_levels(const struct pen *pen, const double *values, size_t count, double most,
		 bool is_heat);

/* How many values go into one cell when `count` values have `width` cells. */
size_t draw_fold(size_t count, int width);

/* "›", "▸", "–" and the like, or their ASCII substitutes. */
enum glyph {
	GLYPH_INTO,
	GLYPH_CURSOR,
	GLYPH_DASH,
	GLYPH_UP,
	GLYPH_DOWN,
	GLYPH_RULE,
	GLYPH_MARK,
	GLYPH_TEE,
	GLYPH_ELBOW,
};
const char *draw_glyph(enum glyph glyph, bool is_ascii);

#endif
