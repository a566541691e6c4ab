/* SPDX-License-Identifier: MIT */
#include "model/trend.h"

static void push(struct trend *trend, double value)
{
	trend->values[trend->next] = (float)value;
	trend->next = (trend->next + 1) % TREND_SECONDS;
	if (trend->count < TREND_SECONDS)
		trend->count++;
}

void trend_add(struct trend *trend, double rate, double seconds)
{
	if (rate < 0) {
		/* Unknown is remembered as such only when it lasts. */
		if (seconds >= 1)
			push(trend, -1);
		return;
	}
	trend->pending_events += rate * seconds;
	trend->pending_s += seconds;
	/* A little slack: ticks come some ms early or late. */
	if (trend->pending_s < 0.95)
		return;

	double value = trend->pending_events / trend->pending_s;
	for (int i = 0; i < TREND_SECONDS && trend->pending_s >= 0.95; i++, trend->pending_s -= 1)
		push(trend, value);
	/* What is over of the last second belongs to the next value (it may be a few ms negative). */
	trend->pending_events = value * trend->pending_s;
}

size_t trend_copy(const struct trend *trend, float out[TREND_SECONDS])
{
	unsigned int first = (trend->next + TREND_SECONDS - trend->count) % TREND_SECONDS;

	for (unsigned int i = 0; i < trend->count; i++)
		out[i] = trend->values[(first + i) % TREND_SECONDS];
	return trend->count;
}
