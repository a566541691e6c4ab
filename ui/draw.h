/* SPDX-License-Identifier: MIT */
/*
 * draw - what views draw with: text, honest numbers, bars and sparklines.
 *
 * A pen is a place of fixed width on a canvas, so nothing drawn with it can
 * push what stands beside it.
 */
#ifndef UI_DRAW_H
#define UI_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/canvas.h"

struct rect {
	int x, y, width, height;
};

struct pen {
	struct canvas *canvas;
	int x, y, width;
	enum role role;
	bool is_ascii;
};

/* What stands before a number that is not the plain truth. */
enum mark {
	MARK_NONE,
	MARK_ESTIMATE, /* ~ from samples */
	MARK_AT_LEAST, /* ≥ a lower bound */
	MARK_WRONG,    /* ! the books do not balance */
};

/* Text, cut with an ellipsis where it is too long; right: its end at the pen's end. */
void draw_left(const struct pen *pen, const char *text);
void draw_right(const struct pen *pen, const char *text);

/* Not known, or not applicable: an en dash on the right, dim. */
void draw_unknown(const struct pen *pen);

/*
 * Numbers on the right, with their mark before them; zero is dim unless the
 * pen's role says more than ROLE_TEXT.  Decimals go when the pen is narrow.
 */
void draw_count(const struct pen *pen, uint64_t count, enum mark mark);
void draw_rate(const struct pen *pen, double rate, enum mark mark);

/* As the two above, for clocks: 1.25s of time instead of occurrences. */
void draw_time(const struct pen *pen, uint64_t ns, enum mark mark);
void draw_time_rate(const struct pen *pen, double ns_per_second, enum mark mark);

/* 1,203,118: exact, for books that are to be checked.  Returns `out`. */
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

/* One in so many: "all" for 1, "1/256", "~1/4.1k". */
void draw_one_in(const struct pen *pen, uint64_t many, enum mark mark);

/* "+4%", "×3.1" on the right; strong when it is a big change. */
void draw_change(const struct pen *pen, double before, double now);

/* Whether a rate moved so much that the eye should be drawn to it. */
bool draw_is_big_change(double before, double now);

/* 12.3% of a share of 0..1, on the right; negative is unknown. */
void draw_share(const struct pen *pen, double share, enum mark mark);

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

/* "›", "▸", "–" and their like, or what stands for them in ASCII. */
enum glyph { GLYPH_INTO, GLYPH_CURSOR, GLYPH_DASH, GLYPH_UP, GLYPH_DOWN, GLYPH_RULE };
const char *draw_glyph(enum glyph glyph, bool is_ascii);

#endif
