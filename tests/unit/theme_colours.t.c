/* SPDX-License-Identifier: MIT */
/*
 * Whether the colours of the themes can be read and told apart.
 *
 * Contrast: WCAG 2.1, 1.4.3 (4.5:1) and 1.4.6 (7:1); dim text is not needed to read the screen, 3:1.
 * Difference: CIE 1976, where 2.3 is just noticeable, also as seen without one kind of cones, by the
 * matrices of Machado, Oliveira and Fernandes (2009), severity 1.
 */
#include "ui/theme.h"

#include "tap.h"
#include "ui/palette.h"

#include <math.h>
#include <stdio.h>

#define HEAT_DIFFERENCE	  12.0
#define STATUS_DIFFERENCE 25.0

static const char *const dirs[] = { "themes", NULL };

static const enum role heats[] = { ROLE_HEAT1, ROLE_HEAT2, ROLE_HEAT3, ROLE_HEAT4, ROLE_HEAT5 };
static const enum role statuses[] = { ROLE_GOOD, ROLE_WARN, ROLE_BAD };

static struct theme theme;

static void load(const char *name)
{
	char error[256];

	if (theme_load(name, dirs, &theme, error, sizeof(error)) != 0)
		bail("%s", error);
}

/* --- colours -------------------------------------------------------------------------------- */

enum { NORMAL, NO_RED, NO_GREEN, NO_BLUE, VISIONS };

static const struct {
	const char *name;
	double matrix[3][3];
} visions[VISIONS] = {
	{ "all cones", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
	{ "no red cones",
	  { { 0.152286, 1.052583, -0.204868 },
	    { 0.114503, 0.786281, 0.099216 },
	    { -0.003882, -0.048116, 1.051998 } } },
	{ "no green cones",
	  { { 0.367322, 0.860646, -0.227968 },
	    { 0.280085, 0.672501, 0.047413 },
	    { -0.011820, 0.042940, 0.968881 } } },
	{ "no blue cones",
	  { { 1.255528, -0.076749, -0.178779 },
	    { -0.078411, 0.930809, 0.147602 },
	    { 0.004733, 0.691367, 0.303900 } } },
};

struct colour {
	double part[3]; /* linear red, green, blue; or L*, a*, b* */
};

static double linear(int value)
{
	double part = value / 255.0;

	return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static struct colour colour_of(int32_t number)
{
	int32_t rgb = palette_rgb(number);

	return (struct colour){ { linear(rgb >> 16), linear(rgb >> 8 & 255), linear(rgb & 255) } };
}

static struct colour seen(struct colour colour, int vision)
{
	struct colour out;

	for (int row = 0; row < 3; row++) {
		double sum = 0;

		for (int i = 0; i < 3; i++)
			sum += visions[vision].matrix[row][i] * colour.part[i];
		out.part[row] = fmin(1, fmax(0, sum));
	}
	return out;
}

static double luminance(struct colour colour)
{
	return 0.2126 * colour.part[0] + 0.7152 * colour.part[1] + 0.0722 * colour.part[2];
}

static double lab_part(double ratio)
{
	return ratio > 0.008856 ? cbrt(ratio) : 7.787 * ratio + 16.0 / 116;
}

static struct colour lab_of(struct colour rgb)
{
	const double *part = rgb.part;
	double x = lab_part((0.4124 * part[0] + 0.3576 * part[1] + 0.1805 * part[2]) / 0.95047);
	double y = lab_part(luminance(rgb));
	double z = lab_part((0.0193 * part[0] + 0.1192 * part[1] + 0.9505 * part[2]) / 1.08883);

	return (struct colour){ { 116 * y - 16, 500 * (x - y), 200 * (y - z) } };
}

static double difference(int32_t one, int32_t other, int vision)
{
	struct colour a = lab_of(seen(colour_of(one), vision));
	struct colour b = lab_of(seen(colour_of(other), vision));

	return sqrt(pow(a.part[0] - b.part[0], 2) + pow(a.part[1] - b.part[1], 2) +
		    pow(a.part[2] - b.part[2], 2));
}

static double contrast(int32_t one, int32_t other)
{
	double a = luminance(colour_of(one)), b = luminance(colour_of(other));

	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* --- a theme's looks ------------------------------------------------------------------------ */

static int32_t text_of(enum role role)
{
	int32_t text = theme.looks[THEME_256][role].text;

	return text != COLOUR_DEFAULT ? text : theme.terminal.text;
}

static int32_t background_of(enum role role)
{
	int32_t background = theme.looks[THEME_256][role].background;

	return background != COLOUR_DEFAULT ? background : theme.terminal.background;
}

static void check_contrast(const char *name, double needed, double of_dim)
{
	load(name);
	for (enum role role = 0; role < ROLE_COUNT; role++) {
		double is = contrast(text_of(role), background_of(role));

		ok(is >= (role == ROLE_DIM ? of_dim : needed), "%s: role %u has a contrast of %.1f",
		   name, (unsigned int)role, is);
	}
}

static void check_apart(const char *name, const enum role *roles, size_t count, double needed,
			int vision)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t k = i + 1; k < count; k++) {
			double is = difference(text_of(roles[i]), text_of(roles[k]), vision);

			ok(is >= needed, "%s: roles %u and %u differ by %.0f with %s", name,
			   (unsigned int)roles[i], (unsigned int)roles[k], is,
			   visions[vision].name);
		}
	}
}

static void check_visions(const char *name)
{
	load(name);
	for (int vision = 0; vision < VISIONS; vision++) {
		check_apart(name, heats, 5, HEAT_DIFFERENCE, vision);
		check_apart(name, statuses, 3, STATUS_DIFFERENCE, vision);
	}
}

/* Its text can be read on any terminal, whatever its own background is. */
static void check_backgrounds(const char *name)
{
	load(name);
	for (int depth = 0; depth < THEME_DEPTHS; depth++) {
		for (enum role role = 0; role < ROLE_COUNT; role++) {
			const struct look *look = &theme.looks[depth][role];

			ok(look->text != COLOUR_DEFAULT && look->background != COLOUR_DEFAULT,
			   "%s: role %u brings both colours", name, (unsigned int)role);
		}
	}
}

int main(void)
{
	static const char *const coloured[] = { "dark", "light", "high-contrast" };

	plan_lazy();
	ok(fabs(contrast(16, 231) - 21) < 0.01, "black and white: the largest contrast");
	ok(difference(16, 231, NORMAL) > 99.9 && difference(160, 160, NO_RED) < 0.1,
	   "the largest difference, and none");
	ok(difference(160, 64, NORMAL) > 80 && difference(160, 64, NO_GREEN) < 25,
	   "red and green are alike without green cones");
	check_contrast("dark", 4.5, 3);
	check_contrast("light", 4.5, 3);
	check_contrast("mono", 4.5, 3);
	check_contrast("colour-blind", 4.5, 3);
	check_contrast("colour-blind-light", 4.5, 3);
	check_contrast("high-contrast", 7, 7);
	check_backgrounds("high-contrast");
	for (size_t i = 0; i < sizeof(coloured) / sizeof(coloured[0]); i++) {
		load(coloured[i]);
		check_apart(coloured[i], heats, 5, HEAT_DIFFERENCE, NORMAL);
		check_apart(coloured[i], statuses, 3, STATUS_DIFFERENCE, NORMAL);
	}
	check_visions("colour-blind");
	check_visions("colour-blind-light");
	return done();
}
