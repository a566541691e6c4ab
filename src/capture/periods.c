/* SPDX-License-Identifier: MIT */
#include "capture/periods.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/sys.h"

/* An event with a rate of up to 1.5 times its pace has its shortest period. */
#define WHOLE_LIMIT 1.5
/* Periods vary at random by up to this share. */
#define JITTER 0.25
/* The period of an event without samples; the kernel adds the count to it. */
#define PERIOD_NEVER ((uint64_t)1 << 62)

struct pacing {
	uint32_t generation; /* of the fd; 0: none yet */
	uint64_t value;	     /* the count at read_ns */
	uint64_t read_ns;
	uint64_t period; /* 0: as opened */
	uint64_t shortest;
	uint64_t most; /* the longest since the last request */
	/* There are no samples: the kernel has PERIOD_NEVER, and will have `period` again. */
	bool is_stopped;
};

struct periods {
	struct counters *counters;
	bool has_lost;
	uint64_t random;
	size_t longer;	      /* events whose period is not their shortest */
	uint64_t spent_ns[2]; /* CPU time of the last periods_adapt() of each enum periods_of */
	struct pacing events[];
};

struct periods *periods_new(struct counters *counters, bool has_lost, uint64_t seed)
{
	size_t count = counters_events(counters);
	struct periods *periods = calloc(1, sizeof(*periods) + count * sizeof(periods->events[0]));

	if (periods == NULL)
		return NULL;
	periods->counters = counters;
	periods->has_lost = has_lost;
	periods->random = seed * 2 + 88172645463325252ull;
	return periods;
}

void periods_free(struct periods *periods)
{
	free(periods);
}

/* Xorshift (Marsaglia 2003): 0..1. */
static double random_share(struct periods *periods)
{
	uint64_t value = periods->random;

	value ^= value << 13;
	value ^= value >> 7;
	value ^= value << 17;
	periods->random = value;
	return (double)(value >> 11) * 0x1p-53;
}

/*
 * The period for `delta` events in a time.  It is at most halved per step of up to PERIODS_NS, in
 * longer ones as often as in so many: else a load would restart at the shortest after each pause.
 */
static uint64_t choose(struct periods *periods, const struct pacing *pacing, uint64_t delta,
		       uint64_t time_ns, uint32_t pace)
{
	double shortest = (double)pacing->shortest;
	double rate = (double)delta * 1e9 / (double)time_ns;
	double period = pace == COUNTERS_ALL ? 0 : rate / pace;
	double halvings = fmax(1, (double)time_ns / PERIODS_NS);

	period = fmax(period, (double)pacing->period * exp2(-halvings));
	if (period < shortest * WHOLE_LIMIT)
		return pacing->shortest;
	period *= 1 + JITTER * (2 * random_share(periods) - 1);
	return (uint64_t)(fmax(period, shortest + 1) + 0.5);
}

static bool is_longer(const struct pacing *pacing)
{
	return pacing->period > pacing->shortest && !pacing->is_stopped;
}

static void set_period(struct periods *periods, size_t event, uint64_t period)
{
	struct pacing *pacing = &periods->events[event];
	int fd = counters_fd(periods->counters, event, 0);

	if ((period == pacing->period && !pacing->is_stopped) || fd < 0)
		return;
	if (period > pacing->most) {
		pacing->most = period;
		if (period > counters_bound(periods->counters, event))
			counters_set_bound(periods->counters, event, period);
	}
	if (ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) != 0)
		return;
	periods->longer -= is_longer(pacing);
	pacing->period = period;
	pacing->is_stopped = false;
	periods->longer += is_longer(pacing);
}

/*
 * Have no samples.  The period and the bound stay as they are: the first sample afterwards then does not
 * stand for all events from before it.
 */
static void stop(struct periods *periods, size_t event)
{
	struct pacing *pacing = &periods->events[event];
	int fd = counters_fd(periods->counters, event, 0);
	uint64_t period = PERIOD_NEVER;

	if (pacing->is_stopped || fd < 0 || ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) != 0)
		return;
	periods->longer -= is_longer(pacing);
	pacing->is_stopped = true;
}

/* Begin with a new fd: its period is as opened, its rate is measured since it was enabled. */
static void begin(struct periods *periods, size_t event, const struct count *count, uint64_t now_ns)
{
	struct pacing *pacing = &periods->events[event];

	periods->longer -= is_longer(pacing);
	*pacing = (struct pacing){ .generation = count->generation,
				   .read_ns = now_ns - count->enabled_ns,
				   .shortest = counters_shortest(periods->counters, event) };
}

static void adapt_event(struct periods *periods, size_t event, const struct count *count,
			uint64_t now_ns)
{
	struct pacing *pacing = &periods->events[event];

	if (!count->is_open || count->is_unread)
		return;
	if (count->generation != pacing->generation)
		begin(periods, event, count, now_ns);

	uint64_t delta = count->value - pacing->value, time_ns = now_ns - pacing->read_ns;
	pacing->value = count->value;
	pacing->read_ns = now_ns;
	if (counters_pace(periods->counters, event) == COUNTERS_NO_SAMPLES) {
		stop(periods, event);
		return;
	}
	if (time_ns == 0 ||
	    (delta == 0 && pacing->period <= pacing->shortest && !pacing->is_stopped))
		return;
	set_period(periods, event,
		   choose(periods, pacing, delta, time_ns,
			  counters_pace(periods->counters, event)));
}

void periods_settle(struct periods *periods, const struct count *counts, uint64_t now_ns)
{
	for (size_t event = 0; event < counters_events(periods->counters); event++) {
		struct pacing *pacing = &periods->events[event];

		if (counters_pace(periods->counters, event) == 0)
			continue;
		/* All samples from before the last request have been decoded. */
		if (pacing->period != 0)
			counters_set_bound(periods->counters, event, pacing->most);
		adapt_event(periods, event, &counts[event], now_ns);
		pacing->most = pacing->period;
	}
}

void periods_adapt(struct periods *periods, enum periods_of which, uint64_t now_ns)
{
	uint64_t before_ns = sys_thread_cpu_ns();

	for (size_t event = 0; event < counters_events(periods->counters); event++) {
		uint32_t pace = counters_pace(periods->counters, event);
		bool is_longer_now = is_longer(&periods->events[event]);

		if (pace == 0 ||
		    (!is_longer_now && (which == PERIODS_LONGER || pace == COUNTERS_ALL)))
			continue;

		struct count count =
			counters_read_event(periods->counters, event, periods->has_lost);
		adapt_event(periods, event, &count, now_ns);
	}
	periods->spent_ns[which] = sys_thread_cpu_ns() - before_ns;
}

uint64_t periods_wait_ns(const struct periods *periods, enum periods_of which)
{
	static const struct {
		uint64_t least_ns, most_ns;
		uint64_t times; /* of the CPU time that it takes */
	} waits[] = {
		[PERIODS_ALL] = { PERIODS_BURST_NS, 100 * NSEC_PER_MSEC, 20 },
		[PERIODS_LONGER] = { PERIODS_NS, NSEC_PER_SEC, 1000 },
	};
	uint64_t wait_ns = periods->spent_ns[which] * waits[which].times;

	if (wait_ns > waits[which].most_ns)
		return waits[which].most_ns;
	return wait_ns > waits[which].least_ns ? wait_ns : waits[which].least_ns;
}

bool periods_are_longer(const struct periods *periods)
{
	return periods->longer > 0;
}

bool periods_is_unused(const struct periods *periods, size_t event, uint64_t since_ns)
{
	const struct pacing *pacing = &periods->events[event];
	uint32_t pace = counters_pace(periods->counters, event);

	bool is_sampled = pace != 0 && pace != COUNTERS_NO_SAMPLES && !pacing->is_stopped;

	return is_sampled && pacing->shortest == 1 && pacing->period <= 1 && pacing->value == 0 &&
	       pacing->read_ns >= since_ns &&
	       pacing->generation == counters_generation(periods->counters, event, 0);
}

uint64_t periods_get(const struct periods *periods, size_t event)
{
	return periods->events[event].period;
}
