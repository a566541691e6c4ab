/* SPDX-License-Identifier: MIT */
#include "source/engine-inside.h"

#define GIVEN_UP_JOIN_NS (20 * NSEC_PER_MSEC)
/* But when the end is in a hurry, those are given up that had no time to answer: they get it here. */
#define ANSWER_NS (250 * NSEC_PER_MSEC)

int engine_start_reader(struct engine *engine, size_t at)
{
	const struct evset *set = engine->config.set;
	struct engine_slot *slot = &engine->slots[at];
	struct reader_config config = {
		.slot = (uint32_t)at,
		.cpu = evset_cpu(set, at),
		.ring = evset_ring(set, at),
		.counters = evset_counters(set, at),
		.ring_event = EVSET_OWNER,
		.has_lost = engine->config.has_lost,
		.out = engine->queue,
		.out_wake = engine->queue_wake,
		.blocks = engine->blocks,
		.realtime = engine->config.realtime,
	};

	slot->reader = reader_start(&config);
	slot->state = slot->reader != NULL ? SLOT_READY : SLOT_OFFLINE;
	return slot->reader != NULL ? 0 : -1;
}

/* --- CPUs that come and go ------------------------------------------------------------------- */

/* The kernel has disabled its events for good: the reader sends a last mark, and ends. */
static void cpu_went(struct engine *engine, size_t at)
{
	struct engine_slot *slot = &engine->slots[at];

	if (slot->state != SLOT_READY)
		return; /* tried again at the next tick */
	slot->state = SLOT_OWES_LAST;
	reader_request(slot->reader, BLOCK_MARK_FINAL);
}

static void cpu_came(struct engine *engine, size_t at)
{
	if (engine->slots[at].state != SLOT_OFFLINE || evset_open_slot(engine->config.set, at) != 0)
		return; /* offline again, or no fds: tried again at the next tick */
	for (uint32_t number = 0; number < evset_count(engine->config.set); number++)
		engine_tell_decoder(engine, number);
	if (engine_start_reader(engine, at) != 0)
		evset_close_slot(engine->config.set, at);
}

/* sysfs has no notification for this: the list is read at each tick. */
void engine_watch_cpus(struct engine *engine)
{
	char text[CPULIST_TEXT_MAX];
	struct cpulist online;

	if (reread_text(&engine->files.online, text, sizeof(text)) < 0 ||
	    cpulist_parse(text, &online) != 0)
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

void engine_close_slots(struct engine *engine)
{
	for (size_t at = 0; at < engine->nslots; at++) {
		struct engine_slot *slot = &engine->slots[at];

		if (slot->state != SLOT_LEFT)
			continue;
		/* Its last block was decoded.  If it does not end in time, join it later. */
		if (!reader_join(slot->reader, sys_monotonic_ns() + MARK_PATIENCE_NS))
			continue;
		evset_close_slot(engine->config.set, at);
		*slot = (struct engine_slot){ .state = SLOT_OFFLINE };
	}
}

/* --- marks ------------------------------------------------------------------------------------ */

bool engine_does_slot_owe(enum slot_state state)
{
	return state == SLOT_OWES_TICK || state == SLOT_OWES_LAST || state == SLOT_OWES_FINAL;
}

bool engine_is_any_slot(const struct engine *engine, enum slot_state state)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		if (engine->slots[i].state == state)
			return true;
	}
	return false;
}

void engine_ask_slot(struct engine *engine, size_t at)
{
	struct engine_slot *slot = &engine->slots[at];

	if (slot->state != SLOT_READY)
		return;
	slot->state = SLOT_OWES_TICK;
	slot->asked_round = engine->round;
	reader_request(slot->reader, BLOCK_MARK_TICK);
}

void engine_ask_tick(struct engine *engine)
{
	engine->round++;
	for (size_t i = 0; i < engine->nslots; i++)
		engine_ask_slot(engine, i);
}

/* Also where a tick's mark is due: that one is not waited for any more. */
void engine_ask_final(struct engine *engine)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		struct engine_slot *slot = &engine->slots[i];

		if (slot->state != SLOT_READY && slot->state != SLOT_OWES_TICK)
			continue;
		slot->state = SLOT_OWES_FINAL;
		reader_request(slot->reader, BLOCK_MARK_FINAL);
	}
}

void engine_ask_counts(struct engine *engine)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		if (!engine_does_slot_owe(engine->slots[i].state))
			continue;
		reader_ask_counts(engine->slots[i].reader);
		if (engine->phase == PHASE_FINAL)
			reader_unpin(engine->slots[i].reader);
	}
}

bool engine_settle_slot(struct engine *engine, size_t at, bool is_tick)
{
	struct engine_slot *slot = &engine->slots[at];

	/* A tick's mark can come after the final one was requested: ignore it. */
	if (is_tick && slot->state != SLOT_OWES_TICK)
		return false;
	slot->counted_round = slot->asked_round;
	slot->state = slot->state == SLOT_OWES_LAST ? SLOT_LEFT : SLOT_READY;
	return true;
}

void engine_give_up_slots(struct engine *engine)
{
	for (size_t i = 0; i < engine->nslots; i++) {
		if (engine_does_slot_owe(engine->slots[i].state))
			engine->slots[i].state = SLOT_GIVEN_UP;
	}
}

bool engine_join_readers(struct engine *engine, uint64_t until_ns)
{
	bool is_whole = true;

	for (size_t i = 0; i < engine->nslots; i++) {
		if (engine->slots[i].reader != NULL)
			reader_stop(engine->slots[i].reader);
	}
	for (size_t i = 0; i < engine->nslots; i++) {
		/* A reader that was given up may not react to the stop either: wait less. */
		uint64_t soon_ns = sys_monotonic_ns() + GIVEN_UP_JOIN_NS;
		if (soon_ns < engine->final_ns + ANSWER_NS)
			soon_ns = engine->final_ns + ANSWER_NS;
		bool is_short = engine->slots[i].state == SLOT_GIVEN_UP && soon_ns < until_ns;

		is_whole &= reader_join(engine->slots[i].reader, is_short ? soon_ns : until_ns);
	}
	return is_whole;
}
