/* SPDX-License-Identifier: MIT */
/* Context switches: their sums, and the time that tasks had on a CPU. */
#include "model/model.h"

#include "base/abi.h"
#include "made-model.h"
#include "tap.h"

static void switched_with(uint32_t slot, uint32_t tid, uint16_t misc, uint64_t at_ns,
			  uint32_t other)
{
	record_switch(slot, tid, tid, misc, other, at_ns);
}

/* The other task of the switch is unknown. */
static void switched(uint32_t slot, uint32_t tid, uint16_t misc, uint64_t at_ns)
{
	switched_with(slot, tid, misc, at_ns, UINT32_MAX);
}

#define OUT	ABI_MISC_SWITCH_OUT
#define PREEMPT (ABI_MISC_SWITCH_OUT | ABI_MISC_SWITCH_OUT_PREEMPT)

/* The newest value of a trend of the first CPU. */
static bool trend_ends(enum cpu_trend which, double value)
{
	return is_near((double)snap->cpus[0].trends[which][SNAP_TREND_MAX - 1], value);
}

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
	ok(task_of(0) == NULL, "the idle task has no row");
	ok(is_near(snap->cpus[0].busy, 0.5) && is_near(snap->cpus[0].idle, 0.4),
	   "the CPU was busy, then idle; before its first switch it is unknown");
	ok(is_near(snap->cpus[1].busy, 0) && is_near(snap->cpus[1].idle, 0),
	   "one without switches is unknown");
	ok(is_near(snap->cpus[0].preempt_rate, 1) && is_near(snap->cpus[1].preempt_rate, 0),
	   "each CPU has its preemptions per second");
	ok(trend_ends(CPU_BUSY, 0.5) && trend_ends(CPU_SWITCHES, 3) &&
		   trend_ends(CPU_PREEMPTIONS, 1),
	   "and trends");
	tick_after(SEC, false);
	ok(is_near(snap->cpus[0].busy, 0) && is_near(snap->cpus[0].idle, 1), "idle goes on");
	samples(1, SCHED, 7, 0, 1);
	tick_after(SEC, false);
	ok(is_near(snap->cpus[1].busy, 1) && is_near(task_of(7)->on_cpu, 1),
	   "a sample says who is on the CPU, too");
	end();
}

static const struct record exit_of_5 = { .type = PERF_RECORD_EXIT,
					 .time_ns = 10 * SEC + 300 * MS,
					 .task = { 5, 1, 5, 1, 10 * SEC + 300 * MS } };

/* The last switch of a task that has exited has no tid; or its record is lost. */
static void check_exits(void)
{
	begin(true, 10);
	switched(0, 5, 0, now_ns + 100 * MS);
	model_record(model, 0, OWNER, &exit_of_5);
	switched(0, UINT32_MAX, OUT, now_ns + 400 * MS);
	tick_after(SEC, false);
	ok(snap->ntasks == 1 && is_near(snap->tasks[0].on_cpu, 0.3) &&
		   is_near(snap->tasks[0].switch_rate, 1),
	   "its last time on a CPU and its last switch are its own");
	end();

	begin(true, 10);
	samples(0, SCHED, 5, 0, 1);
	switched(0, 5, 0, now_ns + 100 * MS);
	model_record(model, 0, OWNER, &exit_of_5);
	tick_after(SEC, false);
	ok(is_near(snap->cpus[0].busy, 0), "who has exited is not on a CPU for ever");
	end();
}

/* So has a sample at that switch: its task is the one on the CPU, if that has exited. */
static void check_last_sample(void)
{
	struct record of_process_5 = sample(5, UINT32_MAX), of_6 = sample(6, UINT32_MAX);
	struct record own = sample(SELF_PID, UINT32_MAX);

	begin(true, 10);
	switched(0, 5, 0, now_ns + 100 * MS);
	switched(1, 6, 0, now_ns + 100 * MS);
	model_record(model, 0, OWNER, &exit_of_5);
	model_record(model, 0, SCHED, &of_process_5);
	model_record(model, 0, SCHED, &of_6);
	model_record(model, 0, SCHED, &own);
	samples(0, SCHED, UINT32_MAX, 0, 1);
	samples(1, SCHED, UINT32_MAX, 0, 1);
	switched(0, UINT32_MAX, OUT, now_ns + 400 * MS);
	samples(0, SCHED, UINT32_MAX, 0, 1);
	counted(0, SCHED, 5, 0);
	counted(1, SCHED, 1, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(task_of(5)->events[0].count, 2, "a sample at the last switch is its task's");
	is_u64(task_of(6)->nevents, 0, "not another's that has not exited");
	is_u64(snap->events[ROW_SCHED].unseen, 3,
	       "nor one of another process's: those are nobody's");
	end();
}

/* A last switch, without a tid, that is of another process than the task that is known to be on the CPU. */
static void check_last_of_another(void)
{
	struct record out = { .type = PERF_RECORD_SWITCH_CPU_WIDE,
			      .misc = OUT,
			      .pid = 6,
			      .tid = UINT32_MAX };

	begin(true, 10);
	switched(0, 5, 0, now_ns + 100 * MS);
	out.time_ns = now_ns + 800 * MS;
	model_record(model, 0, SWITCHES, &out);
	tick_after(SEC, false);
	ok(snap->ntasks == 1 && is_near(task_of(5)->on_cpu, 0) &&
		   is_near(task_of(5)->switch_rate, 0),
	   "the last switch of another process's task is not its own");
	end();
}

/* Records were lost on a CPU: who was on it since the last one is unknown. */
static void check_lost(void)
{
	struct record lost = { .type = PERF_RECORD_LOST, .lost.lost = 10 };
	struct record seen = sample(5, 5);

	begin(true, 10);
	lost.time_ns = now_ns + 500 * MS;
	seen.time_ns = now_ns + 300 * MS;
	switched(0, 5, 0, now_ns + 100 * MS);
	model_record(model, 0, SCHED, &seen);
	model_record(model, 0, OWNER, &lost);
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0.2) && is_near(snap->cpus[0].busy, 0.2),
	   "lost records: time on a CPU counts up to the last record before");
	tick_after(SEC, false);
	ok(is_near(snap->cpus[0].busy, 0) && is_near(snap->cpus[0].idle, 0),
	   "and then it is unknown");
	seen.time_ns = now_ns + 400 * MS;
	model_record(model, 0, SCHED, &seen);
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0.6), "until a sample says who it is");
	end();
}

/* An idle task without records of its own, which is known as the other task of a switch. */
static void check_silent_idle(void)
{
	begin(true, 10);
	switched_with(0, 5, 0, now_ns + 100 * MS, 0);
	switched_with(0, 5, OUT, now_ns + 400 * MS, 0);
	switched_with(0, 6, 0, now_ns + 700 * MS, 0);
	tick_after(SEC, false);
	ok(is_near(snap->cpus[0].busy, 0.6) && is_near(snap->cpus[0].idle, 0.3),
	   "the time between two tasks is idle");
	switched_with(0, 6, OUT, now_ns + 500 * MS, 7);
	switched_with(0, 7, 0, now_ns + 500 * MS + 1, 6);
	tick_after(SEC, false);
	ok(is_near(snap->cpus[0].busy, 1), "no time between two records of a switch is lost");
	end();
}

/* The time of a task that runs across the end of an interval is split between both. */
static void check_on_cpu(void)
{
	begin(true, 10);
	comm(5, 5, "load");
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
	   "where records are missing, no time is counted");

	/* The clocks of two CPUs differ by a little. */
	switched(0, 5, 0, now_ns + 100 * MS);
	switched(0, 5, OUT, now_ns + 100 * MS - 1);
	tick_after(SEC, false);
	ok(is_near(task_of(5)->on_cpu, 0), "no time is negative");
	end();
}

/* Hidden tasks switch, too: the CPU's sums have them, the rows do not. */
static void check_self_switches(void)
{
	begin(true, 10);
	switched(0, SELF_PID, 0, now_ns);
	switched(0, SELF_PID, OUT, now_ns + MS);
	tick_after(SEC, false);
	ok(task_of(SELF_PID) == NULL, "our own threads have no row");
	is_u64(snap->voluntary, 1, "but their switches are counted");
	end();
}

/* Of a damaged file: until the next switch with a time nobody knows who is on the CPU. */
static void check_no_time(void)
{
	begin(true, 10);
	switched_with(0, 5, OUT, now_ns + 100 * MS, 6);
	switched_with(0, 6, OUT, 0, 7);
	tick_after(SEC, false);
	is_u64(snap->switch_count, 2, "a switch without a time is counted");
	ok(is_near(snap->cpus[0].busy, 0) && is_near(snap->cpus[0].idle, 0),
	   "and the CPU is unknown");
	switched_with(0, 7, OUT, now_ns + 600 * MS, 8);
	tick_after(SEC, false);
	ok(is_near(snap->cpus[0].busy, 0.4), "until the next switch");
	end();
}

int main(void)
{
	plan_lazy();
	check_switches();
	check_on_cpu();
	check_exits();
	check_last_sample();
	check_last_of_another();
	check_lost();
	check_silent_idle();
	check_self_switches();
	check_no_time();
	return done();
}
