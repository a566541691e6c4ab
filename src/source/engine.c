/* SPDX-License-Identifier: MIT */
#include "source/engine-inside.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/xalloc.h"

/* 2 MiB of blocks per CPU, as much as a ring.  Only blocks that were used once take memory. */
#define BLOCKS_DEFAULT 32
/* 512 KiB per CPU: with many CPUs the sum matters. */
#define BLOCKS_MANY  8
#define MANY_CPUS    32
#define DECODER_NICE (-20)

/* Decoding is interrupted after this time for ticks and commands. */
#define TURN_NS (20 * NSEC_PER_MSEC)

static struct engine *engine_of(struct source *source)
{
	return (struct engine *)source;
}

/* --- blocks --------------------------------------------------------------------------------- */

static void take_block(struct engine *engine, struct block *block)
{
	engine_take_records(engine, block);
	if (block->mark == BLOCK_MARK_ROUND)
		engine_take_round(engine, block->slot);
	else if (block->mark != BLOCK_MARK_NONE)
		engine_take_mark(engine, block);
	reader_give_back(block->home, block);
	if (engine->phase == PHASE_FINAL)
		engine_be_patient(engine);
}

/* Decode queued blocks for at most TURN_NS: true when there may be more. */
static bool take_blocks(struct engine *engine)
{
	uint64_t count, until_ns = sys_monotonic_ns() + TURN_NS;
	size_t length = queue_length(engine->queue);
	bool is_late = false;
	struct block *block;

	if (read(engine->queue_wake, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return false;
	if (length > engine->queue_peak)
		engine->queue_peak = length;
	while (engine->phase != PHASE_OVER && !is_late &&
	       (block = queue_pop(engine->queue)) != NULL) {
		take_block(engine, block);
		is_late = sys_monotonic_ns() > until_ns;
	}
	engine_close_slots(engine);
	return is_late;
}

/* --- the decoder thread --------------------------------------------------------------------- */

static void *engine_main(void *arg)
{
	struct engine *engine = arg;
	bool has_more = false;

	while (sem_wait(&engine->is_enabled) != 0)
		;
	/* Readers need the blocks it frees, so it has their priority.  Refused without rights. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), DECODER_NICE);
	while (engine->phase != PHASE_OVER) {
		struct pollfd fds[] = {
			{ .fd = engine->queue_wake, .events = POLLIN },
			{ .fd = engine->timer, .events = POLLIN },
			{ .fd = engine->source.commands.out, .events = POLLIN },
		};

		/* If poll(2) fails (no memory), check every fd: none of them blocks. */
		bool is_ready = has_more || engine_has_later(engine);
		int timeout = is_ready ? 0 : sys_msec_until(engine_next_deadline(engine));
		bool is_blind = sys_poll(fds, 3, timeout) < 0;
		if (is_blind || (fds[1].revents & POLLIN))
			engine_begin_tick(engine);
		if (is_blind || (fds[2].revents & POLLIN))
			engine_obey(engine);
		if (has_more || is_blind || (fds[0].revents & POLLIN))
			has_more = take_blocks(engine);
		engine_watch_time(engine);
		if (engine_has_later(engine))
			engine_open_later(engine);
	}
	return NULL;
}

/* --- life ----------------------------------------------------------------------------------- */

static size_t blocks_of(const struct engine_config *config)
{
	if (config->blocks != 0)
		return config->blocks < 2 ? 2 : config->blocks;
	return config->cpus->count > MANY_CPUS ? BLOCKS_MANY : BLOCKS_DEFAULT;
}

/* Returns what could not be opened, or NULL. */
static const char *open_fds(struct engine *engine)
{
	engine->queue_wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (engine->queue_wake < 0)
		return "no eventfd to wake its threads";
	engine->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (engine->timer < 0)
		return "no timer for the interval";
	engine->queue = queue_new(engine->blocks * engine->nslots);
	return engine->queue == NULL ? "no memory for the queue" : NULL;
}

static void make_model(struct engine *engine)
{
	const struct engine_config *config = &engine->config;
	struct model_config model = {
		.cpus = config->cpus,
		.capacity = evset_capacity(config->set),
		.owner = EVSET_OWNER,
		.switches = EVSET_SWITCH,
		.first = EVSET_FIRST,
		.keep = config->keep,
		.has_self = config->has_self,
		.self_pid = getpid(),
		.sample_ns = config->sample_ns,
		.has_lost = config->has_lost,
		.has_verify = config->has_verify,
		.has_switches = evset_event(config->set, EVSET_SWITCH)->state == EVSET_ON,
		.is_task_bound = config->is_task_bound,
		.host = config->host,
		.kernel = config->kernel,
	};

	engine->resolver = resolver_new(config->set, config->access);
	struct model_resolver hooks = resolver_hooks(engine->resolver);
	engine->model = model_new(&model, &hooks);

	struct record_sink sink = { .ctx = engine, .record = engine_record };
	struct period_source periods = { .ctx = engine, .period = engine_period_of };
	engine->decoder = decoder_new(&sink);
	decoder_set_periods(engine->decoder, &periods);
	for (uint32_t number = 0; number < evset_count(config->set); number++)
		engine_tell_decoder(engine, number);
	engine_tell_model(engine);
	for (size_t i = 0; i < config->nnotes; i++) {
		if (config->notes[i] != NULL)
			model_note(engine->model, config->notes[i]);
	}
	if (config->recorder != NULL)
		evset_enable_owner(config->set);
	engine_record_begin(engine);
}

/* Returns what could not be started, or NULL. */
static const char *start_threads(struct engine *engine)
{
	for (size_t slot = 0; slot < engine->nslots; slot++) {
		if (evset_is_slot_open(engine->config.set, slot) &&
		    engine_start_reader(engine, slot) != 0)
			return "no reader thread for every CPU";
	}
	errno = pthread_create(&engine->thread, NULL, engine_main, engine);
	if (errno != 0)
		return "no decoder thread";
	engine->has_thread = true;
	pthread_setname_np(engine->thread, SOURCE_THREAD_NAME);
	return NULL;
}

static const char *start(struct source *source, double first_tick_s)
{
	struct engine *engine = engine_of(source);
	const char *error = open_fds(engine);

	if (error != NULL)
		return error;
	make_model(engine);
	/* Before the events are on: our own threads' start is not part of the first interval. */
	error = start_threads(engine);
	if (error != NULL)
		return error;
	evset_enable_all(engine->config.set);
	model_start(engine->model, sys_monotonic_ns());
	engine_set_timer(engine, first_tick_s, engine->interval_s);
	sem_post(&engine->is_enabled);
	return NULL;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void close_files(struct engine_files *files)
{
	reread_fini(&files->online);
	reread_fini(&files->statm);
	reread_fini(&files->max_sample_rate);
	reread_fini(&files->cpu_time_max_percent);
}

static bool end(struct source *source, uint64_t until_ns)
{
	struct engine *engine = engine_of(source);

	if (engine->has_thread) {
		source_drain(source, until_ns);
		/* A thread that still runs uses all this: leave it until the process ends. */
		if (!sys_join(engine->thread, until_ns))
			return false;
	}
	if (!engine_join_readers(engine, until_ns))
		return false;
	close_fd(engine->queue_wake);
	close_fd(engine->timer);
	close_files(&engine->files);
	source_fini(source);
	queue_free(engine->queue);
	engine_free_held(engine);
	decoder_free(engine->decoder);
	model_free(engine->model);
	resolver_free(engine->resolver);
	free(engine->slots);
	free(engine->retiring);
	free(engine->is_removed);
	sem_destroy(&engine->is_enabled);
	free(engine);
	return true;
}

struct source *engine_new(const struct engine_config *config)
{
	static const struct source_ops ops = { .start = start, .free = end };
	struct engine *engine = xcalloc(1, sizeof(*engine));

	engine->config = *config;
	engine->nslots = evset_slots(config->set);
	engine->blocks = blocks_of(config);
	engine->interval_s = config->interval_s;
	governor_init(&engine->governor, config->budget);
	engine->hurry_ns = UINT64_MAX;
	engine->later = EVSET_FIRST;
	engine->slots = xcalloc(engine->nslots, sizeof(*engine->slots));
	engine->retiring = xcalloc(evset_capacity(config->set), sizeof(*engine->retiring));
	engine->is_removed = xcalloc(evset_capacity(config->set), sizeof(*engine->is_removed));
	engine->queue_wake = engine->timer = -1;
	engine->files = (struct engine_files){
		.online = REREAD_OF(CPULIST_ONLINE),
		.statm = REREAD_OF(SYS_STATM),
		.max_sample_rate = REREAD_OF("/proc/sys/kernel/perf_event_max_sample_rate"),
		.cpu_time_max_percent = REREAD_OF("/proc/sys/kernel/perf_cpu_time_max_percent"),
	};
	sem_init(&engine->is_enabled, 0, 0);
	if (source_init(&engine->source, &ops) == 0)
		return &engine->source;

	int error = errno;
	end(&engine->source, 0);
	errno = error;
	return NULL;
}
