/* SPDX-License-Identifier: MIT */
/*
 * canvas - the screen as a grid of cells: text and a role, never a colour.
 *
 * Views draw here; screen.c puts it on a terminal, canvas_text() into a file.
 * Drawing outside of the grid is clipped, so a view is safe without checking
 * sizes.  All text passes through text_safe() before it is stored in cells.
 */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "ui/spots.h"

struct keymap;

/* Meanings, not colours; a theme gives each one its look. */
enum role {
	ROLE_TEXT,
	ROLE_DIM,      /* zeros, what is off or failed */
	ROLE_HEAD,     /* column heads, titles */
	ROLE_SELECTED, /* the row under the cursor */
	ROLE_GOOD,
	ROLE_WARN,   /* lower bounds, estimates that matter */
	ROLE_BAD,    /* loss, throttling, errors: reversed or underlined as well */
	ROLE_KEY,    /* a key in the help line */
	ROLE_STRONG, /* changed much in this interval */
	ROLE_HEAT1,  /* bars and heat, from calm to hot */
	ROLE_HEAT2,
	ROLE_HEAT3,
	ROLE_HEAT4,
	ROLE_HEAT5,
	ROLE_COUNT
};

#define CELL_BYTES \
	16 /* one character with its combining marks, terminated; more marks are dropped */

struct canvas_cell {
	char text[CELL_BYTES]; /* "" for the right half of a wide character */
	unsigned char role;
};

struct canvas {
	int columns, lines;
	struct canvas_cell *cells; /* [lines * columns], row by row */
	int cursor_x, cursor_y;	   /* where the terminal's cursor goes; -1: hidden */
	struct spots spots;	   /* what can be clicked; canvas_reset() forgets them */
	const struct keymap *keys; /* those that text on it may name (ui/keys.h, borrowed) */
};

/*
 * Larger sizes are clamped: a terminal that claims 65535x65535 (TIOCSWINSZ
 * accepts it) must not cost 70 GB.  The limit of lines exceeds any terminal's,
 * because whole tables are saved through a canvas.
 */
#define CANVAS_MAX	 1000
#define CANVAS_MAX_LINES 20000

/* Allocate it, all blank; and free its memory. */
void canvas_init(struct canvas *canvas, int columns, int lines);
void canvas_fini(struct canvas *canvas);

/* Blank it, at a new size (at least 1x1). */
void canvas_reset(struct canvas *canvas, int columns, int lines);

/*
 * Put text at (x, y), at most `width` cells of it (-1: to the edge), and return
 * the column after it.  Passes the text through text_safe().
 */
int canvas_put(struct canvas *canvas, int x, int y, int width, enum role role, const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, int width, enum role role,
		  const char *format, ...) __attribute__((format(printf, 6, 7)));

/* As canvas_put, with the text's end at column x + width - 1. */
void canvas_put_right(struct canvas *canvas, int x, int y, int width, enum role role,
		      const char *text);

/* Give `width` cells another role, and leave their text. */
void canvas_paint(struct canvas *canvas, int x, int y, int width, enum role role);

/* The cells of line y, which must be within the grid. */
const struct canvas_cell *canvas_line(const struct canvas *canvas, int y);

/* The grid as text, a line each, trailing blanks cut. */
void canvas_text(const struct canvas *canvas, struct strbuf *out);

#endif
