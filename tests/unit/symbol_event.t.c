/* SPDX-License-Identifier: MIT */
/* Which event makes the symbols, of those that are on. */
#include "source/symbol-event.h"

#include "tap.h"

#define IP    PERF_SAMPLE_IP
#define CHAIN (PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN)

static const struct perf_event_attr clock_ip = { .type = PERF_TYPE_SOFTWARE,
						 .config = PERF_COUNT_SW_CPU_CLOCK,
						 .sample_type = IP };
static const struct perf_event_attr clock_counted = { .type = PERF_TYPE_SOFTWARE,
						      .config = PERF_COUNT_SW_CPU_CLOCK };
static const struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE, .sample_type = IP };
static const struct perf_event_attr faults = { .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_PAGE_FAULTS,
					       .sample_type = IP };
static const struct perf_event_attr tracepoint = { .type = PERF_TYPE_TRACEPOINT,
						   .sample_type = CHAIN };

/* Its index in the list of up to 3; -1: none. */
static int best_of(const struct perf_event_attr *first, const struct perf_event_attr *second,
		   const struct perf_event_attr *third)
{
	const struct perf_event_attr *list[] = { first, second, third };
	struct symbol_event best = symbol_event_none();

	for (uint32_t i = 0; i < 3 && list[i] != NULL; i++)
		symbol_event_offer(&best, i, list[i]);
	return best.number == SYMBOL_EVENT_NONE ? -1 : (int)best.number;
}

int main(void)
{
	plan_lazy();
	is_int(best_of(NULL, NULL, NULL), -1, "of no events none");
	is_int(best_of(&faults, &clock_counted, NULL), -1, "faults and counted clocks make none");
	is_int(best_of(&clock_ip, &cycles, NULL), 0, "the first clock");
	is_int(best_of(&cycles, &clock_ip, NULL), 0, "or hardware event");
	is_int(best_of(&tracepoint, &faults, &clock_ip), 2, "also after one with call chains");
	is_int(best_of(&faults, &tracepoint, &tracepoint), 1, "without them the first with chains");
	return done();
}
