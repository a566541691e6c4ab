/* SPDX-License-Identifier: MIT */
/* Short-lived tasks in one row, which task made most of an event, and what no row has. */
#include "model/model.h"

#include "base/abi.h"
#include "made-model.h"
#include "tap.h"

#include <string.h>

static void task_record(uint32_t type, uint32_t tid, uint32_t parent)
{
	struct record record = { .type = type,
				 .time_ns = now_ns,
				 .task = { tid, parent, tid, parent, now_ns } };

	model_record(model, 0, OWNER, &record);
}

static void switched(uint32_t tid, uint16_t misc, uint64_t at_ns)
{
	struct record record = { .type = PERF_RECORD_SWITCH_CPU_WIDE,
				 .misc = misc,
				 .time_ns = at_ns,
				 .pid = tid,
				 .tid = tid };

	model_record(model, 0, SWITCHES, &record);
}

/* A task that is forked, has `n` samples within 10 ms on a CPU, and exits. */
static void short_life(uint32_t tid, uint32_t parent, const char *name, unsigned int n)
{
	task_record(PERF_RECORD_FORK, tid, parent);
	comm(tid, tid, name);
	switched(tid, 0, now_ns);
	samples(0, SCHED, tid, 0, n);
	task_record(PERF_RECORD_EXIT, tid, parent);
	switched(tid, ABI_MISC_SWITCH_OUT, now_ns + 10 * MS);
	now_ns += 10 * MS;
}

static const struct snap_task *row_of(const char *name)
{
	for (size_t i = 0; i < snap->ntasks; i++)
		if (strcmp(snap->tasks[i].comm, name) == 0)
			return &snap->tasks[i];
	return NULL;
}

/* Tick a second after the interval's start, with `count` events counted in all. */
static void tick_counted(uint64_t start_ns, uint64_t count)
{
	counted(0, SCHED, count, 0);
	read_counters(start_ns + SEC);
	now_ns = start_ns;
	tick_after(SEC, false);
}

static void check_fold(void)
{
	uint64_t start = 10 * SEC;

	begin(true, 10);
	comm(4, 4, "bash");
	samples(0, SCHED, 4, 0, 5);
	for (uint32_t i = 0; i < 20; i++)
		short_life(100 + i, 4, "true", 3);
	short_life(200, 5, "true", 1);
	tick_counted(start, 66);

	is_u64(snap->ntasks, 3, "a shell, its loop, and a single one of another shell");
	const struct snap_task *loop = &snap->tasks[0];
	ok(strcmp(loop->comm, "true") == 0 && loop->tid == -1 && loop->pid == -1,
	   "many of one name and parent are a row without a tid");
	ok(loop->ntasks == 20 && is_near(loop->born, 20), "which says how many, and how fast");
	ok(loop->ppid == 4 && strcmp(loop->parent, "bash") == 0, "and whose");
	ok(loop->events[0].count == 60 && is_near(loop->events[0].rate, 60), "with their events");
	ok(is_near(loop->on_cpu, 0.2) && is_near(loop->switch_rate, 20), "time and switches");
	const struct snap_task *single = task_of(200);
	ok(single != NULL && single->ntasks == 1 && single->ppid == 5, "a single one is a task");
	ok(!loop->is_estimated, "all of it exact");

	const struct snap_event *sched = &snap->events[ROW_SCHED];
	ok(sched->most_by != NULL && strcmp(sched->most_by, "true") == 0 &&
		   sched->most_by_tid == -1 && is_near(sched->most_by_born, 20),
	   "together they made most of the event");
	ok(is_near(sched->most_share, 60.0 / 66), "with their share of it");
	end();
}

/* What has ended stays in the totals, in a row as long as that is of interest. */
static void check_ended(void)
{
	begin(true, 10);
	for (uint32_t i = 0; i < 20; i++)
		short_life(100 + i, 4, "true", 3);
	tick_counted(10 * SEC, 60);
	tick_counted(11 * SEC, 60);
	tick_counted(12 * SEC, 60);
	const struct snap_task *loop = row_of("true");
	ok(loop != NULL && loop->ntasks == 0 && loop->events[0].count == 0 &&
		   loop->events[0].total == 60,
	   "a loop that has ended is there for some seconds, with its total");
	for (uint64_t second = 13; second < 40; second++)
		tick_counted(second * SEC, 60);
	ok(row_of("true") == NULL, "then it has no row");
	is_u64(snap->rest.nevents > 0 ? snap->rest.events[0].total : 0, 60,
	       "but its total is in the rest");
	short_life(300, 4, "true", 2);
	tick_counted(41 * SEC, 62);
	loop = row_of("true");
	ok(loop != NULL && loop->events[0].total == 62 && loop->events[0].count == 2,
	   "and goes on when one of that name comes");
	ok(loop != NULL && loop->tid == -1, "the row has no tid though only one is there");
	tick_after(SEC, true);
	ok(row_of("true") != NULL, "in the final snapshot all that ended has a row");
	end();
}

/* Who lives on gets a row of its own, and takes its part of what fades along. */
static void check_grown_up(void)
{
	begin(true, 10);
	task_record(PERF_RECORD_FORK, 7, 4);
	comm(7, 7, "load");
	task_record(PERF_RECORD_FORK, 8, 4);
	comm(8, 8, "load");
	samples(0, SCHED, 7, 0, 60);
	samples(0, SCHED, 8, 0, 40);
	tick_counted(10 * SEC, 100);
	ok(row_of("load")->tid == -1 && snap->ntasks == 1, "two young ones share a row");
	for (uint64_t second = 11; second < 14; second++) {
		samples(0, SCHED, 7, 0, 60);
		samples(0, SCHED, 8, 0, 40);
		tick_counted(second * SEC, 100 * (second - 9));
	}
	is_u64(snap->ntasks, 2, "then each has its own");
	ok(task_of(7) != NULL && task_of(7)->events[0].total == 240 &&
		   task_of(8)->events[0].total == 160,
	   "with its whole total");
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	ok(sched->most_by_tid == 7 && is_near(sched->most_share, 0.6), "and its share");
	end();
}

/* Few samples of an event that is not sampled whole do not say who. */
static void check_few_samples(void)
{
	begin(true, 10);
	samples(0, FAULTS, 5, 100, SAMPLES_ENOUGH - 1);
	counted(0, FAULTS, 5000, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	ok(snap->events[ROW_FAULTS].most_by == NULL, "too few samples");
	samples(0, FAULTS, 5, 100, SAMPLES_ENOUGH);
	counted(0, FAULTS, 9000, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_int(snap->events[ROW_FAULTS].most_by_tid, 5, "enough of the last seconds");
	ok(snap->events[ROW_SCHED].most_by == NULL, "and nobody of an event that did not occur");
	samples(0, SCHED, 0, 0, 50);
	samples(0, SCHED, 6, 0, 1);
	tick_counted(now_ns, 51);
	ok(snap->events[ROW_SCHED].most_by == NULL, "nor of one that is almost all idle's");
	samples(0, SCHED, 6, 0, 20);
	tick_counted(now_ns + SEC, 71);
	is_int(snap->events[ROW_SCHED].most_by_tid, 6, "the idle task is nobody");
	end();
}

/* The first 50 ms of a live run are mostly our own start: they say who only when nothing follows. */
static void check_short(int32_t self_pid, bool is_final, int tid, const char *what)
{
	struct model_config config = config_of(true, 10);

	config.self_pid = self_pid;
	begin_with(&config);
	samples(0, SCHED, 7, 0, 60);
	counted(0, SCHED, 60, 0);
	read_counters(now_ns + 50 * MS);
	tick_after(50 * MS, is_final);
	is_int(snap->events[ROW_SCHED].most_by_tid, tid, "%s", what);
	end();
}

/* Rows and the rest are all that was sampled. */
static void check_rest(void)
{
	begin(true, 2);
	for (uint32_t tid = 5; tid < 10; tid++)
		samples(0, SCHED, tid, 0, tid);
	samples(0, SCHED, SELF_PID, 0, 4);
	switched(5, 0, now_ns);
	switched(5, ABI_MISC_SWITCH_OUT | ABI_MISC_SWITCH_OUT_PREEMPT, now_ns + 5 * MS);
	switched(9, 0, now_ns + 5 * MS);
	switched(9, ABI_MISC_SWITCH_OUT, now_ns + 500 * MS);
	tick_counted(10 * SEC, 39);
	is_u64(snap->ntasks, 2, "two rows");
	is_u64(snap->rest.ntasks, 3, "three tasks without one");
	is_u64(snap->rest.events[0].count, 5 + 6 + 7 + 4,
	       "their events, and those of our own threads");
	ok(is_near(snap->rest.on_cpu, 0.005) && is_near(snap->rest.switch_rate, 1) &&
		   is_near(snap->rest.preempt_rate, 1),
	   "and their time and switches");
	switched(5, 0, now_ns);
	switched(5, ABI_MISC_SWITCH_OUT, now_ns + 300 * MS);
	tick_counted(now_ns, 39);
	ok(task_of(5) != NULL && snap->ntasks == 3, "who is on a CPU much has a row all the same");
	end();
}

int main(void)
{
	plan_lazy();
	check_fold();
	check_ended();
	check_grown_up();
	check_few_samples();
	check_short(SELF_PID, false, -1, "a short first interval does not name a task");
	check_short(SELF_PID, true, 7, "a short run does");
	check_short(-2, false, 7, "the first interval of a file does");
	check_rest();
	return done();
}
