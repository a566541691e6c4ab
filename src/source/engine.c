/* SPDX-License-Identifier: MIT */
#include "source/engine.h"

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
#include "source/resolver.h"

/* 2 MiB a CPU on its way at most, as much again as the ring; touched only by those that are needed. */
#define BLOCKS_DEFAULT 32
/* With many CPUs the sum matters; memory is only used by blocks that were needed once. */
#define BLOCKS_MANY  8
#define MANY_CPUS    32
#define DECODER_NICE (-20)

/* A reader that does not answer in this time (its CPU is taken by real-time tasks) is left out of a tick. */
#define MARK_PATIENCE_NS (100 * NSEC_PER_MSEC)
/* At the end: when no block came for so long, those that still owe their mark are given up. */
#define FINAL_PATIENCE_NS (1000 * NSEC_PER_MSEC)
/* Decoding gives way to ticks and commands after so long. */
#define TURN_NS		  (20 * NSEC_PER_MSEC)
#define GIVEN_UP_JOIN_NS  (20 * NSEC_PER_MSEC)
#define MAILBOX_POLL_MSEC 5

enum command_kind { COMMAND_TOGGLE, COMMAND_ZERO, COMMAND_INTERVAL, COMMAND_FINISH };

/* What main asks for; goes through a pipe, whose writes of this size are atomic.  2,000 can wait there. */
struct command {
	enum command_kind kind;
	uint32_t row;
	double seconds;
	uint64_t until_ns; /* COMMAND_FINISH: see engine_finish() */
};

/* The mark that a reader was asked for and has not yet sent. */
enum owed {
	OWED_NOTHING,
	OWED_TICK,
	OWED_FINAL,   /* of the run */
	OWED_OFFLINE, /* final too: its CPU went offline */
};

/* A slot's reader, as far as the decoder thread has to do with it. */
struct slot_state {
	struct reader *reader; /* NULL: the CPU is offline */
	enum owed owed;
	uint64_t asked_round;	/* in which its last mark of a tick was asked for */
	uint64_t counted_round; /* the same of the last one that came: its counts are no older */
	bool is_closed;	  /* the mark of OWED_OFFLINE came; to be cleaned up after this round */
	bool is_given_up; /* it never sent its final mark */
};

enum phase {
	PHASE_BETWEEN, /* ticks */
	PHASE_TICK,    /* marks are being collected until deadline_ns */
	PHASE_FINAL,   /* the same for the final ones */
	PHASE_OVER,
};

struct engine {
	struct engine_config config;
	struct queue *queue;
	int queue_wake; /* eventfd: blocks came */
	int timer;	/* timerfd: a tick */
	int command_in, command_out;
	const char *error; /* what engine_start() could not do, or NULL; errno beside it */
	int error_number;
	_Atomic(struct snapshot *) mailbox;
	int mailbox_wake; /* eventfd: a snapshot waits */
	pthread_t thread;
	bool has_thread;
	size_t nslots;
	/* Main's own. */
	bool is_final_taken;

	/* The decoder thread's own from here on. */
	struct decoder *decoder;
	struct model *model;
	struct resolver *resolver;
	struct closer *closer;
	double interval_s;
	struct slot_state *slots; /* [nslots] */
	enum phase phase;
	uint64_t deadline_ns; /* of PHASE_TICK and PHASE_FINAL: who owes a mark then is left out */
	uint64_t hurry_ns;    /* PHASE_FINAL: over by then, whatever is still to be decoded */
	uint64_t urge_ns; /* before that: who owes a mark then is asked for its counts alone; then UINT64_MAX */
	uint64_t queue_peak;
	uint64_t published;
	size_t blocks;
	uint64_t round; /* of marks, one a tick */
	/* [events]: switched off, its fds to be closed when all marks of this round have come; 0: is not. */
	uint64_t *retiring;
};

/* --- commands ------------------------------------------------------------------------------- */

static void send(struct engine *engine, struct command command)
{
	while (write(engine->command_in, &command, sizeof(command)) < 0 && errno == EINTR)
		continue;
}

void engine_toggle(struct engine *engine, uint32_t row)
{
	send(engine, (struct command){ .kind = COMMAND_TOGGLE, .row = row });
}

void engine_zero(struct engine *engine)
{
	send(engine, (struct command){ .kind = COMMAND_ZERO });
}

void engine_interval(struct engine *engine, double seconds)
{
	send(engine, (struct command){ .kind = COMMAND_INTERVAL, .seconds = seconds });
}

void engine_finish(struct engine *engine, uint64_t until_ns)
{
	send(engine, (struct command){ .kind = COMMAND_FINISH, .until_ns = until_ns });
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
		.asked = event->asked,
		.kind = event_kind_name(event->spec.kind),
		.unit = event_unit(&event->spec, unit),
		.state = states[event->state],
		.reason = event->reason,
		.filter = event->spec.filter,
		.sampling = sampling_of(&event->attr),
		.rate = event->attr.sample_period, /* a union with sample_freq */
		.has_ip = is_symbol_event(engine->config.set, number),
		.may_be_multiplexed = event_may_be_multiplexed(&event->spec),
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
		.counters = evset_counters(set, slot),
		.ring_event = EVSET_OWNER,
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

	if (slot->reader == NULL || slot->owed != OWED_NOTHING)
		return; /* at the next tick, then */
	slot->owed = OWED_OFFLINE;
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
		/* It has sent its last block.  One that is kept from ending is joined in a later round. */
		if (!reader_join(slot->reader, sys_monotonic_ns() + MARK_PATIENCE_NS))
			continue;
		evset_close_slot(engine->config.set, at);
		*slot = (struct slot_state){ .reader = NULL };
	}
}

/* --- ticks ---------------------------------------------------------------------------------- */

static bool does_somebody_owe(const struct engine *engine, enum owed mark)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		if (engine->slots[i].owed == mark)
			return true;
	}
	return false;
}

/* The last round of which every mark has come. */
static uint64_t whole_round(const struct engine *engine)
{
	uint64_t round = engine->round;

	for (size_t i = 0; i < engine->nslots; i++) {
		const struct slot_state *slot = &engine->slots[i];

		if (slot->reader != NULL && slot->counted_round < round)
			round = slot->counted_round;
	}
	return round;
}

/* Every reader has read the counters since these were switched off. */
static void retire_events(struct engine *engine)
{
	uint64_t round = whole_round(engine);

	for (uint32_t number = EVSET_FIRST; number < evset_count(engine->config.set); number++) {
		if (engine->retiring[number] == 0 || engine->retiring[number] > round)
			continue;
		engine->retiring[number] = 0;
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

/* Without its mark the counts alone will do for rates and losses. */
static enum cpu_answer answer_of(struct engine *engine, uint32_t at)
{
	struct slot_state *slot = &engine->slots[at];
	const struct count *counts;
	uint64_t read_ns;

	if (slot->owed == OWED_NOTHING && !slot->is_given_up)
		return CPU_ANSWERED;
	counts = reader_counts(slot->reader, &read_ns);
	if (counts == NULL)
		return CPU_SILENT;
	model_counts(engine->model, at, counts, evset_count(engine->config.set), read_ns, false);
	return CPU_BEHIND;
}

static struct snapshot *build(struct engine *engine)
{
	const struct decoder_stats *stats = decoder_stats(engine->decoder);
	struct model_tick tick = {
		.now_ns = sys_monotonic_ns(),
		.wall_s = sys_wall_time(),
		.target_s = engine->interval_s,
		.is_final = engine->phase == PHASE_FINAL,
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

	if (tick.is_final && engine->config.is_batch && engine->hurry_ns == UINT64_MAX &&
	    model_has_addresses(engine->model))
		resolver_settle(engine->resolver);
	const char *ended = recorder_note(engine->config.recorder);
	if (ended != NULL)
		model_note(engine->model, ended);
	const char *note = resolver_note(engine->resolver);
	if (note != NULL)
		model_note(engine->model, note);
	for (uint32_t slot = 0; slot < engine->nslots; slot++)
		model_cpu_answer(engine->model, slot, answer_of(engine, slot));
	return model_tick(engine->model, &tick);
}

static bool is_mailbox_free(struct engine *engine)
{
	return atomic_load_explicit(&engine->mailbox, memory_order_acquire) == NULL;
}

static void publish(struct engine *engine, struct snapshot *snap)
{
	uint64_t one = 1;

	engine->published++;
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
	engine->phase = PHASE_BETWEEN;
	retire_events(engine);
	if (!does_somebody_owe(engine, OWED_TICK))
		recorder_round(engine->config.recorder);
	publish(engine, build(engine));
}

/* At once with the last mark: what comes behind it belongs to the next interval. */
static void settle_tick(struct engine *engine)
{
	if (engine->phase == PHASE_TICK && !does_somebody_owe(engine, OWED_TICK))
		end_tick(engine);
}

/* --- the end --------------------------------------------------------------------------------- */

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
	engine->phase = PHASE_OVER;
}

/* All final marks have come. */
static void settle_final(struct engine *engine)
{
	if (engine->phase == PHASE_FINAL && !does_somebody_owe(engine, OWED_FINAL) &&
	    !does_somebody_owe(engine, OWED_OFFLINE))
		end_run(engine);
}

/* Also while a tick's marks are due: nobody waits for those any more. */
static void ask_final(struct engine *engine)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		struct slot_state *slot = &engine->slots[i];

		if (slot->reader == NULL || slot->owed == OWED_OFFLINE)
			continue;
		slot->owed = OWED_FINAL;
		reader_request(slot->reader, BLOCK_MARK_FINAL);
	}
}

static void be_patient(struct engine *engine)
{
	engine->deadline_ns = sys_monotonic_ns() + FINAL_PATIENCE_NS;
	if (engine->deadline_ns > engine->hurry_ns)
		engine->deadline_ns = engine->hurry_ns;
}

static void finish(struct engine *engine, uint64_t until_ns)
{
	if (until_ns < engine->hurry_ns)
		engine->hurry_ns = until_ns;
	if (engine->phase < PHASE_FINAL) {
		engine->phase = PHASE_FINAL;
		engine->urge_ns = sys_monotonic_ns() + MARK_PATIENCE_NS;
		ask_final(engine);
	}
	be_patient(engine);
	settle_final(engine);
}

/* The run ends without them; what they had is "at least". */
static void give_up_silent(struct engine *engine)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		struct slot_state *slot = &engine->slots[i];

		if (slot->owed == OWED_NOTHING)
			continue;
		slot->owed = OWED_NOTHING;
		slot->is_given_up = true;
	}
	end_run(engine);
}

/* --- a tick begins -------------------------------------------------------------------------- */

static void begin_tick(struct engine *engine)
{
	uint64_t expired;
	uint64_t iterations = engine->config.iterations;

	if (read(engine->timer, &expired, sizeof(expired)) < 0 || engine->phase != PHASE_BETWEEN)
		return;
	if (iterations != 0 && engine->published + 1 >= iterations) {
		finish(engine, UINT64_MAX);
		return;
	}
	/* Nobody has taken the last snapshot: the interval goes on. */
	if (!is_mailbox_free(engine))
		return;
	engine->phase = PHASE_TICK;
	engine->deadline_ns = sys_monotonic_ns() + MARK_PATIENCE_NS;
	engine->urge_ns = engine->deadline_ns - MARK_PATIENCE_NS / 2;
	watch_cpus(engine);
	engine->round++;
	for (size_t i = 0; i < engine->nslots; i++) {
		struct slot_state *slot = &engine->slots[i];

		/* One that still owes us an earlier mark is not asked again. */
		if (slot->reader == NULL || slot->owed != OWED_NOTHING)
			continue;
		slot->owed = OWED_TICK;
		slot->asked_round = engine->round;
		reader_request(slot->reader, BLOCK_MARK_TICK);
	}
	settle_tick(engine);
}

/* --- time ------------------------------------------------------------------------------------ */

/* The marks are late: have the counts at least, at the end from whatever CPU lets the reader run. */
static void urge(struct engine *engine)
{
	engine->urge_ns = UINT64_MAX;
	for (size_t i = 0; i < engine->nslots; i++) {
		if (engine->slots[i].owed == OWED_NOTHING)
			continue;
		reader_ask_counts(engine->slots[i].reader);
		if (engine->phase == PHASE_FINAL)
			reader_unpin(engine->slots[i].reader);
	}
}

/* When something is to be done although nothing comes. */
static uint64_t next_deadline(const struct engine *engine)
{
	if (engine->phase != PHASE_TICK && engine->phase != PHASE_FINAL)
		return UINT64_MAX;
	return engine->urge_ns < engine->deadline_ns ? engine->urge_ns : engine->deadline_ns;
}

static void watch_time(struct engine *engine)
{
	uint64_t now_ns = sys_monotonic_ns();

	if (now_ns < next_deadline(engine))
		return;
	if (now_ns < engine->deadline_ns)
		urge(engine);
	else if (engine->phase == PHASE_TICK)
		end_tick(engine);
	else
		give_up_silent(engine);
}

/* For poll(): no earlier than the deadline. */
static int msec_to_deadline(const struct engine *engine)
{
	uint64_t deadline_ns = next_deadline(engine), now_ns = sys_monotonic_ns();

	if (deadline_ns == UINT64_MAX)
		return -1;
	return deadline_ns <= now_ns ? 0 : (int)((deadline_ns - now_ns) / NSEC_PER_MSEC) + 1;
}

/* --- blocks --------------------------------------------------------------------------------- */

static void take_mark(struct engine *engine, const struct block *block)
{
	const struct ring *ring = evset_ring(engine->config.set, block->slot);
	struct slot_state *slot = &engine->slots[block->slot];

	model_counts(engine->model, block->slot, block->counts, evset_count(engine->config.set),
		     block->read_ns, true);
	model_ring(engine->model, block->slot, ring != NULL ? ring_bytes(ring) : 0, block->corrupt);
	/* A tick's may still come although the final one is owed by now. */
	if (block->mark == BLOCK_MARK_TICK && slot->owed != OWED_TICK)
		return;
	slot->counted_round = slot->asked_round;
	slot->is_closed = slot->owed == OWED_OFFLINE;
	slot->owed = OWED_NOTHING;
	settle_tick(engine);
	settle_final(engine);
}

static void take_block(struct engine *engine, struct block *block)
{
	recorder_block(engine->config.recorder, block->data, block->used);
	decoder_feed(engine->decoder, block->slot, block->data, block->used);
	if (block->mark != BLOCK_MARK_NONE)
		take_mark(engine, block);
	reader_give_back(block->home, block);
	if (engine->phase == PHASE_FINAL)
		be_patient(engine);
}

/* What has come, for one turn's time at most: true when there may be more. */
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
	close_slots(engine);
	return is_late;
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
		engine->retiring[number] = engine->round + 1; /* marks on their way may be older */
	} else {
		evset_switch_on(engine->config.set, number);
		engine->retiring[number] = 0;
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
		finish(engine, command.until_ns);
		break;
	}
}

static void *engine_main(void *arg)
{
	struct engine *engine = arg;
	bool has_more = false;

	/* The readers wait for its blocks, so it takes precedence as they do.  Refused without rights. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), DECODER_NICE);
	while (engine->phase != PHASE_OVER) {
		struct pollfd fds[] = {
			{ .fd = engine->queue_wake, .events = POLLIN },
			{ .fd = engine->timer, .events = POLLIN },
			{ .fd = engine->command_out, .events = POLLIN },
		};

		/* Without memory for poll(2) it looks everywhere: no fd blocks. */
		bool is_blind = poll(fds, 3, has_more ? 0 : msec_to_deadline(engine)) < 0;
		if (is_blind)
			poll(NULL, 0, MAILBOX_POLL_MSEC);
		if (is_blind || (fds[1].revents & POLLIN))
			begin_tick(engine);
		if (is_blind || (fds[2].revents & POLLIN))
			obey(engine);
		if (has_more || is_blind || (fds[0].revents & POLLIN))
			has_more = take_blocks(engine);
		watch_time(engine);
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

static int fail(struct engine *engine, const char *error)
{
	engine->error_number = errno;
	engine->error = error;
	return -1;
}

static int open_fds(struct engine *engine)
{
	int fds[2];

	engine->queue_wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	engine->mailbox_wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (engine->queue_wake < 0 || engine->mailbox_wake < 0)
		return fail(engine, "no eventfd to wake its threads");
	engine->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (engine->timer < 0)
		return fail(engine, "no timer for the interval");
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return fail(engine, "no pipe for commands");
	engine->command_out = fds[0];
	engine->command_in = fds[1];
	engine->queue = queue_new(engine->blocks * engine->nslots);
	if (engine->queue == NULL)
		return fail(engine, "no memory for the queue");
	engine->closer = closer_start(engine->config.access);
	if (engine->closer == NULL)
		return fail(engine, "no thread that closes events");
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

static int start_threads(struct engine *engine)
{
	for (size_t slot = 0; slot < engine->nslots; slot++) {
		if (!evset_is_slot_open(engine->config.set, slot))
			continue;
		engine->slots[slot].reader = start_reader(engine, slot);
		if (engine->slots[slot].reader == NULL)
			return fail(engine, "no reader thread for every CPU");
	}
	errno = pthread_create(&engine->thread, NULL, engine_main, engine);
	if (errno != 0)
		return fail(engine, "no decoder thread");
	engine->has_thread = true;
	pthread_setname_np(engine->thread, "perftop-decoder");
	return 0;
}

struct engine *engine_start(const struct engine_config *config)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));
	size_t capacity = evset_capacity(config->set);

	engine->config = *config;
	engine->nslots = evset_slots(config->set);
	engine->blocks = blocks_of(config);
	engine->interval_s = config->interval_s;
	engine->hurry_ns = UINT64_MAX;
	engine->slots = xcalloc(engine->nslots, sizeof(*engine->slots));
	engine->retiring = xcalloc(capacity, sizeof(*engine->retiring));
	engine->queue_wake = engine->mailbox_wake = engine->timer = -1;
	engine->command_in = engine->command_out = -1;
	if (open_fds(engine) != 0)
		return engine;
	make_model(engine, capacity);
	model_start(engine->model, sys_monotonic_ns());
	set_timer(engine, config->first_tick_s, config->interval_s);
	start_threads(engine);
	return engine;
}

const char *engine_error(const struct engine *engine)
{
	errno = engine->error_number;
	return engine->error;
}

/* The decoder thread has published its last snapshot, and ends: false when it does not. */
static bool join_decoder(struct engine *engine, uint64_t until_ns)
{
	if (!engine->has_thread)
		return true;
	if (!engine->is_final_taken)
		engine_finish(engine, 0);
	/* A snapshot that nobody takes would keep it waiting. */
	while (!engine->is_final_taken && sys_monotonic_ns() < until_ns) {
		struct pollfd wake = { .fd = engine->mailbox_wake, .events = POLLIN };

		poll(&wake, 1, MAILBOX_POLL_MSEC);
		snapshot_free(engine_take(engine));
	}
	return sys_join(engine->thread, until_ns);
}

static bool join_readers(struct engine *engine, uint64_t until_ns)
{
	bool is_whole = true;

	for (size_t i = 0; i < engine->nslots; i++) {
		if (engine->slots[i].reader != NULL)
			reader_stop(engine->slots[i].reader);
	}
	for (size_t i = 0; i < engine->nslots; i++) {
		/* One that was given up may be as deaf to this. */
		uint64_t soon_ns = sys_monotonic_ns() + GIVEN_UP_JOIN_NS;
		bool is_short = engine->slots[i].is_given_up && soon_ns < until_ns;

		is_whole &= reader_join(engine->slots[i].reader, is_short ? soon_ns : until_ns);
	}
	return is_whole;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

bool engine_free(struct engine *engine, uint64_t until_ns)
{
	if (engine == NULL)
		return true;

	/* What a thread that still runs may touch stays: the end of the process is near. */
	if (!join_decoder(engine, until_ns) || !join_readers(engine, until_ns))
		return false;
	close_fd(engine->queue_wake);
	close_fd(engine->mailbox_wake);
	close_fd(engine->timer);
	close_fd(engine->command_in);
	close_fd(engine->command_out);
	closer_stop(engine->closer);
	queue_free(engine->queue);
	decoder_free(engine->decoder);
	model_free(engine->model);
	resolver_free(engine->resolver);
	free(engine->slots);
	free(engine->retiring);
	free(engine);
	return true;
}
