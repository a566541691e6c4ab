/* SPDX-License-Identifier: MIT */
/*
 * made-model - a model of four events on two CPUs, what decode/ would pass to it, and its ticks.
 *
 * Included by the one file of a test.
 */
#ifndef MADE_MODEL_H
#define MADE_MODEL_H

#include "model/model.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEC 1000000000ull
#define MS  1000000ull

enum { OWNER, SWITCHES, SCHED, CLOCK, FAULTS, BROKEN, EVENTS };
enum { ROW_SCHED, ROW_CLOCK, ROW_FAULTS, ROW_BROKEN, ROWS };

#define SELF_PID 4242

static struct model *model;
static struct snapshot *snap;
static uint64_t now_ns;
static unsigned int places_asked;
static size_t codes_asked;

/* --- what decode/ would pass ----------------------------------------------------------------- */

static inline const char *fake_symbol(void *ctx, uint64_t address, const char **module)
{
	static const struct {
		const char *name, *module;
	} symbols[] = { { "alpha", "[kernel]" }, { "beta", "[mod]" }, { "alpha", "[mod]" } };

	(void)ctx;
	if (address < 1000 || address >= 4000)
		return NULL;
	*module = symbols[address / 1000 - 1].module;
	return symbols[address / 1000 - 1].name;
}

/* In the first page of each file is one function; `codes_asked` is how many places were asked for. */
static inline void fake_code(void *ctx, struct code_name *places, size_t count)
{
	(void)ctx;
	codes_asked = count;
	for (size_t i = 0; i < count; i++)
		places[i].symbol = places[i].offset < 0x1000 ? "spin" : NULL;
}

/* What is mapped in processes; NULL: only what records told.  To be set before begin(). */
static void (*fake_mappings)(void *ctx, struct process_maps *processes, size_t count);

static inline bool fake_fields(void *ctx, uint32_t event, const unsigned char *raw, size_t size,
			       char *out, size_t room)
{
	(void)ctx;
	snprintf(out, room, "event=%u size=%zu first=%u", event, size, raw[0]);
	return true;
}

static inline bool fake_comm(void *ctx, int32_t tid, char *out, size_t room)
{
	++*(unsigned int *)ctx;
	if (tid != 77)
		return false;
	snprintf(out, room, "from-proc");
	return true;
}

/* CPUs 0 and 3 are two threads of core 1. */
static inline void fake_places(void *ctx, const int *cpus, size_t count, struct cpu_place *places)
{
	(void)ctx;
	places_asked++;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct cpu_place){ .core = 1, .node = cpus[i], .type = -1 };
}

static unsigned int comms_asked;
static struct task_facts fake_fact; /* of the process 77; unknown without a ppid */

/* What /proc says of processes without a record, up to one without a pid; NULL: of none. */
static const struct fake_parent {
	int32_t pid;
	struct task_facts facts;
} * fake_parents;
static unsigned int facts_asked; /* of these */

static inline bool fake_facts(void *ctx, int32_t tid, const char *comm, struct task_facts *facts)
{
	(void)ctx;
	(void)comm;
	for (const struct fake_parent *at = fake_parents; at != NULL && at->pid != 0; at++) {
		if (at->pid != tid)
			continue;
		facts_asked++;
		*facts = at->facts;
		return true;
	}
	*facts = fake_fact;
	return (tid == 77 || tid == 78) && fake_fact.ppid != 0;
}

/* --- a model, its events, its ticks ----------------------------------------------------------- */

static bool is_removed[EVENTS];

static inline void set_event(uint32_t number, const char *name, enum event_state state,
			     enum sampling sampling, uint64_t rate)
{
	struct model_event info = { .name = name,
				    .kind = number == SCHED ? "tracepoint" : "software",
				    .unit = number == CLOCK ? "ns" : "",
				    .state = state,
				    .reason = state == EVENT_STATE_FAILED ? "EACCES: why" : NULL,
				    .sampling = sampling,
				    .rate = rate,
				    .has_code = number == CLOCK || number == BROKEN,
				    .is_symbol_event = number == CLOCK,
				    .may_be_multiplexed = number == FAULTS,
				    .is_removed = is_removed[number] };

	model_set_event(model, number, &info);
}

static inline struct model_config config_of(bool has_lost, size_t top)
{
	static int ids[] = { 0, 3 };
	static const struct cpulist cpus = { ids, 2 };

	return (struct model_config){ .cpus = &cpus,
				      .capacity = EVENTS,
				      .owner = OWNER,
				      .switches = SWITCHES,
				      .first = SCHED,
				      .keep.top = top,
				      .self_pid = SELF_PID,
				      .has_lost = has_lost,
				      .has_switches = true,
				      .host = "vm",
				      .kernel = "6.18" };
}

static inline void begin_with(const struct model_config *config)
{
	struct model_resolver resolver = { .ctx = &comms_asked,
					   .symbol = fake_symbol,
					   .mappings = fake_mappings,
					   .code = fake_code,
					   .fields = fake_fields,
					   .comm = fake_comm,
					   .facts = fake_facts,
					   .places = fake_places };

	model = model_new(config, &resolver);
	snap = NULL;
	comms_asked = places_asked = 0;
	set_event(SCHED, "sched:sched_switch", EVENT_STATE_ON, SAMPLING_PERIOD, 1);
	set_event(CLOCK, "cpu-clock", EVENT_STATE_ON, SAMPLING_FREQ, 199);
	set_event(FAULTS, "page-faults", EVENT_STATE_ON, SAMPLING_FREQ, 1000);
	set_event(BROKEN, "cycles", EVENT_STATE_FAILED, SAMPLING_NONE, 0);
	now_ns = 10 * SEC;
	model_start(model, now_ns);
}

static inline void begin(bool has_lost, size_t top)
{
	struct model_config config = config_of(has_lost, top);

	begin_with(&config);
}

static inline void end(void)
{
	snapshot_release(snap);
	model_free(model);
}

/* A double has no such nanosecond: its steps are 238 ns in our time. */
#define TICK_WALL_NS 1790000000000000001

static inline void tick_after(uint64_t ns, bool is_final)
{
	now_ns += ns;
	struct model_tick tick = { .now_ns = now_ns,
				   .wall_ns = TICK_WALL_NS,
				   .target_s = 1,
				   .is_final = is_final };
	snapshot_release(snap);
	snap = model_tick(model, &tick);
}

/* Set an event's counter on a CPU; the others stay. */
static struct count said[2][EVENTS];

static inline void counted(uint32_t slot, uint32_t event, uint64_t value, uint64_t lost)
{
	said[slot][event] = (struct count){ .is_open = true,
					    .generation = 1,
					    .value = value,
					    .lost = lost,
					    .enabled_ns = now_ns,
					    .running_ns = now_ns };
}

static inline void read_counters(uint64_t at_ns)
{
	for (uint32_t slot = 0; slot < 2; slot++)
		model_counts(model, slot, said[slot], EVENTS, at_ns, MARK_IN_TIME);
	memset(said, 0, sizeof(said));
}

static inline struct record sample(uint32_t pid, uint32_t tid)
{
	return (struct record){ .type = PERF_RECORD_SAMPLE,
				.misc = PERF_RECORD_MISC_KERNEL,
				.time_ns = now_ns,
				.pid = pid,
				.tid = tid };
}

static inline void samples(uint32_t slot, uint32_t event, uint32_t tid, uint64_t weight,
			   unsigned int n)
{
	struct record record = sample(tid, tid);

	record.period = weight;
	while (n-- > 0)
		model_record(model, slot, event, &record);
}

/* A sample that carries its event's count, by the fd `id`. */
static inline void sample_with_value(uint32_t slot, uint32_t event, uint32_t tid, uint64_t id,
				     uint64_t value)
{
	struct record record = sample(tid, tid);

	record.has_value = true;
	record.value_id = id;
	record.value = value;
	model_record(model, slot, event, &record);
}

static inline void counted_by(uint32_t slot, uint32_t event, uint64_t id, uint64_t value)
{
	counted(slot, event, value, 0);
	said[slot][event].id = id;
}

static inline const struct snap_task *task_of(int32_t tid)
{
	for (size_t i = 0; i < snap->ntasks; i++)
		if (snap->tasks[i].tid == tid)
			return &snap->tasks[i];
	return NULL;
}

static inline bool is_near(double got, double want)
{
	if (fabs(got - want) <= 1e-6 + 1e-6 * fabs(want))
		return true;
	diag("got %g, expected %g", got, want);
	return false;
}

/* For sums of very many numbers such as 0.1: one of them less is not the same. */
static inline bool is_same(double got, double want)
{
	if (fabs(got - want) <= 1e-9 * fabs(want))
		return true;
	diag("got %.15g, expected %.15g", got, want);
	return false;
}

/* A switch record of a CPU, of the task `tid`; `other` is the one after it or before it. */
static inline void record_switch(uint32_t slot, uint32_t pid, uint32_t tid, uint16_t misc,
				 uint32_t other, uint64_t at_ns)
{
	struct record record = { .type = PERF_RECORD_SWITCH_CPU_WIDE,
				 .misc = misc,
				 .time_ns = at_ns,
				 .pid = pid,
				 .tid = tid,
				 .next_prev = { other, other } };

	model_record(model, slot, SWITCHES, &record);
}

static inline void comm(uint32_t pid, uint32_t tid, const char *name)
{
	struct record record = { .type = PERF_RECORD_COMM,
				 .time_ns = now_ns,
				 .comm = { pid, tid, name, strlen(name) } };

	model_record(model, 0, OWNER, &record);
}

#endif
