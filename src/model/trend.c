/* SPDX-License-Identifier: MIT */
#include "model/trend.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "model/snapshot.h"

/* Whether the values are unknown and then 0, as counted by count_end(). */
static bool has_flattened(const struct trend *trend)
{
	return trend->zeros + trend->unknowns >= trend->count;
}

/* After one more value. */
static void count_end(struct trend *trend, double value)
{
	if (value == 0) {
		if (trend->zeros < TREND_SECONDS)
			trend->zeros++;
		return;
	}
	if (value > 0 || trend->zeros > 0)
		trend->unknowns = 0;
	if (value < 0)
		trend->unknowns++;
	trend->zeros = 0;
}

/* Of a flat trend: unknown values, and then zeros. */
static float flat_value(const struct trend *trend, unsigned int age)
{
	return age <= trend->zeros ? 0 : (float)RATE_UNKNOWN;
}

/* Of the ring; `age` of the newest is 1. */
static float ring_value(const struct trend *trend, unsigned int age)
{
	return trend->values[(trend->next + TREND_SECONDS - age) % TREND_SECONDS];
}

static float value_at(const struct trend *trend, unsigned int age)
{
	return trend->values != NULL ? ring_value(trend, age) : flat_value(trend, age);
}

/* Give a flat trend its ring, before a value that ends this. */
static void make_ring(struct trend *trend)
{
	trend->values = xcalloc(TREND_SECONDS, sizeof(*trend->values));
	for (unsigned int i = 0; i < trend->count; i++)
		trend->values[i] = flat_value(trend, trend->count - i);
	trend->next = trend->count % TREND_SECONDS;
}

static void push(struct trend *trend, double value)
{
	bool stays_flat = value == 0 || (value < 0 && trend->zeros == 0);

	if (trend->values == NULL && !stays_flat)
		make_ring(trend);
	if (trend->values != NULL) {
		trend->values[trend->next] = (float)value;
		trend->next = (trend->next + 1) % TREND_SECONDS;
	}
	if (trend->count < TREND_SECONDS)
		trend->count++;
	count_end(trend, value);
	if (trend->values != NULL && has_flattened(trend)) {
		free(trend->values);
		trend->values = NULL;
	}
}

void trend_fini(struct trend *trend)
{
	free(trend->values);
	*trend = (struct trend){ 0 };
}

void trend_add(struct trend *trend, double rate, double seconds)
{
	trend->pending_s += seconds;
	if (rate >= 0) {
		trend->pending_events += rate * seconds;
		trend->known_s += seconds;
	}

	/* 50 ms of slack: ticks come some ms early or late. */
	double over = floor(trend->pending_s + 0.05);
	if (over < 1)
		return;

	/* A value is unknown when at least half of its time is. */
	bool is_known = trend->known_s > trend->pending_s / 2;
	double value = is_known ? fmax(trend->pending_events / trend->known_s, 0) : RATE_UNKNOWN;
	for (int i = 0; i < TREND_SECONDS && i < over; i++)
		push(trend, value);
	/* The rest belongs to the next value; it can be a few ms negative, and its events too. */
	trend->pending_s -= over;
	trend->known_s = is_known ? trend->pending_s : 0;
	trend->pending_events = is_known ? value * trend->pending_s : 0;
}

bool trend_is_flat(const struct trend *trend)
{
	return trend->values == NULL;
}

size_t trend_copy(const struct trend *trend, float *out)
{
	for (unsigned int i = 0; i < trend->count; i++)
		out[i] = value_at(trend, trend->count - i);
	return trend->count;
}

bool trend_mean(const struct trend *trend, unsigned int seconds, struct trend_mean *out)
{
	unsigned int most = seconds < trend->count ? seconds : trend->count;
	double squares = 0;

	*out = (struct trend_mean){ 0 };
	/* Zeros alone, as of most events when there are many. */
	if (trend->zeros >= most) {
		out->count = most;
		return most >= 3;
	}
	/* Welford's algorithm. */
	for (unsigned int age = 1; age <= most; age++) {
		double value = value_at(trend, age);
		double away = value - out->mean;

		if (value < 0)
			continue;
		out->mean += away / ++out->count;
		squares += away * (value - out->mean);
	}
	if (out->count < 3)
		return false;
	out->variance = squares / (out->count - 1);
	return true;
}
