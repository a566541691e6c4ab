/* SPDX-License-Identifier: MIT */
/*
 * engine-run - a run of the engine with scripted readers: two slots, two events, and the snapshots
 * that it makes.
 *
 * Included by the one file of a test.
 */
#ifndef ENGINE_RUN_H
#define ENGINE_RUN_H

#include "base/sys.h"
#include "fake-readers.h"
#include "source/engine.h"
#include "tap.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SNAPSHOTS_MAX 200

enum { ROW_FIRST, ROW_SECOND };

static struct source *engine;
static const char *error; /* of its start, and its errno */
static int error_number;
static const struct snapshot *snap;

/* Set before start(): the interval after the first one, and a recording. */
static double interval_s = 0.02;
static struct recorder *recorder;

static inline int some_online_cpu(void)
{
	struct cpulist online;
	int cpu = 0;

	if (cpulist_online(&online) == 0 && online.count > 0)
		cpu = online.ids[0];
	cpulist_fini(&online);
	return cpu;
}

static inline void reset_script(void)
{
	for (size_t slot = 0; slot < SLOTS; slot++)
		free(script.readers[slot]);
	memset(&script, 0, sizeof(script));
	pthread_mutex_init(&script.lock, NULL);
	script.set = (struct evset){ script.events, EVENTS, SLOTS, CAPACITY - EVENTS };
	for (uint32_t i = 0; i < EVENTS; i++) {
		script.events[i] = (struct evset_event){
			.spec = { .name = (char *)(i == FIRST ? "first" : "second"),
				  .kind = EVENT_SOFTWARE,
				  .scale = 1,
				  .is_clock = true },
			.attr = { .size = sizeof(struct perf_event_attr),
				  .sample_type = PERF_SAMPLE_IP,
				  .sample_period = 1 },
			.generation = 1,
			.ids = ids,
		};
		for (uint32_t slot = 0; slot < SLOTS; slot++)
			open_counts(slot, i);
	}
	for (size_t slot = 0; slot < SLOTS; slot++)
		script.cpus[slot] = some_online_cpu();
}

static inline void start(uint64_t iterations)
{
	static int slot_ids[SLOTS] = { 0, 1 };
	static const struct cpulist slots = { slot_ids, SLOTS };
	struct engine_config config = {
		.set = &script.set,
		.cpus = &slots,
		.access = access_direct(),
		.interval_s = interval_s,
		.recorder = recorder,
		.iterations = iterations,
		.keep.top = 10,
		.host = "host",
		.kernel = "kernel",
	};

	snap = NULL;
	engine = engine_new(&config);
	if (engine == NULL)
		bail("no engine: %s", strerror(errno));
	error = source_start(engine, 0.02);
	error_number = errno;
}

/* The next snapshot; it must come. */
static inline void take(void)
{
	struct pollfd fd = { .fd = source_fd(engine), .events = POLLIN };

	snapshot_release(snap);
	do {
		if (poll(&fd, 1, PATIENCE_MSEC) <= 0)
			bail("no snapshot after %d ms", PATIENCE_MSEC);
		snap = source_take(engine);
	} while (snap == NULL);
}

/* Take snapshots until `is_so`, which must come. */
static inline void take_until(bool (*is_so)(void))
{
	for (int i = 0; i < SNAPSHOTS_MAX; i++) {
		take();
		if (is_true(is_so))
			return;
	}
	bail("it has not happened after %d snapshots", SNAPSHOTS_MAX);
}

static inline bool is_final(void)
{
	return snap->is_final;
}

static inline void take_final(void)
{
	take_until(is_final);
}

static inline uint64_t soon(void)
{
	return sys_monotonic_ns() + PATIENCE_MSEC * NSEC_PER_MSEC;
}

static inline void end(void)
{
	snapshot_release(snap);
	ok(source_free(engine, soon()), "all threads end");
}

static inline void finish(void)
{
	source_finish(engine, UINT64_MAX);
	take_final();
}

static inline uint64_t total_of(size_t row)
{
	return snap->events[row].total;
}

static inline bool is_second_asked(void)
{
	return script.requests[1] > 0;
}

#endif
