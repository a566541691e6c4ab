/* SPDX-License-Identifier: MIT */
#include "source/governor.h"

#include "tap.h"

#define BUDGET 0.02
#define ASKED  1000

static struct governor governor;
static struct snap_self costs;
static struct governor_samples samples = { .asked = ASKED, .busiest = ASKED };

/* So many intervals of a second with these costs: the limit afterwards. */
static uint32_t after(int seconds, double rest, double sampling)
{
	costs = (struct snap_self){ .cpu = rest / 2,
				    .counting = rest / 4,
				    .switching = rest / 4,
				    .sampling = sampling };
	for (int i = 0; i < seconds; i++)
		governor_tick(&governor, &costs, &samples, 1);
	return governor.limit;
}

static void check_down(void)
{
	governor_init(&governor, BUDGET);
	is_u64(after(10, 0.005, 0.015), GOVERNOR_NO_LIMIT, "within the budget there is no limit");
	is_u64(after(1, 0, 0.08), GOVERNOR_NO_LIMIT, "nor for a moment above it");
	is_u64(after(1, 0, 0.01), GOVERNOR_NO_LIMIT, "that passes");
	is_u64(after(1, 0, 0.08), GOVERNOR_NO_LIMIT, "another moment");
	is_u64(after(1, 0, 0.08), 128,
	       "two seconds at four times the budget: an eighth to a quarter");
	is_u64(after(10, 0, 0.019), 128, "stays while that is enough");
	is_u64(after(2, 0, 0.021), 64, "is halved where it is just too much");
}

static void check_rest(void)
{
	governor_init(&governor, BUDGET);
	is_u64(after(2, 0.01, 0.02), 256, "samples may cost what the rest leaves");
	governor_init(&governor, BUDGET);
	is_u64(after(20, 0.5, 0.004), GOVERNOR_NO_LIMIT,
	       "a quarter of the budget is theirs, whatever the rest costs");
	is_u64(after(2, 0.5, 0.02), 128, "but no more");
	costs = (struct snap_self){ .cpu = -1, .sampling = 0.08 };
	governor_init(&governor, BUDGET);
	governor_tick(&governor, &costs, &samples, 1);
	ok(governor_tick(&governor, &costs, &samples, 1) && governor.limit == 128,
	   "our own time is not known at first: that is none");
}

static void check_up(void)
{
	governor_init(&governor, BUDGET);
	after(2, 0, 0.08);
	is_u64(after(4, 0, 0.005), 128, "little for four seconds is not enough");
	is_u64(after(1, 0, 0.005), 256, "five seconds double it");
	is_u64(after(20, 0, 0.010), 256, "not where the double could be too much");
	is_u64(after(4, 0, 0.005), 256, "little again, but not for long");
	is_u64(after(1, 0, 0.010), 256, "is interrupted");
	is_u64(after(4, 0, 0.005), 256, "and begins anew");
	is_u64(after(1, 0, 0.005), 512, "up to half of what is asked");
	is_u64(after(5, 0, 0.005), GOVERNOR_NO_LIMIT, "then there is no limit");
	ok(!governor_tick(&governor, &costs, &samples, 1), "and nothing changes any more");
}

/* A load that costs too much at one limit and little at the next. */
static void check_calm(void)
{
	int changes = 0;

	governor_init(&governor, BUDGET);
	for (int i = 0; i < 600; i++) {
		costs = (struct snap_self){ .sampling = governor.limit > 64 ? 0.025 : 0.001 };
		changes += governor_tick(&governor, &costs, &samples, 1);
	}
	ok(changes < 20, "a limit that goes up and down does so ever less: %d times in 600 s",
	   changes);
	ok(changes > 4, "but is tried again");
}

/* Every event is to be sampled, and the busiest has a million: from these the limit goes down. */
static void check_all(void)
{
	samples = (struct governor_samples){ .asked = UINT32_MAX - 1, .busiest = 1000000 };
	governor_init(&governor, BUDGET);
	is_u64(after(2, 0, 0.08), 131072, "without a number asked it begins at what there is");
	samples.busiest = 120000;
	is_u64(after(2, 0, 0.04), 32768, "and goes on from there");
	is_u64(after(5 * 4, 0, 0.001), 524288, "little doubles it");
	is_u64(after(5, 0, 0.001), GOVERNOR_NO_LIMIT, "until no event of a CPU has so many");
	samples.busiest = 3;
	is_u64(after(2, 0, 0.08), 0, "what three samples cost is no fault of a higher limit");
	samples = (struct governor_samples){ .asked = ASKED, .busiest = ASKED };
}

static void check_none(void)
{
	governor_init(&governor, BUDGET);
	is_u64(after(2, 0, 100), 0, "where even one sample a second is too much there are none");
	is_u64(after(5, 1, 0), 1, "one is tried later");
	is_u64(after(20, 1, 1), 0, "and none again");
	governor_init(&governor, 0);
	is_u64(after(20, 0, 1), GOVERNOR_NO_LIMIT, "no budget, no limit");
	governor_init(&governor, BUDGET);
	samples.asked = 0;
	is_u64(after(20, 0, 1), GOVERNOR_NO_LIMIT, "nor for events that are not paced");
	samples.asked = ASKED;
	governor_init(&governor, BUDGET);
	is_u64(after(20, 0, -1), GOVERNOR_NO_LIMIT, "nor with unknown costs");
}

int main(void)
{
	plan_lazy();
	check_down();
	check_rest();
	check_up();
	check_calm();
	check_all();
	check_none();
	return done();
}
