/* SPDX-License-Identifier: MIT */
/*
 * palette - colours as people name them, in what a terminal has of them.
 */
#ifndef UI_PALETTE_H
#define UI_PALETTE_H

#include <stdint.h>

/*
 * What a terminal of so many colours (terminfo's max_colors) calls a colour of ui/theme.h; -1: its
 * default.  What it does not have is the nearest that it has.
 */
int palette_colour(int32_t colour, int colours);

#endif
