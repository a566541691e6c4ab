/* SPDX-License-Identifier: MIT */
/* What the kernel spends on our events. */
#include "model/model.h"

#include "base/abi.h"
#include "made-model.h"
#include "tap.h"

static void begin_with_cost(double sample_ns)
{
	struct model_config config = config_of(true, 10);
	struct model_event costly = { .name = "sched:sched_switch",
				      .kind = "tracepoint",
				      .unit = "",
				      .state = EVENT_STATE_ON,
				      .sampling = SAMPLING_FREQ,
				      .rate = 1000,
				      .hit_ns = 200 };

	config.sample_ns = sample_ns;
	begin_with(&config);
	model_set_event(model, SCHED, &costly);
}

static void count_and_sample(void)
{
	counted(0, SCHED, 1000000, 0);
	counted(1, CLOCK, 500 * MS, 0); /* its count is a time: no hits */
	samples(0, SCHED, 5, 1, 100);
	samples(1, CLOCK, 5, 1, 200);
	record_switch(0, 5, 5, ABI_MISC_SWITCH_OUT, 0, now_ns);
	record_switch(0, 0, 0, 0, 5, now_ns);
}

static bool are_costs(double counting, double switching, double sampling)
{
	return is_near(snap->self.counting, counting) && is_near(snap->self.switching, switching) &&
	       is_near(snap->self.sampling, sampling);
}

static void check_costs(void)
{
	begin_with_cost(1e6); /* a millisecond: sums that are easy to read */
	read_counters(now_ns);
	tick_after(SEC, false);
	ok(are_costs(0, 0, 0), "nothing has happened: no costs");
	count_and_sample();
	read_counters(now_ns + 2 * SEC);
	tick_after(2 * SEC, false);
	ok(are_costs(0.1, 0.0006, 0.15),
	   "hits, switches and samples per second, each with its cost");
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	ok(are_costs(0, 0, 0), "are of an interval, not since the start");
	end();
}

static void check_unknown(void)
{
	begin_with_cost(0);
	count_and_sample();
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	ok(snap->self.counting < 0 && snap->self.switching < 0 && snap->self.sampling < 0,
	   "in a file they are unknown");
	ok(snap->self.budget < 0 && snap->self.sample_limit < 0, "and there is no budget");
	end();
}

int main(void)
{
	plan_lazy();
	check_costs();
	check_unknown();
	return done();
}
