/* SPDX-License-Identifier: MIT */
#include "ui/palette.h"

#include "ui/theme.h"

#include <stdbool.h>

#define COLOURS_DIRECT (1 << 24)

/* xterm's first sixteen; a user's may differ, but an approximation is enough. */
static const int32_t ansi_rgb[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

/* The 256 are sixteen, a cube of 6x6x6, and 24 greys. */
int32_t palette_rgb(int32_t colour)
{
	static const int32_t steps[] = { 0, 95, 135, 175, 215, 255 };

	if (colour & COLOUR_RGB)
		return colour & 0xffffff;
	if (colour < 16)
		return ansi_rgb[colour];
	if (colour >= 232)
		return (8 + (colour - 232) * 10) * 0x010101;
	int32_t index = colour - 16;
	return steps[index / 36] << 16 | steps[index / 6 % 6] << 8 | steps[index % 6];
}

static long distance(int32_t a, int32_t b)
{
	long red = (a >> 16 & 255) - (b >> 16 & 255);
	long green = (a >> 8 & 255) - (b >> 8 & 255);
	long blue = (a & 255) - (b & 255);

	/* The eye is most sensitive to green and least to blue. */
	return 3 * red * red + 6 * green * green + blue * blue;
}

static bool is_grey(int32_t rgb)
{
	return (rgb >> 16 & 255) == (rgb >> 8 & 255) && (rgb >> 8 & 255) == (rgb & 255);
}

/* For a grey the nearest grey: among eight colours yellow is nearer to 0x808080 than white. */
static int32_t nearest(int32_t rgb, int32_t first, int32_t count)
{
	int32_t best = -1;

	for (int32_t i = first; i < count; i++) {
		if (is_grey(rgb) && !is_grey(palette_rgb(i)))
			continue;
		if (best < 0 || distance(rgb, palette_rgb(i)) < distance(rgb, palette_rgb(best)))
			best = i;
	}
	return best;
}

int palette_colour(int32_t colour, int colours)
{
	if (colour == COLOUR_DEFAULT)
		return -1;

	bool is_rgb = colour & COLOUR_RGB;
	int32_t rgb = palette_rgb(colour);
	if (colours >= COLOURS_DIRECT) {
		/* With direct colour the first eight numbers are ANSI's and all others are RGB. */
		if (!is_rgb && colour < 8)
			return colour;
		return rgb < 8 ? 0 : rgb;
	}
	if (!is_rgb && colour < colours)
		return colour;
	/* The user may have redefined the first sixteen; those above are exact. */
	return colours >= 256 ? nearest(rgb, 16, 256) : nearest(rgb, 0, colours >= 16 ? 16 : 8);
}
