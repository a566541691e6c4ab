/* SPDX-License-Identifier: MIT */
#include "fixture-inside.h"

#define NCPUS		   2
#define CPU_SHARE(n, slot) ((slot) == 0 ? (n) - (n) / 3 : (n) / 3) /* uneven, and the sum is n */

const float *fixture_trend(struct snapshot *snap, double rate, size_t *ntrend)
{
	float *trend = snap_alloc(snap, SNAP_TREND_MAX, sizeof(*trend));

	/* Unknown at first, then a saw tooth that ends at the rate. */
	for (size_t i = 0; i < SNAP_TREND_MAX; i++)
		trend[i] = i < 5 ? -1.0f : (float)(rate * (double)(i % 10 + 1) / 10);
	*ntrend = SNAP_TREND_MAX;
	return trend;
}

/* The event's numbers divided over the CPUs. */
static struct snap_event_cpu *make_cpus(struct snapshot *snap, const struct snap_event *event)
{
	struct snap_event_cpu *cpus = snap_alloc(snap, NCPUS, sizeof(*cpus));

	for (size_t slot = 0; slot < NCPUS; slot++) {
		cpus[slot] = (struct snap_event_cpu){
			.rate = event->rate < 0 ? RATE_UNKNOWN : event->rate / NCPUS,
			.count = CPU_SHARE(event->count, slot),
			.total = CPU_SHARE(event->total, slot),
			.lost = slot == 0 ? event->lost : 0,
			.sampled_count = CPU_SHARE(event->sampled_count, slot),
			.lost_count = slot == 0 ? event->lost_count : 0,
			.unseen = slot == 0 ? event->unseen : 0,
			.throttles = slot == 1 ? event->throttles : 0,
			.throttled_s = slot == 1 ? event->throttled_s : 0,
			.throttled_now_s = slot == 1 ? event->throttled_now_s : 0,
			.weight = CPU_SHARE(event->weight, slot),
			.is_throttled = slot == 1 && event->is_throttled,
			.is_balanced = event->is_balance_known,
		};
		cpus[slot].trend = fixture_trend(snap, cpus[slot].rate, &(size_t){ 0 });
		if (event->sampling == SAMPLING_PERIOD)
			cpus[slot].sampled = cpus[slot].total - cpus[slot].lost;
		else
			cpus[slot].sampled = CPU_SHARE(event->sampled, slot);
	}
	return cpus;
}

static void fill_sampled(struct snap_event *events)
{
	events[FIXTURE_BALANCED] = (struct snap_event){
		.name = "raw_syscalls:sys_enter",
		.kind = "tracepoint",
		.sampling = SAMPLING_PERIOD,
		.period = 1,
		.rate = 1202639.2,
		.rate_before = 1156383.8,
		.count = 1203000,
		.total = 82120000,
		.sampled = 82120000,
		.weight = 82120000,
		.is_lost_exact = true,
		.is_balance_known = true,
		.is_balanced = true,
		.sampled_count = 1203000,
		.most_by = "load",
		.most_by_tid = 813,
		.most_by_born = RATE_UNKNOWN,
		.most_share = 0.997,
		.last = "id=39 args=0,0,0,0,0,0",
	};
	events[FIXTURE_LOST] = (struct snap_event){
		.name = "sched:sched_switch",
		.kind = "tracepoint",
		.sampling = SAMPLING_PERIOD,
		.period = 1,
		.rate = 24192.7,
		.rate_before = 7804.1,
		.count = 24200,
		.total = 55234,
		.sampled = 55230,
		.weight = 55230,
		.lost = 4,
		.is_lost_exact = true,
		.is_balance_known = true,
		.is_balanced = true,
		.sampled_count = 24199,
		.lost_count = 1,
		.has_changed = true,
		.most_by = FIXTURE_HOSTILE_COMM,
		.most_by_tid = 667,
		.most_by_born = RATE_UNKNOWN,
		.most_share = 0.335,
		.last = "prev_comm=" FIXTURE_HOSTILE_COMM " prev_pid=813 ==> next_pid=0",
	};
	events[FIXTURE_BROKEN] = (struct snap_event){
		.name = "irq:softirq_entry",
		.kind = "tracepoint",
		.sampling = SAMPLING_PERIOD,
		.period = 1,
		.rate = 412.0,
		.rate_before = 412.3,
		.count = 412,
		.total = 19080,
		.sampled = 19075,
		.weight = 19075,
		.is_lost_exact = false,
		.is_balance_known = true,
		.is_balanced = false,
		.sampled_count = 412,
		.most_by = "true",
		.most_by_tid = -1,
		.most_by_born = 757.2,
		.most_share = 0.88,
	};
	events[FIXTURE_FREQ] = (struct snap_event){
		.name = "cpu-clock",
		.asked = "cycles",
		.kind = "software",
		.unit = "ns",
		.reason = "stands in for cycles: no hardware PMU here",
		.sampling = SAMPLING_FREQ,
		.freq = 1000,
		.rate = 1989403181.0,
		.rate_before = 1999900000.0,
		.count = 1990000000,
		.total = 119400000000,
		.sampled = 466406,
		.weight = 119399936000,
		.throttles = 4,
		.throttled_s = 0.31,
		.throttled_now_s = 0.2,
		.sampled_count = 7770,
		.unseen = 1066000,
		NOBODY,
		.is_throttled = true,
		.is_lost_exact = true,
	};
}

static void fill_unsampled(struct snap_event *events)
{
	events[FIXTURE_COUNTED] = (struct snap_event){
		.name = "minor-faults",
		.kind = "software",
		.rate = 0.3,
		.rate_before = RATE_UNKNOWN,
		.count = 1,
		.total = 31070,
		.running = 0.42,
		NOBODY,
	};
	events[FIXTURE_FAILED] = (struct snap_event){
		.name = "kprobe:vfs_read",
		.kind = "kprobe",
		.state = EVENT_STATE_FAILED,
		.reason = "ENOENT: this kernel has no kprobes (CONFIG_KPROBES)",
		.rate = RATE_UNKNOWN,
		.rate_before = RATE_UNKNOWN,
		NOBODY,
	};
	events[FIXTURE_OFF] = (struct snap_event){
		.name = "syscalls:sys_enter_openat",
		.kind = "tracepoint",
		.state = EVENT_STATE_OFF,
		.reason = "about 100 ns per hit; f switches it on",
		.rate = RATE_UNKNOWN,
		.rate_before = RATE_UNKNOWN,
		NOBODY,
	};
}

static void add_events(struct snapshot *snap)
{
	struct snap_event *events = snap_alloc(snap, FIXTURE_EVENTS, sizeof(*events));

	fill_sampled(events);
	fill_unsampled(events);
	for (size_t i = 0; i < FIXTURE_EVENTS; i++) {
		struct snap_event *event = &events[i];
		if (!event->asked)
			event->asked = event->name;
		if (!event->unit)
			event->unit = "";
		if (event->running == 0)
			event->running = 1.0;
		event->whole_running = event->running;
		if (event->state != EVENT_STATE_ON)
			continue;
		struct snap_event_cpu *cpus = make_cpus(snap, event);
		if (i == FIXTURE_BROKEN) {
			cpus[1].sampled -= 5;
			cpus[1].is_balanced = false;
		}
		event->cpus = cpus;
		event->trend = fixture_trend(snap, event->rate, &event->ntrend);
		snap->lost += event->lost;
		snap->lost_count += event->lost_count;
		snap->throttles += event->throttles;
	}
	snap->events = events;
	for (uint32_t i = 0; i < FIXTURE_EVENTS; i++)
		events[i].id = i;
	snap->nevents = FIXTURE_EVENTS;
	snap->rate = 1227244.2;
}

static void add_cpus(struct snapshot *snap)
{
	struct snap_cpu *cpus = snap_alloc(snap, NCPUS, sizeof(*cpus));

	cpus[0] = (struct snap_cpu){
		.id = 0,
		.is_online = true,
		.rate = 613622.1,
		.switch_rate = 12300.4,
		.busy = 0.993,
		.idle = 0.007,
		.voluntary = 20004,
		.involuntary = 301,
		.preempt_rate = 300.2,
		.ring_bytes = 2 << 20,
		.type = -1,
	};
	cpus[1] = (struct snap_cpu){
		.id = 2,
		.is_online = true,
		.rate = 613622.1,
		.switch_rate = 11892.3,
		.busy = 0.704,
		.idle = 0.1,
		.voluntary = 19996,
		.involuntary = 11,
		.preempt_rate = 4,
		.is_throttled = true,
		.ring_bytes = 2 << 20,
		.corrupt = 1,
		.core = 1,
		.type = -1,
	};
	for (size_t slot = 0; slot < NCPUS; slot++) {
		struct snap_cpu *cpu = &cpus[slot];
		size_t count;

		cpu->trends[CPU_BUSY] = fixture_trend(snap, cpu->busy, &count);
		cpu->trends[CPU_SWITCHES] = fixture_trend(snap, cpu->switch_rate, &count);
		cpu->trends[CPU_PREEMPTIONS] = fixture_trend(snap, cpu->preempt_rate, &count);
	}
	snap->cpus = cpus;
	snap->ncpus = NCPUS;
}

static const uint64_t
	slices[HISTOGRAM_OCTAVES] = { [5] = 120, [6] = 900, [7] = 300, [8] = 40, [12] = 3 };
static const uint64_t waits[HISTOGRAM_OCTAVES] = { 7, 0, 80, 300, 12, [14] = 2 };

static void add_tasks(struct snapshot *snap)
{
	static const struct snap_task_event load_events[] = {
		{ .event = FIXTURE_BALANCED,
		  .rate = 1200000.5,
		  .total = 82000000,
		  .count = 1200500,
		  .samples = 1200500 },
		{ .event = FIXTURE_LOST, .rate = 8110.2, .total = 27000 },
		{ .event = FIXTURE_FREQ,
		  .rate = 1000000000.0,
		  .total = 60000000000,
		  .samples = 99,
		  .is_estimated = true,
		  .is_total_estimated = true },
	};
	static const struct snap_task_event nginx_events[] = {
		{ .event = FIXTURE_LOST, .rate = 7900.0, .total = 26990 },
	};
	static const struct snap_task_event true_events[] = {
		{ FIXTURE_BROKEN, 363, 363, 363, 9000, false, false },
	};
	static const struct snap_parent parents[] = { { 1, 0, "init" },
						      { 666, 1, FIXTURE_HOSTILE_COMM },
						      { 812, 1, "load" } };
	static const struct snap_preempter by_load[] = { { "load", 813, 4 }, { "true", 9000, 1 } };
	static const struct snap_preempter by_nginx[] = { { FIXTURE_HOSTILE_COMM, 667, 301 } };
	struct snap_task *tasks = snap_alloc(snap, 5, sizeof(*tasks));
	struct snap_task *process = snap_alloc(snap, 1, sizeof(*process));

	tasks[0] = (struct snap_task){
		.pid = 812,
		.tid = 813,
		.comm = "load",
		.is_estimated = true,
		.rate = 1208110.7,
		ONE_TASK,
		.ppid = 1,
		.parent = "init",
		.command = "/usr/bin/load --threads 2 /srv/\xc3\xa4 --and-more",
		.cgroup = "/system.slice/load.service",
		.recent_cpu = 0.7,
		.events = load_events,
		.nevents = 3,
		.switch_rate = 8110.2,
		.preempt_rate = 304,
		.voluntary = 12,
		.involuntary = 301,
		.on_cpu = 0.73,
		.slice = { 1363, 35e-6, 0.21e-3, 1.7e-3, slices },
		.wait = { 401, 3e-6, 41e-6, 8.1e-3, waits },
		.preempters = by_nginx,
		.npreempters = 1,
	};
	tasks[1] = (struct snap_task){
		.pid = 1203,
		.tid = 1203,
		.comm = "nginx: \xc3\xa4\xe4\xb8\xad",
		.rate = 7900.0,
		ONE_TASK,
		.parent = "",
		.recent_cpu = 0.12,
		.events = nginx_events,
		.nevents = 1,
		.switch_rate = 7900.0,
		.preempt_rate = 4,
		.voluntary = 26990,
		.involuntary = 10,
		.on_cpu = 0.11,
		.slice = { 1363, 11e-6, 94e-6, 1.7e-3, slices },
		.wait = NO_SPAN,
		.preempters = by_load,
		.npreempters = 2,
	};
	tasks[2] = (struct snap_task){
		.pid = 666,
		.tid = 667,
		.comm = FIXTURE_HOSTILE_COMM,
		.rate = 0.3,
		ONE_TASK,
		.parent = "",
		.command = "./a \x1b]0;pwn\a \xe2\x80\xae",
		.cgroup = "/\x1b[2J",
		.recent_cpu = RATE_UNKNOWN,
		.events = nginx_events,
		.nevents = 1,
		.switch_rate = RATE_UNKNOWN,
		.preempt_rate = RATE_UNKNOWN,
		.on_cpu = RATE_UNKNOWN,
		.slice = NO_SPAN,
		.wait = NO_SPAN,
	};
	tasks[3] = (struct snap_task){
		.pid = 900,
		.tid = 901,
		.comm = "",
		.is_self = true,
		ONE_TASK,
		.parent = "",
		.recent_cpu = 0.01,
		.on_cpu = 0.01,
		.slice = NO_SPAN,
		.wait = NO_SPAN,
	};
	tasks[4] = (struct snap_task){
		.pid = -1,
		.tid = -1,
		.comm = "true",
		.ntasks = 757,
		.born = 757.2,
		.ppid = 1203,
		.parent = "nginx: \xc3\xa4\xe4\xb8\xad",
		.rate = 363,
		.events = true_events,
		.nevents = 1,
		.recent_cpu = 0.61,
		.switch_rate = 757,
		.preempt_rate = 40,
		.voluntary = 44000,
		.on_cpu = 0.6,
		.slice = NO_SPAN,
		.wait = NO_SPAN,
	};
	snap->parents = parents;
	snap->nparents = 3;
	/* With a thread that is in the rest. */
	*process = tasks[0];
	process->is_process = true;
	process->tid = -1;
	process->ntasks = 2;
	process->on_cpu = 0.93;
	process->recent_cpu = 0.9;
	snap->processes = process;
	snap->nprocesses = 1;
	snap->tasks = tasks;
	snap->ntasks = 5;
	snap->ntasks_known = 117;
	snap->rest = (struct snap_task){
		.pid = -1,
		.tid = -1,
		.comm = "",
		.parent = "",
		.ntasks = 112,
		.rate = 11.5,
		.born = RATE_UNKNOWN,
		.switch_rate = 40,
		.preempt_rate = 2,
		.on_cpu = 0.847,
		.recent_cpu = RATE_UNKNOWN,
		.slice = NO_SPAN,
		.wait = NO_SPAN,
	};
}

void fixture_add_spans(struct snapshot *snap)
{
	snap->slice = (struct snap_span){ 2726, 24e-6, 0.2e-3, 1.7e-3, slices };
	snap->wait = (struct snap_span){ 401, 3e-6, 41e-6, 8.1e-3, waits };
}

struct snapshot *fixture_head(void)
{
	struct snapshot *snap = snapshot_new(0);

	snap->seq = 3;
	snap->time_s = 1789000000.123;
	snap->interval_s = 1.0003;
	snap->elapsed_s = 3.001;
	snap->whole_s = 60;
	snap->target_s = 1.0;
	snap->host = "web-17";
	snap->kernel = "6.18.44";
	return snap;
}

struct snapshot *fixture_snapshot(void)
{
	struct snapshot *snap = fixture_head();

	add_cpus(snap);
	add_events(snap);
	add_tasks(snap);
	fixture_add_symbols(snap);
	fixture_add_rest(snap);
	snap->is_balance_known = true;
	snap->is_balanced = false;
	return snap;
}
