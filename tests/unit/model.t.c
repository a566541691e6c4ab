/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include "capture/abi.h"
#include "model/tasks.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEC 1000000000ull
#define MS  1000000ull

enum { OWNER, SWITCHES, SCHED, CLOCK, FAULTS, BROKEN, EVENTS };
enum { ROW_SCHED, ROW_CLOCK, ROW_FAULTS, ROW_BROKEN, ROWS };

#define SELF_PID 4242

static struct model *model;
static struct snapshot *snap;
static uint64_t now_ns;

/* --- what decode/ would say ------------------------------------------------------------------ */

static const char *fake_symbol(void *ctx, uint64_t address, const char **module)
{
	static const struct {
		const char *name, *module;
	} symbols[] = { { "alpha", "[kernel]" }, { "beta", "[mod]" }, { "alpha", "[mod]" } };

	(void)ctx;
	if (address < 1000 || address >= 4000)
		return NULL;
	*module = symbols[address / 1000 - 1].module;
	return symbols[address / 1000 - 1].name;
}

static bool fake_fields(void *ctx, uint32_t event, const unsigned char *raw, size_t size, char *out,
			size_t room)
{
	(void)ctx;
	snprintf(out, room, "event=%u size=%zu first=%u", event, size, raw[0]);
	return true;
}

static bool fake_comm(void *ctx, int32_t tid, char *out, size_t room)
{
	++*(unsigned int *)ctx;
	if (tid != 77)
		return false;
	snprintf(out, room, "from-proc");
	return true;
}

static unsigned int comms_asked;

/* --- a model, its events, its ticks ----------------------------------------------------------- */

static void set_event(uint32_t number, const char *name, enum event_state state,
		      enum sampling sampling, uint64_t rate)
{
	struct model_event info = { .name = name,
				    .kind = number == SCHED ? "tracepoint" : "software",
				    .unit = number == CLOCK ? "ns" : "",
				    .state = state,
				    .reason = state == EVENT_STATE_FAILED ? "EACCES: why" : NULL,
				    .sampling = sampling,
				    .rate = rate,
				    .has_ip = number == CLOCK,
				    .may_be_multiplexed = number == FAULTS };

	model_set_event(model, number, &info);
}

static struct model_config config_of(bool has_lost, size_t top)
{
	static int ids[] = { 0, 3 };
	static const struct cpulist cpus = { ids, 2 };

	return (struct model_config){ .cpus = &cpus,
				      .capacity = EVENTS,
				      .owner = OWNER,
				      .switches = SWITCHES,
				      .first = SCHED,
				      .top = top,
				      .self_pid = SELF_PID,
				      .has_lost = has_lost,
				      .has_switches = true,
				      .host = "vm",
				      .kernel = "6.18" };
}

static void begin_with(const struct model_config *config)
{
	struct model_resolver resolver = { &comms_asked, fake_symbol, fake_fields, fake_comm };

	model = model_new(config, &resolver);
	snap = NULL;
	comms_asked = 0;
	set_event(SCHED, "sched:sched_switch", EVENT_STATE_ON, SAMPLING_PERIOD, 1);
	set_event(CLOCK, "cpu-clock", EVENT_STATE_ON, SAMPLING_FREQ, 199);
	set_event(FAULTS, "page-faults", EVENT_STATE_ON, SAMPLING_FREQ, 1000);
	set_event(BROKEN, "cycles", EVENT_STATE_FAILED, SAMPLING_NONE, 0);
	now_ns = 10 * SEC;
	model_start(model, now_ns);
}

static void begin(bool has_lost, size_t top)
{
	struct model_config config = config_of(has_lost, top);

	begin_with(&config);
}

static void end(void)
{
	snapshot_free(snap);
	model_free(model);
}

static void tick_after(uint64_t ns, bool is_final)
{
	now_ns += ns;
	struct model_tick tick = { .now_ns = now_ns,
				   .wall_s = 1,
				   .target_s = 1,
				   .is_final = is_final };
	snapshot_free(snap);
	snap = model_tick(model, &tick);
}

/* What an event's counter on a CPU says now; the other events say what they said. */
static struct count said[2][EVENTS];

static void counted(uint32_t slot, uint32_t event, uint64_t value, uint64_t lost)
{
	said[slot][event] = (struct count){ .is_open = true,
					    .generation = 1,
					    .value = value,
					    .lost = lost,
					    .enabled_ns = now_ns,
					    .running_ns = now_ns };
}

static void read_counters(uint64_t at_ns)
{
	for (uint32_t slot = 0; slot < 2; slot++)
		model_counts(model, slot, said[slot], EVENTS, at_ns, true);
	memset(said, 0, sizeof(said));
}

static struct record sample(uint32_t pid, uint32_t tid)
{
	return (struct record){ .type = PERF_RECORD_SAMPLE,
				.misc = PERF_RECORD_MISC_KERNEL,
				.time_ns = now_ns,
				.pid = pid,
				.tid = tid };
}

static void samples(uint32_t slot, uint32_t event, uint32_t tid, uint64_t weight, unsigned int n)
{
	struct record record = sample(tid, tid);

	record.period = weight;
	while (n-- > 0)
		model_record(model, slot, event, &record);
}

static const struct snap_task *task_of(int32_t tid)
{
	for (size_t i = 0; i < snap->ntasks; i++)
		if (snap->tasks[i].tid == tid)
			return &snap->tasks[i];
	return NULL;
}

static bool is_near(double got, double want)
{
	if (fabs(got - want) <= 1e-6 + 1e-6 * fabs(want))
		return true;
	diag("got %g, expected %g", got, want);
	return false;
}

/* --- events --------------------------------------------------------------------------------- */

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
	ok(snap->events[ROW_SCHED].rate < 0, "nor has one that nobody has read");
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
	ok(is_near(sched->rate_before, 400), "and knows the rate before");
	ok(sched->ntrend == 1 && is_near((double)sched->trend[0], 400), "the trend has a second");

	set_event(SCHED, "sched:sched_switch", EVENT_STATE_OFF, SAMPLING_PERIOD, 1);
	tick_after(SEC, false);
	sched = &snap->events[ROW_SCHED];
	ok(sched->state == EVENT_STATE_OFF && sched->rate < 0, "an event that is off has no rate");
	is_u64(sched->total, 450, "but its total");
	end();
}

/* What an event was enabled and counting since the start, on a CPU that was read at `at_ns`. */
static void ran(uint32_t slot, uint32_t event, uint64_t enabled_ns, uint64_t running_ns,
		uint64_t at_ns)
{
	struct count counts[EVENTS] = { 0 };

	counts[event] = (struct count){ .is_open = true,
					.generation = 1,
					.value = 100,
					.enabled_ns = enabled_ns,
					.running_ns = running_ns };
	model_counts(model, slot, counts, EVENTS, at_ns, true);
}

/* Multiplexed: it was counted for a quarter of the time. */
static void check_running(void)
{
	begin(true, 10);
	ran(0, FAULTS, SEC, SEC / 4, now_ns + SEC);
	tick_after(SEC, false);
	ok(is_near(snap->events[ROW_FAULTS].running, 0.25), "a quarter of the time");
	ok(is_near(snap->events[ROW_FAULTS].rate, 400), "stands for all of it");
	is_u64(snap->events[ROW_FAULTS].total, 100, "but what was counted is what was counted");

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

/* Multiplexed in the first of two intervals; zero begins anew. */
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
	   "zero begins anew");
	end();
}

/* --- the books ------------------------------------------------------------------------------ */

/* One event at rest on two CPUs. */
static void settle(unsigned int sampled0, uint64_t lost0, unsigned int sampled1, uint64_t lost1)
{
	samples(0, SCHED, 5, 0, sampled0);
	samples(1, SCHED, 5, 0, sampled1);
	counted(0, SCHED, 100, lost0);
	counted(1, SCHED, 10, lost1);
	read_counters(now_ns + SEC);
}

static void check_balance(void)
{
	begin(true, 10);
	settle(58, 42, 10, 0);
	tick_after(SEC, true);
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	ok(sched->is_balance_known && sched->is_balanced && snap->is_balanced,
	   "total == sampled + lost");
	ok(sched->total == 110 && sched->sampled == 68 && sched->lost == 42, "the figures");
	is_u64(snap->lost, 42, "the loss is in the sum");
	ok(!snap->events[ROW_FAULTS].is_balance_known,
	   "not known for what is sampled by frequency");
	end();

	begin(true, 10);
	settle(57, 42, 10, 0);
	tick_after(SEC, true);
	sched = &snap->events[ROW_SCHED];
	ok(!sched->is_balanced && !snap->is_balanced, "one missing on one CPU is seen");
	ok(!sched->cpus[0].is_balanced && sched->cpus[1].is_balanced, "and on which");
	end();

	begin(true, 10);
	settle(59, 42, 9, 0);
	tick_after(SEC, true);
	ok(!snap->is_balanced, "one too many here and one too few there is no balance");
	end();

	begin(true, 10);
	settle(20, 0, 0, 0);
	tick_after(SEC, false);
	ok(snap->is_balanced && !snap->is_balance_known &&
		   !snap->events[ROW_SCHED].is_balance_known,
	   "while it runs, some are on their way: nothing is claimed");
	samples(0, SCHED, 5, 0, 81);
	tick_after(SEC, false);
	is_u64(snap->events[ROW_SCHED].sampled, 20, "what came behind the mark is for the next");
	ok(snap->is_balanced, "and is no fault");
	counted(0, SCHED, 100, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	ok(!snap->is_balanced && snap->is_balance_known,
	   "more before a mark than were counted at it cannot be");
	end();
}

/* A CPU without its mark: the decoder is behind, or nothing came at all. */
static void check_answers(void)
{
	begin(true, 10);
	settle(58, 42, 10, 0);
	tick_after(SEC, false);
	samples(0, SCHED, 5, 0, 7);
	counted(0, SCHED, 150, 43);
	model_counts(model, 0, said[0], EVENTS, now_ns + SEC, false);
	model_cpu_answer(model, 0, CPU_BEHIND);
	tick_after(SEC, true);
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	ok(sched->total == 160 && sched->lost == 43, "behind: the counts are of now");
	is_u64(sched->sampled, 68, "the samples are not");
	ok(sched->is_behind && !sched->has_silent_cpu, "which the row says");
	ok(!sched->is_balance_known && !snap->is_balance_known, "no balance is claimed");
	ok(snap->cpus[0].answer == CPU_BEHIND && snap->cpus[1].answer == CPU_ANSWERED,
	   "nor hidden");
	is_u64(snap->nnotes, 1, "and a line names the CPU");
	model_cpu_answer(model, 0, CPU_ANSWERED);
	model_cpu_answer(model, 1, CPU_SILENT);
	tick_after(SEC, false);
	ok(snap->events[ROW_SCHED].has_silent_cpu && snap->events[ROW_SCHED].is_behind,
	   "silent: its sums are lower bounds");
	ok(strstr(snap->notes[0], "cpu 3 ") != NULL, "and the line names it");
	model_cpu_online(model, 1, false);
	tick_after(SEC, false);
	ok(!snap->events[ROW_SCHED].has_silent_cpu && snap->nnotes == 0,
	   "an offline CPU need not answer");
	end();
}

static void check_zero(void)
{
	begin(true, 10);
	settle(58, 42, 10, 0);
	tick_after(SEC, false);
	model_zero(model);
	samples(0, SCHED, 5, 0, 3);
	counted(0, SCHED, 104, 43);
	counted(1, SCHED, 10, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, true);
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	ok(sched->total == 4 && sched->sampled == 3 && sched->lost == 1,
	   "after zero: what came since");
	ok(sched->is_balanced, "and the books balance from the start");
	ok(task_of(5) != NULL && task_of(5)->events[0].total == 3, "tasks begin anew as well");
	end();
}

/* Before Linux 6.0: the loss is what is missing. */
static void check_no_lost(void)
{
	begin(false, 10);
	settle(58, 0, 10, 0);
	tick_after(SEC, false);
	ok(!snap->events[ROW_SCHED].is_lost_exact && snap->events[ROW_SCHED].lost == 0,
	   "without PERF_FORMAT_LOST a loss is not known while it runs");
	tick_after(SEC, true);
	is_u64(snap->events[ROW_SCHED].lost, 42, "in the end it is what is missing");
	end();
}

static void check_lost_records(void)
{
	struct record lost = { .type = PERF_RECORD_LOST, .lost = { .id = 1, .lost = 30 } };

	begin(true, 10);
	model_record(model, 0, SCHED, &lost);
	model_record(model, 1, SCHED, &lost);
	counted(0, OWNER, 0, 5);
	counted(1, SWITCHES, 0, 2);
	read_counters(now_ns + SEC);
	model_ring(model, 1, 8192, 3);
	tick_after(SEC, false);
	is_u64(snap->lost_records, 60, "LOST records are a sum of their own");
	is_u64(snap->events[ROW_SCHED].lost, 0, "charged to nobody");
	is_u64(snap->side_lost, 7, "names and switches that were lost stand apart");
	is_u64(snap->lost, 0, "from events");
	ok(snap->corrupt == 3 && snap->cpus[1].corrupt == 3 && snap->cpus[1].ring_bytes == 8192,
	   "corrupt rings are counted");
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
	tick_after(SEC, false);
	ok(!snap->events[ROW_CLOCK].is_throttled, "and is past in the next");
	end();
}

/* Samples that were throttled away are nowhere: the books cannot be checked then. */
static void check_throttled_books(void)
{
	struct record throttle = { .type = PERF_RECORD_THROTTLE };

	begin(true, 10);
	throttle.throttle.time_ns = now_ns + 100 * MS;
	model_record(model, 0, SCHED, &throttle);
	settle(20, 0, 10, 0);
	tick_after(SEC, true);
	ok(!snap->events[ROW_SCHED].is_balance_known && snap->is_balanced,
	   "a throttled event's balance is not known, which is no imbalance");
	model_zero(model);
	tick_after(SEC, true);
	ok(!snap->events[ROW_SCHED].is_balance_known, "nor after zero");
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

/* --- tasks ---------------------------------------------------------------------------------- */

static void check_tasks(void)
{
	begin(true, 10);
	samples(0, SCHED, 5, 0, 10);
	samples(1, SCHED, 6, 0, 30);
	samples(0, SCHED, 0, 0, 2);
	samples(0, SCHED, SELF_PID, 0, 100);
	samples(0, SCHED, UINT32_MAX, 0, 100);
	samples(0, CLOCK, 6, 5000000, 3);
	tick_after(SEC, false);
	is_u64(snap->ntasks, 3, "three tasks: neither we ourselves nor those that are gone");
	is_int(snap->tasks[0].tid, 6, "the busiest first");
	ok(is_near(snap->tasks[0].rate, 30), "with its rate, clocks left out");
	is_u64(snap->tasks[0].nevents, 2, "of two events");
	ok(snap->tasks[0].is_estimated && !snap->tasks[1].is_estimated,
	   "what is sampled by frequency is an estimate");
	is_str(task_of(0)->comm, "swapper", "the idle task has its name");
	ok(task_of(5)->events[0].event == ROW_SCHED && task_of(5)->events[0].total == 10,
	   "events count from the first row");

	samples(0, SCHED, 5, 0, 1);
	tick_after(SEC, false);
	is_int(snap->tasks[0].tid, 5, "the next interval has its own order");
	is_u64(snap->tasks[0].events[0].total, 11, "and the totals go on");
	tick_after(SEC, true);
	is_int(snap->tasks[0].tid, 6, "the final one is by total");
	end();
}

/* The count is exact, the samples say who had which share of it. */
static void check_shares(void)
{
	begin(true, 10);
	samples(0, FAULTS, 5, 30, 10);
	samples(1, FAULTS, 6, 100, 1);
	counted(0, FAULTS, 700, 0);
	counted(1, FAULTS, 300, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(task_of(5)->events[0].total, 750, "three quarters of the samples' weight");
	is_u64(task_of(6)->events[0].total, 250, "and one quarter");
	ok(is_near(task_of(5)->rate, 750), "of the exact count");
	is_u64(snap->events[ROW_FAULTS].weight, 400, "whatever the samples said that they weigh");
	end();
}

/* A file's periods are what its writer liked. */
static void check_huge_weights(void)
{
	begin(true, 10);
	samples(0, FAULTS, 5, 1ull << 63, 1);
	samples(0, FAULTS, 6, (1ull << 63) + 2, 1);
	counted(0, FAULTS, 1000, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(task_of(5)->events[0].total, UINT64_MAX,
	       "weights beyond 64 bits: the largest number there is");
	end();
}

static void check_top(void)
{
	begin(true, 3);
	for (uint32_t tid = 1; tid <= 20; tid++)
		samples(0, SCHED, tid, 0, tid);
	tick_after(SEC, false);
	ok(snap->ntasks == 3 && snap->ntasks_known == 20, "the top 3 of 20");
	ok(snap->tasks[0].tid == 20 && snap->tasks[2].tid == 18, "are the busiest");
	end();
}

/* By the figures that the rows show, not by what the samples said that they weigh. */
static void check_order(void)
{
	begin(true, 1);
	samples(0, SCHED, 5, 0, 50);
	samples(0, FAULTS, 6, 10, 1);
	counted(0, FAULTS, 1000, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_int(snap->tasks[0].tid, 6, "1000 faults by one sample stand before 50 switches");
	tick_after(SEC, true);
	is_int(snap->tasks[0].tid, 6, "in the end, too");
	end();
}

static void comm(uint32_t pid, uint32_t tid, const char *name)
{
	struct record record = { .type = PERF_RECORD_COMM,
				 .time_ns = now_ns,
				 .comm = { pid, tid, name, strlen(name) } };

	model_record(model, 0, OWNER, &record);
}

static void task_record_at(uint32_t type, uint32_t pid, uint32_t tid, uint32_t ptid, uint64_t at_ns)
{
	struct record record = {
		.type = type,
		.time_ns = at_ns,
		.task = { .pid = pid, .ppid = ptid, .tid = tid, .ptid = ptid, .time_ns = at_ns }
	};

	model_record(model, 0, OWNER, &record);
}

static void task_record(uint32_t type, uint32_t pid, uint32_t tid, uint32_t ptid)
{
	task_record_at(type, pid, tid, ptid, now_ns);
}

/* A child that ran on another CPU: all that it did may be decoded before its FORK. */
static void check_late_fork(void)
{
	begin(true, 10);
	comm(4, 4, "parent");
	now_ns += 10 * MS;
	comm(5, 5, "child");
	samples(1, SCHED, 5, 0, 3);
	task_record(PERF_RECORD_EXIT, 5, 5, 4);
	now_ns -= 10 * MS;
	comm(5, 5, "before");
	task_record_at(PERF_RECORD_FORK, 5, 5, 4, now_ns);
	tick_after(SEC, false);
	const struct snap_task *child = task_of(5);
	ok(child != NULL && child->nevents == 1 && child->events[0].total == 3,
	   "what a child did before its FORK came is not forgotten");
	is_str(child != NULL ? child->comm : NULL, "child", "nor its newest name");
	tick_after(SEC, false);
	tick_after(SEC, false);
	ok(task_of(5) == NULL, "and who had ended does not live again");

	task_record_at(PERF_RECORD_EXIT, 6, 6, 4, now_ns + 5 * MS);
	task_record_at(PERF_RECORD_FORK, 6, 6, 4, now_ns);
	tick_after(SEC, false);
	tick_after(SEC, false);
	ok(task_of(6) == NULL, "not even one that did nothing between FORK and EXIT");
	end();
}

static void check_names(void)
{
	begin(true, 10);
	comm(5, 5, "parent");
	task_record(PERF_RECORD_FORK, 6, 6, 5);
	samples(0, SCHED, 5, 0, 1);
	samples(0, SCHED, 6, 0, 1);
	samples(0, SCHED, 77, 0, 1);
	samples(0, SCHED, 78, 0, 1);
	tick_after(SEC, false);
	is_str(task_of(5)->comm, "parent", "a name by COMM");
	is_str(task_of(6)->comm, "parent", "a child has its parent's");
	is_str(task_of(77)->comm, "from-proc", "who has none is looked up");
	is_str(task_of(78)->comm, "", "or is gone already");
	is_u64(comms_asked, 2, "nobody else was");
	comm(6, 6, "child");
	samples(0, SCHED, 78, 0, 1);
	tick_after(SEC, false);
	is_str(task_of(6)->comm, "child", "until it execs");
	is_u64(comms_asked, 2, "nobody is looked up twice");
	end();
}

/* Beyond the bound all share a row, which no one of them can rename, end or begin anew. */
static void check_others(void)
{
	const struct snap_task *others;
	uint32_t first = SELF_PID + 1, one_more = first + TASKS_ROOM;

	begin(true, TASKS_ROOM + 10);
	for (uint32_t tid = first; tid < one_more; tid++)
		samples(0, SCHED, tid, 0, 1);
	samples(0, SCHED, one_more, 0, 7);
	comm(one_more, one_more, "mine");
	task_record(PERF_RECORD_FORK, one_more, one_more, 5);
	samples(0, SCHED, one_more + 1, 0, 2);
	task_record(PERF_RECORD_EXIT, one_more, one_more, 5);
	tick_after(SEC, false);
	others = task_of(TASK_OTHERS);
	ok(others != NULL && others->nevents == 1 && others->events[0].total == 9,
	   "those for whom there is no room share a row");
	is_str(others != NULL ? others->comm : NULL, "others", "with a name of its own");

	for (uint32_t tid = first; tid < one_more; tid++)
		samples(0, SCHED, tid, 0, 1);
	samples(0, SCHED, one_more, 0, 1);
	tick_after(SEC, false);
	others = task_of(TASK_OTHERS);
	ok(others != NULL && others->events[0].total == 10, "which does not end with one of them");
	end();
}

/* A tid that ended and is used again is somebody else. */
static void check_reuse(void)
{
	begin(true, 10);
	comm(5, 5, "old");
	samples(0, SCHED, 5, 0, 9);
	task_record(PERF_RECORD_EXIT, 5, 5, 1);
	task_record(PERF_RECORD_FORK, 50, 5,
		    999); /* a thread of another process; its parent is unknown */
	struct record record = sample(50, 5);
	model_record(model, 0, SCHED, &record);
	tick_after(SEC, false);
	is_int(task_of(5)->pid, 50, "a number used again is of its new process");
	is_u64(task_of(5)->events[0].total, 1, "with its own total");
	ok(strcmp(task_of(5)->comm, "old") != 0, "and without the old one's name");
	tick_after(SEC, false);
	tick_after(SEC, false);
	ok(task_of(5) != NULL, "it lives");

	task_record(PERF_RECORD_EXIT, 50, 5, 1);
	samples(0, SCHED, 5, 0, 1);
	tick_after(SEC, false);
	ok(task_of(5) != NULL, "who ended is in the snapshot of that interval");
	tick_after(SEC, false);
	tick_after(SEC, false);
	ok(task_of(5) == NULL, "and then no more");
	end();
}

/* --- switches ------------------------------------------------------------------------------- */

static void switched(uint32_t slot, uint32_t tid, uint16_t misc, uint64_t at_ns)
{
	struct record record = { .type = PERF_RECORD_SWITCH_CPU_WIDE,
				 .misc = misc,
				 .time_ns = at_ns,
				 .pid = tid,
				 .tid = tid };

	model_record(model, slot, SWITCHES, &record);
}

#define OUT	ABI_MISC_SWITCH_OUT
#define PREEMPT (ABI_MISC_SWITCH_OUT | ABI_MISC_SWITCH_OUT_PREEMPT)

static void check_switches(void)
{
	uint64_t start = 10 * SEC;

	begin(true, 10);
	/* CPU 0: idle, 5 for 0.3 s, preempted by 6 for 0.2 s, idle. */
	switched(0, 0, PREEMPT, start + 100 * MS);
	switched(0, 5, 0, start + 100 * MS);
	switched(0, 5, PREEMPT, start + 400 * MS);
	switched(0, 6, 0, start + 400 * MS);
	switched(0, 6, OUT, start + 600 * MS);
	switched(0, 0, 0, start + 600 * MS);
	tick_after(SEC, false);
	ok(snap->voluntary == 1 && snap->involuntary == 1,
	   "one left, one was preempted; idle is neither");
	is_u64(snap->switch_count, 2, "two switches of tasks");
	ok(snap->cpus[0].voluntary == 1 && snap->cpus[1].voluntary == 0, "on their CPU");
	ok(is_near(snap->cpus[0].switch_rate, 3), "of which three were switches");
	ok(is_near(task_of(5)->on_cpu, 0.3) && task_of(5)->involuntary == 1, "5 had 0.3 s");
	ok(is_near(task_of(6)->on_cpu, 0.2) && task_of(6)->voluntary == 1, "6 had 0.2 s");
	ok(is_near(task_of(6)->switch_rate, 1), "once");
	ok(task_of(0) == NULL, "idling is nobody's");
	end();
}

/* Who runs on over the end of an interval has his part in both. */
static void check_on_cpu(void)
{
	begin(true, 10);
	samples(0, SCHED, 5, 0, 1);
	switched(0, 5, 0, now_ns + 250 * MS);
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0.75), "from 0.25 s to the end");
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 1), "all of the next");
	switched(0, 5, OUT, now_ns + 500 * MS);
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0.5), "half of the last");
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0), "nothing after");

	/* A gap: 5 came, 6 leaves. */
	switched(0, 5, 0, now_ns + 100 * MS);
	switched(0, 6, OUT, now_ns + 900 * MS);
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0) && is_near(task_of(6)->on_cpu, 0),
	   "where records are missing, nothing is claimed");

	/* The clocks of two CPUs differ by a little. */
	switched(0, 5, 0, now_ns + 100 * MS);
	switched(0, 5, OUT, now_ns + 100 * MS - 1);
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0), "nobody runs for less than no time");
	end();
}

/* Hidden tasks switch, too: the CPU's sums have them, the rows do not. */
static void check_self_switches(void)
{
	begin(true, 10);
	switched(0, SELF_PID, 0, now_ns);
	switched(0, SELF_PID, OUT, now_ns + MS);
	tick_after(SEC, false);
	ok(task_of(SELF_PID) == NULL, "we ourselves are no row");
	is_u64(snap->voluntary, 1, "but our switches happened");
	end();
}

/* --- symbols -------------------------------------------------------------------------------- */

static void hit(uint32_t pid, uint64_t ip, bool is_user, uint64_t weight)
{
	struct record record = sample(pid, pid);

	record.misc = is_user ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
	record.ip = ip;
	record.period = weight;
	model_record(model, 0, CLOCK, &record);
}

static void check_symbols(void)
{
	begin(true, 4);
	ok(!model_has_addresses(model), "no address yet");
	comm(5, 5, "load");
	hit(5, 1000, false, 30);
	hit(6, 1999, false, 10);
	hit(5, 3500, false, 20);
	hit(5, 77, false, 10);
	hit(5, 0x401000, true, 25);
	hit(5, 0x402000, true, 5);
	hit(0, 1500, false, 1000); /* idle */
	hit(SELF_PID, 1500, false, 1000);
	tick_after(SEC, false);
	ok(model_has_addresses(model), "now there are some");
	is_u64(snap->nsymbols, 4, "four symbols");
	is_str(snap->symbols[0].symbol, "alpha", "addresses of one symbol are one");
	is_str(snap->symbols[0].module, "[kernel]", "of one module");
	ok(is_near(snap->symbols[0].share, 0.4), "with the sum of their weights");
	is_str(snap->symbols[1].symbol, "load", "user code is its task's");
	is_str(snap->symbols[1].module, "[user]", "as long as it has no symbols");
	ok(is_near(snap->symbols[1].share, 0.3), "however many addresses");
	ok(strcmp(snap->symbols[2].symbol, "alpha") == 0 &&
		   strcmp(snap->symbols[2].module, "[mod]") == 0 &&
		   is_near(snap->symbols[2].share, 0.2),
	   "the same name in a module is another");
	is_str(snap->symbols[3].symbol, "0x4d", "what has no name is its address");

	for (int i = 0; i < 20; i++)
		tick_after(SEC, false);
	hit(5, 2000, false, 40);
	tick_after(SEC, false);
	is_str(snap->symbols[0].symbol, "beta", "what is hot now stands first");
	tick_after(SEC, true);
	is_str(snap->symbols[0].symbol, "alpha", "in the end all counts");
	ok(is_near(snap->symbols[0].share, 40.0 / 140), "by its whole weight");
	end();
}

int main(void)
{
	plan_lazy();
	check_head();
	check_rates();
	check_running();
	check_task_running();
	check_whole();
	check_balance();
	check_answers();
	check_zero();
	check_no_lost();
	check_lost_records();
	check_throttle();
	check_throttled_books();
	check_fields();
	check_tasks();
	check_shares();
	check_huge_weights();
	check_top();
	check_order();
	check_names();
	check_reuse();
	check_others();
	check_late_fork();
	check_switches();
	check_on_cpu();
	check_self_switches();
	check_symbols();
	model_free(NULL);
	return done();
}
