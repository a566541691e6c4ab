/* SPDX-License-Identifier: MIT */
/*
 * trend - the last minute of a rate, one value per second at any interval.
 *
 * Most of many events have not occurred for a minute: such a flat trend has no array of values.
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include <stdbool.h>
#include <stddef.h>

#define TREND_SECONDS 60

struct trend {
	float *values;	   /* [TREND_SECONDS], owned: a ring, negative: unknown; NULL: it is flat */
	unsigned int next; /* of the ring */
	unsigned int count;
	/* So many of the newest values are 0, and so many before these unknown. */
	unsigned int zeros, unknowns;
	/* The unfinished second: events, length, and the part of it with a known rate. */
	double pending_events, pending_s, known_s;
};

/* Free the values; the trend is then an empty one, as one of zero bytes is. */
void trend_fini(struct trend *trend);

/* Add `seconds` at `rate` events per second (negative: unknown). */
void trend_add(struct trend *trend, double rate, double seconds);

/* Mean and variance of the newest values. */
struct trend_mean {
	double mean, variance;
	unsigned int count; /* of known values */
};

/* Of the last `seconds` finished ones: false if fewer than three of these are known. */
bool trend_mean(const struct trend *trend, unsigned int seconds, struct trend_mean *out);

/* Whether all its values are 0, or unknown and then 0: all with as many zeros are then the same. */
bool trend_is_flat(const struct trend *trend);

/* Copy the values into `out` [trend->count], oldest first; returns how many. */
size_t trend_copy(const struct trend *trend, float *out);

#endif
