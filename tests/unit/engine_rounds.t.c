/* SPDX-License-Identifier: MIT */
/* The rounds of a recording between ticks: asked of all readers after many bytes, ended when all have answered. */
#include "source/engine.h"

#include "engine-run.h"
#include "source/recorder.h"
#include "tap.h"

#include <linux/perf_event.h>

/* More bytes than a round has, in blocks of one record, which no decoder knows. */
enum { MANY_BLOCKS = 36, RECORD_BYTES = 65528, UNKNOWN_TYPE = 1000 };

/* --- in place of source/recorder.c --------------------------------------------------------------- */

/* Under the script's lock. */
struct recorder {
	unsigned int rounds;
	uint64_t bytes;
};

static struct recorder made;

void recorder_begin(struct recorder *self)
{
	(void)self;
}

void recorder_event(struct recorder *self, uint32_t number)
{
	(void)self;
	(void)number;
}

void recorder_block(struct recorder *self, size_t slot, const void *bytes, size_t len)
{
	(void)slot;
	(void)bytes;
	lock();
	self->bytes += len;
	unlock();
}

void recorder_times(struct recorder *self, uint64_t first_ns, uint64_t last_ns)
{
	(void)self;
	(void)first_ns;
	(void)last_ns;
}

void recorder_round(struct recorder *self)
{
	lock();
	self->rounds++;
	unlock();
}

void recorder_checkpoint(struct recorder *self)
{
	(void)self;
}

bool recorder_is_due(struct recorder *self)
{
	(void)self;
	return false;
}

bool recorder_next(struct recorder *self, const struct model *model)
{
	(void)self;
	(void)model;
	return false;
}

void recorder_lost(struct recorder *self, uint32_t number, size_t slot, uint64_t lost,
		   uint64_t time_ns)
{
	(void)self;
	(void)number;
	(void)slot;
	(void)lost;
	(void)time_ns;
}

void recorder_await_room(struct recorder *self)
{
	(void)self;
}

const char *recorder_note(struct recorder *self)
{
	(void)self;
	return NULL;
}

void recorder_end(struct recorder *self)
{
	(void)self;
}

/* --- the run -------------------------------------------------------------------------------------- */

static uint64_t pushed; /* bytes */

static bool is_a_block_free(void)
{
	const struct reader *reader = script.readers[0];

	for (size_t at = 0; at < READER_BLOCKS; at++) {
		if (!reader->is_taken[at])
			return true;
	}
	return false;
}

static bool is_all_recorded(void)
{
	return made.bytes == pushed;
}

/* Records of the first slot, which leave a block for its mark. */
static void push_block(void)
{
	struct perf_event_header header = { .type = UNKNOWN_TYPE, .size = RECORD_BYTES };
	struct reader *reader = script.readers[0];
	uint64_t one = 1;

	if (!until(is_a_block_free))
		bail("no block is given back");
	lock();
	size_t at = free_block(reader);
	reader->is_taken[at] = true;
	reader->blocks[at].home = reader;
	reader->blocks[at].slot = 0;
	reader->blocks[at].mark = BLOCK_MARK_NONE;
	reader->blocks[at].used = header.size;
	memcpy(reader->blocks[at].data, &header, sizeof(header));
	unlock();
	pushed += header.size;
	queue_push(reader->config.out, &reader->blocks[at]);
	if (write(reader->config.out_wake, &one, sizeof(one)) < 0)
		bail("eventfd");
	/* One at a time, so that blocks are left for marks. */
	if (!until(is_all_recorded))
		bail("a block is not recorded");
}

static void push_many(void)
{
	for (int i = 0; i < MANY_BLOCKS; i++)
		push_block();
}

static unsigned int rounds_now(void)
{
	lock();
	unsigned int rounds = made.rounds;
	unlock();
	return rounds;
}

static unsigned int requests_of(uint32_t slot)
{
	lock();
	unsigned int requests = script.requests[slot];
	unlock();
	return requests;
}

static unsigned int wanted; /* rounds */

static bool is_wanted(void)
{
	return made.rounds >= wanted;
}

static bool is_final_due(void)
{
	return script.readers[1]->due == BLOCK_MARK_FINAL;
}

/* After the first tick, the only one. */
static void begin_run(void)
{
	reset_script();
	made = (struct recorder){ 0 };
	pushed = 0;
	start(0);
	take();
	is_u64(rounds_now(), 1, "a tick ends a round");
}

static void check_rounds(void)
{
	begin_run();
	push_block();
	is_u64(requests_of(1), 1, "after few bytes no mark is requested");
	push_many();
	wanted = 2;
	ok(until(is_wanted), "many bytes end one without a tick");
	push_many();
	wanted = 3;
	ok(until(is_wanted), "and again");
	is_u64(requests_of(1), 3, "each with one mark of a slot");
	is_u64(rounds_now(), 3, "as many as were requested");
	finish();
	end();
}

static void check_late(void)
{
	begin_run();
	set_manner(1, HELD);
	push_many();
	push_many();
	is_u64(requests_of(1), 2, "while a mark is due none is requested");
	is_u64(rounds_now(), 1, "and the round goes on");
	answer(1);
	wanted = 2;
	ok(until(is_wanted), "until it has come");

	push_many();
	source_finish(engine, UINT64_MAX);
	ok(until(is_final_due), "at the end the final mark is requested instead");
	answer(1);
	take_final();
	ok(snap->cpus[1].answer == CPU_ANSWERED, "which is enough");
	end();
}

static bool is_tick_due(void)
{
	return script.readers[1]->due == BLOCK_MARK_TICK;
}

/* Two rounds one after the other would say that the rings were drained between them. */
static void check_tick_instead(void)
{
	begin_run();
	set_manner(1, HELD);
	push_many();
	is_u64(requests_of(1), 2, "a mark of a round is due");
	source_interval(engine, 0.01);
	ok(until(is_tick_due), "when a tick begins");
	answer(1);
	take();
	ok(rounds_now() <= 2, "the tick ends the round, once (%u)", rounds_now());
	set_manner(1, ANSWERS);
	finish();
	end();
}

int main(void)
{
	plan_lazy();
	interval_s = 3600;
	recorder = &made;
	check_rounds();
	check_late();
	check_tick_instead();
	return done();
}
