/* SPDX-License-Identifier: MIT */
/* A snapshot's head and its events: rates, time running, throttled time, the last fields. */
#include "model/model.h"

#include "made-model.h"
#include "tap.h"

#include <string.h>

static void check_head(void)
{
	begin(true, 10);
	model_note(model, "a note");
	tick_after(SEC, false);
	is_u64(snap->seq, 1, "the first snapshot");
	ok(!snap->is_final && is_near(snap->interval_s, 1), "of one second");
	is_str(snap->host, "vm", "its host");
	ok(snap->nnotes == 1 && strcmp(snap->notes[0], "a note") == 0, "its note");
	ok(snap->ncpus == 2 && snap->cpus[0].id == 0 && snap->cpus[1].id == 3, "its CPUs");
	is_u64(snap->nevents, ROWS, "a row for each event but the side-band's");
	is_str(snap->events[ROW_SCHED].name, "sched:sched_switch", "in their order");
	is_str(snap->symbol_event, "cpu-clock", "the one with addresses makes the symbols");

	const struct snap_event *broken = &snap->events[ROW_BROKEN];
	ok(broken->state == EVENT_STATE_FAILED && broken->rate < 0 && broken->cpus == NULL,
	   "an event that failed has no rate, not a rate of 0");
	is_str(broken->reason, "EACCES: why", "but a reason");
	ok(snap->events[ROW_SCHED].rate < 0, "nor has one that was not read");
	ok(snap->rate < 0, "so that there is no sum");
	tick_after(2 * SEC, true);
	ok(snap->seq == 2 && snap->is_final && is_near(snap->interval_s, 2) &&
		   is_near(snap->elapsed_s, 3),
	   "the second is the final one");
	end();
}

static void check_rates(void)
{
	begin(true, 10);
	counted(0, SCHED, 100, 0);
	counted(1, SCHED, 300, 0);
	counted(0, CLOCK, SEC, 0);
	counted(0, FAULTS, 50, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	ok(is_near(sched->rate, 400) && sched->count == 400 && sched->total == 400,
	   "an event's rate is its CPUs'");
	ok(is_near(sched->cpus[1].rate, 300) && sched->cpus[1].count == 300, "each with its own");
	ok(is_near(snap->events[ROW_CLOCK].rate, 1e9), "a clock has its rate, in ns");
	ok(is_near(snap->rate, 450), "but is no event of the sum");
	ok(is_near(snap->cpus[0].rate, 150) && is_near(snap->cpus[1].rate, 300), "nor of a CPU's");
	ok(sched->rate_before < 0, "there was no interval before");

	counted(0, SCHED, 100, 0);
	counted(1, SCHED, 350, 0);
	read_counters(now_ns + SEC / 2);
	tick_after(SEC / 2, false);
	sched = &snap->events[ROW_SCHED];
	ok(is_near(sched->rate, 100) && sched->count == 50 && sched->total == 450,
	   "the next interval has what is new");
	ok(sched->ntrend == 1 && is_near((double)sched->trend[0], 400), "the trend has a second");
	ok(is_near((double)sched->cpus[0].trend[SNAP_TREND_MAX - 1], 100) &&
		   is_near((double)sched->cpus[1].trend[SNAP_TREND_MAX - 1], 300) &&
		   sched->cpus[0].trend[SNAP_TREND_MAX - 2] < 0,
	   "as the trend on each CPU has");

	set_event(SCHED, "sched:sched_switch", EVENT_STATE_OFF, SAMPLING_PERIOD, 1);
	tick_after(SEC, false);
	sched = &snap->events[ROW_SCHED];
	ok(sched->state == EVENT_STATE_OFF && sched->rate < 0, "an event that is off has no rate");
	is_u64(sched->total, 450, "but its total");
	ok(sched->cpus[0].trend[SNAP_TREND_MAX - 1] < 0 &&
		   is_near((double)sched->cpus[0].trend[SNAP_TREND_MAX - 2], 100),
	   "and its trend has a gap");
	end();
}

/* A second in which nothing happens except to one event on CPU 0. */
static void pass_second(uint64_t total)
{
	counted(0, SCHED, total, 0);
	counted(1, SCHED, 0, 0);
	counted(0, FAULTS, 0, 0);
	counted(1, FAULTS, 0, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
}

static void check_flat_trends(void)
{
	begin(true, 10);
	tick_after(SEC, false);
	pass_second(0);
	pass_second(0);
	pass_second(100);
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	const float *busy = sched->cpus[0].trend + SNAP_TREND_MAX - 3,
		    *quiet = sched->cpus[1].trend + SNAP_TREND_MAX - 3;
	ok(busy[0] < 0 && busy[1] == 0 && is_near((double)busy[2], 100),
	   "a trend is unknown, 0, and what is counted");
	ok(quiet[0] < 0 && quiet[1] == 0 && quiet[2] == 0, "or stays 0 on another CPU");
	ok(sched->cpus[1].trend == snap->events[ROW_FAULTS].cpus[1].trend,
	   "which is the same for all events");
	const struct snap_event *faults = &snap->events[ROW_FAULTS];
	ok(faults->ntrend == 4 && faults->trend[1] < 0 && faults->trend[2] == 0 &&
		   faults->trend[3] == 0,
	   "and their sums");
	end();
}

/* An event's times enabled and running since the start, on a CPU that was read at `at_ns`. */
static void ran(uint32_t slot, uint32_t event, uint64_t enabled_ns, uint64_t running_ns,
		uint64_t at_ns)
{
	struct count counts[EVENTS] = { 0 };

	counts[event] = (struct count){ .is_open = true,
					.generation = 1,
					.value = 100,
					.enabled_ns = enabled_ns,
					.running_ns = running_ns };
	model_counts(model, slot, counts, EVENTS, at_ns, MARK_IN_TIME);
}

/* Multiplexed: it was counted for a quarter of the time. */
static void check_running(void)
{
	begin(true, 10);
	ran(0, FAULTS, SEC, SEC / 4, now_ns + SEC);
	tick_after(SEC, false);
	ok(is_near(snap->events[ROW_FAULTS].running, 0.25), "a quarter of the time");
	ok(is_near(snap->events[ROW_FAULTS].rate, 400), "is scaled to all of it");
	is_u64(snap->events[ROW_FAULTS].total, 100, "but the total is not scaled");

	ran(0, FAULTS, 2 * SEC, SEC / 4, now_ns + SEC);
	tick_after(SEC, false);
	ok(snap->events[ROW_FAULTS].rate < 0,
	   "never counted in an interval: nothing is known, not 0");
	end();

	begin(true, 10);
	ran(0, FAULTS, SEC, 995 * MS, now_ns + SEC);
	ran(1, FAULTS, 990 * MS, 985 * MS, now_ns + 990 * MS);
	tick_after(SEC, false);
	ok(is_near(snap->events[ROW_FAULTS].running, 1980.0 / 1990),
	   "on two CPUs, read at different times: its part of both");
	end();

	begin(true, 10);
	ran(0, SCHED, SEC, SEC / 4, now_ns + SEC);
	tick_after(SEC, false);
	ok(is_near(snap->events[ROW_SCHED].running, 1) &&
		   is_near(snap->events[ROW_SCHED].rate, 100),
	   "what takes no PMU's counter is never multiplexed, whatever its times say");
	end();
}

/* A task that runs all the time, half of it on either CPU; the second one is read 10 ms later. */
static void check_task_running(void)
{
	struct model_config config = config_of(true, 10);

	config.is_task_bound = true;
	begin_with(&config);
	ran(0, FAULTS, 990 * MS, 500 * MS, now_ns + 990 * MS);
	ran(1, FAULTS, SEC, 480 * MS, now_ns + SEC);
	tick_after(SEC, false);
	ok(is_near(snap->events[ROW_FAULTS].running, 1),
	   "20 ms are missing, and can be what the CPUs were read apart");

	ran(0, FAULTS, 1990 * MS, 900 * MS, now_ns + 990 * MS);
	ran(1, FAULTS, 2 * SEC, 680 * MS, now_ns + SEC);
	tick_after(SEC, false);
	ok(is_near(snap->events[ROW_FAULTS].running, 0.6), "400 ms cannot: it was multiplexed");
	end();
}

/* Multiplexed in the first of two intervals; zero resets the whole. */
static void check_whole(void)
{
	begin(true, 10);
	ran(0, FAULTS, SEC, SEC / 4, now_ns + SEC);
	tick_after(SEC, false);
	ran(0, FAULTS, 2 * SEC, SEC / 4 + SEC, now_ns + SEC);
	tick_after(SEC + 50 * MS, false);
	ok(is_near(snap->events[ROW_FAULTS].running, 1) &&
		   is_near(snap->events[ROW_FAULTS].whole_running, 0.625),
	   "all of the last second, five eighths of both");
	ok(is_near(snap->whole_s, 2), "the whole is from the start to the last reading");
	model_zero(model);
	ran(0, FAULTS, 3 * SEC, SEC / 4 + 2 * SEC, now_ns + SEC);
	tick_after(SEC, false);
	ok(is_near(snap->whole_s, 1) && is_near(snap->events[ROW_FAULTS].whole_running, 1),
	   "zero resets the whole");
	end();
}

static void check_throttle(void)
{
	struct record throttle = { .type = PERF_RECORD_THROTTLE };
	struct record unthrottle = { .type = PERF_RECORD_UNTHROTTLE };

	begin(true, 10);
	throttle.throttle.time_ns = now_ns + 100 * MS;
	unthrottle.throttle.time_ns = now_ns + 300 * MS;
	model_record(model, 1, CLOCK, &throttle);
	model_record(model, 1, CLOCK, &unthrottle);
	throttle.throttle.time_ns = now_ns + 900 * MS;
	model_record(model, 1, CLOCK, &throttle);
	counted(1, CLOCK, SEC, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	const struct snap_event *clock = &snap->events[ROW_CLOCK];
	ok(clock->throttles == 2 && clock->is_throttled && clock->cpus[1].throttles == 2,
	   "two throttles on one CPU");
	ok(!clock->cpus[0].is_throttled && snap->cpus[1].is_throttled, "and on no other");
	ok(is_near(clock->throttled_s, 0.3), "0.2 s, and 0.1 s of the one that lasts");
	ok(is_near(clock->throttled_now_s, 0.3) && is_near(clock->cpus[1].throttled_now_s, 0.3) &&
		   is_near(clock->cpus[1].throttled_s, 0.3) && clock->cpus[0].throttled_s == 0,
	   "all of it in this interval, on that CPU");
	ok(snap->nthrottled == 1 && snap->throttled[0].event == ROW_CLOCK &&
		   snap->throttled[0].slot == 1 && is_near(snap->throttled[0].since_s, 0.1),
	   "which is throttled now");
	is_u64(snap->throttles, 2, "and in the sum");

	unthrottle.throttle.time_ns = now_ns + 50 * MS;
	model_record(model, 1, CLOCK, &unthrottle);
	tick_after(SEC, false);
	clock = &snap->events[ROW_CLOCK];
	ok(clock->is_throttled && snap->nthrottled == 0, "it ended in this interval");
	ok(is_near(clock->throttled_s, 0.35), "after 0.15 s");
	ok(is_near(clock->throttled_now_s, 0.05), "of which 0.05 s are in this interval");
	tick_after(SEC, false);
	ok(!snap->events[ROW_CLOCK].is_throttled, "and is past in the next");
	end();
}

static void check_fields(void)
{
	unsigned char raw[4000] = { 9 };
	struct record record = sample(5, 5);

	begin(true, 10);
	tick_after(SEC, false);
	is_str(snap->events[ROW_SCHED].last, NULL, "no sample, no fields");
	record.raw = raw;
	record.raw_size = 20;
	model_record(model, 0, SCHED, &record);
	raw[0] = 10;
	model_record(model, 0, SCHED, &record);
	tick_after(SEC, false);
	is_str(snap->events[ROW_SCHED].last, "event=2 size=20 first=9",
	       "one sample of each interval");
	record.raw_size = sizeof(raw);
	model_record(model, 0, SCHED, &record);
	tick_after(SEC, false);
	is_str(snap->events[ROW_SCHED].last, "event=2 size=20 first=9", "one too long is not kept");
	end();
}

/* A second with so many more events, of `total` so far: whether the rate has changed. */
static bool has_changed(uint64_t *total, uint64_t events)
{
	*total += events;
	counted(0, SCHED, *total, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	return snap->events[ROW_SCHED].has_changed;
}

static void check_changes(void)
{
	uint64_t total = 0;
	bool is_changed = false;

	begin(true, 10);
	for (int i = 0; i < 3; i++)
		is_changed |= has_changed(&total, i % 2 ? 980 : 1020);
	ok(!is_changed && snap->events[ROW_SCHED].rate_before < 0, "too early to compare");
	for (int i = 0; i < 13; i++)
		is_changed |= has_changed(&total, i % 2 ? 980 : 1020);
	ok(!is_changed && is_near(snap->events[ROW_SCHED].rate_before, 1000),
	   "compared with ten seconds, about the same");
	ok(!has_changed(&total, 1095), "a difference below four sigma of chance is none");
	ok(has_changed(&total, 1300) && has_changed(&total, 0), "a larger one is, up or down");
	end();

	total = 0;
	begin(true, 10);
	for (int i = 0; i < 12; i++)
		is_changed |= has_changed(&total, 0);
	ok(!has_changed(&total, 5), "a few events are none");
	ok(has_changed(&total, 30), "many are");
	end();
}

static void check_places(void)
{
	static int more[] = { 0, 3, 7 };
	static const struct cpulist cpus = { more, 3 };

	begin(true, 10);
	tick_after(SEC, false);
	tick_after(SEC, false);
	ok(places_asked == 1 && snap->cpus[1].core == 1 && snap->cpus[1].node == 3 &&
		   snap->cpus[1].type == -1,
	   "each CPU has its place, which is asked for once");
	model_cpu_online(model, 1, true);
	tick_after(SEC, false);
	is_u64(places_asked, 1, "not again while no CPU comes or goes");
	model_cpu_online(model, 1, false);
	tick_after(SEC, false);
	is_u64(places_asked, 2, "but when one does");
	counted(0, SCHED, 10, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	model_grow(model, EVENTS + 1, &cpus);
	tick_after(SEC, false);
	ok(places_asked == 3 && snap->cpus[2].core == 1, "and when there are more of them");
	ok(snap->events[ROW_SCHED].cpus[2].trend != NULL, "which have trends, too");
	end();
}

int main(void)
{
	plan_lazy();
	check_changes();
	check_head();
	check_rates();
	check_flat_trends();
	check_running();
	check_task_running();
	check_whole();
	check_throttle();
	check_fields();
	check_places();
	model_free(NULL);
	return done();
}
