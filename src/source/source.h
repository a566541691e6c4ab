/* SPDX-License-Identifier: MIT */
/*
 * source - the interface to what builds snapshots: the live engine, a replayed file, or a saved
 * snapshot.
 *
 *     main                                     the source's thread
 *     source_toggle, _zero ...  --command-->   changes what it counts
 *     source_take               <--snapshot--  one per tick, in the mailbox
 *
 * A snapshot that was not taken yet is not replaced: the next tick is delayed, and its interval is
 * longer.  So every count is in some snapshot.
 *
 * A replay can be paused and moved to another time.  Snapshots from before a move are dropped when
 * they are taken after it.
 *
 * The functions are for main's thread.  An implementation has struct source as its first member, a
 * struct source_ops, and its own constructor (engine.h, replay.h, saved.h).
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"
#include "model/snapshot.h"
#include "source/command.h"
#include "source/mailbox.h"

/* Of the thread that decodes, in a source that has one. */
#define SOURCE_THREAD_NAME "perftop-decoder"

struct source;

struct source_ops {
	/* As source_start(); NULL: nothing to start. */
	const char *(*start)(struct source *source, double first_tick_s);
	/* Execute a command, for a source without a thread; NULL: commands go through the pipe. */
	void (*command)(struct source *source, const struct command *command);
	/* As source_complaint(); NULL: there is none. */
	char *(*complaint)(const struct source *source);
	/* As source_free(), of a source that is not NULL. */
	bool (*free)(struct source *source, uint64_t until_ns);
};

struct source {
	const struct source_ops *ops;
	struct mailbox mailbox;
	struct command_pipe commands;
	bool is_final_taken; /* used by main only, as `moves` */
	uint32_t moves;	     /* how many were requested; a snapshot's mark is how many were made */
};

/* --- for main --------------------------------------------------------------------------------- */

/*
 * Start the threads; the first interval begins, and the first snapshot comes after `first_tick_s`
 * seconds.  NULL; or a text saying what failed, and errno: then only source_free() may follow.
 */
const char *source_start(struct source *source, double first_tick_s);

/* Readable when there is a snapshot to take. */
int source_fd(const struct source *source);

/* Take the snapshot, or NULL when there is none; the caller releases it. */
const struct snapshot *source_take(struct source *source);

/*
 * Add an event, or one that was removed (snap_event.id): it is opened, enabled, and has a row from
 * then on, which says why if it does not open.  Remove one: it is closed and has no row any more.
 * Live only.  `spec` is copied.  False: too many commands are waiting.
 */
bool source_add(struct source *source, const struct event_spec *spec);
bool source_add_again(struct source *source, uint32_t id);
bool source_remove(struct source *source, uint32_t id);

/* Keep records from now on, for snapshots' pages. */
void source_stream(struct source *source);

/* Switch an event (snap_event.id) off or on; reset all totals; change the interval. */
void source_toggle(struct source *source, uint32_t id);
void source_zero(struct source *source);
void source_interval(struct source *source, double seconds);

/*
 * A replay of a file only: stop its clock, or let it go on; show the interval that has the time
 * `time_s` (since 1970), the first or the last for what is before or after them.  Going back, the
 * totals are those from the start of the file again, also after source_zero().
 */
void source_pause(struct source *source, bool is_paused);
void source_move(struct source *source, double time_s);

/*
 * End the run: events are disabled, rings drained, counters read, then the snapshot with is_final
 * comes and the threads end.  It comes by `until_ns` (CLOCK_MONOTONIC) even if not all is decoded;
 * UINT64_MAX: as long as there is progress.  May be called again with an earlier time.
 */
void source_finish(struct source *source, uint64_t until_ns);

/* After the final snapshot was taken: what could not be read (the caller frees), or NULL. */
char *source_complaint(const struct source *source);

/*
 * Finish unless already finished, release snapshots that were not taken, join the threads, free
 * all.  False: a thread did not end by `until_ns` (CLOCK_MONOTONIC).  Then the source is not freed,
 * and all that its configuration borrows must stay until the process ends.  NULL is allowed.
 */
bool source_free(struct source *source, uint64_t until_ns);

/* --- for implementations ---------------------------------------------------------------------- */

/* Open mailbox and pipe: 0, or -1 and errno.  source_fini() must follow in both cases. */
int source_init(struct source *source, const struct source_ops *ops);
void source_fini(struct source *source);

/* Free what a command of the pipe holds, once it was executed. */
void source_command_done(struct command *command);

/* Finish, then take and release snapshots until the final one, or `until_ns`. */
void source_drain(struct source *source, uint64_t until_ns);

#endif
