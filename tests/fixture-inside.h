/* SPDX-License-Identifier: MIT */
/*
 * fixture-inside - what fixture.c, fixture-many.c and fixture-rest.c share.
 */
#ifndef FIXTURE_INSIDE_H
#define FIXTURE_INSIDE_H

#include "fixture.h"

/* Of an event that nobody is known to have made; of a row of one task. */
#define NOBODY	 .most_by_tid = -1, .most_by_born = RATE_UNKNOWN, .most_share = RATE_UNKNOWN
#define ONE_TASK .ntasks = 1, .born = RATE_UNKNOWN

/* No slices or waits. */
#define NO_SPAN                                                               \
	{                                                                     \
		.p50 = RATE_UNKNOWN, .p99 = RATE_UNKNOWN, .max = RATE_UNKNOWN \
	}

/* A new snapshot with its head. */
struct snapshot *fixture_head(void);

/* A trend that ends at the rate. */
const float *fixture_trend(struct snapshot *snap, double rate, size_t *ntrend);

/* How long tasks were on a CPU and waited. */
void fixture_add_spans(struct snapshot *snap);

/* Symbols of two of the fixture's events. */
void fixture_add_symbols(struct snapshot *snap);

/* Throttling, notes, sums of switches, our own cost. */
void fixture_add_rest(struct snapshot *snap);

#endif
