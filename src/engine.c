/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/closer.h"
#include "capture/queue.h"
#include "capture/reader.h"
#include "decode/decoder.h"
#include "model/model.h"
#include "resolver.h"

/* 2 MiB a CPU on its way at most, as much again as the ring; touched only by those that are needed. */
#define BLOCKS_DEFAULT 32
/* With many CPUs the sum matters; memory is only used by blocks that were needed once. */
#define BLOCKS_MANY  8
#define MANY_CPUS    32
#define DECODER_NICE (-20)

/* A reader that does not answer in this time (its CPU is taken by real-time tasks) is left out of a tick. */
#define MARK_PATIENCE_NS  (100 * NSEC_PER_MSEC)
#define MAILBOX_POLL_MSEC 5

enum command_kind { COMMAND_TOGGLE, COMMAND_ZERO, COMMAND_INTERVAL, COMMAND_FINISH };

/* What main asks for; goes through a pipe, whose writes of this size are atomic. */
struct command {
	enum command_kind kind;
	uint32_t row;
	double seconds;
};

/* A slot's reader, as far as the decoder thread has to do with it. */
struct slot_state {
	struct reader *reader; /* NULL: the CPU is offline */
	bool is_asked;	       /* a mark is on its way */
	bool is_closing;       /* the CPU went offline: its last mark was asked for */
	bool is_closed;	       /* that mark has come; to be cleaned up after this round */
};

struct engine {
	struct engine_config config;
	struct queue *queue;
	int queue_wake; /* eventfd: blocks came */
	int timer;	/* timerfd: a tick */
	int command_in, command_out;
	_Atomic(struct snapshot *) mailbox;
	int mailbox_wake; /* eventfd: a snapshot waits */
	pthread_t thread;
	size_t nslots;
	/* Main's own. */
	bool is_finish_asked, is_final_taken;

	/* The decoder thread's own from here on. */
	struct decoder *decoder;
	struct model *model;
	struct resolver *resolver;
	struct closer *closer;
	double interval_s;
	struct slot_state *slots; /* [nslots] */
	size_t marks_due;	  /* of ticks or of the end; a closing slot's is not waited for */
	bool is_ticking;	  /* marks are being collected */
	bool is_finishing, is_over;
	uint64_t patience_ns; /* when the tick goes on without the missing marks */
	uint64_t queue_peak;
	uint64_t ticks;
	size_t blocks;
	bool *is_retiring; /* [events]: switched off, its fds to be closed after the next marks */
};

/* --- commands ------------------------------------------------------------------------------- */

static void send(struct engine *engine, enum command_kind kind, uint32_t row, double seconds)
{
	struct command command = { .kind = kind, .row = row, .seconds = seconds };

	while (write(engine->command_in, &command, sizeof(command)) < 0 && errno == EINTR)
		continue;
}

void engine_toggle(struct engine *engine, uint32_t row)
{
	send(engine, COMMAND_TOGGLE, row, 0);
}

void engine_zero(struct engine *engine)
{
	send(engine, COMMAND_ZERO, 0, 0);
}

void engine_interval(struct engine *engine, double seconds)
{
	send(engine, COMMAND_INTERVAL, 0, seconds);
}

void engine_finish(struct engine *engine)
{
	if (engine->is_finish_asked)
		return;
	engine->is_finish_asked = true;
	send(engine, COMMAND_FINISH, 0, 0);
}

/* --- events, to decoder and model ------------------------------------------------------------ */

static enum sampling sampling_of(const struct perf_event_attr *attr)
{
	if (attr->freq)
		return SAMPLING_FREQ;
	return attr->sample_period != 0 ? SAMPLING_PERIOD : SAMPLING_NONE;
}

/* The first clock or cycles event that runs is the one whose addresses make the symbols. */
static bool is_symbol_event(const struct evset *set, uint32_t number)
{
	for (uint32_t i = EVSET_FIRST; i <= number; i++) {
		const struct evset_event *event = evset_event(set, i);
		bool has_ip = event->state == EVSET_ON &&
			      (event->attr.sample_type & PERF_SAMPLE_IP) &&
			      (event->spec.is_clock || event->spec.kind == EVENT_HARDWARE);

		if (has_ip)
			return i == number;
	}
	return false;
}

static void tell_model(struct engine *engine, uint32_t number)
{
	static const enum event_state states[] = {
		[EVSET_ON] = EVENT_STATE_ON,
		[EVSET_OFF] = EVENT_STATE_OFF,
		[EVSET_FAILED] = EVENT_STATE_FAILED,
	};
	const struct evset_event *event = evset_event(engine->config.set, number);
	char unit[EVENT_UNIT_MAX];
	struct model_event info = {
		.name = event->spec.name,
		.kind = event_kind_name(event->spec.kind),
		.unit = event_unit(&event->spec, unit),
		.state = states[event->state],
		.reason = event->reason,
		.filter = event->spec.filter,
		.sampling = sampling_of(&event->attr),
		.rate = event->attr.sample_period, /* a union with sample_freq */
		.has_ip = is_symbol_event(engine->config.set, number),
	};

	model_set_event(engine->model, number, &info);
}

static void tell_decoder(struct engine *engine, uint32_t number)
{
	const struct evset *set = engine->config.set;
	const struct evset_event *event = evset_event(set, number);

	recorder_event(engine->config.recorder, number);
	decoder_add_event(engine->decoder, number, &event->attr, event->ids,
			  evset_slots(set) * evset_targets(set));
}

static void tell_event(struct engine *engine, uint32_t number)
{
	if (number >= EVSET_FIRST)
		tell_model(engine, number);
	tell_decoder(engine, number);
}

/* --- CPUs that come and go ------------------------------------------------------------------- */

static struct reader *start_reader(struct engine *engine, size_t slot)
{
	const struct evset *set = engine->config.set;
	struct reader_config config = {
		.slot = (uint32_t)slot,
		.cpu = evset_cpu(set, slot),
		.ring = evset_ring(set, slot),
		.ring_fd = evset_ring(set, slot) != NULL ? evset_ring_fd(set, slot) : -1,
		.counters = evset_counters(set, slot),
		.has_lost = engine->config.has_lost,
		.out = engine->queue,
		.out_wake = engine->queue_wake,
		.blocks = engine->blocks,
		.realtime = engine->config.realtime,
	};

	return reader_start(&config);
}

/* Its events are off for good: the reader closes the books of this generation, and ends. */
static void cpu_went(struct engine *engine, size_t at)
{
	struct slot_state *slot = &engine->slots[at];

	if (slot->reader == NULL || slot->is_closing || slot->is_asked)
		return; /* asked: at the next tick, then */
	slot->is_closing = true;
	reader_request(slot->reader, BLOCK_MARK_FINAL);
}

static void cpu_came(struct engine *engine, size_t at)
{
	struct slot_state *slot = &engine->slots[at];

	if (slot->reader != NULL || evset_open_slot(engine->config.set, at) != 0)
		return; /* gone again, or no fds left: tried again at the next tick */
	for (uint32_t number = 0; number < evset_count(engine->config.set); number++)
		tell_decoder(engine, number);
	slot->reader = start_reader(engine, at);
	if (slot->reader == NULL)
		evset_close_slot(engine->config.set, at);
}

/* There is no notice for this on sysfs: the list is read at each tick. */
static void watch_cpus(struct engine *engine)
{
	struct cpulist online;

	if (cpulist_online(&online) != 0)
		return;
	for (size_t slot = 0; slot < engine->nslots; slot++) {
		bool is_online = cpulist_find(&online, evset_cpu(engine->config.set, slot)) >= 0;

		model_cpu_online(engine->model, (uint32_t)slot, is_online);
		if (is_online)
			cpu_came(engine, slot);
		else
			cpu_went(engine, slot);
	}
	cpulist_fini(&online);
}

/* After a round, when no block of theirs is in our hands any more. */
static void close_slots(struct engine *engine)
{
	for (size_t at = 0; at < engine->nslots; at++) {
		struct slot_state *slot = &engine->slots[at];

		if (!slot->is_closed)
			continue;
		reader_join(slot->reader);
		evset_close_slot(engine->config.set, at);
		*slot = (struct slot_state){ .reader = NULL };
	}
}

/* --- ticks ---------------------------------------------------------------------------------- */

static void ask_marks(struct engine *engine, enum block_mark mark)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		struct slot_state *slot = &engine->slots[i];

		/* One that still owes us its last mark is not asked again. */
		if (slot->reader == NULL || slot->is_asked || slot->is_closing)
			continue;
		slot->is_asked = true;
		engine->marks_due++;
		reader_request(slot->reader, mark);
	}
}

static void end_run(struct engine *engine);

/* Ask all readers to close their books, once those of CPUs that just went offline have. */
static void ask_final(struct engine *engine)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		if (engine->slots[i].is_closing && !engine->slots[i].is_closed)
			return; /* its mark brings us here again */
	}
	ask_marks(engine, BLOCK_MARK_FINAL);
	if (engine->marks_due == 0)
		end_run(engine); /* every CPU that we watch is offline */
}

static void finish(struct engine *engine)
{
	/* The marks of a tick under way come first; see take_mark(). */
	engine->is_finishing = true;
	if (engine->marks_due == 0)
		ask_final(engine);
}

static void begin_tick(struct engine *engine)
{
	uint64_t expired;

	if (read(engine->timer, &expired, sizeof(expired)) < 0 || engine->is_ticking ||
	    engine->is_finishing)
		return;
	if (engine->config.iterations != 0 && ++engine->ticks >= engine->config.iterations) {
		finish(engine);
		return;
	}
	engine->is_ticking = true;
	engine->patience_ns = sys_monotonic_ns() + MARK_PATIENCE_NS;
	watch_cpus(engine);
	ask_marks(engine, BLOCK_MARK_TICK);
}

/* Every reader has read the counters since these were switched off. */
static void retire_events(struct engine *engine)
{
	for (uint32_t number = EVSET_FIRST; number < evset_count(engine->config.set); number++) {
		if (!engine->is_retiring[number])
			continue;
		engine->is_retiring[number] = false;
		evset_retire(engine->config.set, number, engine->closer);
	}
}

static uint64_t rings_bytes(const struct engine *engine)
{
	uint64_t sum = 0;

	for (size_t slot = 0; slot < engine->nslots; slot++) {
		const struct ring *ring = evset_ring(engine->config.set, slot);

		sum += ring != NULL ? ring_bytes(ring) : 0;
	}
	return sum;
}

static struct snapshot *build(struct engine *engine)
{
	const struct decoder_stats *stats = decoder_stats(engine->decoder);
	struct model_tick tick = {
		.now_ns = sys_monotonic_ns(),
		.wall_s = sys_wall_time(),
		.target_s = engine->interval_s,
		.is_final = engine->is_finishing,
		.max_sample_rate = -1,
		.cpu_time_max_percent = -1,
		.rings_bytes = rings_bytes(engine),
		.queue_peak = engine->queue_peak,
		.blocks = engine->blocks * engine->nslots,
		.cpu_ns = sys_cpu_ns(),
		.rss_bytes = sys_rss_bytes(),
		.unknown_records = stats->unknown_types + stats->unknown_ids + stats->malformed,
	};

	sys_read_int("/proc/sys/kernel/perf_event_max_sample_rate", &tick.max_sample_rate);
	sys_read_int("/proc/sys/kernel/perf_cpu_time_max_percent", &tick.cpu_time_max_percent);

	if (tick.is_final && engine->config.is_batch && model_has_addresses(engine->model))
		resolver_settle(engine->resolver);
	const char *ended = recorder_note(engine->config.recorder);
	if (ended != NULL)
		model_note(engine->model, ended);
	const char *note = resolver_note(engine->resolver);
	if (note != NULL)
		model_note(engine->model, note);
	return model_tick(engine->model, &tick);
}

static bool is_mailbox_free(struct engine *engine)
{
	return atomic_load_explicit(&engine->mailbox, memory_order_acquire) == NULL;
}

static void publish(struct engine *engine, struct snapshot *snap)
{
	uint64_t one = 1;

	atomic_store_explicit(&engine->mailbox, snap, memory_order_release); /* E1 */
	if (write(engine->mailbox_wake, &one, sizeof(one)) < 0)
		return; /* at its maximum: main wakes anyway */
}

struct snapshot *engine_take(struct engine *engine)
{
	uint64_t count;

	if (read(engine->mailbox_wake, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return NULL;

	struct snapshot *snap =
		atomic_exchange_explicit(&engine->mailbox, NULL, memory_order_acq_rel); /* E1 */
	if (snap != NULL && snap->is_final)
		engine->is_final_taken = true;
	return snap;
}

int engine_fd(const struct engine *engine)
{
	return engine->mailbox_wake;
}

static void end_tick(struct engine *engine)
{
	engine->is_ticking = false;
	if (engine->marks_due == 0) {
		retire_events(engine);
		recorder_round(engine->config.recorder);
	}
	if (is_mailbox_free(engine))
		publish(engine, build(engine));
}

/* All marks are there, and they are the final ones. */
/* What the kernel counted as lost, for the file that is being recorded. */
static void record_losses(struct engine *engine)
{
	for (uint32_t number = 0; number < evset_count(engine->config.set); number++) {
		for (uint32_t slot = 0; slot < engine->nslots; slot++)
			recorder_lost(engine->config.recorder, number, slot,
				      model_lost(engine->model, number, slot));
	}
	recorder_end(engine->config.recorder);
}

static void end_run(struct engine *engine)
{
	record_losses(engine);
	struct snapshot *snap = build(engine);

	while (!is_mailbox_free(engine))
		poll(NULL, 0, MAILBOX_POLL_MSEC);
	publish(engine, snap);
	engine->is_over = true;
}

static void on_marks(struct engine *engine)
{
	if (engine->marks_due > 0)
		return;
	if (engine->is_ticking && !engine->is_finishing)
		end_tick(engine);
}

/* --- blocks --------------------------------------------------------------------------------- */

static void take_mark(struct engine *engine, const struct block *block)
{
	const struct counters *counters = evset_counters(engine->config.set, block->slot);
	const struct ring *ring = evset_ring(engine->config.set, block->slot);
	struct slot_state *slot = &engine->slots[block->slot];

	model_counts(engine->model, block->slot, counters_get(counters),
		     evset_count(engine->config.set), block->read_ns);
	model_ring(engine->model, block->slot, ring != NULL ? ring_bytes(ring) : 0, block->corrupt);
	if (slot->is_closing) {
		slot->is_closed = true;
		if (engine->is_finishing && engine->marks_due == 0)
			ask_final(engine);
		return;
	}
	slot->is_asked = false;
	engine->marks_due--;
	if (engine->marks_due > 0)
		return;
	if (block->mark == BLOCK_MARK_FINAL)
		end_run(engine);
	else if (engine->is_finishing)
		ask_final(engine);
}

static void take_blocks(struct engine *engine)
{
	uint64_t count;
	struct block *block;

	if (read(engine->queue_wake, &count, sizeof(count)) < 0)
		return;

	size_t length = queue_length(engine->queue);
	if (length > engine->queue_peak)
		engine->queue_peak = length;
	while ((block = queue_pop(engine->queue)) != NULL) {
		recorder_block(engine->config.recorder, block->data, block->used);
		decoder_feed(engine->decoder, block->slot, block->data, block->used);
		if (block->mark != BLOCK_MARK_NONE)
			take_mark(engine, block);
		reader_give_back(block->home, block);
	}
	close_slots(engine);
	on_marks(engine);
}

/* --- the decoder thread --------------------------------------------------------------------- */

static void set_timer(struct engine *engine, double first_s, double interval_s)
{
	uint64_t first = (uint64_t)(first_s * 1e9), interval = (uint64_t)(interval_s * 1e9);
	struct itimerspec spec = {
		.it_value = { (time_t)(first / NSEC_PER_SEC), (long)(first % NSEC_PER_SEC) },
		.it_interval = { (time_t)(interval / NSEC_PER_SEC),
				 (long)(interval % NSEC_PER_SEC) },
	};

	timerfd_settime(engine->timer, 0, &spec, NULL);
}

static void toggle(struct engine *engine, uint32_t row)
{
	uint32_t number = EVSET_FIRST + row;

	if (number >= evset_count(engine->config.set))
		return;
	if (evset_event(engine->config.set, number)->state == EVSET_ON) {
		evset_switch_off(engine->config.set, number);
		engine->is_retiring[number] = true;
	} else {
		evset_switch_on(engine->config.set, number);
		engine->is_retiring[number] = false;
	}
	for (uint32_t i = EVSET_FIRST; i < evset_count(engine->config.set); i++)
		tell_model(engine, i); /* another event may make the symbols now */
	tell_decoder(engine, number);
}

static void obey(struct engine *engine)
{
	struct command command;

	if (read(engine->command_out, &command, sizeof(command)) != (ssize_t)sizeof(command))
		return;
	switch (command.kind) {
	case COMMAND_TOGGLE:
		toggle(engine, command.row);
		break;
	case COMMAND_ZERO:
		model_zero(engine->model);
		break;
	case COMMAND_INTERVAL:
		engine->interval_s = command.seconds;
		set_timer(engine, command.seconds, command.seconds);
		break;
	case COMMAND_FINISH:
		finish(engine);
		break;
	}
}

static void *engine_main(void *arg)
{
	struct engine *engine = arg;
	struct pollfd fds[] = {
		{ .fd = engine->queue_wake, .events = POLLIN },
		{ .fd = engine->timer, .events = POLLIN },
		{ .fd = engine->command_out, .events = POLLIN },
	};

	/* Readers stand still when it does; as them, it works little but in time.  Refused without rights. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), DECODER_NICE);
	while (!engine->is_over) {
		int timeout = engine->is_ticking ? (int)(MARK_PATIENCE_NS / NSEC_PER_MSEC) : -1;

		if (poll(fds, 3, timeout) < 0 && errno != EINTR)
			break;
		if (fds[0].revents & POLLIN)
			take_blocks(engine);
		if (fds[1].revents & POLLIN)
			begin_tick(engine);
		if (fds[2].revents & POLLIN)
			obey(engine);
		if (engine->is_ticking && !engine->is_finishing &&
		    sys_monotonic_ns() > engine->patience_ns)
			end_tick(engine);
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

static int open_fds(struct engine *engine)
{
	int fds[2];

	engine->queue_wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	engine->mailbox_wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	engine->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	engine->command_out = fds[0];
	engine->command_in = fds[1];
	engine->closer = closer_start(engine->config.access);
	engine->queue = queue_new(engine->blocks * engine->nslots);
	if (engine->queue_wake < 0 || engine->mailbox_wake < 0 || engine->timer < 0 ||
	    engine->closer == NULL || engine->queue == NULL)
		return -1;
	return 0;
}

static void to_model(void *ctx, uint32_t slot, uint32_t event, const struct record *record)
{
	model_record(ctx, slot, event, record);
}

static void make_model(struct engine *engine, size_t capacity)
{
	const struct engine_config *config = &engine->config;
	struct model_config model = {
		.cpus = config->cpus,
		.capacity = capacity,
		.owner = EVSET_OWNER,
		.switches = EVSET_SWITCH,
		.first = EVSET_FIRST,
		.top = config->top,
		.has_self = config->has_self,
		.self_pid = getpid(),
		.has_lost = config->has_lost,
		.has_switches = evset_event(config->set, EVSET_SWITCH)->state == EVSET_ON,
		.is_task_bound = config->is_task_bound,
		.host = config->host,
		.kernel = config->kernel,
	};

	engine->resolver = resolver_new(config->set, config->access);
	struct model_resolver hooks = resolver_hooks(engine->resolver);
	engine->model = model_new(&model, &hooks);

	struct record_sink sink = { .ctx = engine->model, .record = to_model };
	engine->decoder = decoder_new(&sink);
	for (uint32_t number = 0; number < evset_count(config->set); number++)
		tell_event(engine, number);
	for (size_t i = 0; i < config->nnotes; i++)
		model_note(engine->model, config->notes[i]);
	recorder_begin(config->recorder);
}

struct engine *engine_start(const struct engine_config *config)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));
	size_t capacity = evset_capacity(config->set);

	engine->config = *config;
	engine->nslots = evset_slots(config->set);
	engine->blocks = blocks_of(config);
	engine->interval_s = config->interval_s;
	engine->slots = xcalloc(engine->nslots, sizeof(*engine->slots));
	engine->is_retiring = xcalloc(capacity, sizeof(bool));
	if (open_fds(engine) != 0)
		return NULL;
	make_model(engine, capacity);
	model_start(engine->model, sys_monotonic_ns());
	set_timer(engine, config->first_tick_s, config->interval_s);
	for (size_t slot = 0; slot < engine->nslots; slot++) {
		if (!evset_is_slot_open(config->set, slot))
			continue;
		engine->slots[slot].reader = start_reader(engine, slot);
		if (engine->slots[slot].reader == NULL)
			return NULL;
	}

	errno = pthread_create(&engine->thread, NULL, engine_main, engine);
	if (errno != 0)
		return NULL;
	pthread_setname_np(engine->thread, "perftop-decoder");
	return engine;
}

void engine_free(struct engine *engine)
{
	if (engine == NULL)
		return;

	/* The last snapshot must have been taken, or its thread waits for ever. */
	engine_finish(engine);
	while (!engine->is_final_taken) {
		struct pollfd wake = { .fd = engine->mailbox_wake, .events = POLLIN };

		poll(&wake, 1, -1);
		snapshot_free(engine_take(engine));
	}
	pthread_join(engine->thread, NULL);
	for (size_t slot = 0; slot < engine->nslots; slot++)
		reader_join(engine->slots[slot].reader);
	close(engine->queue_wake);
	close(engine->mailbox_wake);
	close(engine->timer);
	close(engine->command_in);
	close(engine->command_out);
	closer_stop(engine->closer);
	queue_free(engine->queue);
	decoder_free(engine->decoder);
	model_free(engine->model);
	resolver_free(engine->resolver);
	free(engine->slots);
	free(engine->is_retiring);
	free(engine);
}
