/* SPDX-License-Identifier: MIT */
#include "capture/attr.h"

#include "base/abi.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

/* Every attr as --dump-attr prints it: a change of one must be made here as well. */

static const struct features new_kernel = { true, 0, true, true, true, true };
static const struct features old_kernel = { .has_perf = true };

static void is_attr(const struct perf_event_attr *attr, const char *want, const char *what)
{
	struct strbuf got;

	strbuf_init(&got);
	attr_print(&got, attr);
	is_str(got.text, want, "%s", what);
	strbuf_fini(&got);
	is_u64(attr->size, PERF_ATTR_SIZE_VER5, "of a size that Linux 4.1 knows");
}

static void check_event(const char *what, struct event_spec spec, struct attr_plan plan,
			const struct features *features, const char *want)
{
	struct perf_event_attr attr;

	memset(&attr, 0xff, sizeof(attr));
	attr_event(&attr, &spec, &plan, features);
	is_attr(&attr, want, what);
	ok(attr.sample_type & PERF_SAMPLE_IDENTIFIER, "with an identifier");
	ok(attr.sample_id_all, "on every record");
	ok(attr.disabled, "not running yet");
}

#define TRACEPOINT                                                              \
	{                                                                       \
		.name = (char *)"sched:sched_switch", .kind = EVENT_TRACEPOINT, \
		.type = PERF_TYPE_TRACEPOINT, .config = 372                     \
	}
#define SOFTWARE                                                                          \
	{                                                                                 \
		.name = (char *)"cs", .kind = EVENT_SOFTWARE, .type = PERF_TYPE_SOFTWARE, \
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES                                  \
	}
#define CYCLES(...)                                                                           \
	{                                                                                     \
		.name = (char *)"cycles", .kind = EVENT_HARDWARE, .type = PERF_TYPE_HARDWARE, \
		.config = PERF_COUNT_HW_CPU_CYCLES, .modifiers = {                            \
			__VA_ARGS__                                                           \
		}                                                                             \
	}

/* What every event on a new kernel has; golden text below is sorted as it prints. */
#define TAIL                             \
	"  sample_id_all            1\n" \
	"  use_clockid              1\n" \
	"  clockid                  1\n"

static void check_period(void)
{
	/* No PERF_SAMPLE_PERIOD (0x100): with it every occurrence is a sample. */
	check_event("a tracepoint with -c 1", (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_PERIOD, .rate = 1, .has_raw = true },
		    &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            1\n"
		    "  sample_type              0x10486\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
	check_event("a tracepoint with -c 1000 and no right to its fields",
		    (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_PERIOD, .rate = 1000 }, &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            1000\n"
		    "  sample_type              0x10086\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
	check_event("a software event with -c 5", (struct event_spec)SOFTWARE,
		    (struct attr_plan){ .sampling = ATTR_PERIOD, .rate = 5, .has_raw = true },
		    &new_kernel,
		    "  type                     1\n"
		    "  size                     112\n"
		    "  config                   0x3\n"
		    "  sample_period            5\n"
		    "  sample_type              0x10087\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
}

#define CHAIN(...)                                                                 \
	(struct attr_plan)                                                         \
	{                                                                          \
		.sampling = ATTR_PERIOD, .rate = 1, .has_chain = true, __VA_ARGS__ \
	}

static void check_chains(void)
{
	check_event("a tracepoint with call chains", (struct event_spec)TRACEPOINT,
		    CHAIN(.max_stack = 20), &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            1\n"
		    "  sample_type              0x100a7\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n"
		    "  sample_id_all            1\n"
		    "  use_clockid              1\n"
		    "  clockid                  1\n"
		    "  sample_max_stack         20\n");
	check_event("of user mode alone no rights on the kernel's part are needed",
		    (struct event_spec)CYCLES(.exclude_kernel = true), CHAIN(.max_stack = 20),
		    &new_kernel,
		    "  size                     112\n"
		    "  sample_period            1\n"
		    "  sample_type              0x100a7\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n"
		    "  exclude_kernel           1\n"
		    "  sample_id_all            1\n"
		    "  exclude_callchain_kernel 1\n"
		    "  use_clockid              1\n"
		    "  clockid                  1\n"
		    "  sample_max_stack         20\n");
	check_event("and what is only counted has none", (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_COUNT, .has_chain = true }, &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_type              0x10086\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
}

static void check_freq(void)
{
	check_event("a tracepoint by frequency", (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_FREQ, .rate = 1000, .has_raw = true },
		    &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_freq              1000\n"
		    "  sample_type              0x10586\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n"
		    "  freq                     1\n" TAIL);
	/* Type 0 and config 0 (hardware cycles) are fields that are zero: not printed. */
	check_event("cycles:upp by frequency, of a task and its children",
		    (struct event_spec)CYCLES(.exclude_kernel = true, .exclude_hv = true,
					      .precise = 2),
		    (struct attr_plan){ .sampling = ATTR_FREQ,
					.rate = 199,
					.is_inherited = true,
					.is_enabled_on_exec = true,
					.has_raw = true },
		    &new_kernel,
		    "  size                     112\n"
		    "  sample_freq              199\n"
		    "  sample_type              0x10187\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n"
		    "  inherit                  1\n"
		    "  exclude_kernel           1\n"
		    "  exclude_hv               1\n"
		    "  freq                     1\n"
		    "  enable_on_exec           1\n"
		    "  precise_ip               2\n" TAIL);
}

static void check_paced(void)
{
	check_event("a tracepoint by the reader's period, with its count",
		    (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_PACED,
					.rate = 1000,
					.has_raw = true,
					.has_value = true },
		    &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            2\n"
		    "  sample_type              0x10496\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);

	struct event_spec runtime = TRACEPOINT;
	runtime.name = (char *)"sched:sched_stat_runtime";
	check_event("one that counts ns", runtime,
		    (struct attr_plan){ .sampling = ATTR_PACED, .rate = 1000 }, &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            1000000\n"
		    "  sample_type              0x10086\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
	check_event("a tracepoint with -c 1 needs no count", (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_PERIOD, .rate = 1, .has_value = true },
		    &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            1\n"
		    "  sample_type              0x10086\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
	check_event("but the first of a {}:S has those of its group", (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_PERIOD, .rate = 1, .has_group = true },
		    &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            1\n"
		    "  sample_type              0x10096\n"
		    "  read_format              0x1f\n"
		    "  disabled                 1\n" TAIL);
	check_event("and one to be verified", (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_PERIOD,
					.rate = 1,
					.has_value = true,
					.is_verified = true },
		    &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_period            1\n"
		    "  sample_type              0x10096\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
	/* The same layout for all, so that the id in it can be found. */
	check_event("a software event with -c 5 has it for its id", (struct event_spec)SOFTWARE,
		    (struct attr_plan){ .sampling = ATTR_PERIOD, .rate = 5, .has_value = true },
		    &new_kernel,
		    "  type                     1\n"
		    "  size                     112\n"
		    "  config                   0x3\n"
		    "  sample_period            5\n"
		    "  sample_type              0x10097\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
	check_event("by frequency, too, and without its period", (struct event_spec)SOFTWARE,
		    (struct attr_plan){ .sampling = ATTR_FREQ, .rate = 99, .has_value = true },
		    &new_kernel,
		    "  type                     1\n"
		    "  size                     112\n"
		    "  config                   0x3\n"
		    "  sample_freq              99\n"
		    "  sample_type              0x10097\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n"
		    "  freq                     1\n" TAIL);
	check_event("cycles have both", (struct event_spec)CYCLES(.exclude_guest = false),
		    (struct attr_plan){ .sampling = ATTR_FREQ, .rate = 99, .has_value = true },
		    &new_kernel,
		    "  size                     112\n"
		    "  sample_freq              99\n"
		    "  sample_type              0x10197\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n"
		    "  freq                     1\n" TAIL);
}

static void check_count(void)
{
	check_event("a tracepoint that is only counted", (struct event_spec)TRACEPOINT,
		    (struct attr_plan){ .sampling = ATTR_COUNT, .rate = 7, .has_raw = true },
		    &new_kernel,
		    "  type                     2\n"
		    "  size                     112\n"
		    "  config                   0x174\n"
		    "  sample_type              0x10086\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n" TAIL);
	check_event("every modifier",
		    (struct event_spec)CYCLES(.exclude_user = true, .exclude_kernel = true,
					      .exclude_hv = true, .exclude_guest = true,
					      .exclude_host = true, .exclude_idle = true,
					      .is_pinned = true, .is_exclusive = true,
					      .precise = 3),
		    (struct attr_plan){ .sampling = ATTR_COUNT }, &new_kernel,
		    "  size                     112\n"
		    "  sample_type              0x10086\n"
		    "  read_format              0x17\n"
		    "  disabled                 1\n"
		    "  pinned                   1\n"
		    "  exclusive                1\n"
		    "  exclude_user             1\n"
		    "  exclude_kernel           1\n"
		    "  exclude_hv               1\n"
		    "  exclude_idle             1\n"
		    "  precise_ip               3\n"
		    "  sample_id_all            1\n"
		    "  exclude_host             1\n"
		    "  exclude_guest            1\n"
		    "  use_clockid              1\n"
		    "  clockid                  1\n");
}

/* What the kernel lacks is left out. */
static void check_old_kernel(void)
{
	check_event("on a kernel without LOST and clockid", (struct event_spec)SOFTWARE,
		    (struct attr_plan){ .sampling = ATTR_PERIOD, .rate = 1 }, &old_kernel,
		    "  type                     1\n"
		    "  size                     112\n"
		    "  config                   0x3\n"
		    "  sample_period            1\n"
		    "  sample_type              0x10087\n"
		    "  read_format              0x7\n"
		    "  disabled                 1\n"
		    "  sample_id_all            1\n");
}

static void check_dummies(void)
{
	struct attr_plan plan = { .sampling = ATTR_PERIOD,
				  .rate = 1,
				  .has_raw = true,
				  .watermark = 4096 };
	struct perf_event_attr attr;

	attr_owner(&attr, &plan, &new_kernel);
	is_attr(&attr,
		"  type                     1\n"
		"  size                     112\n"
		"  config                   0x9\n"
		"  sample_type              0x10086\n"
		"  read_format              0x17\n"
		"  disabled                 1\n"
		"  exclude_kernel           1\n"
		"  exclude_hv               1\n"
		"  mmap                     1\n"
		"  comm                     1\n"
		"  task                     1\n"
		"  watermark                1\n"
		"  sample_id_all            1\n"
		"  mmap2                    1\n"
		"  comm_exec                1\n"
		"  use_clockid              1\n"
		"  wakeup_watermark         4096\n"
		"  clockid                  1\n",
		"the owner of a ring: mappings, task names, forks and exits, and the watermark");
	plan.is_inherited = true;
	attr_switch(&attr, &plan, &new_kernel);
	is_attr(&attr,
		"  type                     1\n"
		"  size                     112\n"
		"  config                   0x9\n"
		"  sample_type              0x10086\n"
		"  read_format              0x17\n"
		"  disabled                 1\n"
		"  inherit                  1\n"
		"  exclude_kernel           1\n"
		"  exclude_hv               1\n"
		"  sample_id_all            1\n"
		"  use_clockid              1\n"
		"  context_switch           1\n"
		"  clockid                  1\n",
		"the dummy with the switch records: not a sample");
}

static bool is_sequence(struct event_spec spec, enum attr_sampling sampling)
{
	struct attr_plan plan = { .sampling = sampling,
				  .rate = 1,
				  .has_value = true,
				  .is_verified = true };

	return attr_is_verified(&spec, &plan);
}

/* Events whose samples say which one it must be. */
static void check_sequences(void)
{
	ok(is_sequence((struct event_spec)TRACEPOINT, ATTR_PERIOD) &&
		   is_sequence((struct event_spec)SOFTWARE, ATTR_PERIOD),
	   "tracepoints and software events by period are sequences");
	ok(!is_sequence((struct event_spec)TRACEPOINT, ATTR_PACED) &&
		   !is_sequence((struct event_spec)TRACEPOINT, ATTR_FREQ) &&
		   !is_sequence((struct event_spec)TRACEPOINT, ATTR_COUNT),
	   "not if they are sampled otherwise");
	ok(!is_sequence((struct event_spec)CYCLES(.exclude_guest = false), ATTR_PERIOD),
	   "a counter's interrupt comes too late");

	struct event_spec spec = SOFTWARE;
	spec.is_clock = true;
	ok(!is_sequence(spec, ATTR_PERIOD), "a clock counts time");
	spec = (struct event_spec)TRACEPOINT;
	spec.name = (char *)"sched:sched_stat_runtime";
	ok(!is_sequence(spec, ATTR_PERIOD), "and so does sched_stat_runtime");
}

int main(void)
{
	plan_lazy();
	check_period();
	check_chains();
	check_freq();
	check_paced();
	check_count();
	check_old_kernel();
	check_dummies();
	check_sequences();
	return done();
}
