/* SPDX-License-Identifier: MIT */
#include "model/cells.h"

#include "tap.h"

#include <math.h>
#include <string.h>

#define SEC 1000000000ull
#define MS  1000000ull

static struct count count_of(uint32_t generation, uint64_t value, uint64_t lost, uint64_t ns)
{
	return (struct count){ .is_open = true,
			       .generation = generation,
			       .value = value,
			       .lost = lost,
			       .enabled_ns = ns,
			       .running_ns = ns };
}

static bool is_near(double got, double want)
{
	return fabs(got - want) <= 1e-9 * fabs(want);
}

static void check_counts(void)
{
	struct cell cell = { .tick_read_ns = 10 * SEC };
	struct count count = count_of(1, 100, 5, SEC);

	ok(cell_rate(&cell) < 0, "no rate before the first reading");
	cell_count(&cell, &count, 11 * SEC);
	is_u64(cell.now.total, 100, "the first reading counts from zero");
	is_u64(cell.now.lost, 5, "losses too");
	is_u64(cell_delta(&cell), 100, "all of it is of this interval");
	ok(is_near(cell_interval(&cell), 1), "of one second");
	ok(is_near(cell_rate(&cell), 100), "100 a second");

	cell_close_interval(&cell, 0);
	is_u64(cell_delta(&cell), 0, "the next interval begins at zero");
	ok(cell_rate(&cell) < 0, "with no rate yet");
	count = count_of(1, 350, 5, 3 * SEC / 2);
	cell_count(&cell, &count, 23 * SEC / 2);
	is_u64(cell.now.total, 350, "the total goes on");
	is_u64(cell.now.lost, 5, "losses do not repeat");
	ok(is_near(cell_rate(&cell), 500), "250 in half a second are 500 a second");
	is_u64(cell.now.enabled_ns - cell.tick.enabled_ns, SEC / 2,
	       "the time enabled is the interval's");

	cell_count(&cell, &count, 12 * SEC);
	is_u64(cell.now.total, 350, "a reading of the same value adds nothing");
	ok(is_near(cell_rate(&cell), 250), "but time");

	count.is_open = false;
	count.value = 0;
	cell_count(&cell, &count, 13 * SEC);
	is_u64(cell.now.total, 350, "without a reading the total stays");
	ok(is_near(cell_rate(&cell), 250), "and so does the time");

	count = count_of(1, 300, 5, SEC);
	cell_count(&cell, &count, 23 * SEC / 2);
	is_u64(cell.now.total, 350, "a reading that is older than the last one does not lower it");
}

static void check_wide(void)
{
	struct cell cell = { .tick_read_ns = SEC };
	struct count count = count_of(1, UINT64_MAX - 5, 0, SEC);

	cell_count(&cell, &count, 2 * SEC);
	cell_close_interval(&cell, 0);
	count.value = 10;
	cell_count(&cell, &count, 3 * SEC);
	is_u64(cell_delta(&cell), 16, "a counter that goes through 2^64");
}

/* Switched off and on again: a new fd, which counts from zero. */
static void check_generations(void)
{
	struct cell cell = { .tick_read_ns = 10 * SEC };
	struct count count = count_of(1, 1000, 10, SEC);

	cell_count(&cell, &count, 11 * SEC);
	cell_close_interval(&cell, 0);
	count = count_of(2, 30, 1, SEC / 10);
	cell_count(&cell, &count, 12 * SEC);
	is_u64(cell.now.total, 1030, "a new generation is added to the old");
	is_u64(cell.now.lost, 11, "with its losses");
	is_u64(cell_delta(&cell), 30, "its own are of this interval");
	ok(is_near(cell_rate(&cell), 300), "and its rate is over the time that it was on");

	cell_close_interval(&cell, 0);
	count = count_of(3, 900, 2, 10 * SEC);
	cell_count(&cell, &count, 13 * SEC);
	is_u64(cell.now.total, 1930, "larger than the one before it, and still all new");
	ok(is_near(cell_rate(&cell), 900), "over no more than the interval");
}

static void check_throttle(void)
{
	struct cell cell = { 0 };

	cell_unthrottle(&cell, 5 * MS);
	is_u64(cell_throttled_ns(&cell, SEC), 0, "an end without a beginning is none");
	cell_throttle(&cell, 10 * MS);
	is_u64(cell.now.throttles, 1, "a throttle");
	is_u64(cell_throttled_ns(&cell, 13 * MS), 3 * MS, "lasts up to now");
	is_u64(cell_throttled_ns(&cell, 9 * MS), 0, "unless now is before it");
	cell_unthrottle(&cell, 14 * MS);
	is_u64(cell_throttled_ns(&cell, SEC), 4 * MS, "and then up to its end");
	cell_throttle(&cell, 20 * MS);
	cell_throttle(&cell, 22 * MS);
	is_u64(cell.now.throttles, 3, "two beginnings in a row are two throttles");
	cell_unthrottle(&cell, 25 * MS);
	is_u64(cell_throttled_ns(&cell, SEC), 9 * MS, "and one time");
	cell_throttle(&cell, 30 * MS);
	cell_unthrottle(&cell, 29 * MS);
	is_u64(cell_throttled_ns(&cell, SEC), 9 * MS, "an end before its beginning adds nothing");
	is_u64(cell.throttled_since_ns, 0, "but is the end");
}

static void check_throttled_now(void)
{
	struct cell cell = { 0 };

	cell_throttle(&cell, 10 * MS);
	is_u64(cell_throttled_now_ns(&cell, 30 * MS), 20 * MS, "throttled until the tick");
	cell_close_interval(&cell, 30 * MS);
	is_u64(cell_throttled_now_ns(&cell, 30 * MS), 0, "of the next interval nothing yet");
	cell_unthrottle(&cell, 35 * MS);
	cell_throttle(&cell, 50 * MS);
	is_u64(cell_throttled_now_ns(&cell, 60 * MS), 15 * MS, "its parts of both throttlings");
	cell_close_interval(&cell, 60 * MS);
	cell_unthrottle(&cell, 55 * MS);
	is_u64(cell_throttled_now_ns(&cell, 90 * MS), 0,
	       "an end that was decoded too late is no negative time");
}

/* The sample that broke the limit follows its THROTTLE; one that comes later shows that it is over. */
static void check_sample_throttled(void)
{
	struct cell cell = { 0 };

	cell_throttle(&cell, 100 * MS);
	cell_sample_throttled(&cell, 100 * MS + 1000);
	ok(cell.throttled_since_ns != 0, "the sample behind a THROTTLE does not end it");
	cell_sample_throttled(&cell, 500 * MS);
	is_u64(cell.throttled_since_ns, 0, "one much later does: the UNTHROTTLE was lost");
	is_u64(cell_throttled_ns(&cell, SEC), 0, "and no throttled time is counted");
}

static void check_samples(void)
{
	struct cell cell = { 0 };

	cell_sample(&cell, (struct weight){ 1, 1 });
	cell_sample(&cell, (struct weight){ 500, 500 });
	is_u64(cell.now.sampled, 0,
	       "samples after the counter's last reading are not in the books");
	cell_settle(&cell);
	is_u64(cell.now.sampled, 2, "two samples, when it says so");
	is_u64(cell.now.weight, 501, "that stand for more");
	is_u64(cell_weight(&cell), 501, "in this interval");
	is_u64(cell_samples(&cell), 2, "and are two of it");
	cell_close_interval(&cell, 0);
	is_u64(cell_weight(&cell), 0, "none of the next one");
	is_u64(cell_samples(&cell), 0, "by no sample");
}

/* A sample of the fd `id` at this count. */
static uint64_t sample_at(struct cell *cell, uint64_t id, uint64_t value, uint64_t lost,
			  uint64_t period)
{
	struct sample_count sample = { .id = id, .value = value, .lost = lost };
	struct weight weight = cell_weigh(cell, &sample, period, false);

	cell_sample(cell, weight);
	return weight.interval;
}

static void tick(struct cell *cell, uint64_t id, uint64_t value, uint64_t ns)
{
	struct count count = count_of(1, value, 0, ns);

	count.id = id;
	cell_count(cell, &count, ns);
	cell_settle(cell);
}

/* The mark came, the interval is not closed yet: a sample behind it is of the next interval. */
static void check_next(void)
{
	struct cell cell = { 0 };
	struct sample_count sample = { .id = 5, .value = 9 };

	sample_at(&cell, 5, 5, 0, 0);
	tick(&cell, 5, 7, SEC);
	struct weight weight = cell_weigh(&cell, &sample, 0, true);
	cell_sample(&cell, weight);
	is_u64(weight.total, 4, "it has all since the last sample");
	is_u64(weight.interval, 2, "and of its interval what was counted behind the mark");
	is_u64(cell_weight(&cell), 5, "nothing of it in the interval that ends");
	cell_close_interval(&cell, 0);
	tick(&cell, 5, 9, 2 * SEC);
	is_u64(cell_delta(&cell), 2, "but in the next one");
	is_u64(cell_weight(&cell), 2, "as much as was counted there");
}

static void check_weights(void)
{
	struct cell cell = { 0 };

	is_u64(sample_at(&cell, 5, 1, 0, 0), 1, "the first sample stands for all up to it");
	is_u64(sample_at(&cell, 5, 10, 0, 0), 9, "the next for what was counted since");
	is_u64(sample_at(&cell, 5, 20, 0, 4), 4, "but for no more than the period");
	is_u64(sample_at(&cell, 5, 50, 2, 0), 10,
	       "those that were lost in between have their parts");
	is_u64(sample_at(&cell, 5, 51, 2, 0), 1, "once");
	tick(&cell, 5, 60, SEC);
	is_u64(cell_delta(&cell), 60, "of what was counted");
	is_u64(cell_weight(&cell), 25, "so much was sampled");
	cell_close_interval(&cell, 0);

	is_u64(sample_at(&cell, 5, 64, 2, 0), 4,
	       "a sample stands for nothing of an interval that is over");
	tick(&cell, 5, 62, 2 * SEC);
	is_u64(cell_delta(&cell), 4, "one that is newer than the counter's reading is one itself");
	is_u64(cell_weight(&cell), 4, "and so nothing is without a sample");
	cell_close_interval(&cell, 0);
	tick(&cell, 5, 64, 3 * SEC);
	is_u64(cell_delta(&cell), 0, "nor counted twice");
	is_u64(cell.now.total, 64, "in all");
	cell_close_interval(&cell, 0);

	is_u64(sample_at(&cell, 5, 60, 2, 0), 0, "a count does not go back");
	is_u64(sample_at(&cell, 6, 3, 0, 0), 3, "another fd begins at zero");
	tick(&cell, 5, 64, 4 * SEC);
	is_u64(cell_delta(&cell), 0, "and is no reading of the one before");
}

/* The counter was read ahead of the records, and those come in the next interval. */
static void check_late(void)
{
	struct cell cell = { 0 };
	struct count ahead = count_of(1, 100, 0, SEC);

	ahead.id = 5;
	sample_at(&cell, 5, 30, 0, 0);
	cell_count(&cell, &ahead, SEC);
	cell_settle(&cell);
	is_u64(cell_delta(&cell) - cell_weight(&cell), 70, "what has not come has no sample yet");
	cell_close_interval(&cell, 0);
	is_u64(sample_at(&cell, 5, 80, 0, 0), 0, "late, it is no part of this interval");
	is_u64(sample_at(&cell, 5, 120, 0, 0), 20,
	       "and that which is of both counts as this one's");
	tick(&cell, 5, 120, 2 * SEC);
	is_u64(cell_weight(&cell), 20, "by the interval");
	is_u64(cell.now.weight, 120, "but in all nothing is left out");
}

/* Its counter was not read, as all that it counts is in its samples. */
static void check_unread(void)
{
	struct cell cell = { 0 };
	struct count unread = { .is_open = true, .is_unread = true };

	sample_at(&cell, 5, 60, 0, 0);
	tick(&cell, 5, 60, SEC);
	cell_close_interval(&cell, 0);
	cell_count(&cell, &unread, 2 * SEC);
	cell_settle(&cell);
	is_u64(cell_delta(&cell), 0, "without a sample it counted nothing");
	ok(cell_rate(&cell) == 0, "in a time that is known");
	cell_close_interval(&cell, 0);

	sample_at(&cell, 5, 64, 0, 0);
	cell_count(&cell, &unread, 3 * SEC);
	cell_settle(&cell);
	is_u64(cell_delta(&cell), 4, "with one what that says");
	ok(is_near(cell_rate(&cell), 4), "a second");
	cell_close_interval(&cell, 0);
	cell_count(&cell, &unread, 4 * SEC);
	cell_settle(&cell);
	is_u64(cell_delta(&cell), 0, "once");
	cell_close_interval(&cell, 0);

	tick(&cell, 5, 66, 5 * SEC);
	is_u64(cell.now.total, 66, "a reading finds what had no sample");
	is_u64(cell_delta(&cell), 2, "in its interval");
}

int main(void)
{
	plan_lazy();
	check_counts();
	check_wide();
	check_generations();
	check_throttle();
	check_throttled_now();
	check_sample_throttled();
	check_samples();
	check_weights();
	check_next();
	check_late();
	check_unread();
	return done();
}
