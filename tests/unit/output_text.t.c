/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"
#include "base/text.h"
#include "fixture.h"
#include "output/output.h"
#include "tap.h"

#include <string.h>

static struct strbuf out;

static void print(const struct snapshot *snap)
{
	strbuf_clear(&out);
	output_text()->put(&out, snap, NULL);
}

static void has(const char *text)
{
	if (!ok(strstr(out.text, text) != NULL, "there is: %s", text))
		diag("%s", out.text);
}

static void has_not(const char *text)
{
	ok(strstr(out.text, text) == NULL, "there is no: %s", text);
}

static void check_head(const struct snapshot *snap)
{
	print(snap);
	has("perftop-ng  web-17  6.18.44  2 cpus 0,2  2026-09-10T00:26:40Z  interval 1.000 s\n");
	has("1.227M ev/s  lost ≥4  throttled 1 now, 4 in all  self 1.3% 9.0M  kernel ~0.3%\n");
	has("cpu0    613.6k ev/s 12.30k cs/s  busy   99%\n");
	has("cpu2    613.6k ev/s 11.89k cs/s  busy  ≥70%  throttled  corrupt 1\n");
	has("note: cpu 1 is offline\n");
	has_not("final:");
}

static void check_events(const struct snapshot *snap)
{
	print(snap);
	has("  EVENT                       RATE/s  vs 10s   TOTAL       SEEN     LOST     THR   SHARE  MOST BY\n");
	has("  raw_syscalls:sys_enter      1.203M       ·  82.12M        all        0       0   99.7%  load 813\n");
	has("  sched:sched_switch          24.19k    x3.1  55.23k        all        4       0   33.5%  \\x1b]0;");
	has("! irq:softirq_entry              412       ·  19.08k        all       ≥0       0   88.0%  true ×757/s\n");
	has("  cpu-clock                  ≥1.989G       ·  119.4G     ~256us        0       4       –  in ns");
	has("  minor-faults                   0.3       –  31.07k          –        –       0       –  mult");
	has("  kprobe:vfs_read            failed: ENOENT: this kernel has no kprobes");
	has("  syscalls:sys_enter_openat  off: about 100 ns per hit; f switches it on\n");
}

static void check_final(struct snapshot *snap)
{
	snap->is_final = true;
	print(snap);
	has("final: irq:softirq_entry cpu 2 is not balanced: "
	    "total 6360 != sampled 6355 + lost ≥0, 5 missing\n");
	has_not("final: balanced");

	snap->nevents = FIXTURE_BROKEN;
	print(snap);
	has("final: balanced, 2 events: total 82175234 = sampled 82175230 + lost 4\n");

	snap->events += FIXTURE_FREQ;
	snap->nevents = 1;
	print(snap);
	has("final: nothing to balance");
	has_not("verified");

	fixture_add_violation(snap);
	print(snap);
	has("final: verified, 3 events: 137230 samples, 6 missing, 0 too many\n");
	snap->verify.first = NULL;
	print(snap);
	has("final: verified, 3 events: 137230 samples, each with count = sampled + lost\n");
	snap->is_verified = false;
	snap->is_final = false;
}

static void summarize(const struct snapshot *snap)
{
	strbuf_clear(&out);
	output_text()->summary(&out, snap);
}

static bool stands_before(const char *first, const char *second)
{
	const char *at = strstr(out.text, first), *then = strstr(out.text, second);

	return at != NULL && then != NULL && at < then;
}

static void check_summary(struct snapshot *snap)
{
	summarize(snap);
	has("2026-09-10T00:26:40Z  ran 60.000 s\n");
	has("  lost ≥4  throttled 4  self ");
	has("  EVENT                       RATE/s   TOTAL       SEEN     LOST     THR\n");
	has("  raw_syscalls:sys_enter      1.369M  82.12M        all        0       0\n");
	has("  sched:sched_switch             921  55.23k        all        4       0\n");
	has("  cpu-clock                  ≥1.990G  119.4G     ~256us        0       4  in ns");
	has("  minor-faults                1.233k  31.07k          –        –       0  mult");
	ok(stands_before("  raw_syscalls:", "  sched:") &&
		   stands_before("  sched:", "  minor-faults") &&
		   stands_before("  minor-faults", "! irq:"),
	   "sorted by total, and what ran for 42 %% of the time is scaled to all of it");
	ok(stands_before("! irq:", "  cpu-clock"), "other units behind");
	ok(stands_before("  cpu-clock", "  kprobe:"), "and what never ran last");
	has_not("events at 0");
}

/* Of the interval, and of the whole run. */
static void check_groups(void)
{
	struct snapshot *snap = fixture_snapshot();

	fixture_add_groups(snap);
	print(snap);
	has("99.7%  load 813  group 1\n");
	has("  0.02 per raw_syscalls:sys_enter\n");
	has("  group 2  in ns");
	has("  0.15 per s of cpu-clock  mult");
	has("kprobe:vfs_read            failed: ");
	summarize(snap);
	has("  1/1.487k per raw_syscalls:sys_enter\n");
	snapshot_release(snap);
}

/* A few events at 0 have rows, many are only counted. */
static void check_summary_zeros(void)
{
	struct snapshot *snap = fixture_snapshot_many(12, 2);
	struct snap_event *events = snap_alloc(snap, snap->nevents, sizeof(*events));

	memcpy(events, snap->events, snap->nevents * sizeof(*events));
	snap->events = events;
	for (size_t i = 0; i < snap->nevents; i++)
		events[i].total = i < 2 ? i + 1 : 0;
	summarize(snap);
	has("  group_0:event_11 ");
	has_not("at 0");

	events[0].total = 0;
	summarize(snap);
	has("  group_0:event_1 ");
	has_not("  group_0:event_11 ");
	has("  11 events at 0\n");
	snapshot_release(snap);
}

/* All rows of a table have the same width in cells. */
static void check_aligned(void)
{
	struct snapshot *snap = fixture_snapshot_many(2000, 3);
	size_t rows = 0, crooked = 0, width = 0;

	print(snap);
	for (char *line = strstr(out.text, "  EVENT"), *end; line && (end = strchr(line, '\n'));
	     line = end + 1) {
		*end = '\0';
		if (!*line)
			break;
		width = width ? width : text_width(line) - strlen("  MOST BY");
		crooked += rows++ > 0 && text_width(line) != width;
	}
	is_u64(rows, 2001, "every event has its row");
	is_u64(crooked, 0, "and all rows end in one column");
	snapshot_release(snap);
}

static void check_hostile(void)
{
	struct snapshot *snap = snapshot_new(0);
	struct snap_event event = {
		.name = "probe:\x1b]0;x\a",
		.unit = "",
		.state = EVENT_STATE_FAILED,
		.reason = FIXTURE_HOSTILE_COMM,
	};
	const char *note = "\xc2\x9b"
			   "2J";

	snap->host = FIXTURE_HOSTILE_COMM;
	snap->events = &event;
	snap->nevents = 1;
	snap->notes = &note;
	snap->nnotes = 1;
	snap->self.cpu = RATE_UNKNOWN;
	snap->rate = RATE_UNKNOWN;
	print(snap);
	unsigned int harmful = 0;
	for (size_t at = 0; at < out.len;) {
		int32_t code;
		at += text_decode(out.text + at, out.len - at, &code);
		harmful += code != '\n' && !text_is_harmless(code);
	}
	is_u64(harmful, 0, "no hostile byte comes through");
	has("note: \\u009b2J\n");
	has("interval –\n");
	has("– ev/s  lost 0");
	has("self –%");
	snapshot_release(snap);
}

int main(void)
{
	struct snapshot *snap = fixture_snapshot();

	plan_lazy();
	strbuf_init(&out);
	check_head(snap);
	check_events(snap);
	check_summary(snap);
	check_groups();
	check_final(snap);
	check_summary_zeros();
	check_aligned();
	check_hostile();
	strbuf_fini(&out);
	snapshot_release(snap);
	return done();
}
