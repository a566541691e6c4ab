/* SPDX-License-Identifier: MIT */
#include "fixture-inside.h"

#include <stdio.h>

static const struct snap_event_cpu *many_event_cpus(struct snapshot *snap, size_t ncpus, size_t i)
{
	struct snap_event_cpu *cpus = snap_alloc(snap, ncpus, sizeof(*cpus));

	for (size_t slot = 0; slot < ncpus; slot++) {
		uint64_t n = (i * 2654435761u + slot * 40503u) % 100000;
		cpus[slot] = (struct snap_event_cpu){
			.rate = (double)n,
			.count = n,
			.total = n * 60,
			.sampled = n * 60,
			.is_balanced = true,
			.trend = fixture_trend(snap, (double)n, &(size_t){ 0 }),
		};
	}
	return cpus;
}

static void many_events(struct snapshot *snap, size_t nevents, size_t ncpus)
{
	struct snap_event *events = snap_alloc(snap, nevents, sizeof(*events));
	char name[64];

	for (size_t i = 0; i < nevents; i++) {
		struct snap_event *event = &events[i];
		snprintf(name, sizeof(name), "group_%zu:event_%zu", i / 16, i);
		*event = (struct snap_event){
			.name = snap_strdup(snap, name),
			.asked = snap_strdup(snap, name),
			.kind = "tracepoint",
			.unit = "",
			.sampling = SAMPLING_PERIOD,
			.period = 1,
			.running = 1.0,
			.whole_running = 1.0,
			.is_lost_exact = true,
			.is_balance_known = true,
			.is_balanced = true,
			.cpus = many_event_cpus(snap, ncpus, i),
		};
		for (size_t slot = 0; slot < ncpus; slot++) {
			event->rate += event->cpus[slot].rate;
			event->count += event->cpus[slot].count;
			event->total += event->cpus[slot].total;
		}
		event->sampled = event->weight = event->total;
		event->rate_before = event->rate * 0.9;
		event->most_by_tid = -1;
		event->most_share = event->most_by_born = RATE_UNKNOWN;
		event->trend = fixture_trend(snap, event->rate, &event->ntrend);
		snap->rate += event->rate;
	}
	snap->events = events;
	snap->nevents = nevents;
}

static void many_cpus(struct snapshot *snap, size_t ncpus)
{
	struct snap_cpu *cpus = snap_alloc(snap, ncpus, sizeof(*cpus));

	for (size_t slot = 0; slot < ncpus; slot++)
		cpus[slot] = (struct snap_cpu){
			.id = (int)slot,
			.is_online = slot % 7 != 3,
			.rate = (double)(slot * 9973 % 100000),
			.switch_rate = (double)(slot * 7),
			.busy = (double)(slot * 9973 % 100000) / 1e5,
			.idle = 1 - (double)(slot * 9973 % 100000) / 1e5,
			.voluntary = slot * 11,
			.involuntary = slot,
			.ring_bytes = 2 << 20,
			.core = (int32_t)slot / 2,
			.cache = (int32_t)slot / 16,
			.node = (int32_t)slot / 32,
			.package = (int32_t)slot / 64,
			.type = -1,
		};
	snap->cpus = cpus;
	snap->ncpus = ncpus;
}

static void many_tasks(struct snapshot *snap, size_t ntasks)
{
	struct snap_task *tasks = snap_alloc(snap, ntasks, sizeof(*tasks));
	char comm[16];

	for (size_t i = 0; i < ntasks; i++) {
		struct snap_task_event *event = snap_alloc(snap, 1, sizeof(*event));
		*event = (struct snap_task_event){ .event = (uint32_t)i,
						   .rate = (double)(ntasks - i),
						   .total = ntasks - i };
		snprintf(comm, sizeof(comm), "task-%zu", i % 1000000);
		tasks[i] = (struct snap_task){
			.pid = (int32_t)(1000 + i),
			.tid = (int32_t)(1000 + i),
			.comm = snap_strdup(snap, comm),
			.rate = (double)(ntasks - i),
			.events = event,
			.nevents = 1,
			ONE_TASK,
			.parent = "",
			.recent_cpu = 0.01,
			.switch_rate = (double)i,
			.on_cpu = 0.01,
			.slice = NO_SPAN,
			.wait = NO_SPAN,
		};
	}
	snap->tasks = tasks;
	snap->ntasks = snap->ntasks_known = ntasks;
}

struct snapshot *fixture_snapshot_many(size_t nevents, size_t ncpus)
{
	struct snapshot *snap = fixture_head();

	many_cpus(snap, ncpus);
	many_events(snap, nevents, ncpus);
	many_tasks(snap, nevents);
	fixture_add_rest(snap);
	snap->throttled = NULL;
	snap->nthrottled = 0;
	snap->is_balanced = true;
	return snap;
}
