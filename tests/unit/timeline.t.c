/* SPDX-License-Identifier: MIT */
/* Who was on a CPU in each slot, and the names in it. */
#include "model/timeline.h"

#include "made-model.h"
#include "model/runners.h"
#include "tap.h"

#include <stdlib.h>

#define SLOT TIMELINE_NS

static struct timeline timeline;

/* The present slot is `first`, with nothing in it. */
static void open_timeline(uint64_t first)
{
	timeline = (struct timeline){ 0 };
	timeline_finish(&timeline, first * SLOT);
}

static bool is_slot(uint64_t at, int32_t tid, unsigned int percent)
{
	const struct timeline_slot *slot = timeline_slot(&timeline, at);

	if (slot != NULL && slot->tid == tid && slot->percent == percent)
		return true;
	diag("slot %d: task %d, %u %%", (int)at, slot != NULL ? slot->tid : -2,
	     slot != NULL ? slot->percent : 0u);
	return false;
}

static void check_slots(void)
{
	open_timeline(1000);
	timeline_add(&timeline, 5, 1000 * SLOT, 1000 * SLOT + SLOT * 3 / 10);
	timeline_add(&timeline, 6, 1000 * SLOT + SLOT * 3 / 10, 1000 * SLOT + SLOT * 7 / 10);
	timeline_add(&timeline, 5, 1000 * SLOT + SLOT * 7 / 10, 1002 * SLOT + SLOT / 2);
	ok(timeline_slot(&timeline, 1002) == NULL, "the present slot is not finished");
	timeline_add(&timeline, 0, 1002 * SLOT + SLOT / 2, 1004 * SLOT);
	timeline_add(&timeline, 9, 1006 * SLOT + SLOT / 5, 1006 * SLOT + SLOT / 4);
	timeline_finish(&timeline, 1008 * SLOT);
	ok(is_slot(1000, 5, 60), "the task with the most time, which came twice");
	ok(is_slot(1001, 5, 100), "all of a slot");
	ok(is_slot(1002, 5, 50), "a task comes before idle");
	ok(is_slot(1003, 0, 100), "idle");
	ok(is_slot(1004, TIMELINE_UNKNOWN, 0) && is_slot(1005, TIMELINE_UNKNOWN, 0), "unknown");
	ok(is_slot(1006, 9, 5), "a short time of a task, the rest unknown");
	ok(is_slot(1007, TIMELINE_UNKNOWN, 0), "nothing after");
}

static void check_bounds(void)
{
	open_timeline(1000);
	timeline_add(&timeline, 5, 0, 1000 * SLOT);
	timeline_add(&timeline, 6, 3 * SLOT, 4 * SLOT);
	timeline_finish(&timeline, 1001 * SLOT);
	ok(is_slot(1000, TIMELINE_UNKNOWN, 0), "what is older than the present slot is left out");

	timeline_add(&timeline, 7, 1001 * SLOT, 90000 * SLOT);
	timeline_finish(&timeline, 90000 * SLOT);
	ok(is_slot(89999, 7, 100) && is_slot(90000 - TIMELINE_SLOTS, 7, 100), "a long time");
	ok(timeline_slot(&timeline, 90000 - TIMELINE_SLOTS - 1) == NULL, "older ones are gone");
	timeline_finish(&timeline, 900000 * SLOT);
	ok(is_slot(899999, TIMELINE_UNKNOWN, 0) &&
		   is_slot(900000 - TIMELINE_SLOTS, TIMELINE_UNKNOWN, 0),
	   "a gap longer than the timeline");

	open_timeline(1000);
	for (int32_t tid = 1; tid <= 20; tid++)
		timeline_add(&timeline, tid, 1000 * SLOT + (uint64_t)tid * 1000,
			     1000 * SLOT + (uint64_t)tid * 1000 + 1000);
	timeline_add(&timeline, 2, 1000 * SLOT + SLOT / 2, 1001 * SLOT);
	timeline_finish(&timeline, 1001 * SLOT);
	ok(is_slot(1000, 2, 50), "of many tasks the first ones");
}

static void check_runners(void)
{
	struct runners *runners = runners_new();
	uint16_t load = runners_number(runners, 5, "load", 1);
	uint16_t other = runners_number(runners, 6, "load", 1);

	ok(load != other && load != RUNNER_OTHERS, "two tasks of one name are two");
	is_int(runners_number(runners, 5, "load", 2), load, "a task keeps its number");
	ok(runners_number(runners, 5, "exec", 2) != load, "a new name is a new one");
	is_str(runners_at(runners, load)->comm, "load", "its name");
	is_str(runners_at(runners, RUNNER_OTHERS)->comm, "others", "the name of the others");
	for (int32_t tid = 100; tid < 100 + RUNNERS_MOST; tid++)
		runners_number(runners, tid, "many", 3);
	is_int(runners_number(runners, 9, "late", 3), RUNNER_OTHERS, "there are not more numbers");
	runners_number(runners, 5, "load", 3 + TIMELINE_SLOTS);
	ok(runners_number(runners, 9, "late", 4 + TIMELINE_SLOTS) != RUNNER_OTHERS,
	   "until old ones are free");
	is_int(runners_number(runners, 5, "load", 4 + TIMELINE_SLOTS), load, "not those in use");
	runners_free(runners);
}

static const struct snap_runner *runner_in(uint32_t cpu, size_t back)
{
	uint16_t runner = snap->cpus[cpu].slots[SNAP_SLOTS - back].runner;

	return runner < SNAP_RUNNER_FIRST ? NULL : &snap->runners[runner - SNAP_RUNNER_FIRST];
}

static void check_snapshot(void)
{
	struct record fork = { .type = PERF_RECORD_FORK,
			       .time_ns = 10 * SEC,
			       .task = { 7, 1, 7, 1, 10 * SEC } };

	begin(true, 1);
	comm(5, 5, "load");
	model_record(model, 0, OWNER, &fork);
	comm(7, 7, "true");
	record_switch(0, 5, 5, 0, 0, now_ns + 600 * MS);
	record_switch(0, 5, 5, PERF_RECORD_MISC_SWITCH_OUT, 7, now_ns + 900 * MS);
	record_switch(1, SELF_PID, SELF_PID, 0, 0, now_ns + 950 * MS);
	tick_after(SEC, false);
	ok(runner_in(0, 1) != NULL && strcmp(runner_in(0, 1)->comm, "true") == 0 &&
		   runner_in(0, 1)->tid == -1,
	   "short-lived tasks are one, by name");
	ok(runner_in(0, 11) != NULL && strcmp(runner_in(0, 11)->comm, "load") == 0 &&
		   runner_in(0, 11)->tid == 5,
	   "another task has its tid, also if it has no row");
	is_u64(snap->cpus[0].slots[SNAP_SLOTS - 41].runner, SNAP_RUNNER_UNKNOWN,
	       "before the first switch it is unknown");
	ok(runner_in(1, 1) != NULL && strcmp(runner_in(1, 1)->comm, "perftop-ng") == 0,
	   "our own threads are named");
	ok(is_near(snap->slot_s, 0.01), "a slot has 10 ms");
	record_switch(0, 7, 7, PERF_RECORD_MISC_SWITCH_OUT, 0, now_ns + 100 * MS);
	tick_after(SEC, false);
	is_u64(snap->cpus[0].slots[SNAP_SLOTS - 1].runner, SNAP_RUNNER_IDLE, "idle");
	ok(runner_in(0, 95) != NULL && strcmp(runner_in(0, 95)->comm, "true") == 0,
	   "slots of the interval before stay");
	tick_after(10 * SEC, false);
	is_u64(snap->cpus[0].slots[0].runner, SNAP_RUNNER_IDLE, "a long interval");
	is_u64(snap->nrunners, 1, "runners that are in no slot are left out");
	end();
}

int main(void)
{
	plan_lazy();
	check_slots();
	check_bounds();
	check_runners();
	check_snapshot();
	return done();
}
