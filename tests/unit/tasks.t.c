/* SPDX-License-Identifier: MIT */
#include "model/tasks.h"

#include "tap.h"

#include <stdio.h>
#include <string.h>

static unsigned int forgotten;

static void count_forgotten(void *ctx, const struct task *task)
{
	(void)ctx;
	(void)task;
	forgotten++;
}

static void check_rows(void)
{
	struct tasks *tasks = tasks_new();

	is_u64(tasks_count(tasks), 0, "no task at first");
	ok(tasks_find(tasks, 5) == NULL && tasks_find(tasks, 0) == NULL, "not even the idle task");
	struct task *task = tasks_get(tasks, 4, 5);
	ok(task->pid == 4 && task->tid == 5 && task->comm[0] == '\0', "a new row, without a name");
	ok(tasks_get(tasks, 4, 5) == task && tasks_find(tasks, 5) == task, "is found again");
	ok(tasks_get(tasks, 0, 0) != task && tasks_count(tasks) == 2,
	   "another tid has another row");
	tasks_free(tasks);
	tasks_free(NULL);
}

/* Names as the kernel gives them: raw, of any length, not always terminated. */
static void check_comm(void)
{
	struct tasks *tasks = tasks_new();
	struct task *task = tasks_get(tasks, 1, 1);

	task_set_comm(task, "bash", 4);
	is_str(task->comm, "bash", "a name");
	task_set_comm(task, "sh/garbage", 2);
	is_str(task->comm, "sh", "up to its length");
	task_set_comm(task, "a-name-of-twenty-one-", 21);
	is_str(task->comm, "a-name-of-twent", "cut as the kernel cuts");
	task_set_comm(task, "", 0);
	is_str(task->comm, "", "or none");
	tasks_free(tasks);
}

static struct weight weight(uint64_t of)
{
	return (struct weight){ of, of };
}

static void check_samples(void)
{
	struct tasks *tasks = tasks_new();
	struct task *task = tasks_get(tasks, 1, 1);

	task_sample(task, 3, weight(10), false);
	task_sample(task, 7, weight(1), false);
	task_sample(task, 3, weight(5), false);
	task_sample(task, 7, (struct weight){ 4, 1 }, false);
	is_u64(task->nevents, 2, "two events");
	const struct task_event *first = &task->events[0], *second = &task->events[1];
	ok(first->event == 3 && first->total == 15 && first->interval.weight == 15,
	   "the weights of one are added");
	ok(second->event == 7 && second->total == 5 && second->interval.weight == 2,
	   "and those of the other, of which a part was of an interval before");
	ok(first->interval.samples == 2 && second->interval.samples == 2, "so are their samples");

	tasks_sweep(tasks, count_forgotten, NULL);
	ok(first->total == 15 && first->interval.weight == 0 && first->interval.samples == 0 &&
		   !task->is_busy,
	   "a sweep clears the interval and keeps the totals");
	task->voluntary = 4;
	task->involuntary = 5;
	tasks_zero(tasks);
	ok(first->total == 0 && task->voluntary == 0 && task->involuntary == 0,
	   "zero clears the totals");
	task_sample(task, 3, weight(2), false);
	is_u64(task->events[0].total, 2, "which then grow again");
	tasks_free(tasks);
}

/* On some CPU the next interval has begun before this one was closed. */
/* One task, more events than are searched one by one, in any order. */
static void check_many_events(void)
{
	enum { MANY = 1000 };
	struct tasks *tasks = tasks_new();
	struct task *task = tasks_get(tasks, 1, 1);
	unsigned int wrong = 0;

	for (uint32_t round = 1; round <= 3; round++) {
		for (uint32_t i = 0; i < MANY; i++)
			task_sample(task, 7 + i * 617 % MANY * round % MANY, weight(1), false);
	}
	/* 617 and MANY have no common factor, nor has 3; with 2 each second event is there twice. */
	is_u64(task->nevents, MANY, "%d events, each once", MANY);
	for (uint32_t event = 7; event < 7 + MANY; event++) {
		uint64_t times = (event - 7) % 2 == 0 ? 4 : 2;

		wrong += task_event_of(task, event)->event != event ||
			 task_event_of(task, event)->total != times;
	}
	is_u64(wrong, 0, "and each is found, with its own sum");
	is_u64(task->nevents, MANY, "looking makes no more of them");

	task_clear_events(task);
	is_u64(task->nevents, 0, "cleared");
	task_sample(task, 9, weight(5), false);
	is_u64(task->nevents, 1, "one is new then");
	is_u64(task_event_of(task, 9)->total, 5, "with nothing of what was before");
	tasks_free(tasks);
}

static void check_next(void)
{
	struct tasks *tasks = tasks_new();
	struct task *task = tasks_get(tasks, 1, 1);

	task_sample(task, 3, weight(10), false);
	task_sample(task, 3, weight(7), true);
	is_u64(task->events[0].interval.weight, 10, "what is of the next interval is not in this");
	is_u64(task->events[0].total, 17, "but in the total");
	tasks_sweep(tasks, count_forgotten, NULL);
	is_u64(task->events[0].interval.weight, 7, "and in the next");
	ok(task->is_busy, "in which the task is not quiet");
	task->is_exited = true;
	tasks_sweep(tasks, count_forgotten, NULL);
	is_u64(tasks_count(tasks), 1, "so it stays for that");
	is_u64(task->events[0].interval.weight, 0, "once");
	tasks_sweep(tasks, count_forgotten, NULL);
	is_u64(tasks_count(tasks), 0, "and goes with the one after it");
	tasks_free(tasks);
}

static void check_exit(void)
{
	struct tasks *tasks = tasks_new();
	struct task *busy = tasks_get(tasks, 1, 1), *quiet = tasks_get(tasks, 2, 2);

	tasks_get(tasks, 3, 3);
	busy->is_exited = quiet->is_exited = true;
	busy->switches = 1;
	tasks_sweep(tasks, count_forgotten, NULL);
	ok(tasks_find(tasks, 2) == NULL, "a task that exited and did nothing is removed");
	ok(tasks_find(tasks, 1) == busy, "one that did something stays for one more interval");
	ok(tasks_find(tasks, 3) != NULL, "one that did nothing but has not exited stays");
	tasks_sweep(tasks, count_forgotten, NULL);
	ok(tasks_find(tasks, 1) == NULL && tasks_count(tasks) == 1, "and is removed then, too");
	struct task *again = tasks_get(tasks, 9, 1);
	ok(again->pid == 9 && !again->is_exited && again->nevents == 0,
	   "the tid may be used again, by a new task");
	tasks_free(tasks);
}

/* More than there is room for: the idle ones are removed, and all others are still found. */
static void check_crowd(void)
{
	struct tasks *tasks = tasks_new();
	unsigned int missing = 0, kept = 0;

	for (int32_t tid = 0; tid <= TASKS_MAX; tid++)
		tasks_get(tasks, tid, tid * 64)->is_busy = tid % 3 == 0;
	is_u64(tasks_count(tasks), TASKS_MAX + 1, "one more than there should be");
	for (int32_t tid = 0; tid <= TASKS_MAX; tid++)
		missing += tasks_find(tasks, tid * 64) == NULL;
	is_u64(missing, 0, "each is found");
	tasks_sweep(tasks, count_forgotten, NULL);
	for (int32_t tid = 0; tid <= TASKS_MAX; tid++) {
		bool is_there = tasks_find(tasks, tid * 64) != NULL;

		missing += is_there != (tid % 3 == 0);
		kept += is_there;
	}
	is_u64(missing, 0, "after the sweep the busy ones are there, and no other");
	is_u64(tasks_count(tasks), kept, "%u of them", kept);
	tasks_sweep(tasks, count_forgotten, NULL);
	is_u64(tasks_count(tasks), kept, "with enough room none is removed");
	tasks_free(tasks);
}

/* The row that was found last is not returned once another one is of that tid. */
static void check_last(void)
{
	struct tasks *tasks = tasks_new();
	struct task *first = tasks_get(tasks, 1, 1), *second = tasks_renew(tasks, first);

	ok(second != first && tasks_get(tasks, 1, 1) == second, "a renewed row is the one found");
	ok(first->is_exited, "the old one counts as exited");
	second->is_exited = true;
	tasks_sweep(tasks, count_forgotten, NULL);
	is_u64(tasks_count(tasks), 0, "both are dropped");
	ok(tasks_get(tasks, 8, 1)->pid == 8, "the tid has a new row");
	tasks_free(tasks);
}

/* The list of all rows agrees with tasks_find(). */
static void check_all(void)
{
	struct tasks *tasks = tasks_new();
	unsigned int bad = 0;

	for (int32_t tid = 1; tid <= 5000; tid++)
		tasks_get(tasks, tid, tid)->is_exited = tid % 2;
	tasks_sweep(tasks, count_forgotten, NULL);
	struct task *const *all = tasks_all(tasks);
	for (size_t i = 0; i < tasks_count(tasks); i++)
		bad += tasks_find(tasks, all[i]->tid) != all[i] || all[i]->tid % 2;
	is_u64(bad, 0, "every row of the list is found");
	is_u64(tasks_count(tasks), 2500, "half of them");
	tasks_free(tasks);
}

int main(void)
{
	plan_lazy();
	check_rows();
	check_comm();
	check_samples();
	check_many_events();
	check_next();
	check_exit();
	check_crowd();
	check_last();
	check_all();
	return done();
}
