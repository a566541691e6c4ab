/* SPDX-License-Identifier: MIT */
/* How long tasks ran at a time and waited for a CPU, and who preempted them. */
#include "model/model.h"

#include "base/abi.h"
#include "made-model.h"
#include "model/spans.h"
#include "model/switchlog.h"
#include "tap.h"

#define OUT	ABI_MISC_SWITCH_OUT
#define PREEMPT (ABI_MISC_SWITCH_OUT | ABI_MISC_SWITCH_OUT_PREEMPT)
#define US	1000ull
#define PID_AT	24 /* of sched:sched_wakeup */

static uint64_t start_ns;

static void record_of(uint32_t slot, uint32_t pid, uint32_t tid, uint16_t misc, uint32_t other,
		      uint64_t us)
{
	record_switch(slot, pid, tid, misc, other, start_ns + us * US);
}

static void switched(uint32_t slot, uint32_t tid, uint16_t misc, uint32_t other, uint64_t us)
{
	record_of(slot, tid, tid, misc, other, us);
}

/* Both records of a switch. */
static void from_to(uint32_t slot, uint32_t from, uint32_t to, uint16_t misc, uint64_t us)
{
	switched(slot, from, misc, to, us);
	switched(slot, to, 0, from, us);
}

static void woken_by(uint32_t slot, uint32_t tid, uint64_t us, uint64_t weight)
{
	unsigned char raw[32] = { 0 };
	struct record record = sample(0, 0);

	memcpy(raw + PID_AT, &tid, sizeof(tid));
	record.time_ns = start_ns + us * US;
	record.period = weight;
	record.raw = raw;
	record.raw_size = sizeof(raw);
	model_record(model, slot, FAULTS, &record);
}

static void woken(uint32_t slot, uint32_t tid, uint64_t us)
{
	woken_by(slot, tid, us, 1);
}

static void lost(uint32_t slot, uint64_t us)
{
	struct record record = { .type = PERF_RECORD_LOST,
				 .time_ns = start_ns + us * US,
				 .lost = { 1, 5 } };

	model_record(model, slot, SWITCHES, &record);
}

static void open_model(void)
{
	struct model_event wakeups = { .name = "sched:sched_wakeup",
				       .kind = "tracepoint",
				       .unit = "",
				       .sampling = SAMPLING_FREQ,
				       .wakes_at = PID_AT };

	begin(true, 20);
	model_set_event(model, FAULTS, &wakeups);
	start_ns = now_ns;
}

static bool is_time(double seconds, uint64_t us)
{
	return is_near(seconds, (double)us / 1e6);
}

static void check_slices(void)
{
	open_model();
	/* 5 for 300 us, preempted by 6 for 100 us; 5 again for 50 us. */
	from_to(0, 0, 5, PREEMPT, 1000);
	from_to(0, 5, 6, PREEMPT, 1300);
	from_to(0, 6, 5, OUT, 1400);
	from_to(0, 5, 0, OUT, 1450);
	tick_after(SEC, false);
	is_u64(task_of(5)->slice.count, 2, "two slices");
	ok(is_time(task_of(5)->slice.max, 300), "the longest");
	ok(is_time(task_of(6)->slice.max, 100), "one of the other task");
	ok(task_of(5)->wait.count == 1 && is_time(task_of(5)->wait.max, 100),
	   "a preempted task waits for its next turn");
	is_u64(task_of(6)->wait.count, 0, "what came out of nowhere did not wait");
	ok(task_of(5)->npreempters == 1 && task_of(5)->preempters[0].tid == 6 &&
		   task_of(5)->preempters[0].count == 1,
	   "it was preempted by the other");
	is_u64(task_of(6)->npreempters, 0, "which blocked");
	ok(snap->slice.count == 3 && snap->wait.count == 1 && snap->has_wakeups, "of all tasks");
	ok(task_of(0) == NULL, "idle has no slices");
	end();
}

/* The wakeup is on another CPU than the switch, and is decoded after it. */
static void check_waits(void)
{
	open_model();
	from_to(1, 5, 0, OUT, 100);
	from_to(1, 0, 5, PREEMPT, 520);
	from_to(1, 5, 0, OUT, 530);
	from_to(1, 0, 5, PREEMPT, 907);
	from_to(1, 5, 0, OUT, 910);
	woken(0, 5, 500);
	woken_by(0, 5, 900, 10);
	read_counters(start_ns + 905 * US);
	tick_after(SEC, false);
	ok(task_of(5)->wait.count == 1 && is_time(task_of(5)->wait.max, 20),
	   "from the wakeup to the switch");
	tick_after(SEC, true);
	is_u64(task_of(5)->wait.count, 11, "a sample stands for its weight");
	ok(is_near(task_of(5)->wait.p50, 7e-6), "the median, from both");
	is_u64(task_of(5)->slice.count, 2, "what was after the earliest mark came later");
	end();

	open_model();
	from_to(0, 0, 5, PREEMPT, 100);
	woken(1, 5, 150);
	from_to(0, 5, 6, PREEMPT, 200);
	woken(1, 5, 250);
	from_to(0, 6, 5, OUT, 300);
	tick_after(SEC, true);
	ok(task_of(5)->wait.count == 1 && is_time(task_of(5)->wait.max, 100),
	   "a wakeup changes nothing for who is on a CPU, or was preempted");
	end();

	open_model();
	from_to(0, 5, 0, OUT, 50);
	woken(0, 5, 100);
	woken(0, 5, 700);
	from_to(0, 0, 5, PREEMPT, 707);
	tick_after(SEC, true);
	ok(is_time(task_of(5)->wait.max, 607), "nor one of a task that is ready");
	end();

	open_model();
	woken(0, 77, 100);
	from_to(0, 0, 5, PREEMPT, 100);
	tick_after(SEC, true);
	ok(task_of(77) == NULL && snap->wait.count == 0, "who never ran has no row");
	end();
}

/* Raw data that is too short for a pid. */
static void check_short(void)
{
	unsigned char raw[PID_AT + 3] = { 5, 5, 5 };
	struct record record = sample(0, 0);

	open_model();
	from_to(0, 5, 0, OUT, 50);
	record.raw = raw;
	record.raw_size = sizeof(raw);
	model_record(model, 0, FAULTS, &record);
	record.raw_size = 3;
	model_record(model, 0, FAULTS, &record);
	record.raw = NULL;
	model_record(model, 0, FAULTS, &record);
	from_to(0, 0, 5, PREEMPT, 60);
	tick_after(SEC, true);
	is_u64(snap->wait.count, 0, "a sample without the pid is no wakeup");
	end();
}

static void check_losses(void)
{
	open_model();
	from_to(0, 0, 5, PREEMPT, 100);
	from_to(1, 0, 6, PREEMPT, 100);
	lost(0, 5000);
	from_to(0, 5, 7, PREEMPT, 6000);
	from_to(1, 6, 8, PREEMPT, 6000);
	tick_after(SEC, true);
	is_u64(task_of(5)->slice.count, 0, "records were lost in between: no slice");
	is_u64(task_of(6)->slice.count, 1, "those of another CPU are not affected");
	end();

	open_model();
	from_to(0, 5, 0, OUT, 50);
	woken(0, 5, 100);
	lost(1, 5000);
	from_to(0, 0, 5, PREEMPT, 6000);
	tick_after(SEC, true);
	is_u64(task_of(5)->wait.count, 0, "nor a wait, which could have ended there");
	end();

	/* 5 came, 6 leaves. */
	open_model();
	from_to(0, 0, 5, PREEMPT, 100);
	switched(0, 6, PREEMPT, 7, 900);
	switched(0, 5, 0, 7, 950);
	tick_after(SEC, true);
	ok(task_of(5)->slice.count == 0 && task_of(6)->slice.count == 0, "nor with a gap");
	end();
}

/* A CPU whose records are not decoded: a wait could have ended there. */
static void check_late_cpu(void)
{
	open_model();
	from_to(0, 5, 0, OUT, 50);
	woken(0, 5, 100);
	from_to(0, 0, 5, PREEMPT, 6000);
	from_to(0, 5, 0, OUT, 6100);
	model_cpu_answer(model, 1, CPU_BEHIND);
	tick_after(SEC, false);
	ok(task_of(5)->wait.count == 0 && task_of(5)->slice.count == 1,
	   "no wait beside a late CPU");
	end();
}

/* More entries than wait for other CPUs, whose own then come late. */
static void check_full_log(void)
{
	open_model();
	from_to(1, 5, 0, OUT, 1);
	woken(0, 5, 5);
	for (uint64_t i = 0; i < SWITCHLOG_MOST; i++)
		from_to(0, i % 2 ? 8 : 9, i % 2 ? 9 : 8, OUT, 10 + i);
	from_to(1, 0, 5, PREEMPT, 10);
	from_to(1, 5, 0, OUT, 20);
	/* Its wakeup before this was not sampled. */
	from_to(0, 8, 5, OUT, 30003);
	from_to(0, 5, 8, OUT, 30010);
	woken(1, 5, 30020);
	from_to(0, 8, 5, OUT, 30024);
	tick_after(SEC, true);
	ok(task_of(5)->wait.count == 1 && is_time(task_of(5)->wait.max, 4),
	   "no wait from before, which could have ended on another CPU");
	ok(task_of(8)->slice.count >= SWITCHLOG_MOST / 2 - 2, "all of the full CPU is measured");
	end();
}

/* Of a thread with one name, then another; short-lived ones share a row. */
static void check_preempters(void)
{
	open_model();
	comm(21, 21, "often");
	comm(22, 22, "often");
	comm(23, 23, "once");
	for (uint64_t i = 0; i < 30; i++) {
		uint32_t by = i == 7 ? 23 : 21 + i % 2;

		from_to(0, 0, 5, PREEMPT, 100 * i);
		from_to(0, 5, by, PREEMPT, 100 * i + 50);
		from_to(0, by, 0, OUT, 100 * i + 60);
	}
	from_to(0, 0, 6, PREEMPT, 9000);
	switched(0, 6, PREEMPT, SELF_PID + 1, 9050);
	record_of(0, SELF_PID, SELF_PID + 1, 0, 6, 9050);
	from_to(0, SELF_PID, 7, OUT, 9060);
	switched(0, 7, PREEMPT, 4000, 9070);
	tick_after(SEC, true);
	ok(task_of(5)->npreempters == 2 && strcmp(task_of(5)->preempters[0].comm, "often") == 0 &&
		   task_of(5)->preempters[0].count == 29,
	   "by name, the most frequent first");
	ok(strcmp(task_of(5)->preempters[1].comm, "once") == 0, "then the others");
	ok(task_of(6)->preempters[0].tid == SELF_PID, "as one task");
	ok(task_of(7)->npreempters == 1 && task_of(7)->preempters[0].comm[0] == '\0' &&
		   task_of(7)->preempters[0].tid == 4000,
	   "of who has no records only the tid is known");
	ok(task_of(6)->npreempters == 1 &&
		   strcmp(task_of(6)->preempters[0].comm, "perftop-ng") == 0,
	   "our own threads are named, too");
	end();

	open_model();
	for (uint32_t by = 100; by < 200; by++) {
		char name[16];

		snprintf(name, sizeof(name), "by-%u", by % 20);
		comm(by, by, name);
		from_to(0, 0, 5, PREEMPT, 100 * by);
		from_to(0, 5, by, PREEMPT, 100 * by + 50);
	}
	tick_after(SEC, true);
	is_u64(task_of(5)->npreempters, SPANS_PREEMPTERS, "many are not all kept");
	end();
}

static void check_folds(void)
{
	open_model();
	for (uint32_t tid = 100; tid < 120; tid++) {
		struct record fork = { .type = PERF_RECORD_FORK,
				       .time_ns = start_ns,
				       .task = { tid, 1, tid, 1, start_ns } };
		struct record exited = { .type = PERF_RECORD_EXIT,
					 .time_ns = start_ns + tid * MS,
					 .task = { tid, 1, tid, 1, start_ns + tid * MS } };

		model_record(model, 0, OWNER, &fork);
		comm(tid, tid, "true");
		from_to(0, 0, tid, PREEMPT, 1000 * tid);
		model_record(model, 0, OWNER, &exited);
		/* The last switch of a task that has exited has no tid. */
		switched(0, UINT32_MAX, OUT, 0, 1000 * tid + 40);
	}
	tick_after(SEC, false);
	ok(snap->ntasks == 1 && snap->tasks[0].tid == -1, "twenty short-lived tasks are one row");
	ok(snap->tasks[0].slice.count == 20 && is_time(snap->tasks[0].slice.max, 40),
	   "with their slices");
	tick_after(SEC, false);
	tick_after(SEC, true);
	ok(snap->ntasks == 1 && snap->tasks[0].slice.count == 20, "also after they are gone");
	end();
}

/* A task that lives longer than short-lived ones keeps what was measured. */
static void check_growing_up(void)
{
	struct record fork = { .type = PERF_RECORD_FORK,
			       .time_ns = 10 * SEC,
			       .task = { 5, 1, 5, 1, 10 * SEC } };

	open_model();
	model_record(model, 0, OWNER, &fork);
	comm(5, 5, "load");
	for (uint64_t i = 0; i < 5; i++) {
		from_to(0, 0, 5, PREEMPT, i * 1000000 + 100);
		from_to(0, 5, 0, OUT, i * 1000000 + 150);
		tick_after(SEC, false);
		is_u64(task_of(5)->slice.count, i + 1, "a slice a second, %d", (int)i);
	}
	end();
}

static void check_age(void)
{
	open_model();
	from_to(0, 0, 5, PREEMPT, 100);
	from_to(0, 5, 6, PREEMPT, 150);
	tick_after(9 * SEC, false);
	is_u64(task_of(5)->slice.count, 1, "for nine seconds");
	tick_after(8 * SEC, false);
	is_u64(task_of(5)->slice.count, 1, "for seventeen");
	tick_after(8 * SEC, false);
	tick_after(8 * SEC, false);
	ok(task_of(5)->slice.count == 1 && task_of(5)->npreempters == 1,
	   "until ten more have ended");
	tick_after(SEC, false);
	ok(task_of(5)->slice.count == 0 && task_of(5)->npreempters == 0 && snap->slice.count == 0,
	   "then they are forgotten");
	ok(task_of(5)->slice.p50 < 0, "and not 0");
	start_ns = now_ns;
	from_to(0, 6, 5, OUT, 100);
	from_to(0, 5, 6, OUT, 120);
	tick_after(SEC, false);
	is_u64(task_of(5)->slice.count, 1, "new ones are counted");
	model_zero(model);
	tick_after(SEC, false);
	ok(task_of(5)->slice.count == 0 && snap->slice.count == 0, "zero forgets them");
	end();
}

int main(void)
{
	plan_lazy();
	check_slices();
	check_waits();
	check_short();
	check_losses();
	check_full_log();
	check_late_cpu();
	check_preempters();
	check_folds();
	check_growing_up();
	check_age();
	return done();
}
