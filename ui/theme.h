/* SPDX-License-Identifier: MIT */
/*
 * theme - a look for each role, read from a small data file.
 *
 *     # comment
 *     role[@colours] = [colour][/background] [bold] [underline] [reverse] [dim]
 *
 * Colours: default, the eight ANSI names, "bright-NAME", 0-255, #rrggbb (shown
 * as the nearest that the terminal has).  A role with @16 is for terminals of
 * 16 to 255 colours, one with @8 for those with fewer than 256 that have no @16;
 * a terminal with fewer than 8 gets mono.  Only whole lines are comments.  Roles
 * that are not named look as in mono, so loss is visible in any theme.  A file
 * is read with limits (64 KiB, regular file); a bad line is an error that names
 * file, line and reason.
 *
 *     terminal = colour/background
 *
 * says which terminal the theme is made for; only pictures are drawn in these.
 */
#ifndef UI_THEME_H
#define UI_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/canvas.h"

#define COLOUR_DEFAULT (-1)
#define COLOUR_RGB     (1 << 24) /* or-ed with 0xrrggbb */

struct look {
	int32_t text, background; /* COLOUR_DEFAULT, 0..255, or COLOUR_RGB|rgb */
	bool is_bold, is_underlined, is_reversed, is_dim;
};

/* What a terminal can show: a look for each is read, or taken from the one before it. */
enum theme_depth {
	THEME_256,
	THEME_16,
	THEME_8,
	THEME_DEPTHS,
};

struct theme {
	char name[32];
	struct look looks[THEME_DEPTHS][ROLE_COUNT];
	struct look terminal; /* what default is in a picture: neither is COLOUR_DEFAULT */
};

/* The depth for a terminal with `colours` colours, at least 8. */
enum theme_depth theme_depth(int colours);

/* No colours at all, only bold, underline, reverse, dim: needs no file. */
void theme_mono(struct theme *theme);

/* Parse a theme's text: 0, or -1 and one line in `error`. */
int theme_parse(const char *name, const char *text, struct theme *theme, char *error, size_t room);

/*
 * Find NAME.theme in the directories given (NULL-terminated list) and parse it.  "mono" needs no
 * file.  -1 and one line in `error`, which lists the themes there are.
 */
int theme_load(const char *name, const char *const *dirs, struct theme *theme, char *error,
	       size_t room);

/* The name after `name` among the sorted themes in dirs, the first after the last. */
void theme_next(const char *name, const char *const *dirs, char *next, size_t room);

#endif
