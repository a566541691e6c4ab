/* SPDX-License-Identifier: MIT */
/*
 * palette - maps the colours of a theme to those of the terminal.
 */
#ifndef UI_PALETTE_H
#define UI_PALETTE_H

#include <stdint.h>

/*
 * The number of a colour of ui/theme.h on a terminal with `colours` colours (terminfo's
 * max_colors), or of the nearest that it has; -1: its default.
 */
int palette_colour(int32_t colour, int colours);

/* The 0xrrggbb of a colour of ui/theme.h that is not COLOUR_DEFAULT, as xterm has it. */
int32_t palette_rgb(int32_t colour);

#endif
