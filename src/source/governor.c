/* SPDX-License-Identifier: MIT */
#include "source/governor.h"

#include <math.h>

/* What samples may cost in any case, as a part of the budget. */
#define SAMPLES_LEAST 0.25
/* A part of what samples may cost; twice as much is still clearly within it. */
#define LITTLE 0.33
/* For how long samples must cost too much, or little. */
#define OVER_S		2.0
#define PATIENCE_S	5.0
#define PATIENCE_MOST_S 160.0

/* No event of a CPU has more: with as many there is no limit. */
#define MOST (1u << 20)

void governor_init(struct governor *governor, double budget)
{
	*governor = (struct governor){ .budget = budget,
				       .limit = GOVERNOR_NO_LIMIT,
				       .patience_s = PATIENCE_S,
				       .raised_s = INFINITY };
}

/* What samples may cost, beside all else. */
static double allowance(const struct governor *governor, const struct snap_self *self)
{
	double rest = fmax(self->cpu, 0) + self->counting + self->switching;

	return fmax(governor->budget - rest, governor->budget * SAMPLES_LEAST);
}

/* The largest power of 2 up to `share` of the samples, less than these; 0 below 1. */
static uint32_t lower(const struct governor *governor, const struct governor_samples *samples,
		      double share)
{
	double from = fmin(fmin(governor->limit, samples->asked), samples->busiest);
	uint32_t limit = 1;

	if (from <= 1 || share * from < 1)
		return 0;
	while (limit * 2.0 <= share * from && limit * 2.0 < from)
		limit *= 2;
	return limit;
}

static uint32_t raise(const struct governor *governor, uint32_t asked)
{
	uint32_t most = asked < MOST ? asked : MOST;

	if (governor->limit == 0)
		return 1;
	return governor->limit < most / 2 ? governor->limit * 2 : GOVERNOR_NO_LIMIT;
}

static void step_down(struct governor *governor, const struct governor_samples *samples,
		      double share)
{
	governor->limit = lower(governor, samples, share);
	if (governor->raised_s < governor->patience_s)
		governor->patience_s = fmin(governor->patience_s * 2, PATIENCE_MOST_S);
	else
		governor->patience_s = PATIENCE_S;
	governor->raised_s = INFINITY;
}

bool governor_tick(struct governor *governor, const struct snap_self *self,
		   const struct governor_samples *samples, double interval_s)
{
	double most = allowance(governor, self);
	bool is_over = self->sampling > most && governor->limit > 0;
	bool is_under = self->sampling < most * LITTLE && governor->limit != GOVERNOR_NO_LIMIT;

	if (governor->budget <= 0 || samples->asked == 0 || self->sampling < 0)
		return false;
	governor->over_s = is_over ? governor->over_s + interval_s : 0;
	governor->under_s = is_under ? governor->under_s + interval_s : 0;
	governor->raised_s += interval_s;
	if (governor->over_s >= OVER_S) {
		step_down(governor, samples, most / self->sampling);
	} else if (governor->under_s >= governor->patience_s) {
		governor->limit = raise(governor, samples->asked);
		governor->raised_s = 0;
	} else {
		return false;
	}
	governor->over_s = governor->under_s = 0;
	return true;
}
