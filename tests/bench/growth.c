/* SPDX-License-Identifier: MIT */
/*
 * growth - decoder and tables, fed with made records: what they take with so many events, tasks and CPUs.
 *
 *     growth EVENTS TASKS CPUS MILLIONS
 *
 * prints one line: ns of CPU time for each record, ms for each tick (counters of all CPUs, and the
 * snapshot), and MB of memory.  Records are samples of tracepoints, all of them sampled, 64 KiB of
 * each CPU in turn.  A task does RUN calls before the next one of its CPU.
 */
#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/attr.h"
#include "decode/decoder.h"
#include "model/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_BYTES 65536
#define TICKS	    5
#define RUN	    20
#define RAW_BYTES   68 /* of raw_syscalls:sys_enter */
#define OWNER	    0
#define SWITCHES    1
#define FIRST	    2

/* In this order by the layout that attr_event() asks for. */
#define SAMPLE_TYPE                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_RAW)
struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, zero;
	uint32_t raw_size;
	unsigned char raw[RAW_BYTES];
};

#define IN_BLOCK (BLOCK_BYTES / sizeof(struct sample))

struct world {
	size_t events, tasks, cpus;
	struct model *model;
	struct decoder *decoder;
	struct count *counts; /* [cpus * (FIRST + events)] */
	uint64_t now_ns, made;
	uint64_t decode_ns, tick_ns, records;
	struct sample block[IN_BLOCK];
};

static uint64_t id_of(const struct world *world, size_t event, size_t cpu)
{
	return 1 + event * world->cpus + cpu;
}

/* A block of a CPU, on which only its own tasks run: every so-manieth of all. */
static void make_block(struct world *world, size_t cpu)
{
	size_t of_cpu = (world->tasks + world->cpus - 1) / world->cpus;

	for (size_t i = 0; i < IN_BLOCK; i++) {
		size_t at = world->made++;
		size_t event = FIRST + at % world->events;
		size_t task = at / RUN * 7919 % of_cpu * world->cpus + cpu;
		uint32_t tid = (uint32_t)(1000 + task % world->tasks);

		world->now_ns += 100;
		world->block[i] = (struct sample){
			.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL,
				    sizeof(struct sample) },
			.id = id_of(world, event, cpu),
			.pid = tid,
			.tid = tid,
			.time_ns = world->now_ns,
			.cpu = (uint32_t)cpu,
			.raw_size = RAW_BYTES,
		};
		world->counts[cpu * (FIRST + world->events) + event].value++;
	}
}

static void feed(struct world *world, size_t cpu)
{
	make_block(world, cpu);
	uint64_t from_ns = sys_cpu_ns();
	decoder_feed(world->decoder, (uint32_t)cpu, (const unsigned char *)world->block,
		     sizeof(world->block));
	world->decode_ns += sys_cpu_ns() - from_ns;
	world->records += IN_BLOCK;
}

/* Nothing was left out, or the figures would be of less work. */
static void check(const struct world *world, const struct snapshot *snap)
{
	uint64_t total = 0, sampled = 0;

	for (size_t i = 0; i < snap->nevents; i++) {
		total += snap->events[i].total;
		sampled += snap->events[i].sampled;
	}
	if (total == world->records && sampled == world->records)
		return;
	fprintf(stderr,
		"growth: counted %" PRIu64 " and sampled %" PRIu64 " of %" PRIu64 " records\n",
		total, sampled, world->records);
	exit(1);
}

static void tick(struct world *world, bool is_final)
{
	size_t n = FIRST + world->events;
	uint64_t from_ns = sys_cpu_ns();

	for (size_t cpu = 0; cpu < world->cpus; cpu++)
		model_counts(world->model, (uint32_t)cpu, world->counts + cpu * n, n, world->now_ns,
			     MARK_IN_TIME);
	struct model_tick tick = { .now_ns = world->now_ns, .target_s = 1, .is_final = is_final };
	struct snapshot *snap = model_tick(world->model, &tick);
	world->tick_ns += sys_cpu_ns() - from_ns;
	if (is_final)
		check(world, snap);
	snapshot_release(snap);
}

static bool name_of(void *ctx, int32_t tid, char *out, size_t room)
{
	(void)ctx;
	snprintf(out, room, "task-%d", tid);
	return true;
}

static void add_event(struct world *world, uint32_t event)
{
	static const struct features features = { .has_format_lost = true, .has_clockid = true };
	struct event_spec spec = { .kind = EVENT_TRACEPOINT,
				   .type = PERF_TYPE_TRACEPOINT,
				   .config = event };
	struct attr_plan plan = { .sampling = ATTR_PERIOD, .rate = 1, .has_raw = true };
	struct perf_event_attr attr = { 0 };
	char name[32];
	uint64_t *ids = xcalloc(world->cpus, sizeof(*ids));

	attr_event(&attr, &spec, &plan, &features);
	if (attr.sample_type != SAMPLE_TYPE) {
		fprintf(stderr, "growth: struct sample is not what attr_event() asks for\n");
		exit(1);
	}
	for (size_t cpu = 0; cpu < world->cpus; cpu++)
		ids[cpu] = id_of(world, event, cpu);
	decoder_add_event(world->decoder, event, &attr, ids, world->cpus);
	free(ids);
	snprintf(name, sizeof(name), "group:event%u", event);
	struct model_event info = { .name = name,
				    .kind = "tracepoint",
				    .unit = "",
				    .state = EVENT_STATE_ON,
				    .sampling = SAMPLING_PERIOD,
				    .rate = 1 };
	model_set_event(world->model, event, &info);
}

static void to_model(void *ctx, uint32_t slot, uint32_t event, const struct record *record)
{
	model_record(ctx, slot, event, record);
}

static void build_world(struct world *world)
{
	struct cpulist cpus = { xcalloc(world->cpus, sizeof(int)), world->cpus };

	for (size_t i = 0; i < world->cpus; i++)
		cpus.ids[i] = (int)i;
	struct model_config config = { .cpus = &cpus,
				       .capacity = FIRST + world->events,
				       .owner = OWNER,
				       .switches = SWITCHES,
				       .first = FIRST,
				       .keep.top = 20,
				       .has_lost = true,
				       .host = "made",
				       .kernel = "made" };
	struct model_resolver hooks = { .comm = name_of };

	world->model = model_new(&config, &hooks);
	struct record_sink sink = { .ctx = world->model, .record = to_model };
	world->decoder = decoder_new(&sink);
	for (size_t i = 0; i < world->events; i++)
		add_event(world, (uint32_t)(FIRST + i));
	world->counts = xcalloc(world->cpus * (FIRST + world->events), sizeof(*world->counts));
	for (size_t i = 0; i < world->cpus * (FIRST + world->events); i++)
		world->counts[i] = (struct count){ .is_open = i % (FIRST + world->events) >= FIRST,
						   .generation = 1 };
	world->now_ns = NSEC_PER_SEC;
	model_start(world->model, world->now_ns);
	free(cpus.ids);
}

int main(int argc, char **argv)
{
	static struct world world;

	if (argc != 5) {
		fprintf(stderr, "usage: growth EVENTS TASKS CPUS MILLIONS\n");
		return 2;
	}
	world.events = strtoul(argv[1], NULL, 10);
	world.tasks = strtoul(argv[2], NULL, 10);
	world.cpus = strtoul(argv[3], NULL, 10);
	size_t records = (size_t)(strtod(argv[4], NULL) * 1e6);
	if (world.events == 0 || world.tasks == 0 || world.cpus == 0)
		return 2;
	build_world(&world);
	for (int i = 0; i < TICKS; i++) {
		for (size_t cpu = 0; world.records < records / TICKS * (size_t)(i + 1); cpu++)
			feed(&world, cpu % world.cpus);
		tick(&world, i == TICKS - 1);
	}
	printf("%zu %zu %zu %.1f %.3f %.1f\n", world.events, world.tasks, world.cpus,
	       (double)world.decode_ns / (double)world.records, (double)world.tick_ns / 1e6 / TICKS,
	       (double)sys_rss_bytes() / 1e6);
	return 0;
}
