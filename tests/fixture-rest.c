/* SPDX-License-Identifier: MIT */
/* All that is not of CPUs, events and tasks. */
#include "fixture-inside.h"

/* Who was on the CPUs: a pattern that repeats, with idle and unknown slots. */
static void add_slots(struct snapshot *snap)
{
	static const struct snap_runner runners[] = { { "load", 813 },
						      { "nginx: \xc3\xa4\xe4\xb8\xad", 1203 },
						      { "true", -1 },
						      { "load", 814 } };
	struct snap_cpu *cpus = (struct snap_cpu *)snap->cpus;

	snap->runners = runners;
	snap->nrunners = 4;
	snap->slot_s = 0.01;
	for (size_t cpu = 0; cpu < snap->ncpus; cpu++) {
		struct snap_slot *slots = snap_alloc(snap, SNAP_SLOTS, sizeof(*slots));

		for (size_t i = SNAP_SLOTS - 60; i < SNAP_SLOTS; i++)
			slots[i] = (struct snap_slot){ (uint16_t)(1 + (i / 3 + cpu) % 5),
						       (uint8_t)(i % 7 ? 90 : 20) };
		cpus[cpu].slots = slots;
	}
}

static void put_symbols(struct snap_event *event, const struct snap_symbol *symbols, size_t count)
{
	event->has_code = true;
	event->symbols = symbols;
	event->nsymbols = count;
}

/* Of the clock, which is the symbol event, and of an event with call chains. */
void fixture_add_symbols(struct snapshot *snap)
{
	static const struct snap_caller callers[] = {
		{ "new_sync_read", "[kernel]", 0.03, 1 },
		{ "vfs_read", "[kernel]", 0.03, 2 },
		{ "ksys_read", "[kernel]", 0.028, 3 },
		{ "do_syscall_64", "[kernel]", 0.028, 4 },
		{ "dd", "[user]", 0.028, 5 },
		{ "__x64_sys_pread64", "[kernel]", 0.002, 3 },
		{ "aio_read", "aio", 0.004, 1 },
		{ "do_syscall_64", "[kernel]", 0.004, 2 },
	};
	static const struct snap_symbol symbols[] = {
		{ "do_syscall_64", "[kernel]", false, 0.12, NULL, 0 },
		{ "ext4_file_read_iter", "ext4", false, 0.034, callers, 8 },
		{ "0x7f0012345678", "[user]", true, 0.5, NULL, 0 },
	};
	static const struct snap_caller switchers[] = {
		{ "schedule", "[kernel]", 0.9, 1 },
		{ "do_nanosleep", "[kernel]", 0.6, 2 },
		{ "worker_thread", "[kernel]", 0.3, 2 },
	};
	static const struct snap_symbol switching[] = {
		{ "__schedule", "[kernel]", false, 0.9, switchers, 3 },
		{ "schedule_idle", "[kernel]", false, 0.1, NULL, 0 },
	};
	struct snap_event *events = (struct snap_event *)snap->events;

	put_symbols(&events[FIXTURE_FREQ], symbols, 3);
	put_symbols(&events[FIXTURE_LOST], switching, 2);
	events[FIXTURE_FREQ].is_symbol_event = true;
	snap->symbol_event = events[FIXTURE_FREQ].name;
	snap->symbols = symbols;
	snap->nsymbols = 3;
}

void fixture_add_rest(struct snapshot *snap)
{
	static const struct snap_throttle_now throttled[] = { { FIXTURE_FREQ, 1, 0.2 } };
	static const char *const notes[] = {
		"tracefs is not mounted: mount -t tracefs none /sys/kernel/tracing",
		"cpu 1 is offline",
	};

	add_slots(snap);
	snap->throttled = throttled;
	snap->nthrottled = 1;
	snap->notes = notes;
	snap->nnotes = 2;
	snap->has_switches = true;
	snap->switch_rate = 24192.7;
	snap->switch_count = 24200;
	snap->voluntary = 40000;
	snap->involuntary = 312;
	fixture_add_spans(snap);
	snap->has_wakeups = true;
	snap->corrupt = 1;
	snap->max_sample_rate = 100000;
	snap->cpu_time_max_percent = 25;
	/* In the order of SELF_FIGURES. */
	snap->self = (struct snap_self){ 0.0125, 9437184, 4194304,	3, 128, 0.0006, 0.0011,
					 0.0012, 0.02,	  RATE_UNKNOWN, 0 };
}

void fixture_add_violation(struct snapshot *snap)
{
	static const struct snap_violation first = {
		.event = "sched:sched_switch",
		.cpu = 2,
		.at_s = 1.25,
		.comm = FIXTURE_HOSTILE_COMM,
		.pid = 812,
		.tid = 813,
		.period = 1,
		.count = 1000,
		.sampled = 990,
		.lost = 4,
		.fields = "prev_comm=load prev_pid=813",
	};

	snap->is_verified = true;
	snap->verify = (struct snap_verify){ .events = 3,
					     .checked = 137230,
					     .missing = 6,
					     .first = &first,
					     .text = "sched:sched_switch on cpu 2: 6 missing" };
}

static void put_in_group(struct snapshot *snap, size_t number, int32_t group, double per_first)
{
	struct snap_event *event = (struct snap_event *)&snap->events[number];

	event->group = group;
	event->per_first = per_first;
}

void fixture_add_groups(struct snapshot *snap)
{
	const struct snap_event *events = snap->events;

	put_in_group(snap, FIXTURE_BALANCED, 1, RATE_UNKNOWN);
	put_in_group(snap, FIXTURE_LOST, 1,
		     events[FIXTURE_LOST].rate / events[FIXTURE_BALANCED].rate);
	put_in_group(snap, FIXTURE_FREQ, 2, RATE_UNKNOWN);
	put_in_group(snap, FIXTURE_COUNTED, 2,
		     events[FIXTURE_COUNTED].rate / events[FIXTURE_FREQ].rate);
	put_in_group(snap, FIXTURE_FAILED, 2, RATE_UNKNOWN);
}
