/* SPDX-License-Identifier: MIT */
/*
 * Sums of more than a million: each must have every one.  `make check-miscount` shows that one too few of any
 * is noticed.
 */
#include "model/model.h"

#include "base/abi.h"
#include "made-model.h"
#include "model/histogram.h"
#include "tap.h"

#include <stdlib.h>

#define TURNS	  1100400
#define TURN_NS	  1000
#define SLICE_NS  600
#define TICK_EACH 1200 /* turns; of each worker as many */
#define THIEF_NS  1

/* The tasks, and what arrays by task are indexed by. */
enum { FIRST = 1, WORKERS = 3, THIEF, TIDS };

/* --- what is put in --------------------------------------------------------------------------- */

static struct {
	uint64_t of_task[TIDS], of_cpu[2];
	uint64_t preempted_of_task[TIDS], preempted_of_cpu[2], preempted;
	uint64_t waits_of_task[TIDS], waits;
	bool is_waiting[TIDS];
} put;

static void take_sample(uint32_t slot, uint32_t event, uint32_t tid)
{
	struct record record = sample(tid, tid);

	record.period = 1;
	record.ip = tid * 1000ull; /* alpha, beta, and alpha of a module */
	model_record(model, slot, event, &record);
}

static void leave(uint32_t slot, uint32_t tid, uint32_t next, uint64_t at_ns)
{
	uint16_t misc = next > 0 ? ABI_MISC_SWITCH_OUT_PREEMPT : 0;

	record_switch(slot, tid, tid, ABI_MISC_SWITCH_OUT | misc, next, at_ns);
}

/* A worker makes an event of each kind and leaves its CPU, or is preempted. */
static void turn(uint64_t number)
{
	uint32_t slot = number & 1, tid = FIRST + number % WORKERS;
	bool is_preempted = number / 6 & 1;

	record_switch(slot, tid, tid, 0, 0, now_ns);
	take_sample(slot, SCHED, tid);
	take_sample(slot, CLOCK, tid);
	put.waits_of_task[tid] += put.is_waiting[tid];
	put.waits += put.is_waiting[tid];
	put.is_waiting[tid] = is_preempted;
	leave(slot, tid, is_preempted ? THIEF : 0, now_ns + SLICE_NS);
	if (is_preempted)
		leave(slot, THIEF, 0, now_ns + SLICE_NS + THIEF_NS);
	now_ns += TURN_NS;
	put.of_task[tid]++;
	put.of_cpu[slot]++;
	put.preempted_of_task[tid] += is_preempted;
	put.preempted_of_cpu[slot] += is_preempted;
	put.preempted += is_preempted;
}

/* --- what each interval adds ------------------------------------------------------------------ */

struct sum {
	uint64_t count, samples;
};

static struct {
	struct sum events[ROWS], of_task[ROWS][TIDS];
	double on_cpu_s[TIDS], switches[TIDS], preemptions[TIDS];
	double busy_s[2], idle_s[2], switches_of_cpu[2];
	uint64_t switches_of_all;
	unsigned int unseen, estimates, wrong_symbols;
} intervals;

static void add_task(const struct snap_task *task)
{
	intervals.on_cpu_s[task->tid] += task->on_cpu * snap->interval_s;
	intervals.switches[task->tid] += task->switch_rate * snap->interval_s;
	intervals.preemptions[task->tid] += task->preempt_rate * snap->interval_s;
	for (size_t i = 0; i < task->nevents; i++) {
		struct sum *sum = &intervals.of_task[task->events[i].event][task->tid];

		sum->count += task->events[i].count;
		sum->samples += task->events[i].samples;
		intervals.estimates += task->events[i].is_estimated;
		intervals.estimates += task->events[i].is_total_estimated;
	}
}

static void add_interval(void)
{
	for (size_t i = 0; i < snap->nevents; i++) {
		intervals.events[i].count += snap->events[i].count;
		intervals.events[i].samples += snap->events[i].sampled_count;
		intervals.unseen += snap->events[i].unseen > 0;
	}
	for (size_t i = 0; i < snap->ntasks; i++)
		add_task(&snap->tasks[i]);
	for (size_t i = 0; i < snap->ncpus; i++) {
		intervals.busy_s[i] += snap->cpus[i].busy * snap->interval_s;
		intervals.idle_s[i] += snap->cpus[i].idle * snap->interval_s;
		intervals.switches_of_cpu[i] += snap->cpus[i].switch_rate * snap->interval_s;
	}
	intervals.wrong_symbols += snap->nsymbols != WORKERS;
	for (size_t i = 0; i < snap->nsymbols; i++)
		intervals.wrong_symbols += !is_same(snap->symbols[i].share, 1.0 / WORKERS);
	intervals.switches_of_all += snap->switch_count;
}

static void count_and_tick(bool is_final)
{
	for (uint32_t slot = 0; slot < 2; slot++) {
		counted(slot, SCHED, put.of_cpu[slot], 0);
		counted(slot, CLOCK, put.of_cpu[slot], 0);
	}
	read_counters(now_ns);
	tick_after(0, is_final);
	add_interval();
}

static void check_event(size_t row)
{
	const struct snap_event *event = &snap->events[row];

	is_u64(event->total, TURNS, "%s: all are counted", event->name);
	is_u64(event->sampled, TURNS, "and sampled");
	is_u64(event->weight, TURNS, "each stands for itself");
	is_u64(event->lost, 0, "none is lost");
	is_u64(intervals.events[row].count, TURNS, "the intervals' counts are all");
	is_u64(intervals.events[row].samples, TURNS, "and their samples");
	for (size_t i = 0; i < snap->ncpus; i++) {
		is_u64(event->cpus[i].total, put.of_cpu[i], "those of CPU %d are counted",
		       snap->cpus[i].id);
		is_u64(event->cpus[i].sampled, put.of_cpu[i], "and sampled");
	}
}

static void check_worker(const struct snap_task *task)
{
	int tid = task->tid;
	uint64_t turns = put.of_task[tid], preempted = put.preempted_of_task[tid];

	for (size_t i = 0; i < task->nevents; i++) {
		const struct sum *sum = &intervals.of_task[task->events[i].event][tid];

		is_u64(task->events[i].total, turns, "task %d has all of its events", tid);
		is_u64(sum->count, turns, "the intervals' counts are all");
		is_u64(sum->samples, turns, "and their samples");
	}
	is_u64(task->involuntary, preempted, "all its preemptions");
	is_u64(task->voluntary, turns - preempted, "all its other switches");
	is_u64(task->slice.count, turns, "all its times on a CPU");
	is_u64(task->wait.count, put.waits_of_task[tid], "all its times ready");
	is_u64(task->preempters[0].count, preempted, "and who preempted it, each time");
	ok(is_same(intervals.switches[tid], (double)turns) &&
		   is_same(intervals.preemptions[tid], (double)preempted),
	   "the intervals' switches are all");
	ok(is_same(intervals.on_cpu_s[tid], (double)turns * SLICE_NS / 1e9),
	   "and the time on CPUs is that of all turns");
}

static void check_cpu(size_t slot)
{
	const struct snap_cpu *cpu = &snap->cpus[slot];
	uint64_t turns = put.of_cpu[slot], preempted = put.preempted_of_cpu[slot];
	double busy_s = (double)(turns * SLICE_NS + preempted * THIEF_NS) / 1e9;
	/* CPU 3 has its first turn later. */
	double whole_s = (double)(TURNS - slot) * TURN_NS / 1e9;

	is_u64(cpu->involuntary, preempted, "CPU %d: all preemptions", cpu->id);
	is_u64(cpu->voluntary, turns, "all other switches, also those of who preempted");
	ok(is_same(intervals.switches_of_cpu[slot], (double)(turns + preempted)),
	   "the intervals' switches are all");
	ok(is_same(intervals.busy_s[slot], busy_s), "all the time with a task");
	ok(is_same(intervals.idle_s[slot], whole_s - busy_s), "all the time without");
}

static uint64_t octaves_of(const struct snap_span *span)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < HISTOGRAM_OCTAVES; i++)
		sum += span->octaves[i];
	return sum;
}

static void check_all(void)
{
	is_u64(snap->involuntary, put.preempted, "all preemptions");
	is_u64(snap->voluntary, TURNS, "all other switches");
	is_u64(intervals.switches_of_all, TURNS + put.preempted, "the intervals' switches are all");
	is_u64(snap->slice.count, TURNS + put.preempted, "all times on a CPU");
	is_u64(snap->wait.count, put.waits, "all times ready");
	is_u64(octaves_of(&snap->slice), snap->slice.count, "each is as long as some");
	is_u64(octaves_of(&snap->wait), snap->wait.count, "of those ready, too");
	is_u64(snap->nsymbols, WORKERS, "each worker has its function");
	is_u64(intervals.wrong_symbols, 0, "which always had each of its samples");
	is_u64(intervals.estimates, 0, "no figure was ever an estimate");
	is_u64(intervals.unseen, 0, "for each event had its sample");
}

static void check_turns(void)
{
	begin(true, 10);
	comm(THIEF, THIEF, "thief");
	for (uint64_t i = 0; i < TURNS; i++) {
		turn(i);
		if (i % TICK_EACH == TICK_EACH - 1)
			count_and_tick(i == TURNS - 1);
	}
	for (size_t row = ROW_SCHED; row <= ROW_CLOCK; row++)
		check_event(row);
	is_u64(snap->ntasks, WORKERS + 1, "the workers and the thief have rows");
	for (int tid = FIRST; tid <= WORKERS; tid++)
		check_worker(task_of(tid));
	for (size_t slot = 0; slot < 2; slot++)
		check_cpu(slot);
	check_all();
	end();
}

/* --- tasks that end ------------------------------------------------------------------------------ */

#define LIVES_ALL  1050000 /* with ACCOUNTING=all */
#define LIVES	   105000
#define LIVES_EACH 5000 /* before a tick */

static void task_record(uint32_t type, uint32_t tid, uint32_t parent)
{
	struct record record = { .type = type,
				 .time_ns = now_ns,
				 .task = { tid, parent, tid, parent, now_ns } };

	model_record(model, 0, OWNER, &record);
}

/* A task that is forked, makes an event, is preempted, makes another, and exits. */
static void life(uint32_t tid, uint32_t parent)
{
	task_record(PERF_RECORD_FORK, tid, parent);
	comm(tid, tid, "true");
	record_switch(0, tid, tid, 0, 0, now_ns);
	samples(0, SCHED, tid, 1, 1);
	leave(0, tid, THIEF, now_ns + SLICE_NS);
	record_switch(0, tid, tid, 0, 0, now_ns + SLICE_NS);
	samples(0, SCHED, tid, 1, 1);
	task_record(PERF_RECORD_EXIT, tid, parent);
	leave(0, tid, 0, now_ns + SLICE_NS + SLICE_NS);
	now_ns += 2 * TURN_NS;
}

static struct {
	double born, on_cpu_s, switches, preemptions;
	uint64_t tasks, count, samples;
} lives;

static void add_lives(const struct snap_task *row)
{
	lives.born += row->born * snap->interval_s;
	lives.on_cpu_s += row->on_cpu * snap->interval_s;
	lives.switches += row->switch_rate * snap->interval_s;
	lives.preemptions += row->preempt_rate * snap->interval_s;
	lives.tasks += row->ntasks;
	lives.count += row->events[0].count;
	lives.samples += row->events[0].samples;
}

static void check_lives(void)
{
	const char *accounting = getenv("ACCOUNTING");
	uint64_t n = accounting != NULL && strcmp(accounting, "all") == 0 ? LIVES_ALL : LIVES;

	begin(true, 10);
	comm(4, 4, "bash");
	samples(0, SCHED, 4, 1, 1);
	for (uint64_t i = 0; i < n; i++) {
		life(5000 + (uint32_t)i % 20000, 4);
		if (i % LIVES_EACH != LIVES_EACH - 1)
			continue;
		counted(0, SCHED, 2 * (i + 1) + 1, 0);
		read_counters(now_ns);
		tick_after(0, i == n - 1);
		add_lives(task_of(-1));
	}
	is_u64(task_of(-1)->events[0].total, 2 * n, "tasks that ended leave all of their events");
	is_u64(lives.count, 2 * n, "the intervals' counts are all");
	is_u64(lives.samples, 2 * n, "and their samples");
	is_u64(lives.tasks, n, "each was in an interval");
	ok(is_same(lives.born, (double)n), "in which it was born");
	is_u64(task_of(-1)->involuntary, n, "all their preemptions");
	is_u64(task_of(-1)->voluntary, n, "all their other switches");
	ok(is_same(lives.switches, 2 * (double)n) && is_same(lives.preemptions, (double)n),
	   "the intervals' switches are all");
	ok(is_same(lives.on_cpu_s, (double)n * 2 * SLICE_NS / 1e9), "and the time on CPUs");
	end();
}

int main(void)
{
	plan_lazy();
	check_turns();
	check_lives();
	return done();
}
