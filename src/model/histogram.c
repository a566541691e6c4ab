/* SPDX-License-Identifier: MIT */
#include "model/histogram.h"

#include <math.h>

static size_t bucket_of(uint64_t ns)
{
	if (ns >> HISTOGRAM_LEAST == 0)
		return 0;

	size_t octave = 63 - (size_t)__builtin_clzll(ns);
	size_t step = ns >> (octave - 2) & (HISTOGRAM_STEPS - 1);
	size_t bucket = 1 + (octave - HISTOGRAM_LEAST) * HISTOGRAM_STEPS + step;

	return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

/* The shortest time of a bucket. */
static double least_ns(size_t bucket)
{
	if (bucket == 0)
		return 0;
	size_t octave = (bucket - 1) / HISTOGRAM_STEPS, step = (bucket - 1) % HISTOGRAM_STEPS;
	return ldexp(1 + (double)step / HISTOGRAM_STEPS, (int)(HISTOGRAM_LEAST + octave));
}

static void add(struct histogram *histogram, size_t bucket, uint32_t weight)
{
	uint32_t room = UINT32_MAX - histogram->buckets[bucket];

	if (weight > room)
		weight = room;
	histogram->buckets[bucket] += weight;
	histogram->count += weight;
}

void histogram_add(struct histogram *histogram, uint64_t ns, uint32_t weight)
{
	add(histogram, bucket_of(ns), weight);
	if (ns > histogram->max_ns)
		histogram->max_ns = ns;
}

void histogram_sum(struct histogram *histogram, const struct histogram *other)
{
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		add(histogram, i, other->buckets[i]);
	if (other->max_ns > histogram->max_ns)
		histogram->max_ns = other->max_ns;
}

/* Evenly distributed in its bucket. */
uint64_t histogram_quantile(const struct histogram *histogram, double quantile)
{
	double rank = ceil(quantile * (double)histogram->count), before = 0;
	size_t bucket = 0;

	while (bucket + 1 < HISTOGRAM_BUCKETS && before + histogram->buckets[bucket] < rank)
		before += histogram->buckets[bucket++];
	if (histogram->buckets[bucket] == 0)
		return 0;

	double from = least_ns(bucket);
	double to = bucket + 1 < HISTOGRAM_BUCKETS ? least_ns(bucket + 1) :
						     (double)histogram->max_ns;
	double ns = from + (to - from) * (rank - before) / histogram->buckets[bucket];
	return ns < (double)histogram->max_ns ? (uint64_t)ns : histogram->max_ns;
}

void histogram_octaves(const struct histogram *histogram, uint64_t out[HISTOGRAM_OCTAVES])
{
	out[0] = histogram->buckets[0];
	for (size_t i = 1; i < HISTOGRAM_OCTAVES; i++)
		out[i] = 0;
	for (size_t i = 1; i < HISTOGRAM_BUCKETS; i++)
		out[1 + (i - 1) / HISTOGRAM_STEPS] += histogram->buckets[i];
}
