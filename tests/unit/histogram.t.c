/* SPDX-License-Identifier: MIT */
#include "model/histogram.h"

#include "tap.h"

#include <math.h>
#include <stdlib.h>

static struct histogram histogram;

static void clear(void)
{
	histogram = (struct histogram){ 0 };
}

static void check_few(void)
{
	clear();
	is_u64(histogram_quantile(&histogram, 0.5), 0, "none: 0");
	histogram_add(&histogram, 3000, 1);
	is_u64(histogram_quantile(&histogram, 0.5), 3000, "of one time it is that");
	is_u64(histogram_quantile(&histogram, 1), 3000, "always");
	histogram_add(&histogram, 900000, 99);
	is_u64(histogram.count, 100, "a weight counts as so many");
	ok(histogram_quantile(&histogram, 0.01) <= 3072, "the shortest of a hundred");
	is_u64(histogram_quantile(&histogram, 1), 900000, "the longest is exact");
}

/* A bucket is a quarter of its doubling at most. */
static void check_error(void)
{
	double worst = 0;

	for (uint64_t ns = 513; ns < 60000000000; ns += ns / 70) {
		clear();
		histogram_add(&histogram, ns, 1);
		histogram_add(&histogram, UINT64_MAX, 1);
		worst = fmax(worst,
			     fabs((double)histogram_quantile(&histogram, 0.5) / (double)ns - 1));
	}
	ok(worst <= 0.26, "off by %.3f at most, from half a microsecond to a minute", worst);
}

static void check_ends(void)
{
	uint64_t octaves[HISTOGRAM_OCTAVES];

	clear();
	histogram_add(&histogram, 0, 1);
	histogram_add(&histogram, 511, 1);
	histogram_add(&histogram, 512, 4);
	histogram_add(&histogram, 1023, 4);
	histogram_add(&histogram, 1024, 16);
	histogram_add(&histogram, 1ull << 40, 1);
	histogram_octaves(&histogram, octaves);
	is_u64(octaves[0], 2, "all short times are in the first");
	is_u64(octaves[1], 8, "then one for each doubling");
	is_u64(octaves[2], 16, "from its lower end on");
	is_u64(octaves[HISTOGRAM_OCTAVES - 1], 1, "all long times are in the last");
	is_u64(histogram_quantile(&histogram, 1), 1ull << 40, "and the longest of them is exact");
}

static void check_sum(void)
{
	struct histogram other = { 0 };

	clear();
	histogram_add(&histogram, 5000, UINT32_MAX - 1);
	histogram_add(&other, 5000, 7);
	histogram_add(&other, 9000, 1);
	histogram_sum(&histogram, &other);
	is_u64(histogram.count, (uint64_t)UINT32_MAX + 1, "a full bucket stays full");
	is_u64(histogram.max_ns, 9000, "the longest of both");
}

int main(void)
{
	plan_lazy();
	check_few();
	check_error();
	check_ends();
	check_sum();
	return done();
}
