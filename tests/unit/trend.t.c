/* SPDX-License-Identifier: MIT */
#include "model/trend.h"

#include "tap.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static struct trend trend;
static float values[TREND_SECONDS];
static size_t count;

/* Add `times` intervals of `seconds` at `rate`, and copy the values. */
static void add(double rate, double seconds, unsigned int times)
{
	for (unsigned int i = 0; i < times; i++)
		trend_add(&trend, rate, seconds);
	count = trend_copy(&trend, values);
}

static bool are(size_t from, size_t to, double want)
{
	for (size_t i = from; i < to; i++)
		if (fabs((double)values[i] - want) > 0.001 * fabs(want)) {
			diag("value %zu is %g", i, (double)values[i]);
			return false;
		}
	return true;
}

static void check_intervals(double seconds, unsigned int times, size_t want)
{
	trend_fini(&trend);
	add(1000, seconds, times);
	is_u64(count, want, "%u intervals of %g s are %zu values", times, seconds, want);
	ok(are(0, count, 1000), "each the rate");
}

/* Ticks come a little early or late; there is one value a second all the same. */
static void check_jitter(void)
{
	trend_fini(&trend);
	for (int i = 0; i < 50; i++)
		add(1000, i % 2 ? 0.996 : 1.004, 1);
	is_u64(count, 50, "50 seconds with jitter");
	ok(are(0, count, 1000), "at the same rate");
}

/* What happened in a second, in parts: 100 events in the first tenth and nothing after. */
static void check_average(void)
{
	trend_fini(&trend);
	add(1000, 0.1, 1);
	add(0, 0.1, 9);
	is_u64(count, 1, "ten tenths of a second");
	ok(are(0, 1, 100), "are their average");
}

static void check_full(void)
{
	trend_fini(&trend);
	add(1, 1, 100);
	add(2, 1, 5);
	is_u64(count, TREND_SECONDS, "the last minute and no more");
	ok(are(0, TREND_SECONDS - 5, 1), "oldest first");
	ok(are(TREND_SECONDS - 5, TREND_SECONDS, 2), "newest last");
	add(3, 1000, 1);
	ok(count == TREND_SECONDS && are(0, count, 3), "a very long interval fills it");
	add(4, 1, 1);
	ok(are(0, TREND_SECONDS - 1, 3) && are(TREND_SECONDS - 1, TREND_SECONDS, 4),
	   "and is over then");
}

/* An event that was off: a gap as long as it lasted, whatever the interval. */
static void check_unknown(double seconds, unsigned int times, size_t want)
{
	trend_fini(&trend);
	add(5, 1, 3);
	add(-1, seconds, times);
	is_u64(count, 3 + want, "%u unknown intervals of %g s are %zu values", times, seconds,
	       want);
	ok(are(0, 3, 5), "the rates before stay");
	for (size_t i = 3; i < count; i++)
		if (values[i] >= 0)
			ok(false, "value %zu is %g, not unknown", i, (double)values[i]);
	add(7, 1, 1);
	ok(count == 4 + want && are(count - 1, count, 7), "and then it goes on");
}

/* The tick before came early, so the next second has a little less than none. */
static void check_stopped(void)
{
	trend_fini(&trend);
	add(1e6, 0.997, 1);
	add(0, 1, 1);
	ok(count == 2 && are(1, 2, 0), "a second without occurrences is 0, not unknown");
}

/* Unknown at first, then 0: what two flat trends with as many zeros have in common. */
static bool is_flat(void)
{
	size_t first = 0;

	while (first < count && values[first] < 0)
		first++;
	if (count - first != trend.zeros)
		return false;
	while (first < count && values[first] == 0)
		first++;
	return first == count;
}

static void check_flat(void)
{
	static const double rates[] = { 0, 0, 0, 0, -1, 7 };
	unsigned int state = 1, flat = 0, different = 0, wrong = 0;
	float pushed[TREND_SECONDS] = { 0 };

	trend_fini(&trend);
	ok(trend_is_flat(&trend), "an empty trend is flat");
	for (int i = 0; i < 20000; i++) {
		state = state * 1103515245 + 12345;
		/* Some long stretches without occurrences. */
		bool is_quiet = i / 200 % 2 == 1;
		unsigned int which = state >> 16;
		double rate = rates[is_quiet ? (which % 100 == 0) * 4 : which % 6];
		add(rate, 1, 1);
		memmove(pushed, pushed + 1, sizeof(pushed) - sizeof(*pushed));
		pushed[TREND_SECONDS - 1] = (float)rate;
		wrong += memcmp(values, pushed + TREND_SECONDS - count, count * sizeof(*values)) !=
			 0;
		different += trend_is_flat(&trend) != is_flat();
		flat += trend_is_flat(&trend);
	}
	is_u64(different, 0, "flat are those of unknown values and then zeros alone");
	ok(flat > 100, "as %u of 20000 were", flat);
	is_u64(wrong, 0, "and each has the values of its last minute");
}

static void check_mean(void)
{
	struct trend_mean mean;

	trend_fini(&trend);
	add(7, 1, 2);
	ok(!trend_mean(&trend, 10, &mean), "two values have no mean");
	add(9, 1, 2);
	ok(trend_mean(&trend, 10, &mean) && mean.count == 4 && fabs(mean.mean - 8) < 1e-6 &&
		   fabs(mean.variance - 4.0 / 3) < 1e-6,
	   "four have, and a variance");
	add(-1, 1, 3);
	ok(trend_mean(&trend, 10, &mean) && mean.count == 4, "unknown ones are left out");
	ok(!trend_mean(&trend, 5, &mean), "and old ones");
	add(100, 1, 10);
	ok(trend_mean(&trend, 10, &mean) && fabs(mean.mean - 100) < 1e-6 && mean.variance < 1e-6,
	   "of the newest only");
}

/* Counted without a look at the values. */
static void check_mean_of_zeros(void)
{
	struct trend_mean mean;

	trend_fini(&trend);
	add(0, 1, 2);
	ok(!trend_mean(&trend, 10, &mean), "two zeros have no mean");
	add(0, 1, 1);
	ok(trend_mean(&trend, 10, &mean) && mean.count == 3 && mean.mean == 0 && mean.variance == 0,
	   "three have");
	add(50, 1, 1);
	add(0, 1, 9);
	ok(trend_mean(&trend, 10, &mean) && mean.count == 10 && fabs(mean.mean - 5) < 1e-6,
	   "a value before nine zeros counts");
	add(0, 1, 1);
	ok(trend_mean(&trend, 10, &mean) && mean.count == 10 && mean.mean == 0,
	   "one before ten does not");
}

int main(void)
{
	plan_lazy();
	is_u64(trend_copy(&trend, values), 0, "empty at first");
	check_intervals(1, 10, 10);
	check_intervals(0.1, 100, 10);
	check_intervals(0.25, 40, 10);
	check_intervals(2.5, 8, 20);
	check_intervals(10, 3, 30);
	check_intervals(0.01, 30, 0);
	check_jitter();
	check_stopped();
	check_flat();
	check_mean();
	check_mean_of_zeros();
	check_average();
	check_full();
	check_unknown(1, 5, 5);
	check_unknown(0.998, 5, 5);
	check_unknown(0.1, 50, 5);
	check_unknown(2.5, 4, 10);
	trend_fini(&trend);
	return done();
}
