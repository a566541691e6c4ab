/* SPDX-License-Identifier: MIT */
/* An ordinary run of the engine: ticks, and events that are switched off, on and zeroed. */
#include "source/engine.h"

#include "engine-run.h"
#include "tap.h"

#include <poll.h>

static void check_run(void)
{
	uint64_t sum = 0;

	reset_script();
	count(0, FIRST, 100);
	count(1, FIRST, 11);
	start(3);
	for (uint64_t seq = 1; seq <= 3; seq++) {
		take();
		is_u64(snap->seq, seq, "snapshot %u", (unsigned int)seq);
		sum += snap->events[ROW_FIRST].count;
		is_u64(total_of(ROW_FIRST), sum, "the intervals' counts add up to the total");
		ok(snap->is_final == (seq == 3), "the third of three is the final one");
		count(0, FIRST, 1);
	}
	ok(total_of(ROW_FIRST) >= 111, "with all that was counted");
	end();
	ok(script.readers[0]->is_joined && script.readers[1]->is_joined,
	   "and the readers were joined");
}

/* A snapshot is not taken: the next interval is longer, and no count is lost. */
static void check_untaken(void)
{
	reset_script();
	start(0);
	take();
	poll(NULL, 0, 100); /* five intervals */
	lock();
	unsigned int asked = script.requests[0];
	unlock();
	ok(asked <= 3, "while one waits to be taken no other is made");
	count(0, FIRST, 7);
	take();
	is_u64(snap->seq, 2, "the one that waited");
	take();
	ok(snap->seq == 3 && total_of(ROW_FIRST) == 7, "and the next has what was counted since");
	finish();
	end();
}

static bool is_first_off(void)
{
	return script.events[FIRST].state == EVSET_OFF;
}

/* Switched off while a tick's marks come in: the fds are read once more before they are closed. */
static void check_toggle_in_tick(void)
{
	reset_script();
	script.manner[1] = HELD;
	count(0, FIRST, 100);
	start(0);
	ok(until(is_second_asked), "a tick: the first reader has answered, the second is held");
	count(0, FIRST, 50);
	source_toggle(engine, ROW_FIRST);
	ok(until(is_first_off), "the event is switched off meanwhile");
	set_manner(1, ANSWERS);
	answer(1);
	take();
	is_u64(total_of(ROW_FIRST), 100, "the tick has what was counted before");
	finish();
	is_u64(total_of(ROW_FIRST), 150, "and what came until it was off is not lost");
	end();
}

static bool is_first_on(void)
{
	return script.events[FIRST].state == EVSET_ON;
}

static bool is_retired(void)
{
	return script.retirements > 0;
}

/* It is closed once its last counts were read; switched on again, it counts from zero. */
static void check_toggle(void)
{
	reset_script();
	count(0, FIRST, 100);
	start(0);
	take();
	source_toggle(engine, ROW_FIRST);
	take_until(is_retired);
	is_u64(total_of(ROW_FIRST), 100, "off: the total stays");
	ok(snap->events[ROW_FIRST].state == EVENT_STATE_OFF, "its row says so");
	is_str(snap->symbol_event, "second", "symbols come from another clock");
	source_toggle(engine, ROW_FIRST);
	take_until(is_first_on);
	take();
	is_str(snap->symbol_event, "first", "on: the first one does again");
	count(0, FIRST, 5);
	finish();
	is_u64(total_of(ROW_FIRST), 105, "and its new fd's counts are added");
	is_u64(script.retirements, 1, "it was closed once");
	end();
}

static bool is_second_off(void)
{
	return script.events[SECOND].state == EVSET_OFF;
}

static bool is_second_on(void)
{
	return script.events[SECOND].state == EVSET_ON;
}

/* One that is removed has no row; added again, it has the same id and its total. */
static void check_remove(void)
{
	reset_script();
	count(0, FIRST, 100);
	count(0, SECOND, 7);
	start(0);
	take();
	ok(source_remove(engine, snap->events[ROW_FIRST].id), "the first is removed");
	take_until(is_retired);
	take();
	is_u64(snap->nevents, 1, "it has no row");
	is_str(snap->events[0].name, "second", "only the other has");
	is_u64(snap->events[0].total, 7, "with its own total");
	is_str(snap->symbol_event, "second", "symbols come from that");

	uint32_t id = snap->events[0].id;
	source_toggle(engine, id);
	take_until(is_second_off);
	ok(is_true(is_first_off), "f switches the event of that row, not another");
	source_toggle(engine, id);
	take_until(is_second_on);

	ok(source_add_again(engine, 0), "the first is added again");
	take_until(is_first_on);
	take();
	is_u64(snap->nevents, 2, "both have a row");
	is_u64(total_of(ROW_FIRST), 100, "with the total of before");
	count(0, FIRST, 5);
	finish();
	is_u64(total_of(ROW_FIRST), 105, "and what it counts from then on");
	end();
}

static bool is_added(void)
{
	return script.set.nevents > ADDED && script.events[ADDED].state == EVSET_ON;
}

static void check_add(void)
{
	const struct event_spec spec = { .name = (char *)"added", .kind = EVENT_TRACEPOINT };

	reset_script();
	start(0);
	take();
	ok(source_add(engine, &spec), "a new event is added");
	take_until(is_added);
	take();
	is_u64(snap->nevents, 3, "it has a row");
	is_str(snap->events[2].name, "added", "at the end");
	ok(snap->events[2].state == EVENT_STATE_ON, "and is on");
	is_u64(snap->events[2].id, 2, "with the next id");
	count(1, ADDED, 9);
	ok(source_add(engine, &spec), "one more than there is room for");
	take();
	finish();
	is_u64(snap->nevents, 3, "is not added");
	is_u64(total_of(2), 9, "the new one's counts are in its row");
	ok(source_add(engine, &spec), "a command that is never executed");
	end();
}

/* One that was not opened before the start, as it would have taken too long. */
static void leave_for_later(uint32_t number)
{
	script.events[number].state = EVSET_LATER;
	for (uint32_t slot = 0; slot < SLOTS; slot++)
		script.counts[slot][number].is_open = false;
}

static void check_later(void)
{
	reset_script();
	leave_for_later(SECOND);
	script.holds_opening = true;
	start(0);
	count(0, FIRST, 100);
	poll(NULL, 0, 50);
	set_holds_opening(false);
	take_until(is_second_on);
	take();
	is_u64(snap->nevents, 2, "left for later: it has a row");
	ok(snap->events[1].state == EVENT_STATE_ON, "which is on, once it is opened");
	count(1, SECOND, 5);
	finish();
	is_u64(total_of(1), 5, "with its counts");
	is_u64(total_of(ROW_FIRST), 100, "and the other has all of its own");
	end();
}

/* Commands are executed between two openings. */
static void check_later_removed(void)
{
	reset_script();
	leave_for_later(FIRST);
	leave_for_later(SECOND);
	script.holds_opening = true;
	start(0);
	ok(source_remove(engine, 1), "the second is removed before it is opened");
	poll(NULL, 0, 50); /* longer than one turn of opening */
	set_holds_opening(false);
	take_until(is_first_on);
	take();
	is_u64(snap->nevents, 1, "only the first has a row");
	finish();
	ok(script.events[SECOND].state == EVSET_LATER, "and the second was not opened");
	end();
}

static void check_zero(void)
{
	reset_script();
	count(0, FIRST, 100);
	start(0);
	take();
	source_zero(engine);
	take();
	take();
	is_u64(total_of(ROW_FIRST), 0, "zero");
	count(0, FIRST, 3);
	finish();
	is_u64(total_of(ROW_FIRST), 3, "what comes after it is counted");
	end();
}

int main(void)
{
	plan_lazy();
	check_run();
	check_untaken();
	check_toggle();
	check_toggle_in_tick();
	check_zero();
	check_remove();
	check_add();
	check_later();
	check_later_removed();
	ok(source_free(NULL, 0), "NULL is allowed");
	reset_script();
	return done();
}
