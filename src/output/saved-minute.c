/* SPDX-License-Identifier: MIT */
#include "output/saved-minute.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE 1000.0
#define MOST  1e15

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

#define STEPS ((double)sizeof(digits) - 2)

/* Only 0 is "0". */
static char digit_of(double value, double most)
{
	if (!(value > 0))
		return value == 0 ? digits[0] : '-';
	return digits[lround(fmax(1, fmin(value, most) / most * STEPS))];
}

char *saved_minute_text(char out[SAVED_MINUTE_MAX], const float *trend)
{
	float top = 0;
	double most;
	int len;

	out[0] = '\0';
	if (trend == NULL)
		return out;
	/* Of floats: gcc 12.2 for arm64 ends with an internal error on fmax() of floats as doubles. */
	for (size_t i = 0; i < SNAP_TREND_MAX; i++)
		top = fmaxf(top, trend[i]);
	most = fmin((double)top, MOST);
	len = snprintf(out, SAVED_MINUTE_MAX, "%" PRIu64 ":", (uint64_t)llround(most * SCALE));
	for (size_t i = 0; i < SNAP_TREND_MAX; i++)
		out[len++] = digit_of((double)trend[i], most);
	out[len] = '\0';
	return out;
}

bool saved_minute_read(const char *text, float trend[SNAP_TREND_MAX])
{
	char *at;
	double most = (double)strtoull(text, &at, 10) / SCALE;

	if (at == text || *at != ':' || strlen(at + 1) != SNAP_TREND_MAX)
		return false;
	for (size_t i = 0; i < SNAP_TREND_MAX; i++) {
		const char *digit = strchr(digits, at[1 + i]);

		trend[i] = digit != NULL ? (float)((double)(digit - digits) / STEPS * most) :
					   (float)RATE_UNKNOWN;
	}
	return true;
}
