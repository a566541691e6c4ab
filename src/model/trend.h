/* SPDX-License-Identifier: MIT */
/*
 * trend - the last minute of a rate, a value a second whatever the interval.
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include <stddef.h>

#define TREND_SECONDS 60

struct trend {
	float values[TREND_SECONDS]; /* a ring; negative: unknown */
	unsigned int next, count;
	/* Of a second that is not over: its events, its length, and how much of that is known. */
	double pending_events, pending_s, known_s;
};

/* `seconds` have passed at `rate` a second (negative: unknown). */
void trend_add(struct trend *trend, double rate, double seconds);

/* Copy the values, oldest first: how many. */
size_t trend_copy(const struct trend *trend, float out[TREND_SECONDS]);

#endif
