/* SPDX-License-Identifier: MIT */
#include "source/engine-inside.h"

#include <math.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* At the end: after this time without a block, the marks still due are given up. */
#define FINAL_PATIENCE_NS (1000 * NSEC_PER_MSEC)

/* --- a snapshot ------------------------------------------------------------------------------- */

static uint64_t rings_bytes(const struct engine *engine)
{
	uint64_t sum = 0;

	for (size_t slot = 0; slot < engine->nslots; slot++) {
		const struct ring *ring = evset_ring(engine->config.set, slot);

		sum += ring != NULL ? ring_bytes(ring) : 0;
	}
	return sum;
}

/* Without a mark use the counts that came alone: they are enough for rates and losses. */
static enum cpu_answer answer_of(struct engine *engine, uint32_t at)
{
	struct engine_slot *slot = &engine->slots[at];
	const struct count *counts;
	uint64_t read_ns;

	if (!engine_does_slot_owe(slot->state) && slot->state != SLOT_GIVEN_UP)
		return CPU_ANSWERED;
	counts = reader_counts(slot->reader, &read_ns);
	if (counts == NULL)
		return CPU_SILENT;
	model_counts(engine->model, at, counts, evset_count(engine->config.set), read_ns,
		     MARK_NONE);
	return CPU_BEHIND;
}

static uint64_t rss_bytes(struct engine *engine)
{
	char text[SYS_STATM_MAX];

	return reread_text(&engine->files.statm, text, sizeof(text)) < 0 ? 0 : sys_parse_rss(text);
}

static struct snapshot *build(struct engine *engine)
{
	const struct decoder_stats *stats = decoder_stats(engine->decoder);
	struct model_tick tick = {
		.now_ns = sys_monotonic_ns(),
		.wall_ns = sys_wall_ns(),
		.target_s = engine->interval_s,
		.is_final = engine->phase == PHASE_FINAL,
		.max_sample_rate = -1,
		.cpu_time_max_percent = -1,
		.rings_bytes = rings_bytes(engine),
		.queue_peak = engine->queue_peak,
		.blocks = engine->blocks * engine->nslots,
		.cpu_ns = sys_cpu_ns(),
		.rss_bytes = rss_bytes(engine),
		.budget = engine->config.budget,
		.sample_limit = engine->governor.limit == GOVERNOR_NO_LIMIT ?
					RATE_UNKNOWN :
					engine->governor.limit,
		.unknown_records = stats->unknown_types + stats->unknown_ids + stats->malformed,
	};

	reread_int(&engine->files.max_sample_rate, &tick.max_sample_rate);
	reread_int(&engine->files.cpu_time_max_percent, &tick.cpu_time_max_percent);

	if (tick.is_final && engine->config.is_batch && engine->hurry_ns == UINT64_MAX &&
	    model_has_chains(engine->model))
		resolver_settle(engine->resolver);
	const char *missing = recorder_note(engine->config.recorder);
	if (missing != NULL)
		model_note(engine->model, missing);
	const char *note = resolver_note(engine->resolver);
	if (note != NULL)
		model_note(engine->model, note);
	for (uint32_t slot = 0; slot < engine->nslots; slot++)
		model_cpu_answer(engine->model, slot, answer_of(engine, slot));
	return model_tick(engine->model, &tick);
}

static void publish(struct engine *engine, struct snapshot *snap)
{
	engine->published++;
	mailbox_put(&engine->source.mailbox, snap);
}

/* --- a tick ----------------------------------------------------------------------------------- */

/* The most samples that one CPU made of an event that can be lessened. */
static uint64_t most_samples(const struct evset *set, const struct snapshot *snap)
{
	uint64_t most = 0;

	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];
		uint32_t number = EVSET_FIRST + event->id;

		if (event->cpus == NULL || evset_event(set, number)->sampling != ATTR_PACED)
			continue;
		for (size_t cpu = 0; cpu < snap->ncpus; cpu++) {
			if (event->cpus[cpu].sampled_count > most)
				most = event->cpus[cpu].sampled_count;
		}
	}
	return most;
}

/* Pass the costs of the interval to the governor, and its limit to the readers. */
static void govern(struct engine *engine, const struct snapshot *snap)
{
	const struct evset *set = engine->config.set;
	struct governor_samples samples = {
		.asked = evset_pace(set),
		.busiest = (double)most_samples(set, snap) / fmax(snap->interval_s, 1e-3),
	};

	if (!governor_tick(&engine->governor, &snap->self, &samples, snap->interval_s))
		return;
	evset_limit_pace(engine->config.set, engine->governor.limit);
	engine_tell_model(engine);
}

static void end_tick(struct engine *engine)
{
	engine->phase = PHASE_BETWEEN;
	engine_retire_events(engine);
	if (engine_is_any_slot(engine, SLOT_OWES_TICK))
		engine_record_no_cut(engine);
	else
		engine_record_round(engine);
	struct snapshot *snap = build(engine);

	govern(engine, snap);
	publish(engine, snap);
}

/* End the tick at the last mark: later records belong to the next interval. */
static void settle_tick(struct engine *engine)
{
	if (engine->phase == PHASE_TICK && !engine_is_any_slot(engine, SLOT_OWES_TICK))
		end_tick(engine);
}

void engine_set_timer(struct engine *engine, double first_s, double interval_s)
{
	uint64_t first = (uint64_t)(first_s * 1e9), interval = (uint64_t)(interval_s * 1e9);
	struct itimerspec spec = {
		.it_value = { (time_t)(first / NSEC_PER_SEC), (long)(first % NSEC_PER_SEC) },
		.it_interval = { (time_t)(interval / NSEC_PER_SEC),
				 (long)(interval % NSEC_PER_SEC) },
	};

	timerfd_settime(engine->timer, 0, &spec, NULL);
}

void engine_begin_tick(struct engine *engine)
{
	uint64_t expired;
	uint64_t iterations = engine->config.iterations;

	if (read(engine->timer, &expired, sizeof(expired)) < 0 || engine->phase != PHASE_BETWEEN)
		return;
	if (iterations != 0 && engine->published + 1 >= iterations) {
		engine_finish(engine, UINT64_MAX);
		return;
	}
	/* The last snapshot was not taken yet: the interval continues. */
	if (!mailbox_is_free(&engine->source.mailbox))
		return;
	engine->phase = PHASE_TICK;
	engine->deadline_ns = sys_monotonic_ns() + MARK_PATIENCE_NS;
	engine->urge_ns = engine->deadline_ns - MARK_PATIENCE_NS / 2;
	engine_watch_cpus(engine);
	engine_record_cut(engine);
	engine_ask_tick(engine);
	settle_tick(engine);
}

/* --- the end --------------------------------------------------------------------------------- */

static void end_run(struct engine *engine)
{
	struct snapshot *snap = build(engine);

	/* May wait for the disk: after the figures were taken. */
	engine_record_end(engine);
	mailbox_wait_free(&engine->source.mailbox);
	publish(engine, snap);
	engine->phase = PHASE_OVER;
}

/* End the run once all final marks were received. */
static void settle_final(struct engine *engine)
{
	if (engine->phase == PHASE_FINAL && !engine_is_any_slot(engine, SLOT_OWES_FINAL) &&
	    !engine_is_any_slot(engine, SLOT_OWES_LAST))
		end_run(engine);
}

void engine_be_patient(struct engine *engine)
{
	engine->deadline_ns = sys_monotonic_ns() + FINAL_PATIENCE_NS;
	if (engine->deadline_ns > engine->hurry_ns)
		engine->deadline_ns = engine->hurry_ns;
}

void engine_finish(struct engine *engine, uint64_t until_ns)
{
	if (until_ns < engine->hurry_ns)
		engine->hurry_ns = until_ns;
	if (engine->phase == PHASE_TICK)
		model_go_on(engine->model);
	if (engine->phase < PHASE_FINAL) {
		engine->phase = PHASE_FINAL;
		engine_record_no_cut(engine);
		engine->final_ns = sys_monotonic_ns();
		engine->urge_ns = engine->final_ns + MARK_PATIENCE_NS;
		engine_ask_final(engine);
	}
	engine_be_patient(engine);
	settle_final(engine);
}

/* --- marks and time --------------------------------------------------------------------------- */

/* Whether the tick that asked for this mark ended without it. */
static bool is_late(const struct engine *engine, const struct block *block)
{
	const struct engine_slot *slot = &engine->slots[block->slot];

	return block->mark == BLOCK_MARK_TICK &&
	       (engine->phase != PHASE_TICK || slot->asked_round != engine->round);
}

void engine_take_mark(struct engine *engine, const struct block *block)
{
	const struct ring *ring = evset_ring(engine->config.set, block->slot);
	enum model_mark mark = is_late(engine, block) ? MARK_LATE : MARK_IN_TIME;

	model_counts(engine->model, block->slot, block->counts, evset_count(engine->config.set),
		     block->read_ns, mark);
	model_ring(engine->model, block->slot, ring != NULL ? ring_bytes(ring) : 0, block->corrupt);
	if (!engine_settle_slot(engine, block->slot, block->mark == BLOCK_MARK_TICK))
		return;
	/* Its reader was not asked for this tick's mark, as it owed another one. */
	if (mark == MARK_LATE && engine->phase == PHASE_TICK)
		engine_ask_slot(engine, block->slot);
	settle_tick(engine);
	settle_final(engine);
}

uint64_t engine_next_deadline(const struct engine *engine)
{
	if (engine->phase != PHASE_TICK && engine->phase != PHASE_FINAL)
		return UINT64_MAX;
	return engine->urge_ns < engine->deadline_ns ? engine->urge_ns : engine->deadline_ns;
}

void engine_watch_time(struct engine *engine)
{
	uint64_t now_ns = sys_monotonic_ns();

	if (now_ns < engine_next_deadline(engine))
		return;
	if (now_ns < engine->deadline_ns) {
		engine->urge_ns = UINT64_MAX;
		engine_ask_counts(engine);
	} else if (engine->phase == PHASE_TICK) {
		end_tick(engine);
	} else {
		/* Figures of these slots are lower bounds. */
		engine_give_up_slots(engine);
		end_run(engine);
	}
}
