/* SPDX-License-Identifier: MIT */
/*
 * engine-inside - private to the files of the engine:
 *
 *     engine.c           start, the decoder thread's loop, end
 *     engine-commands.c  executes main's commands
 *     engine-events.c    passes events to decoder and model; opens those left for later and closes
 *                        those switched off
 *     engine-groups.c    passes records to the model, a sample with the counts of a group to each member
 *     engine-slots.c     CPUs and their readers: marks due, CPUs going offline and online
 *     engine-recording.c passes records to recorder and decoder; the recording's next file
 *     engine-ticks.c     a tick from its beginning to its snapshot; the final one
 */
#ifndef SOURCE_ENGINE_INSIDE_H
#define SOURCE_ENGINE_INSIDE_H

#include <pthread.h>
#include <semaphore.h>

#include "base/reread.h"
#include "base/strbuf.h"
#include "base/sys.h"
#include "capture/queue.h"
#include "capture/reader.h"
#include "decode/decoder.h"
#include "model/model.h"
#include "source/engine.h"
#include "source/governor.h"
#include "source/resolver.h"
#include "source/source.h"

/* Most time that a tick waits for marks: real-time tasks can keep a reader off its CPU. */
#define MARK_PATIENCE_NS (100 * NSEC_PER_MSEC)

/* State of a slot's reader.  OWES: a mark was requested and has not been received yet. */
enum slot_state {
	SLOT_OFFLINE, /* no reader */
	SLOT_READY,   /* no mark is due */
	SLOT_OWES_TICK,
	SLOT_OWES_LAST, /* a final mark, because its CPU went offline */
	SLOT_LEFT,	/* that mark was received: engine_close_slots() cleans up */
	SLOT_OWES_FINAL,
	SLOT_GIVEN_UP, /* the run ends without its mark */
};

struct engine_slot {
	enum slot_state state;
	struct reader *reader;	/* NULL: OFFLINE */
	uint64_t asked_round;	/* of the last request for a tick's mark */
	uint64_t counted_round; /* asked_round at the last mark received */
	bool owes_round; /* the mark of a round of the recording was requested, and did not come yet */
};

/* Records of one block that are held. */
struct engine_held_part {
	uint32_t slot;
	size_t len;
};

/* Records that were decoded, and are for the recording's next file. */
struct engine_held {
	struct strbuf bytes;
	struct engine_held_part *parts; /* [nparts] of the bytes, in order */
	size_t nparts;
	struct decoder_times times;
};

enum phase {
	PHASE_BETWEEN, /* between ticks */
	PHASE_TICK,    /* marks are being collected until deadline_ns */
	PHASE_FINAL,   /* the same for the final ones */
	PHASE_OVER,    /* the final snapshot was published */
};

struct engine {
	struct source source; /* first: a source is cast to its engine */
	struct engine_config config;
	struct queue *queue;
	int queue_wake;	  /* eventfd: blocks were pushed */
	int timer;	  /* timerfd: a tick is due */
	sem_t is_enabled; /* posted once: the decoder thread waits until the events are enabled */
	pthread_t thread;
	bool has_thread;
	size_t nslots;
	size_t blocks; /* of each reader */

	/* Used by the decoder thread only, from here on. */
	struct decoder *decoder;
	struct model *model;
	struct resolver *resolver;
	struct governor governor;
	struct engine_files {
		struct reread online, statm, max_sample_rate, cpu_time_max_percent;
	} files; /* read at each tick */
	double interval_s;
	struct engine_slot *slots; /* [nslots] */
	enum phase phase;
	uint64_t deadline_ns; /* PHASE_TICK, PHASE_FINAL: build without the marks still due then */
	uint64_t final_ns;    /* when the final marks were asked for; 0: not yet */
	uint64_t hurry_ns; /* PHASE_FINAL: upper limit of deadline_ns, even if blocks still come */
	/* Earlier: slots with a mark due are asked for counts alone.  UINT64_MAX: done. */
	uint64_t urge_ns;
	uint64_t queue_peak;
	uint64_t published; /* snapshots */
	uint64_t round;	    /* of marks, one per tick */
	/* [events]: close an event that is off when all marks of this round came; 0: none. */
	uint64_t *retiring;
	bool *is_removed; /* [events]: it has no row */
	uint32_t later; /* no event below this number waits for being opened; UINT32_MAX: none does */
	/* Records after this time are for the recording's next file; UINT64_MAX: none is, 0: there is none. */
	uint64_t cut_ns;
	struct engine_held held;
	uint64_t round_bytes; /* recorded since the recording's last round was ended, or its marks requested */
	/* When the recording's last tick and last two rounds ended, in the records' clock; 0: unknown. */
	uint64_t tick_end_ns, round_end_ns, round_before_ns;
};

/* --- engine-events.c -------------------------------------------------------------------------- */

/* Pass the states of all events to the model: with one of them the event of the symbols can change. */
void engine_tell_model(struct engine *engine);

/* Pass an event's attr and ids to decoder and recorder. */
void engine_tell_decoder(struct engine *engine, uint32_t number);

/* Whether events wait for being opened, and no tick is under way; open some of them. */
bool engine_has_later(const struct engine *engine);
void engine_open_later(struct engine *engine);

/* Close events that were switched off before the last round with all its marks received. */
void engine_retire_events(struct engine *engine);

/* --- engine-groups.c ------------------------------------------------------------------------ */

/* The decoder's sink, with the engine: pass a record to the model. */
void engine_record(void *ctx, uint32_t slot, uint32_t number, const struct record *record);

/* The decoder's period source, with the engine: an upper bound of an event's period, 0: unknown. */
uint64_t engine_period_of(void *ctx, uint32_t slot, uint32_t number);

/* --- engine-commands.c ------------------------------------------------------------------------ */

/* Execute the next command of the pipe, if there is one. */
void engine_obey(struct engine *engine);

/* --- engine-slots.c --------------------------------------------------------------------------- */

/* Start the reader of a slot that is open: 0, or -1 and errno. */
int engine_start_reader(struct engine *engine, size_t at);

/* Read which CPUs are online: request the last mark of those that went, open those that came. */
void engine_watch_cpus(struct engine *engine);

/* Join the readers of slots that LEFT and close the slots; none of their blocks may be in use. */
void engine_close_slots(struct engine *engine);

/* Request the mark of the present tick of a slot, if it is READY. */
void engine_ask_slot(struct engine *engine, size_t at);

/* Begin a tick: request its mark of all READY slots; the final mark of all that have none requested. */
void engine_ask_tick(struct engine *engine);
void engine_ask_final(struct engine *engine);

/* Request counts alone where a mark is due; in PHASE_FINAL also unpin these readers. */
void engine_ask_counts(struct engine *engine);

/* Note a mark of a slot; false for a tick's mark that is not due any more. */
bool engine_settle_slot(struct engine *engine, size_t at, bool is_tick);

/* Whether the state is one of SLOT_OWES_...; whether any slot is in this state. */
bool engine_does_slot_owe(enum slot_state state);
bool engine_is_any_slot(const struct engine *engine, enum slot_state state);

/* Stop waiting for the marks that are due. */
void engine_give_up_slots(struct engine *engine);

/* Stop and join all readers: false when one did not end by `until_ns`. */
bool engine_join_readers(struct engine *engine, uint64_t until_ns);

/* --- engine-recording.c ----------------------------------------------------------------------- */

/*
 * Decode the records of a block, and record them.  Requests marks for a round of the recording when many bytes
 * were recorded since the last one.
 */
void engine_take_records(struct engine *engine, struct block *block);

/* Note the mark of a round, after the records before it: the last one that is due ends the round. */
void engine_take_round(struct engine *engine, uint32_t slot);

/* Begin the recording, once the first events are open. */
void engine_record_begin(struct engine *engine);

/*
 * A tick begins, before marks are requested: those of a round are not waited for any more, and if the recording's
 * file is full, it ends here.
 */
void engine_record_cut(struct engine *engine);

/* It goes on, as this tick does not get all marks. */
void engine_record_no_cut(struct engine *engine);

/*
 * All rings were drained: the recording has what was in them, gets the counts of lost samples, and may go on in
 * another file.
 */
void engine_record_round(struct engine *engine);

/* End the recording, with the last of the kernel's counts of lost samples: may wait for the disk. */
void engine_record_end(struct engine *engine);

/* Free what is held, unwritten. */
void engine_free_held(struct engine *engine);

/* --- engine-ticks.c --------------------------------------------------------------------------- */

/* Set the ticks' timer: the first tick after `first_s` seconds, then one each interval. */
void engine_set_timer(struct engine *engine, double first_s, double interval_s);

/* Begin a tick, if the timer expired; begin the final one, which ends by `until_ns`. */
void engine_begin_tick(struct engine *engine);
void engine_finish(struct engine *engine, uint64_t until_ns);

/* Process the mark of a decoded block. */
void engine_take_mark(struct engine *engine, const struct block *block);

/* PHASE_FINAL: put off the deadline, because a block came. */
void engine_be_patient(struct engine *engine);

/* The next time to act without any input, or UINT64_MAX; and acting, if that time has come. */
uint64_t engine_next_deadline(const struct engine *engine);
void engine_watch_time(struct engine *engine);

#endif
