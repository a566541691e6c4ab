/* SPDX-License-Identifier: MIT */
/* The books of an event: counts against samples and losses, and when nothing is claimed. */
#include "model/model.h"

#include "made-model.h"
#include "tap.h"

#include <string.h>

/* One event on two CPUs, all of whose samples are decoded. */
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
	   "while it runs, some are in flight: no balance is claimed");
	samples(0, SCHED, 5, 0, 81);
	tick_after(SEC, false);
	is_u64(snap->events[ROW_SCHED].sampled, 20, "what came after the mark is for the next");
	ok(snap->is_balanced, "and is no fault");
	counted(0, SCHED, 100, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(snap->events[ROW_SCHED].sampled, 100,
	       "samples that are newer than the counter's reading are not, either");
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
	model_counts(model, 0, said[0], EVENTS, now_ns + SEC, MARK_NONE);
	model_cpu_answer(model, 0, CPU_BEHIND);
	tick_after(SEC, true);
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	ok(sched->total == 160 && sched->lost == 43, "behind: the counts are current");
	is_u64(sched->sampled, 68, "the samples are not");
	ok(sched->is_behind && !sched->is_at_least, "and the row is marked");
	ok(!sched->is_balance_known && !snap->is_balance_known, "no balance is claimed");
	ok(snap->cpus[0].answer == CPU_BEHIND && snap->cpus[1].answer == CPU_ANSWERED,
	   "nor hidden");
	is_u64(snap->nnotes, 1, "and a line names the CPU");
	model_cpu_answer(model, 0, CPU_ANSWERED);
	model_cpu_answer(model, 1, CPU_SILENT);
	tick_after(SEC, false);
	ok(snap->events[ROW_SCHED].is_at_least && snap->events[ROW_SCHED].is_behind,
	   "silent: its sums are lower bounds");
	ok(strstr(snap->notes[0], "cpu 3 ") != NULL, "and the line names it");
	model_cpu_online(model, 1, false);
	tick_after(SEC, false);
	ok(!snap->events[ROW_SCHED].is_at_least && snap->nnotes == 0,
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
	ok(task_of(5) != NULL && task_of(5)->events[0].total == 3, "tasks are reset as well");
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
	is_u64(snap->events[ROW_SCHED].cpus[0].lost, 42, "on its CPU, too");
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
	is_u64(snap->events[ROW_SCHED].lost, 0, "added to no event");
	is_u64(snap->side_lost, 7, "lost names and switches are counted apart");
	ok(snap->side_lost_count == 7 && snap->cpus[0].side_lost_count == 5 &&
		   snap->cpus[1].side_lost_count == 2 && snap_switches_are_at_least(snap),
	   "all in this interval, of which not all switches are known");
	ok(snap->cpus[0].is_switch_rate_at_least, "nor is the rate of a CPU, without their event");
	is_u64(snap->lost, 0, "from events");
	ok(snap->corrupt == 3 && snap->cpus[1].corrupt == 3 && snap->cpus[1].ring_bytes == 8192,
	   "corrupt rings are counted");
	tick_after(SEC, false);
	ok(snap->side_lost == 7 && snap->side_lost_count == 0 && !snap_switches_are_at_least(snap),
	   "of the next interval all are");
	end();
}

/* Samples that throttling prevents are not counted: the books cannot be checked then. */
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

int main(void)
{
	plan_lazy();
	check_balance();
	check_answers();
	check_zero();
	check_no_lost();
	check_lost_records();
	check_throttled_books();
	return done();
}
