/* SPDX-License-Identifier: MIT */
#include "capture/features.h"

#include <errno.h>
#include <string.h>

#include "base/abi.h"
#include "capture/attr.h"
#include "tap.h"

/* A fake kernel of some version, which refuses what is newer as kernels do. */
static int version;

static bool takes(const struct perf_event_attr *attr)
{
	bool is_known = version > 0 && (version >= 600 || !(attr->read_format & ABI_FORMAT_LOST)) &&
			(version >= 403 || !attr->context_switch) &&
			(version >= 401 || !attr->use_clockid) &&
			(version >= 316 || !attr->comm_exec);

	errno = version > 0 ? EINVAL : ENOSYS;
	return is_known;
}

static void check_version(int asked, unsigned int want)
{
	struct features features;
	struct feature feature;
	unsigned int got = 0;
	size_t i = 0;

	version = asked;
	features_probe_by(&features, takes);
	for (; features_get(&features, i, &feature); i++)
		got += (unsigned int)feature.is_there << i;
	is_u64(i, 4, "four features");
	is_u64(got, want, "of which Linux %d.%d has the older ones", asked / 100, asked % 100);
	ok(features.has_perf && features.errno_perf == 0, "and perf events");
}

/* Whatever a kernel refuses must not be asked for. */
static void check_attrs(int asked)
{
	struct features features;
	struct attr_plan plan = { .sampling = ATTR_PERIOD, .rate = 1 };
	struct event_spec spec = { .name = (char *)"cs",
				   .kind = EVENT_SOFTWARE,
				   .type = 1,
				   .config = 3 };
	struct perf_event_attr attr;

	version = asked;
	features_probe_by(&features, takes);
	attr_event(&attr, &spec, &plan, &features);
	ok(takes(&attr), "Linux %d.%d takes our events", asked / 100, asked % 100);
	attr_owner(&attr, &plan, &features);
	ok(takes(&attr), "and the rings' owner");
}

int main(void)
{
	struct features features;

	plan_lazy();
	check_version(618, 0xf);
	check_version(600, 0xf);
	check_version(519, 0xe);
	check_version(504, 0xe);
	check_version(402, 0xc);
	check_version(400, 0x8);
	check_version(315, 0x0);
	check_attrs(618);
	check_attrs(504);
	check_attrs(402);
	check_attrs(400);
	check_attrs(315);

	version = 0;
	features_probe_by(&features, takes);
	ok(!features.has_perf, "a kernel without perf events has none");
	is_int(features.errno_perf, ENOSYS, "and why");
	ok(features.has_format_lost && features.has_clockid && features.has_context_switch,
	   "all other features are assumed");

	features_probe(&features);
	ok(features.has_perf || features.errno_perf != 0, "the kernel here has them or an errno");
	return done();
}
