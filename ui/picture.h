/* SPDX-License-Identifier: MIT */
/*
 * picture - the screen as an SVG image, in a theme's colours.
 *
 * Needs no font but any monospaced one: each word has its place and width in the
 * grid, and bars are drawn as rectangles.
 */
#ifndef UI_PICTURE_H
#define UI_PICTURE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "ui/canvas.h"
#include "ui/theme.h"

/* Append the whole image, on the background of theme->terminal. */
void picture_svg(const struct canvas *canvas, const struct theme *theme, struct strbuf *out);

/* Whether a file of this name is to have the image: NAME.svg. */
bool picture_is_name(const char *name);

/* Append what a file of this name is to have: the image, else the screen as text. */
void picture_or_text(const char *name, const struct canvas *canvas, const struct theme *theme,
		     struct strbuf *out);

#endif
