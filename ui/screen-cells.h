/* SPDX-License-Identifier: MIT */
/*
 * screen-cells - a canvas's cells as curses has them.
 *
 * For screen.c, in its thread.
 */
#ifndef UI_SCREEN_CELLS_H
#define UI_SCREEN_CELLS_H

#include <curses.h>
#include <stdbool.h>

#include "ui/canvas.h"

/* Printable ASCII. */
#define PLAIN_FIRST ' '
#define PLAIN_COUNT ('~' - ' ' + 1)

struct screen_cells {
	bool is_utf8; /* the terminal shows it */
	attr_t attributes[ROLE_COUNT];
	short pairs[ROLE_COUNT];		/* the colour pair of curses; 0: none */
	cchar_t plain[ROLE_COUNT][PLAIN_COUNT]; /* made one time: most cells are such */
};

/* How a role looks. */
void screen_cells_look(struct screen_cells *cells, enum role role, attr_t attributes, short pair);

/*
 * Put what of `canvas` differs from `shown`, of the same size, or all of it, into stdscr and into
 * `shown`.  Whether anything did.
 */
bool screen_cells_put(const struct screen_cells *cells, const struct canvas *canvas,
		      struct canvas *shown, bool is_all);

#endif
