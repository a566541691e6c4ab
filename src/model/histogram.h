/* SPDX-License-Identifier: MIT */
/*
 * histogram - how often a time of each length occurred.
 *
 * Each doubling has HISTOGRAM_STEPS buckets, so a quantile is off by at most a quarter of its value;
 * the longest time is exact.  Times of less than 512 ns share one bucket, those above 68 s another.
 */
#ifndef MODEL_HISTOGRAM_H
#define MODEL_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_LEAST	  9 /* log2 of the ns below which one bucket holds all */
#define HISTOGRAM_STEPS	  4
#define HISTOGRAM_OCTAVES 28 /* the first is all below 2^HISTOGRAM_LEAST ns */
#define HISTOGRAM_BUCKETS (1 + (HISTOGRAM_OCTAVES - 1) * HISTOGRAM_STEPS)

struct histogram {
	uint64_t count;	 /* sum of the buckets */
	uint64_t max_ns; /* the longest */
	uint32_t buckets[HISTOGRAM_BUCKETS];
};

/* Add a time that stands for `weight` of them. */
void histogram_add(struct histogram *histogram, uint64_t ns, uint32_t weight);

/* Add all of another one. */
void histogram_sum(struct histogram *histogram, const struct histogram *other);

/* The time that `quantile` (0..1) of them did not exceed; 0 when there are none. */
uint64_t histogram_quantile(const struct histogram *histogram, double quantile);

/* Of [HISTOGRAM_OCTAVES] doublings: out[i] is from 2^(HISTOGRAM_LEAST + i - 1) ns. */
void histogram_octaves(const struct histogram *histogram, uint64_t out[HISTOGRAM_OCTAVES]);

#endif
