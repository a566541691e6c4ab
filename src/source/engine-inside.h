/* SPDX-License-Identifier: MIT */
/*
 * engine-inside - what the files of the engine share, for them alone.
 *
 *     engine.c         life: start, the decoder thread's loop, end
 *     engine-events.c  events, told to decoder and model; off and on
 *     engine-slots.c   CPUs and their readers: who owes a mark, who came and went
 *     engine-ticks.c   a tick from its beginning to its snapshot; the final one
 */
#ifndef SOURCE_ENGINE_INSIDE_H
#define SOURCE_ENGINE_INSIDE_H

#include <pthread.h>

#include "base/sys.h"
#include "capture/closer.h"
#include "capture/queue.h"
#include "capture/reader.h"
#include "decode/decoder.h"
#include "model/model.h"
#include "source/engine.h"
#include "source/resolver.h"
#include "source/source.h"

/* A reader that does not answer in this time (its CPU is taken by real-time tasks) is left out of a tick. */
#define MARK_PATIENCE_NS (100 * NSEC_PER_MSEC)

/* Where a slot's reader stands with its marks.  Who OWES one was asked for it and has not yet sent it. */
enum slot_state {
	SLOT_OFFLINE, /* no reader */
	SLOT_READY,
	SLOT_OWES_TICK,
	SLOT_OWES_LAST, /* its CPU went offline */
	SLOT_LEFT,	/* that mark came: to be cleaned up after this round */
	SLOT_OWES_FINAL,
	SLOT_GIVEN_UP, /* the run ends without its mark */
};

struct engine_slot {
	enum slot_state state;
	struct reader *reader;	/* NULL: OFFLINE */
	uint64_t asked_round;	/* in which its last mark of a tick was asked for */
	uint64_t counted_round; /* the same of the last one that came: its counts are no older */
};

enum phase {
	PHASE_BETWEEN, /* ticks */
	PHASE_TICK,    /* marks are being collected until deadline_ns */
	PHASE_FINAL,   /* the same for the final ones */
	PHASE_OVER,
};

struct engine {
	struct source source; /* first: a source is cast to its engine */
	struct engine_config config;
	struct queue *queue;
	int queue_wake; /* eventfd: blocks came */
	int timer;	/* timerfd: a tick */
	pthread_t thread;
	bool has_thread;
	size_t nslots;
	size_t blocks; /* of each reader */

	/* The decoder thread's own from here on. */
	struct decoder *decoder;
	struct model *model;
	struct resolver *resolver;
	struct closer *closer;
	double interval_s;
	struct engine_slot *slots; /* [nslots] */
	enum phase phase;
	uint64_t deadline_ns; /* of PHASE_TICK and PHASE_FINAL: who owes a mark then is left out */
	uint64_t hurry_ns;    /* PHASE_FINAL: over by then, whatever is still to be decoded */
	uint64_t urge_ns; /* before that: who owes a mark then is asked for its counts alone; then UINT64_MAX */
	uint64_t queue_peak;
	uint64_t published;
	uint64_t round; /* of marks, one a tick */
	/* [events]: switched off, its fds to be closed when all marks of this round have come; 0: is not. */
	uint64_t *retiring;
};

/* --- engine-events.c -------------------------------------------------------------------------- */

/* How an event stands, to the model (a row), and to decoder and recorder (its ids). */
void engine_tell_model(struct engine *engine, uint32_t number);
void engine_tell_decoder(struct engine *engine, uint32_t number);

/* Close what was switched off before the last round of which every mark has come. */
void engine_retire_events(struct engine *engine);

/* --- engine-commands.c ------------------------------------------------------------------------ */

/* Take the next command out of the pipe, if there is one, and do it. */
void engine_obey(struct engine *engine);

/* --- engine-slots.c --------------------------------------------------------------------------- */

/* Start the reader of a slot that is open: 0, or -1 and errno. */
int engine_start_reader(struct engine *engine, size_t at);

/* See which CPUs are online: those that went are asked for their last mark, those that came are opened. */
void engine_watch_cpus(struct engine *engine);

/* Clean up after slots that LEFT, when no block of theirs is in our hands any more. */
void engine_close_slots(struct engine *engine);

/* Ask all that are READY for a tick's mark; all that still read for the final one. */
void engine_ask_tick(struct engine *engine);
void engine_ask_final(struct engine *engine);

/* Ask who owes a mark for the counts alone; at the end from whatever CPU lets the reader run. */
void engine_ask_counts(struct engine *engine);

/* A mark of this slot's reader came: false when it is one that nobody waits for any more. */
bool engine_settle_slot(struct engine *engine, size_t at, bool is_tick);

/* Whether the state is one of OWES_...; whether any slot is in this state. */
bool engine_does_slot_owe(enum slot_state state);
bool engine_is_any_slot(const struct engine *engine, enum slot_state state);

/* Who owes a mark will not be waited for. */
void engine_give_up_slots(struct engine *engine);

/* Stop and join all readers: false when one did not end by then. */
bool engine_join_readers(struct engine *engine, uint64_t until_ns);

/* --- engine-ticks.c --------------------------------------------------------------------------- */

/* The ticks' timer: the first so far from now, and then one each interval. */
void engine_set_timer(struct engine *engine, double first_s, double interval_s);

/* The timer expired, or a command came: begin a tick, or the final one. */
void engine_begin_tick(struct engine *engine);
void engine_finish(struct engine *engine, uint64_t until_ns);

/* A block was decoded; it may carry a mark. */
void engine_take_mark(struct engine *engine, const struct block *block);
void engine_be_patient(struct engine *engine);

/* When something is to be done although nothing comes, and doing it. */
uint64_t engine_next_deadline(const struct engine *engine);
void engine_watch_time(struct engine *engine);

#endif
