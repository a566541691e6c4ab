/* SPDX-License-Identifier: MIT */
/* The events of a {}: how many of each there are for one of its first. */
#include "model/model.h"

#include "made-model.h"
#include "tap.h"

static void put_in_group(uint32_t number, uint32_t group, enum event_state state)
{
	struct model_event info = { .name = "event",
				    .kind = "software",
				    .unit = number == CLOCK ? "ns" : "",
				    .state = state,
				    .sampling = SAMPLING_PERIOD,
				    .rate = 1,
				    .group = group };

	model_set_event(model, number, &info);
}

static void count_for_a_second(uint64_t sched, uint64_t clock, uint64_t faults)
{
	counted(0, SCHED, sched, 0);
	counted(1, CLOCK, clock, 0);
	counted(1, FAULTS, faults, 0);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
}

static bool are(double sched, double clock, double faults)
{
	return is_near(snap->events[ROW_SCHED].per_first, sched) &&
	       is_near(snap->events[ROW_CLOCK].per_first, clock) &&
	       is_near(snap->events[ROW_FAULTS].per_first, faults);
}

static void check_ratios(void)
{
	begin(true, 10);
	put_in_group(SCHED, 1, EVENT_STATE_ON);
	put_in_group(FAULTS, 1, EVENT_STATE_ON);
	count_for_a_second(1000, SEC, 20);
	ok(snap->events[ROW_SCHED].group == 1 && snap->events[ROW_FAULTS].group == 1 &&
		   snap->events[ROW_CLOCK].group == 0,
	   "which events are of the group");
	ok(are(-1, -1, 0.02), "for each of the first; not that itself, nor one of no group");
	count_for_a_second(2000, 2 * SEC, 50);
	ok(are(-1, -1, 0.03), "of the interval, not of the total");
	count_for_a_second(2000, 3 * SEC, 60);
	ok(are(-1, -1, -1), "unknown where there was none of the first");
	ok(snap_first_of_group(snap, &snap->events[ROW_FAULTS]) == &snap->events[ROW_SCHED],
	   "the first is found");
	ok(snap_first_of_group(snap, &snap->events[ROW_CLOCK]) == NULL, "and none without a group");
	end();
}

static void check_two_groups(void)
{
	begin(true, 10);
	put_in_group(SCHED, 1, EVENT_STATE_ON);
	put_in_group(CLOCK, 2, EVENT_STATE_ON);
	put_in_group(FAULTS, 2, EVENT_STATE_ON);
	count_for_a_second(1000, 100, 20);
	ok(are(-1, -1, 0.2), "each group has its own first, in ns if that is a clock");
	put_in_group(CLOCK, 2, EVENT_STATE_OFF);
	count_for_a_second(2000, 100, 40);
	ok(are(-1, -1, -1), "unknown while the first is off");
	end();
}

int main(void)
{
	plan_lazy();
	check_ratios();
	check_two_groups();
	return done();
}
