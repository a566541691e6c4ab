/* SPDX-License-Identifier: MIT */
/* What tasks with a row descend from. */
#include "made-model.h"

#include "model/parents.h"

#define TOP 10

static const struct snap_parent *parent_of(int32_t pid)
{
	for (size_t i = 0; i < snap->nparents; i++) {
		if (snap->parents[i].pid == pid)
			return &snap->parents[i];
	}
	return NULL;
}

static void begin_parents(const struct fake_parent *parents, size_t top)
{
	begin(true, top);
	fake_parents = parents;
	facts_asked = 0;
	fake_fact = (struct task_facts){ .ppid = 60, .parent = "shell" };
	comm(77, 77, "one");
}

static void end_parents(void)
{
	end();
	fake_parents = NULL;
	fake_fact = (struct task_facts){ 0 };
}

static void tick_with(uint32_t tid)
{
	samples(0, SCHED, tid, 0, 1);
	tick_after(SEC, false);
}

static void forked(uint32_t pid, uint32_t ppid)
{
	struct record record = {
		.type = PERF_RECORD_FORK,
		.time_ns = now_ns,
		.task = { .pid = pid, .ppid = ppid, .tid = pid, .ptid = ppid, .time_ns = now_ns }
	};

	model_record(model, 0, OWNER, &record);
}

static void check_line(void)
{
	static const struct fake_parent line[] = {
		{ 60, { .ppid = 50, .parent = "sshd" } },
		{ 50, { .ppid = 1, .parent = "init" } },
		{ 1, { .ppid = 0 } },
		{ 0 },
	};

	begin_parents(line, TOP);
	tick_with(77);
	is_u64(snap->nparents, 3, "a line of parents without a record");
	is_int(snap->parents[0].pid, 1, "they are in order");
	is_str(parent_of(60)->comm, "shell", "the first has the name that the task knows");
	is_int(parent_of(60)->ppid, 50, "its parent is the next");
	is_str(parent_of(50)->comm, "sshd", "which has the name that the first knows");
	is_str(parent_of(1)->comm, "init", "and so on");
	is_int(parent_of(1)->ppid, 0, "up to one that has none");
	is_u64(facts_asked, 3, "each was asked for once");
	tick_with(77);
	ok(snap->nparents == 3 && facts_asked == 3, "they stay, and are not read again at once");
	tick_after(TASK_FACTS_S * SEC, false);
	is_u64(facts_asked, 6, "but after some seconds");
	end_parents();
}

static void check_unknown(void)
{
	static const struct fake_parent line[] = { { 60, { .ppid = 50, .parent = "sshd" } },
						   { 0 } };

	begin_parents(NULL, TOP);
	tick_with(77);
	ok(snap->nparents == 1 && parent_of(60)->ppid == 0, "of one nothing is read yet");
	is_str(parent_of(60)->comm, "shell", "but its name is known");
	fake_parents = line;
	tick_with(77);
	ok(snap->nparents == 2 && parent_of(50) != NULL, "then its own parent follows");
	is_str(parent_of(50)->comm, "sshd", "by name");
	end_parents();
}

/* All at once, as the task's own facts say. */
static void check_whole_line(void)
{
	begin_parents(NULL, TOP);
	fake_fact.above[0] = (struct task_above){ 50, "sshd" };
	fake_fact.above[1] = (struct task_above){ 1, "init" };
	fake_fact.nabove = 2;
	tick_with(77);
	is_u64(snap->nparents, 3, "what /proc says of a task has all above it");
	ok(parent_of(60)->ppid == 50 && parent_of(50)->ppid == 1, "one above the other");
	is_str(parent_of(1)->comm, "init", "with their names");
	end_parents();

	static const struct fake_parent init[] = { { 1, { .ppid = 9, .parent = "never" } }, { 0 } };
	begin_parents(init, TOP);
	fake_fact.is_line_whole = true;
	fake_fact.above[0] = (struct task_above){ 1, "init" };
	fake_fact.nabove = 1;
	tick_with(77);
	ok(snap->nparents == 2 && facts_asked == 0, "a whole line has an end");
	end_parents();
}

/* Two that are parents of each other: /proc is not read in one moment. */
static void check_ring(void)
{
	static const struct fake_parent ring[] = { { 60, { .ppid = 50, .parent = "other" } },
						   { 50, { .ppid = 60, .parent = "shell" } },
						   { 0 } };

	begin_parents(ring, TOP);
	tick_with(77);
	is_u64(snap->nparents, 2, "a ring ends");
	end_parents();
}

/* Those with a record, with and without a row. */
static void check_tasks(void)
{
	begin_parents(NULL, TOP);
	forked(60, 50);
	comm(60, 60, "known");
	samples(0, SCHED, 60, 0, 1);
	tick_with(77);
	ok(parent_of(60) == NULL, "a parent with a row is not among them");
	is_int(snap->nparents == 1 ? snap->parents[0].pid : 0, 50, "its own parent is");
	end_parents();

	begin_parents(NULL, 1);
	forked(60, 50);
	comm(60, 60, "known");
	tick_with(77);
	ok(snap->ntasks == 1 && parent_of(60) != NULL, "one that has no row for want of room is");
	is_str(parent_of(60)->comm, "known", "with the name of its record");
	is_int(parent_of(60)->ppid, 50, "and the parent of it");
	ok(parent_of(50) != NULL, "which follows");
	end_parents();
}

/* What /proc says of one with a record adds others before it. */
static void check_moved(void)
{
	static const struct fake_parent line[] = {
		{ 60,
		  { .ppid = 50,
		    .parent = "sshd",
		    .above = { { 1, "init" } },
		    .nabove = 1,
		    .is_line_whole = true } },
		{ 0 },
	};

	begin_parents(line, 1);
	comm(60, 60, "known");
	tick_with(77);
	is_u64(snap->nparents, 3, "a task without a row, and what it descends from");
	is_str(parent_of(60)->comm, "known", "each has its own name");
	is_str(parent_of(50)->comm, "sshd", "the parent");
	is_str(parent_of(1)->comm, "init", "and the first");
	ok(parent_of(60)->ppid == 50 && parent_of(50)->ppid == 1 && parent_of(1)->ppid == 0,
	   "and its own parent");
	end_parents();
}

/* The first thread sleeps. */
static void check_thread(void)
{
	static const struct fake_parent line[] = { { 70, { .ppid = 60, .parent = "shell" } },
						   { 0 } };

	begin_parents(line, TOP);
	struct record record = sample(70, 71);

	comm(70, 71, "worker");
	model_record(model, 0, SCHED, &record);
	tick_after(SEC, false);
	ok(parent_of(70) != NULL && parent_of(70)->ppid == 60,
	   "a thread's process stands above it");
	ok(parent_of(60) != NULL, "and the parent of that");
	end_parents();
}

static void check_dropped(void)
{
	struct parents *parents = parents_new();
	size_t count;

	for (int32_t pid = PARENTS_MAX; pid > 0; pid--)
		parents_get(parents, pid)->is_needed = pid % 2 == 0;
	const struct parent *all = parents_all(parents, &count);
	ok(count == PARENTS_MAX && all[0].pid == 1 && all[count - 1].pid == PARENTS_MAX,
	   "they are in order, whenever they came");
	ok(parents_get(parents, PARENTS_MAX + 1) == NULL, "there is a limit");
	ok(parents_get(parents, 5) != NULL, "which does not hide those that are there");
	parents_end(parents);
	all = parents_all(parents, &count);
	ok(count == PARENTS_MAX / 2 && all[0].pid == 2, "those not needed are dropped");
	parents_begin(parents);
	parents_end(parents);
	parents_all(parents, &count);
	is_u64(count, 0, "each tick anew");
	parents_free(parents);
}

int main(void)
{
	plan_lazy();
	check_line();
	check_unknown();
	check_whole_line();
	check_ring();
	check_tasks();
	check_moved();
	check_thread();
	check_dropped();
	return done();
}
