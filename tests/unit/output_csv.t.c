/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"
#include "fixture.h"
#include "output/output.h"
#include "tap.h"

#include <string.h>

#define HEAD                                                                                              \
	"time,interval,event,cpu,state,count,rate,total,sampled,lost,throttles,reason,unit,asked,unseen," \
	"sampled_count,lost_count,throttled,throttled_now\n"

static struct strbuf out;

static const char *with_separator(const struct snapshot *snap, const char *separator)
{
	strbuf_clear(&out);
	output_csv()->put(&out, snap, separator);
	return out.text;
}

static void has(const char *line)
{
	ok(strstr(out.text, line) != NULL, "there is: %s", line);
}

static void check_fixture(void)
{
	struct snapshot *snap = fixture_snapshot();
	size_t lines = 0;

	strbuf_clear(&out);
	output_csv()->head(&out, ",");
	is_str(out.text, HEAD, "the head");

	with_separator(snap, ",");
	for (const char *at = out.text; (at = strchr(at, '\n')); at++)
		lines++;
	is_u64(lines, 5 * 2 + 2, "a line per event and CPU, and one for each that was never open");
	has("1789000000.123,1.0003,sched:sched_switch,0,on,16134,12096.35,36823,36819,4,0,,,sched:sched_switch,0,16133,1,0.0,0.0\n");
	has("\n1789000000.123,1.0003,minor-faults,2,on,0,0.15,10356,0,0,0,,,minor-faults,0,0,0,0.0,0.0\n");
	has(",cpu-clock,2,on,663333333,994701590.5,39800000000,155468,0,4,stands in for cycles: no "
	    "hardware PMU here,ns,cycles,0,2590,0,0.31,0.2\n");
	has(",kprobe:vfs_read,,failed,,,,,,,ENOENT: this kernel has no kprobes (CONFIG_KPROBES),,kprobe:vfs_read,,,,,\n");
	has(",syscalls:sys_enter_openat,,off,,,,,,,about 100 ns per hit; f switches it on,,syscalls:sys_enter_openat,,,,,\n");

	with_separator(snap, ";");
	has(";\"about 100 ns per hit; f switches it on\";;syscalls:sys_enter_openat;;;;;\n");
	with_separator(snap, "\t");
	has("\tsched:sched_switch\t0\ton\t16134\t");
	with_separator(snap, ".");
	has("\"1789000000.123\".\"1.0003\".sched:sched_switch.0.on.16134.\"12096.35\".36823.");
	with_separator(snap, ", ");
	has(", sched:sched_switch, 0, on, 16134, ");
	snapshot_release(snap);
}

static void check_quotes(void)
{
	struct snapshot *snap = snapshot_new(0);
	struct snap_event event = {
		.name = "probe:\"a,b\"",
		.state = EVENT_STATE_FAILED,
		.reason = "two\nlines \x1b[2J \xff",
		.rate = RATE_UNKNOWN,
	};

	snap->events = &event;
	snap->nevents = 1;
	with_separator(snap, ",");
	is_str(out.text,
	       "0.0,0.0,\"probe:\"\"a,b\"\"\",,failed,,,,,,,two\\x0alines \\x1b[2J \xef\xbf\xbd,,,,,,,\n",
	       "quotes are doubled, and nothing harmful comes through");
	snapshot_release(snap);
}

int main(void)
{
	plan_lazy();
	strbuf_init(&out);
	check_fixture();
	check_quotes();
	strbuf_fini(&out);
	return done();
}
