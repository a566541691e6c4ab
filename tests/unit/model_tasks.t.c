/* SPDX-License-Identifier: MIT */
/* Tasks: their share of each event, their order, their names, and when they begin and end. */
#include "model/model.h"

#include "made-model.h"
#include "model/tasks.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

static void check_tasks(void)
{
	begin(true, 10);
	samples(0, SCHED, 5, 0, 10);
	samples(1, SCHED, 6, 0, 30);
	samples(0, SCHED, 0, 0, 2);
	samples(0, SCHED, SELF_PID, 0, 100);
	samples(0, FAULTS, UINT32_MAX, 0, 100);
	samples(0, CLOCK, 6, 5000000, 3);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(snap->ntasks, 3, "three tasks, without our own and those that are gone");
	is_int(snap->tasks[0].tid, 6, "the busiest first");
	ok(is_near(task_of(6)->rate, 30) && is_near(task_of(5)->rate, 10) &&
		   is_near(task_of(0)->rate, 2),
	   "each with its rate, clocks left out");
	is_u64(snap->tasks[0].nevents, 2, "of two events");
	ok(snap->tasks[0].is_estimated && !snap->tasks[1].is_estimated,
	   "where a sample stands for others it is an estimate");
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

/* Its last switch is recorded after it was released; its process goes on. */
static void check_exited_thread(void)
{
	begin(true, 10);

	struct record last = sample(5, UINT32_MAX);
	samples(0, SCHED, 5, 0, 2);
	model_record(model, 0, SCHED, &last);
	counted(0, SCHED, 3, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	ok(snap->ntasks == 1 && task_of(5)->events[0].total == 2,
	   "a thread that has exited has no row");
	is_u64(snap->events[ROW_SCHED].unseen, 1, "and its last switch counts as unseen");
	end();
}

/* As a file may have: a dummy that samples. */
static void check_no_row(void)
{
	begin(true, 10);
	samples(0, OWNER, 7, 0, 10);
	samples(0, SCHED, 5, 0, 10);
	tick_after(SEC, false);
	is_u64(snap->ntasks, 1, "samples of an event without a row count for no task");
	is_int(snap->tasks[0].tid, 5, "those of others do");
	is_u64(snap->rest.nevents, 0, "nothing is left over");
	end();
}

/* An event that was removed has no row; the others' rows move up, and tasks' events with them. */
static void check_removed(void)
{
	begin(true, 10);
	samples(0, SCHED, 5, 0, 10);
	samples(0, FAULTS, 5, 30, 40);
	counted(0, FAULTS, 1200, 0);
	is_removed[SCHED] = true;
	set_event(SCHED, "sched:sched_switch", EVENT_STATE_OFF, SAMPLING_PERIOD, 1);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(snap->nevents, ROWS - 1, "it has no row");
	is_str(snap->events[ROW_FAULTS - 1].name, "page-faults", "the others' move up");
	is_u64(snap->events[ROW_FAULTS - 1].id, ROW_FAULTS, "and keep their ids");
	is_u64(task_of(5)->nevents, 1, "a task has no figures of it");
	is_u64(task_of(5)->events[0].event, ROW_FAULTS - 1, "those of others are of their rows");
	is_u64(task_of(5)->events[0].total, 1200, "with their totals");
	ok(is_near(task_of(5)->rate, 1200), "its rate is without it");
	is_int(snap->events[ROW_FAULTS - 1].most_by_tid, 5,
	       "who makes most of the others is known");

	is_removed[SCHED] = false;
	set_event(SCHED, "sched:sched_switch", EVENT_STATE_ON, SAMPLING_PERIOD, 1);
	tick_after(SEC, false);
	is_u64(snap->nevents, ROWS, "added again it has one");
	is_u64(task_of(5)->events[0].total, 10, "and the tasks their totals");
	end();
}

/* Samples without a count stand for their period; what is left of the count is nobody's. */
static void check_shares(void)
{
	begin(true, 10);
	samples(0, FAULTS, 5, 30, 10);
	samples(1, FAULTS, 6, 100, 1);
	counted(0, FAULTS, 700, 0);
	counted(1, FAULTS, 300, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(task_of(5)->events[0].total, 300, "the weight of ten samples");
	is_u64(task_of(6)->events[0].total, 100, "and of one on another CPU");
	const struct snap_event *faults = &snap->events[ROW_FAULTS];
	is_u64(faults->unseen, 600, "what no sample stands for is not handed to them");
	ok(faults->cpus[0].unseen == 400 && faults->cpus[1].unseen == 200, "by CPU");
	samples(0, FAULTS, 5, 400, 3);
	samples(1, FAULTS, 6, 300, 1);
	counted(0, FAULTS, 1450, 0);
	counted(1, FAULTS, 300, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(task_of(5)->events[0].count, 600, "more than was counted: shares of the count");
	is_u64(task_of(6)->events[0].count, 150, "that add up to it");
	is_u64(snap->events[ROW_FAULTS].unseen, 0, "with nothing left");
	end();
}

/* Samples with the event's count: of two CPUs, and of a CPU whose mark came before the tick. */
static void check_values(void)
{
	begin(true, 10);
	sample_with_value(0, SCHED, 5, 71, 1);
	sample_with_value(0, SCHED, 6, 71, 3);
	sample_with_value(1, SCHED, 5, 72, 10);
	counted_by(0, SCHED, 71, 3);
	counted_by(1, SCHED, 72, 12);
	model_counts(model, 0, said[0], EVENTS, now_ns + SEC, MARK_IN_TIME);
	sample_with_value(0, SCHED, 6, 71, 4);
	sample_with_value(1, SCHED, 6, 72, 11);
	model_counts(model, 1, said[1], EVENTS, now_ns + SEC, MARK_IN_TIME);
	tick_after(SEC, false);
	const struct snap_event *sched = &snap->events[ROW_SCHED];
	is_u64(task_of(5)->events[0].count, 11, "one task's, of both CPUs");
	is_u64(task_of(6)->events[0].count, 3, "the other's, without what came behind the mark");
	is_u64(sched->count, 15, "of the count");
	is_u64(sched->unseen, 1, "that with the rest it adds up to");
	ok(task_of(5)->events[0].is_estimated, "a sample that stands for others is an estimate");
	counted_by(0, SCHED, 71, 4);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(task_of(6)->events[0].count, 1, "what came behind the mark is in the next interval");
	is_u64(snap->events[ROW_SCHED].count, 1, "in which it was counted");
	ok(!task_of(6)->events[0].is_estimated && task_of(6)->events[0].is_total_estimated,
	   "and in which all were sampled");
	end();
}

/* The mark of a tick that ended without it: what comes behind it is of the interval all the same. */
static void check_late_mark(void)
{
	begin(true, 10);
	sample_with_value(0, SCHED, 5, 71, 1);
	counted_by(0, SCHED, 71, 1);
	model_counts(model, 0, said[0], EVENTS, now_ns, MARK_NONE);
	tick_after(SEC, false);
	sample_with_value(0, SCHED, 5, 71, 2);
	counted_by(0, SCHED, 71, 2);
	model_counts(model, 0, said[0], EVENTS, now_ns, MARK_LATE);
	sample_with_value(0, SCHED, 6, 71, 5);
	counted_by(0, SCHED, 71, 7);
	model_counts(model, 0, said[0], EVENTS, now_ns + SEC, MARK_IN_TIME);
	sample_with_value(0, SCHED, 6, 71, 9);
	tick_after(SEC, false);
	is_u64(task_of(6)->events[0].count, 3, "behind a late mark");
	is_u64(snap->events[ROW_SCHED].unseen, 2, "the rest of the interval is what no sample has");

	counted_by(0, SCHED, 71, 9);
	model_counts(model, 0, said[0], EVENTS, now_ns, MARK_LATE);
	sample_with_value(0, SCHED, 6, 71, 10);
	counted_by(0, SCHED, 71, 14);
	model_counts(model, 0, said[0], EVENTS, now_ns + SEC, MARK_NONE);
	tick_after(SEC, false);
	is_u64(task_of(6)->events[0].count, 3, "without another mark, what is decoded");
	is_u64(snap->events[ROW_SCHED].unseen, 4, "and the rest");
	end();
}

/* The run ends while a tick collects its marks: what came behind one of them is in the final interval. */
static void check_end_in_tick(void)
{
	begin(true, 10);
	sample_with_value(0, SCHED, 5, 71, 1);
	counted_by(0, SCHED, 71, 1);
	model_counts(model, 0, said[0], EVENTS, now_ns, MARK_IN_TIME);
	sample_with_value(0, SCHED, 5, 71, 2);
	model_go_on(model);
	sample_with_value(0, SCHED, 5, 71, 3);
	counted_by(0, SCHED, 71, 3);
	read_counters(now_ns + SEC);
	tick_after(SEC, true);
	is_u64(task_of(5)->events[0].count, 3,
	       "samples before a mark, behind it, and of the final one");
	is_u64(snap->events[ROW_SCHED].unseen, 0, "are all that was counted");
	end();
}

/* A file has no counts but those in its samples. */
static void check_growth(void)
{
	struct record record = sample(5, 5);

	begin(true, 10);
	is_u64(model_growth(model, 0, SCHED, &record), 0, "a sample without a count adds nothing");
	record.has_value = true;
	record.value_id = 71;
	record.value = 10;
	is_u64(model_growth(model, 0, SCHED, &record), 10, "the first one adds all of it");
	model_record(model, 0, SCHED, &record);
	record.value = 15;
	is_u64(model_growth(model, 0, SCHED, &record), 5, "the next what it grew by");
	is_u64(model_growth(model, 1, SCHED, &record), 15, "on its CPU");
	record.value = 9;
	is_u64(model_growth(model, 0, SCHED, &record), 0, "and nothing when it went back");
	record.value_id = 72;
	is_u64(model_growth(model, 0, SCHED, &record), 9, "unless it is of another fd");
	record.value_id = 71;
	record.value = 100;
	model_leave_out(model, 0, SCHED, &record);
	sample_with_value(0, SCHED, 5, 71, 103);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(task_of(5)->events[0].total, 13, "a sample that is left out is in no weight");
	end();
}

/* A file's periods may be anything. */
static void check_huge_weights(void)
{
	begin(true, 10);
	samples(0, FAULTS, 5, UINT64_MAX, 1);
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

/* By the figures that the rows show, not by the samples' weights. */
static void check_order(void)
{
	begin(true, 1);
	samples(0, SCHED, 5, 0, 50);
	samples(0, FAULTS, 6, 1000, 1);
	tick_after(SEC, false);
	is_int(snap->tasks[0].tid, 6, "1000 faults by one sample rank before 50 switches");
	tick_after(SEC, true);
	is_int(snap->tasks[0].tid, 6, "in the end, too");
	end();
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
	ok(task_of(5) == NULL, "and a task that had exited does not come back");

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
	is_str(task_of(77)->comm, "from-proc", "a task without one is looked up");
	is_str(task_of(78)->comm, "", "or is gone already");
	is_u64(comms_asked, 2, "no other was");
	comm(6, 6, "child");
	samples(0, SCHED, 78, 0, 1);
	tick_after(SEC, false);
	is_str(task_of(6)->comm, "child", "until it execs");
	is_u64(comms_asked, 2, "none is looked up twice");
	end();
}

static void check_facts(void)
{
	begin(true, 10);
	fake_fact = (struct task_facts){ .ppid = 0 };
	comm(77, 77, "one");
	samples(0, SCHED, 77, 0, 1);
	tick_after(SEC, false);
	ok(task_of(77)->command[0] == '\0' && task_of(77)->ppid == 0,
	   "what /proc says of a task is unknown until it is read");
	fake_fact = (struct task_facts){ .ppid = 5,
					 .parent = "parent",
					 .command = "/bin/one -x",
					 .cgroup = "/user.slice" };
	samples(0, SCHED, 77, 0, 1);
	tick_after(SEC, false);
	is_str(task_of(77)->command, "/bin/one -x", "then it is known: its command line");
	is_str(task_of(77)->cgroup, "/user.slice", "its cgroup");
	is_int(task_of(77)->ppid, 5, "its parent");
	is_str(task_of(77)->parent, "parent", "by name");
	comm(5, 5, "renamed");
	tick_after(SEC, false);
	is_str(task_of(77)->parent, "renamed", "which a row of the parent's knows better");

	strcpy(fake_fact.command, "one: worker");
	tick_after((TASK_FACTS_S - 2) * SEC, false);
	is_str(task_of(77)->command, "/bin/one -x", "it is not read again at once");
	tick_after(SEC, false);
	is_str(task_of(77)->command, "one: worker", "but after some seconds");
	fake_fact.ppid = 0;
	comm(77, 77, "two");
	tick_after(SEC, false);
	is_str(task_of(77)->command, "", "after an exec it is unknown again");
	fake_fact.ppid = 5;
	tick_after(SEC, false);
	is_str(task_of(77)->command, "one: worker", "until it is read");

	task_record(PERF_RECORD_FORK, 77, 77, 6);
	samples(0, SCHED, 77, 0, 1);
	tick_after(SEC, false);
	is_str(task_of(77)->command, "", "a new task of that tid has none");
	is_int(task_of(77)->ppid, 6, "and the parent of its fork");
	end();
}

/* Beyond the bound all share a row, which none of them can rename, end or reset. */
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
	   "tasks without room share a row");
	is_str(others != NULL ? others->comm : NULL, "others", "with a name of its own");

	for (uint32_t tid = first; tid < one_more; tid++)
		samples(0, SCHED, tid, 0, 1);
	samples(0, SCHED, one_more, 0, 1);
	tick_after(SEC, false);
	others = task_of(TASK_OTHERS);
	ok(others != NULL && others->events[0].total == 10, "which does not end with one of them");
	end();
}

/* A tid that exited and is used again is another task. */
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
	ok(task_of(5) != NULL, "it stays");

	task_record(PERF_RECORD_EXIT, 50, 5, 1);
	samples(0, SCHED, 5, 0, 1);
	tick_after(SEC, false);
	ok(task_of(5) != NULL, "a task that exited is in the snapshot of that interval");
	tick_after(SEC, false);
	tick_after(SEC, false);
	ok(task_of(5) == NULL, "and then no more");
	end();
}

static char names[128];

static void say_name(void *ctx, int32_t pid, int32_t tid, const char *name)
{
	size_t len = strlen(names);

	(void)ctx;
	snprintf(names + len, sizeof(names) - len, "%d/%d %s, ", pid, tid, name);
}

static void check_each_name(void)
{
	begin(true, 10);
	comm(5, 5, "ended");
	comm(6, 7, "runs");
	samples(0, SCHED, 5, 0, 9);
	samples(0, SCHED, 0, 0, 2);
	task_record(PERF_RECORD_EXIT, 5, 5, 1);
	model_each_name(model, say_name, NULL);
	is_str(names, "5/5 ended, 6/7 runs, ",
	       "each thread has its name, also one that ended, but not the idle task");
	end();
}

int main(void)
{
	plan_lazy();
	check_tasks();
	check_exited_thread();
	check_no_row();
	check_removed();
	check_shares();
	check_values();
	check_late_mark();
	check_end_in_tick();
	check_growth();
	check_huge_weights();
	check_top();
	check_order();
	check_names();
	check_facts();
	check_reuse();
	check_others();
	check_late_fork();
	check_each_name();
	return done();
}
