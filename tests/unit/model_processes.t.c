/* SPDX-License-Identifier: MIT */
/* The sums of processes of which several tasks are known, and the folds of their short-lived threads. */
#include "model/model.h"

#include "base/abi.h"
#include "made-model.h"
#include "tap.h"

#include <string.h>

#define MOST_ROWS 10

static void thread_samples(uint32_t pid, uint32_t tid, unsigned int n)
{
	struct record record = sample(pid, tid);

	while (n-- > 0)
		model_record(model, 0, SCHED, &record);
}

static void thread_record(uint32_t type, uint32_t pid, uint32_t tid, uint32_t parent)
{
	struct record record = { .type = type,
				 .time_ns = now_ns,
				 .task = { pid, parent, tid, parent, now_ns } };

	model_record(model, 0, OWNER, &record);
}

/* On CPU 0 for 10 ms from now on, then preempted by `next`. */
static void on_cpu(uint32_t pid, uint32_t tid, uint32_t next)
{
	record_switch(0, pid, tid, 0, 0, now_ns);
	now_ns += 10 * MS;
	record_switch(0, pid, tid, ABI_MISC_SWITCH_OUT | ABI_MISC_SWITCH_OUT_PREEMPT, next, now_ns);
}

static void tick_at(uint64_t second, uint64_t count)
{
	counted(0, SCHED, count, 0);
	now_ns = second * SEC;
	read_counters(now_ns);
	tick_after(0, false);
}

static const struct snap_task *process_of(int32_t pid)
{
	for (size_t i = 0; i < snap->nprocesses; i++)
		if (snap->processes[i].pid == pid)
			return &snap->processes[i];
	return NULL;
}

static void check_sum(void)
{
	begin(true, MOST_ROWS);
	comm(50, 50, "server");
	comm(50, 51, "worker");
	comm(60, 60, "alone");
	thread_samples(50, 50, 10);
	thread_samples(50, 51, 30);
	thread_samples(60, 60, 5);
	now_ns = 10 * SEC + 100 * MS;
	on_cpu(50, 50, 60);
	on_cpu(50, 51, 60);
	on_cpu(50, 51, 60);
	tick_at(11, 45);

	is_u64(snap->nprocesses, 1, "one process has several threads");
	const struct snap_task *process = process_of(50);
	ok(process->is_process && process->tid == -1, "its row is of no one thread");
	is_u64(process->ntasks, 2, "it says how many");
	is_str(process->comm, "server", "it has the name of the first");
	ok(process->nevents == 1 && process->events[0].count == 40 &&
		   process->events[0].total == 40 && is_near(process->rate, 40),
	   "its events are the sum");
	ok(is_near(process->on_cpu, 0.03) && is_near(process->switch_rate, 3), "its time, too");
	is_u64(process->slice.count, 3, "all of its slices");
	ok(process->npreempters == 1 && process->preempters[0].tid == 60 &&
		   process->preempters[0].count == 3,
	   "who preempted any of it");
	is_u64(snap->ntasks, 3, "each thread has its row");
	tick_at(12, 45);
	process = process_of(50);
	ok(process->events[0].count == 0 && process->events[0].total == 40,
	   "its total stays when it does nothing");
	end();
}

/* Whether a thread has a row of its own or not, its process has it. */
static void check_top(void)
{
	begin(true, 2);
	for (uint32_t tid = 50; tid < 60; tid++)
		thread_samples(50, tid, 2);
	thread_samples(80, 80, 3);
	thread_samples(80, 81, 3);
	thread_samples(90, 90, 1);
	thread_samples(90, 91, 1);
	thread_samples(70, 70, 30); /* it is taken to stay on the CPU */
	tick_at(11, 58);
	is_u64(snap->ntasks, 2, "two rows are kept of tasks");
	is_u64(snap->nprocesses, 2, "and of processes");
	ok(snap->processes[0].pid == 50 && snap->processes[0].events[0].count == 20 &&
		   snap->processes[0].ntasks == 10,
	   "the first with all of its threads");
	is_int(snap->processes[1].pid, 80, "then the next one");
	end();
}

/* A process with a small sum and a busy thread. */
static void check_top_thread(void)
{
	begin(true, 1);
	thread_samples(80, 80, 5);
	thread_samples(80, 81, 4);
	for (uint32_t tid = 50; tid < 60; tid++)
		thread_samples(50, tid, 2);
	tick_at(11, 29);
	is_int(snap->tasks[0].pid, 80, "a thread of it is the busiest task");
	ok(process_of(50) != NULL && process_of(80) != NULL,
	   "so it has a sum beside that of the busiest process");
	end();
}

/* A server that makes a thread for each request: what they did is in its sum, also afterwards. */
static void check_short_lived(void)
{
	begin(true, MOST_ROWS);
	comm(50, 50, "server");
	thread_samples(50, 50, 1);
	for (uint32_t i = 0; i < 20; i++) {
		thread_record(PERF_RECORD_FORK, 50, 100 + i, 50);
		thread_samples(50, 100 + i, 3);
		thread_record(PERF_RECORD_EXIT, 50, 100 + i, 50);
	}
	for (uint32_t i = 0; i < 3; i++) {
		thread_record(PERF_RECORD_FORK, 200 + i, 200 + i, 50);
		comm(200 + i, 200 + i, "server");
		thread_samples(200 + i, 200 + i, 1);
		thread_record(PERF_RECORD_EXIT, 200 + i, 200 + i, 50);
	}
	tick_at(11, 64);
	is_u64(snap->ntasks, 3, "itself, its threads, and processes of the same name");
	is_int(snap->tasks[0].pid, 50, "the threads' row has their pid");
	is_int(snap->tasks[0].tid, -1, "and no tid");
	ok(task_of(-1) == &snap->tasks[0] && snap->tasks[1].pid == -1,
	   "that of processes has none");
	const struct snap_task *process = process_of(50);
	is_u64(process->events[0].count, 61, "its threads are in its sum");
	ok(is_near(process->born, 20), "and how many are born");
	tick_at(12, 64);
	tick_at(13, 64);
	process = process_of(50);
	ok(process != NULL && process->events[0].total == 61 && process->events[0].count == 0,
	   "what has ended stays in its total");
	end();
}

/* The first thread did nothing yet: the process is called as /proc says. */
static void check_name(void)
{
	size_t known;

	fake_fact = (struct task_facts){ .ppid = 7 };
	begin(true, MOST_ROWS);
	comm(77, 78, "one");
	comm(77, 79, "other");
	thread_samples(77, 78, 5);
	thread_samples(77, 79, 5);
	tick_at(11, 10);
	is_str(process_of(77)->comm, "from-proc", "a first thread without records is looked up");
	is_int(process_of(77)->ppid, 7, "with its parent");
	tick_at(12, 10);
	is_u64(snap->ntasks_known, 2, "but gets no row: it may not be one of the watched");
	is_u64(comms_asked, 2, "it is looked up once, as is its parent");
	fake_fact = (struct task_facts){ 0 };
	end();

	begin(true, MOST_ROWS);
	for (uint32_t tid = 51; tid < 53; tid++) {
		thread_record(PERF_RECORD_FORK, 50, tid, 50);
		comm(50, tid, tid == 51 ? "one" : "other");
		thread_samples(50, tid, tid);
		thread_record(PERF_RECORD_EXIT, 50, tid, 50);
	}
	tick_at(11, 103);
	known = snap->ntasks_known;
	ok(process_of(50) != NULL && process_of(50)->comm[0] == 'o',
	   "of a process that is gone, that of some thread");
	for (uint64_t second = 12; second < 16; second++)
		tick_at(second, 103);
	ok(snap->ntasks_known < known, "it gets no task for it");
	end();
}

/* A parent that did nothing before has a name, too. */
static void check_inherited(void)
{
	begin(true, MOST_ROWS);
	thread_record(PERF_RECORD_FORK, 77, 78, 77);
	thread_samples(77, 78, 5);
	thread_record(PERF_RECORD_FORK, 99, 99, 98);
	thread_samples(99, 99, 1);
	tick_at(11, 6);
	is_str(task_of(78)->comm, "from-proc", "a new thread has the name of its parent");
	is_u64(snap->ntasks_known, 2,
	       "which gets no row by this: it may not be one of the watched");
	is_str(task_of(99)->comm, "", "that of a parent that is gone is unknown");
	end();
}

int main(void)
{
	plan_lazy();
	check_sum();
	check_top();
	check_top_thread();
	check_short_lived();
	check_name();
	check_inherited();
	return done();
}
