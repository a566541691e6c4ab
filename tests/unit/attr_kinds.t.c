/* SPDX-License-Identifier: MIT */
#include "capture/attr.h"

#include "base/abi.h"
#include "tap.h"

#include <linux/hw_breakpoint.h>
#include <string.h>

/* What each kind puts into its attr, as --dump-attr prints it; attr.t.c has what all of them have. */

static const struct features features = { .has_perf = true };
static const struct attr_plan counted = { .sampling = ATTR_COUNT };

/* The end of what every event has when it is only counted. */
#define TAIL                                   \
	"  sample_type              0x10086\n" \
	"  read_format              0x7\n"     \
	"  disabled                 1\n"

static void golden(const char *what, const struct event_spec *spec, const struct attr_plan *plan,
		   const char *want)
{
	struct perf_event_attr attr;
	struct strbuf got;

	strbuf_init(&got);
	attr_event(&attr, spec, plan, &features);
	attr_print(&got, &attr);
	is_str(got.text, want, "%s", what);
	strbuf_fini(&got);
}

static void check_kinds(void)
{
	struct event_spec cache = { .kind = EVENT_CACHE,
				    .type = PERF_TYPE_HW_CACHE,
				    .config = 0x10002 };
	struct event_spec raw = { .kind = EVENT_RAW, .type = PERF_TYPE_RAW, .config = 0x1a8 };
	struct event_spec pmu = { .kind = EVENT_PMU,
				  .type = 9,
				  .config = 1,
				  .config1 = 2,
				  .config2 = 3 };
	struct event_spec breakpoint = { .kind = EVENT_BREAKPOINT,
					 .type = PERF_TYPE_BREAKPOINT,
					 .config1 = 0x404020,
					 .config2 = 4,
					 .bp_type = HW_BREAKPOINT_W };
	struct event_spec uprobe = { .kind = EVENT_UPROBE,
				     .type = 8,
				     .config = 1,
				     .config2 = 0x11d0,
				     .path = (char *)"/bin/sh" };
	struct event_spec kprobe = { .kind = EVENT_KPROBE,
				     .type = 7,
				     .config2 = 0x10,
				     .path = (char *)"do_sys_open" };

	golden("cache", &cache, &counted,
	       "  type                     3\n"
	       "  size                     112\n"
	       "  config                   0x10002\n" TAIL "  sample_id_all            1\n");
	golden("raw", &raw, &counted,
	       "  type                     4\n"
	       "  size                     112\n"
	       "  config                   0x1a8\n" TAIL "  sample_id_all            1\n");
	golden("PMU", &pmu, &counted,
	       "  type                     9\n"
	       "  size                     112\n"
	       "  config                   0x1\n"
	       "  config1                  0x2\n"
	       "  config2                  0x3\n" TAIL "  sample_id_all            1\n");
	golden("breakpoint: address, length, access", &breakpoint, &counted,
	       "  type                     5\n"
	       "  size                     112\n"
	       "  config1                  0x404020\n"
	       "  config2                  0x4\n"
	       "  bp_type                  2\n" TAIL "  sample_id_all            1\n");
	golden("uprobe: the pointer to its path is not set here", &uprobe, &counted,
	       "  type                     8\n"
	       "  size                     112\n"
	       "  config                   0x1\n"
	       "  config2                  0x11d0\n" TAIL "  sample_id_all            1\n");
	golden("kprobe", &kprobe, &counted,
	       "  type                     7\n"
	       "  size                     112\n"
	       "  config2                  0x10\n" TAIL "  sample_id_all            1\n");
}

static void check_plan(void)
{
	struct event_spec spec = { .kind = EVENT_PMU };
	struct attr_plan plan = { .sampling = ATTR_FREQ, .rate = 1000 };

	attr_plan_apply(&plan, &spec);
	ok(plan.sampling == ATTR_FREQ && plan.rate == 1000, "without terms nothing changes");
	spec.period = 5;
	attr_plan_apply(&plan, &spec);
	ok(plan.sampling == ATTR_PERIOD && plan.rate == 5, "period= overrides -F");
	spec = (struct event_spec){ .kind = EVENT_PMU, .freq = 99 };
	attr_plan_apply(&plan, &spec);
	ok(plan.sampling == ATTR_FREQ && plan.rate == 99, "freq= overrides -c");
	spec.is_count_only = true;
	attr_plan_apply(&plan, &spec);
	ok(plan.sampling == ATTR_COUNT, "what cannot be sampled is counted");
	spec = (struct event_spec){ .kind = EVENT_PMU };
	attr_plan_apply(&plan, &spec);
	ok(plan.sampling == ATTR_COUNT, "without terms it stays -F 0");
	spec.period = 5;
	attr_plan_apply(&plan, &spec);
	ok(plan.sampling == ATTR_PERIOD && plan.rate == 5, "which period= overrides, too");
}

/* A clock sampled too fast takes a whole CPU. */
static void check_clock_limit(void)
{
	struct event_spec spec = { .kind = EVENT_SOFTWARE, .is_clock = true };
	struct attr_plan plan = { .sampling = ATTR_FREQ, .rate = ATTR_CLOCK_MAX };

	is_u64(attr_plan_apply(&plan, &spec), 0, "a clock may sample at the limit");
	plan.rate = 100000;
	is_u64(attr_plan_apply(&plan, &spec), 100000, "beyond it what was asked is returned");
	is_u64(plan.rate, ATTR_CLOCK_MAX, "and lowered");
	spec.period = 10000;
	is_u64(attr_plan_apply(&plan, &spec), 100000, "a period is in ns");
	is_u64(plan.rate, 250000, "and raised");
	ok(plan.sampling == ATTR_PERIOD, "but stays a period");
	plan.is_forced = true;
	is_u64(attr_plan_apply(&plan, &spec), 0, "--force");
	is_u64(plan.rate, 10000, "leaves it as asked");
	plan = (struct attr_plan){ .sampling = ATTR_FREQ, .rate = 100000 };
	spec = (struct event_spec){ .kind = EVENT_SOFTWARE };
	is_u64(attr_plan_apply(&plan, &spec), 0, "other events have no such limit");
	spec = (struct event_spec){ .kind = EVENT_SOFTWARE, .is_clock = true };
	plan = (struct attr_plan){ .sampling = ATTR_COUNT };
	is_u64(attr_plan_apply(&plan, &spec), 0, "nor what is only counted");
}

static void check_wide(void)
{
	struct event_spec spec = { .kind = EVENT_PMU, .type = 4, .config = 1 };
	struct perf_event_attr attr;
	union abi_attr wide;
	uint64_t config3;

	attr_event(&attr, &spec, &counted, &features);
	memset(&wide, 0xff, sizeof(wide));
	attr_widen(&wide, &attr, &spec);
	ok(memcmp(&wide.attr, &attr, sizeof(attr)) == 0, "without config3 it is the same");
	spec.config3 = 0xabcd;
	attr_widen(&wide, &attr, &spec);
	is_u64(wide.attr.size, 136, "with config3 it is as long as Linux 6.3's");
	memcpy(&config3, wide.bytes + 128, sizeof(config3));
	is_u64(config3, 0xabcd, "in its place");
	ok(wide.attr.config == 1 && wide.attr.type == 4, "with the rest");
}

int main(void)
{
	plan_lazy();
	check_kinds();
	check_plan();
	check_clock_limit();
	check_wide();
	return done();
}
