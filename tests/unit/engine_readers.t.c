/* SPDX-License-Identifier: MIT */
/* The engine when a reader does not answer: late, never, at the end, offline, or without a thread. */
#include "source/engine.h"

#include "base/sys.h"
#include "engine-run.h"
#include "tap.h"

#include <errno.h>

#define CPU_ABSENT 4095 /* no machine here has so many */

static void check_late(void)
{
	reset_script();
	script.manner[1] = HELD;
	count(0, FIRST, 1);
	count(1, FIRST, 20);
	start(0);
	take();
	ok(snap->cpus[0].answer == CPU_ANSWERED && snap->cpus[1].answer == CPU_SILENT,
	   "a reader that does not answer is silent, and the tick comes");
	ok(total_of(ROW_FIRST) == 1 && snap->events[ROW_FIRST].is_at_least, "without its counts");
	ok(snap->nnotes == 1, "and with a note");

	set_manner(1, COUNTS_ONLY);
	take();
	take();
	ok(snap->cpus[1].answer == CPU_BEHIND && total_of(ROW_FIRST) == 21,
	   "the figures come from its counts alone");

	set_manner(1, ANSWERS);
	answer(1);
	take();
	take();
	ok(snap->cpus[1].answer == CPU_ANSWERED && snap->nnotes == 0,
	   "and then it answers in time again");
	finish();
	end();
}

static unsigned int ticks;    /* begun: one more than snapshots were taken */
static unsigned int requests; /* of the second reader, before it answered */

static unsigned int requests_now(void)
{
	lock();
	unsigned int now = script.requests[1];
	unlock();
	return now;
}

static bool is_tick_begun(void)
{
	return script.requests[0] == ticks;
}

static bool is_asked_or_over(void)
{
	struct pollfd fd = { .fd = source_fd(engine), .events = POLLIN };

	return script.requests[1] > requests || poll(&fd, 1, 0) > 0;
}

static void take_two(void)
{
	take();
	take();
	ticks += 2;
}

/* Answer a request of an earlier tick in a tick; whether the reader is asked again in that tick. */
static bool is_asked_when_late(void)
{
	take_two(); /* the reader is asked in the first one, if it does not owe a mark yet */
	ok(until(is_tick_begun), "a tick begins");
	requests = requests_now();
	answer(1);
	ok(until(is_asked_or_over), "the reader is asked again, or the tick is over");
	/* No further tick begins before this one's snapshot is taken. */
	return requests_now() > requests;
}

static void check_late_in_tick(void)
{
	bool is_asked = false;

	reset_script();
	script.manner[1] = HELD;
	ticks = 1;
	start(0);
	/* Once more where the answer came after the tick: when this thread did not run for 100 ms. */
	for (int i = 0; i < 20 && !is_asked; i++)
		is_asked = is_asked_when_late();
	ok(is_asked, "a late answer in a tick: its reader is asked for the mark of this tick");
	set_manner(1, ANSWERS);
	answer(1);
	finish();
	end();
}

/* At the end a reader that does not answer is not waited for. */
static void check_stuck_end(void)
{
	reset_script();
	start(0);
	take();
	set_manner(1, HELD);
	source_finish(engine, sys_monotonic_ns() + 100 * NSEC_PER_MSEC);
	take_final();
	ok(snap->cpus[1].answer == CPU_SILENT, "the final snapshot comes without it, and says so");
	ok(!snap->events[ROW_FIRST].is_balance_known, "and claims no balance");
	end();
	ok(script.readers[1]->is_stopped, "its thread is asked to stop");
}

/* At an end without notice, as after an error, it had no time to answer: its thread gets some to exit. */
static void check_sudden_end(void)
{
	reset_script();
	start(0);
	take();
	set_manner(1, HELD);
	uint64_t asked_ns = sys_monotonic_ns();
	end();
	ok(script.readers[1]->joined_until_ns >= asked_ns + 200 * NSEC_PER_MSEC,
	   "a reader that could not answer in time is not taken for one that does not run");
}

/* The end is asked for while a tick's mark is due: the late one is not taken for the final one. */
static void check_end_in_tick(void)
{
	reset_script();
	script.manner[1] = HELD;
	start(0);
	ok(until(is_second_asked), "a tick's mark is due");
	set_manner(1, ANSWERS);
	count(1, FIRST, 9);
	finish();
	ok(snap->cpus[1].answer == CPU_ANSWERED && total_of(ROW_FIRST) == 10,
	   "the final one has all");
	end();
}

static bool is_second_closed(void)
{
	return script.is_slot_closed[1];
}

static bool is_second_back(void)
{
	return script.starts == SLOTS + 1;
}

static void set_second_cpu(int cpu)
{
	lock();
	script.cpus[1] = cpu;
	unlock();
}

static void check_offline(void)
{
	reset_script();
	count(1, FIRST, 40);
	start(0);
	take();
	set_second_cpu(CPU_ABSENT);
	take_until(is_second_closed);
	ok(!snap->cpus[1].is_online && total_of(ROW_FIRST) == 40,
	   "a CPU that goes offline keeps its counts");
	ok(script.readers[1]->is_joined, "its reader has ended");
	lock();
	script.events[FIRST].generation++;
	open_counts(1, FIRST);
	unlock();
	set_second_cpu(some_online_cpu());
	take_until(is_second_back);
	count(1, FIRST, 2);
	finish();
	is_u64(total_of(ROW_FIRST), 42, "and comes back");
	end();
}

static void check_no_thread(void)
{
	reset_script();
	script.is_refused[1] = true;
	start(0);
	ok(error != NULL && error_number == EAGAIN, "a thread that does not start is an error");
	ok(source_free(engine, soon()), "and no thread is left running");
	ok(script.readers[0]->is_stopped && script.readers[0]->is_joined, "not even the first one");
}

int main(void)
{
	plan_lazy();
	check_late();
	check_late_in_tick();
	check_stuck_end();
	check_sudden_end();
	check_end_in_tick();
	check_offline();
	check_no_thread();
	reset_script();
	return done();
}
