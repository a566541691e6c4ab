/* SPDX-License-Identifier: MIT */
/*
 * Passes blocks to the recording and to the decoder, ends the recording's rounds, and has it go on in another
 * file.
 *
 * That file begins with the first record after a tick was begun, on every CPU: the rings are read one
 * after the other, and were it to begin with what is read later, it would have a task's fork and name
 * that belong to samples of another CPU in the file before.
 */
#include "source/engine-inside.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <time.h>

#include "base/xalloc.h"
#include "source/recorder.h"

/* More is not held: the next file then begins with what is read after the tick. */
#define HELD_MOST (4u << 20)
/*
 * A round of the recording.  Who reads the file holds what came since the round before the last one, to put
 * it in order of time; with many CPUs it is longer, so that marks are few beside blocks.
 */
#define ROUND_BYTES_LEAST  (2u << 20)
#define ROUND_BYTES_MOST   (16u << 20)
#define ROUND_BYTES_OF_CPU (512u << 10)

/* --- times of the samples --------------------------------------------------------------------- */

static struct decoder_times join(struct decoder_times one, struct decoder_times other)
{
	if (one.last_ns == 0 || other.last_ns == 0)
		return one.last_ns == 0 ? other : one;
	return (struct decoder_times){
		.first_ns = one.first_ns < other.first_ns ? one.first_ns : other.first_ns,
		.last_ns = one.last_ns > other.last_ns ? one.last_ns : other.last_ns,
	};
}

/* Begin them anew with these: those until now. */
static struct decoder_times swap_times(struct decoder *decoder, struct decoder_times times)
{
	struct decoder_times before = decoder_stats(decoder)->times;

	decoder_set_times(decoder, times);
	return before;
}

static void tell_times(struct engine *engine)
{
	struct decoder_times times = decoder_stats(engine->decoder)->times;

	recorder_times(engine->config.recorder, times.first_ns, times.last_ns);
}

/* In the records' clock, or 0: before Linux 4.1 that cannot be read. */
static uint64_t now_of_records(const struct engine *engine)
{
	const struct perf_event_attr *attr = &evset_event(engine->config.set, 0)->attr;

	return attr->use_clockid && attr->clockid == CLOCK_MONOTONIC ? sys_monotonic_ns() : 0;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* How many of the bytes are records up to the cut. */
static size_t length_to_cut(struct engine *engine, const unsigned char *bytes, size_t len)
{
	size_t at = 0;

	while (engine->cut_ns != 0 && len - at >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *header = (const void *)(bytes + at);
		struct decoder_peek peek;

		if (header->size < sizeof(*header) || header->size > len - at)
			return len;
		decoder_peek(engine->decoder, header, &peek);
		if (peek.time_ns > engine->cut_ns)
			return at;
		at += header->size;
	}
	return len;
}

static void record(struct engine *engine, uint32_t slot, const unsigned char *bytes, size_t len)
{
	if (len == 0)
		return;
	recorder_block(engine->config.recorder, slot, bytes, len);
	decoder_feed(engine->decoder, slot, bytes, len);
	tell_times(engine);
	engine->round_bytes += len;
}

/* Write what is held, to the file that is written now. */
static void release(struct engine *engine)
{
	struct engine_held *held = &engine->held;
	const char *at = held->bytes.text;

	for (size_t i = 0; i < held->nparts; i++) {
		recorder_block(engine->config.recorder, held->parts[i].slot, at,
			       held->parts[i].len);
		at += held->parts[i].len;
	}
	swap_times(engine->decoder, join(decoder_stats(engine->decoder)->times, held->times));
	tell_times(engine);
	engine_free_held(engine);
}

/* Decode it, and write it when it is clear to which file. */
static void hold(struct engine *engine, uint32_t slot, const unsigned char *bytes, size_t len)
{
	struct engine_held *held = &engine->held;

	if (held->bytes.len + len > HELD_MOST) {
		release(engine);
		engine->cut_ns = UINT64_MAX;
		record(engine, slot, bytes, len);
		return;
	}
	if (held->nparts == 0)
		strbuf_init(&held->bytes);
	strbuf_add(&held->bytes, (const char *)bytes, len);
	held->parts = xreallocarray(held->parts, held->nparts + 1, sizeof(*held->parts));
	held->parts[held->nparts++] = (struct engine_held_part){ slot, len };

	struct decoder_times before = swap_times(engine->decoder, held->times);
	decoder_feed(engine->decoder, slot, bytes, len);
	held->times = swap_times(engine->decoder, before);
}

static uint64_t round_bytes(const struct engine *engine)
{
	uint64_t bytes = engine->nslots * ROUND_BYTES_OF_CPU;

	if (bytes < ROUND_BYTES_LEAST)
		return ROUND_BYTES_LEAST;
	return bytes < ROUND_BYTES_MOST ? bytes : ROUND_BYTES_MOST;
}

/* Each tick ends a round, but until then a fast event can make more than is well held in memory. */
static void ask_round(struct engine *engine)
{
	if (engine->phase != PHASE_BETWEEN)
		return;
	for (size_t at = 0; at < engine->nslots; at++) {
		if (engine_does_slot_owe(engine->slots[at].state) || engine->slots[at].owes_round)
			return;
	}
	engine->round_bytes = 0;
	for (size_t at = 0; at < engine->nslots; at++) {
		struct engine_slot *slot = &engine->slots[at];

		if (slot->state != SLOT_READY)
			continue;
		slot->owes_round = true;
		reader_request(slot->reader, BLOCK_MARK_ROUND);
	}
}

/*
 * A tick ends the round instead.  Were both ended, one after the other, the second one would say that every ring was
 * drained since the first, and a ring may have been drained for it before.
 */
static void forget_round(struct engine *engine)
{
	for (size_t at = 0; at < engine->nslots; at++)
		engine->slots[at].owes_round = false;
}

static void end_round(struct engine *engine)
{
	recorder_round(engine->config.recorder);
	engine->round_before_ns = engine->round_end_ns;
	engine->round_end_ns = now_of_records(engine);
}

void engine_take_round(struct engine *engine, uint32_t slot)
{
	if (!engine->slots[slot].owes_round)
		return;
	engine->slots[slot].owes_round = false;
	for (size_t at = 0; at < engine->nslots; at++) {
		if (engine->slots[at].owes_round)
			return;
	}
	end_round(engine);
}

void engine_take_records(struct engine *engine, struct block *block)
{
	if (engine->config.recorder == NULL) {
		decoder_feed(engine->decoder, block->slot, block->data, block->used);
		return;
	}
	decoder_mend_ids(engine->decoder, block->data, block->used);
	size_t before = length_to_cut(engine, block->data, block->used);

	record(engine, block->slot, block->data, before);
	if (before < block->used)
		hold(engine, block->slot, block->data + before, block->used - before);
	if (engine->round_bytes >= round_bytes(engine))
		ask_round(engine);
}

void engine_free_held(struct engine *engine)
{
	strbuf_fini(&engine->held.bytes);
	free(engine->held.parts);
	engine->held = (struct engine_held){ 0 };
}

/* --- several files ---------------------------------------------------------------------------- */

void engine_record_cut(struct engine *engine)
{
	forget_round(engine);
	if (!recorder_is_due(engine->config.recorder))
		return;
	engine->cut_ns = now_of_records(engine);
	if (engine->cut_ns == 0)
		engine->cut_ns = UINT64_MAX;
}

void engine_record_no_cut(struct engine *engine)
{
	if (engine->cut_ns == 0)
		return;
	engine->cut_ns = 0;
	release(engine);
}

/*
 * They were lost at any time since the last tick: in the middle of that interval an interval of a replay has
 * them as well, whose intervals end a little earlier.  But a record before the last round but one is too late to be
 * put in order; where rounds are short, it can fall into the next interval.
 */
static uint64_t time_of_losses(const struct engine *engine)
{
	uint64_t now_ns = now_of_records(engine);
	uint64_t middle_ns = now_ns - (now_ns - engine->tick_end_ns) / 2;

	if (now_ns == 0)
		return 0;
	return middle_ns > engine->round_before_ns ? middle_ns : engine->round_before_ns;
}

static void record_losses(struct engine *engine, uint64_t time_ns)
{
	for (uint32_t number = 0; number < evset_count(engine->config.set); number++) {
		for (uint32_t slot = 0; slot < engine->nslots; slot++)
			recorder_lost(engine->config.recorder, number, slot,
				      model_lost(engine->model, number, slot), time_ns);
	}
}

void engine_record_round(struct engine *engine)
{
	struct recorder *recorder = engine->config.recorder;

	if (recorder == NULL)
		return;
	engine->round_bytes = 0;
	record_losses(engine, time_of_losses(engine));
	end_round(engine);
	engine->tick_end_ns = engine->round_end_ns;
	recorder_checkpoint(recorder);
	if (engine->cut_ns == 0)
		return;
	if (recorder_next(recorder, engine->model))
		decoder_set_times(engine->decoder, (struct decoder_times){ 0 });
	engine_record_no_cut(engine);
}

/* --- the run ---------------------------------------------------------------------------------- */

void engine_record_begin(struct engine *engine)
{
	recorder_begin(engine->config.recorder);
	engine->tick_end_ns = engine->round_end_ns = now_of_records(engine);
	engine->round_before_ns = engine->round_end_ns;
}

void engine_record_end(struct engine *engine)
{
	struct recorder *recorder = engine->config.recorder;

	if (recorder == NULL)
		return;

	uint64_t time_ns = time_of_losses(engine);

	recorder_await_room(recorder);
	record_losses(engine, time_ns);
	recorder_end(recorder);
}
