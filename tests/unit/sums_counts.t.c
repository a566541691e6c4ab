/* SPDX-License-Identifier: MIT */
/* Sums of more than a million counts, losses and throttlings: each must have every one (sums_tasks.t.c). */
#include "model/model.h"

#include "made-model.h"
#include "model/verify.h"
#include "tap.h"

#define TIMES	  1000100
#define TICK_EACH 10001

/* What the intervals add: of the first event, and on its first CPU. */
static struct {
	uint64_t count, lost, lost_of_all;
	double throttled_s;
} intervals;

static void tick_and_add(bool is_final)
{
	tick_after(0, is_final);
	intervals.count += snap->events[ROW_SCHED].count;
	intervals.lost += snap->events[ROW_SCHED].lost_count;
	intervals.lost_of_all += snap->lost_count;
	intervals.throttled_s += snap->events[ROW_SCHED].throttled_now_s;
}

static bool is_tick(uint64_t at)
{
	return at % TICK_EACH == 0;
}

static void begin_sums(void)
{
	begin(true, 10);
	memset(&intervals, 0, sizeof(intervals));
}

/* Each reading of a counter has one event and one loss more; it counted half of the time. */
static void check_readings(void)
{
	begin_sums();
	for (uint64_t i = 1; i <= TIMES; i++) {
		now_ns += 2;
		said[0][SCHED] = said[0][FAULTS] = (struct count){ .is_open = true,
								   .generation = 1,
								   .value = 2 * i,
								   .lost = i,
								   .enabled_ns = 2 * i,
								   .running_ns = i };
		read_counters(now_ns);
		if (is_tick(i))
			tick_and_add(i == TIMES);
	}
	is_u64(snap->events[ROW_SCHED].total, 2 * TIMES, "all of %d counts", TIMES);
	is_u64(snap->events[ROW_FAULTS].total, 2 * TIMES, "of the other event, too");
	is_u64(snap->events[ROW_SCHED].lost, TIMES, "all losses");
	is_u64(snap->lost, 2 * TIMES, "in the sum of both events, too");
	is_u64(intervals.count, 2 * TIMES, "the intervals' counts are all");
	is_u64(intervals.lost, TIMES, "and their losses");
	is_u64(intervals.lost_of_all, 2 * TIMES, "in the sum of both events, too");
	ok(is_same(snap->events[ROW_FAULTS].whole_running, 0.5), "it ran for half of the time");
	end();
}

/* Each reading is one event behind the newest sample, which has the count itself. */
static void check_settled(void)
{
	begin_sums();
	for (uint64_t i = 1; i <= TIMES; i++) {
		now_ns += 2;
		sample_with_value(0, SCHED, 5, 77, i);
		counted_by(0, SCHED, 77, i - 1);
		read_counters(now_ns);
		if (is_tick(i))
			tick_and_add(i == TIMES);
	}
	is_u64(snap->events[ROW_SCHED].total, TIMES, "all counts that samples have");
	is_u64(snap->events[ROW_SCHED].sampled, TIMES, "all samples");
	is_u64(intervals.count, TIMES, "the intervals' counts are all");
	end();
}

/* Samples of events that an earlier interval has counted. */
static void check_late(void)
{
	begin_sums();
	counted_by(0, SCHED, 77, TIMES);
	model_counts(model, 0, said[0], EVENTS, now_ns += 2, MARK_NONE);
	tick_and_add(false);
	is_u64(snap->events[ROW_SCHED].unseen, TIMES, "what is not decoded yet");
	for (uint64_t i = 1; i <= TIMES + 10; i++)
		sample_with_value(0, SCHED, 5, 77, i);
	counted_by(0, SCHED, 77, TIMES + 20);
	read_counters(now_ns += 2);
	tick_and_add(false);
	is_u64(snap->events[ROW_SCHED].sampled_count, TIMES + 10, "all of it is decoded later");
	is_u64(snap->events[ROW_SCHED].weight, TIMES + 10, "and in the total");
	is_u64(snap->events[ROW_SCHED].unseen, 10, "but in none of the later intervals");
	is_u64(task_of(5)->events[0].count, 10, "neither in a task's");
	is_u64(task_of(5)->events[0].total, TIMES + 10, "whose total has it, too");
	end();
}

static void throttle(uint32_t type, uint64_t at_ns)
{
	struct record record = { .type = type, .time_ns = at_ns, .throttle = { .time_ns = at_ns } };

	model_record(model, 0, SCHED, &record);
}

static void check_throttling(void)
{
	begin_sums();
	for (uint64_t i = 1; i <= TIMES; i++) {
		throttle(PERF_RECORD_THROTTLE, now_ns);
		throttle(PERF_RECORD_UNTHROTTLE, now_ns + 1000);
		now_ns += 2000;
		if (is_tick(i)) {
			read_counters(now_ns);
			tick_and_add(i == TIMES);
		}
	}
	is_u64(snap->events[ROW_SCHED].throttles, TIMES, "all throttlings");
	is_u64(snap->throttles, TIMES, "in the sum of all events, too");
	ok(is_same(snap->events[ROW_SCHED].throttled_s, TIMES * 1e-6), "all their time");
	ok(is_same(intervals.throttled_s, TIMES * 1e-6), "the intervals' time is all of it");
	end();
}

static void check_lost_records(void)
{
	struct record record = { .type = PERF_RECORD_LOST, .lost = { .lost = 3 } };

	begin_sums();
	for (uint64_t i = 0; i < TIMES; i++)
		model_record(model, 0, OWNER, &record);
	tick_and_add(true);
	is_u64(snap->lost_records, 3 * TIMES, "all records that LOST records count");
	end();
}

/* Of one event and CPU: in sequence, but each `each`-th sample is not the next one by `by`. */
static struct verify_sums verified(uint64_t each, int64_t by)
{
	struct verify *verify = verify_new(1, 1);
	struct record record = { .type = PERF_RECORD_SAMPLE, .has_value = true, .value_id = 77 };
	struct verify_sums sums;

	for (uint64_t i = 1; i <= TIMES; i++) {
		record.value += 1 + (i % each == 0 ? (uint64_t)by : 0);
		verify_sample(verify, 0, 0, 1, &record);
	}
	verify_end(verify, 0);
	sums = verify_sums(verify);
	sums.first = NULL;
	verify_free(verify);
	return sums;
}

static void check_verified(void)
{
	struct verify_sums sums = verified(TIMES + 1, 0);

	ok(sums.checked == TIMES && sums.missing == 0 && sums.extra == 0,
	   "--verify: all samples are checked");
	sums = verified(1, 100);
	is_u64(sums.missing, 100 * TIMES, "all that are missing are counted");
	ok(sums.checked == TIMES && sums.extra == 0, "and nothing else");
	sums = verified(1, -100);
	is_u64(sums.extra, 100 * TIMES, "all that are too many are counted");
	ok(sums.checked == TIMES && sums.missing == 0, "and nothing else");
}

int main(void)
{
	plan_lazy();
	check_readings();
	check_settled();
	check_late();
	check_throttling();
	check_lost_records();
	check_verified();
	return done();
}
