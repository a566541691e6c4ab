/* SPDX-License-Identifier: MIT */
/*
 * source - where snapshots come from, for those who only want snapshots: the
 * live engine, a replayed file, or a saved snapshot.
 *
 *     main                                     what makes snapshots
 *     source_toggle, _zero ...  --command-->   changes what it counts
 *     source_take               <--snapshot--  one a tick, in the mailbox
 *
 * A snapshot that nobody has taken yet is not replaced: the next tick is put
 * off, and its interval is longer by that.  So no count is ever skipped over.
 *
 * The functions are main's.  An implementation has struct source as its first member, ops, and is made
 * by a function of its own (engine.h, replay.h, saved.h).
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "source/command.h"
#include "source/mailbox.h"

struct source;

struct source_ops {
	/* As source_start(); NULL: nothing is to be started. */
	const char *(*start)(struct source *source, double first_tick_s);
	/* In place of the pipe, for one that has no thread to read it; NULL: through the pipe. */
	void (*command)(struct source *source, const struct command *command);
	/* As source_complaint(); NULL: there is never one. */
	char *(*complaint)(const struct source *source);
	/* As source_free(), of a source that is not NULL. */
	bool (*free)(struct source *source, uint64_t until_ns);
};

struct source {
	const struct source_ops *ops;
	struct mailbox mailbox;
	struct command_pipe commands;
	bool is_final_taken; /* main's own */
};

/* --- for main --------------------------------------------------------------------------------- */

/*
 * Start the threads; the first interval begins here, and the first snapshot comes after
 * `first_tick_s`.  NULL, or what could not be done, and errno: then only source_free() may follow.
 */
const char *source_start(struct source *source, double first_tick_s);

/* Readable when a snapshot waits. */
int source_fd(const struct source *source);

/* A reference to the waiting snapshot, which the caller releases, or NULL. */
const struct snapshot *source_take(struct source *source);

/* Switch an event of the snapshot off, or on again; begin all counts at zero; another interval. */
void source_toggle(struct source *source, uint32_t row);
void source_zero(struct source *source);
void source_interval(struct source *source, double seconds);

/*
 * The snapshot with is_final will come, after which the threads end: what is open is disabled, drained
 * and read last.  It comes by `until_ns` (CLOCK_MONOTONIC) even when not all could be decoded;
 * UINT64_MAX: as long as there is progress.  May be called again with an earlier time.
 */
void source_finish(struct source *source, uint64_t until_ns);

/* Once the final snapshot was taken: NULL, or what could not be read (the caller frees). */
char *source_complaint(const struct source *source);

/*
 * Finish if nobody did, drop the snapshots that nobody took, join the threads, free all.  False: a
 * thread did not end by `until_ns` (CLOCK_MONOTONIC).  Then the source stays, and all that its
 * configuration borrows must stay until the process ends.  NULL is allowed.
 */
bool source_free(struct source *source, uint64_t until_ns);

/* --- for implementations ------------------------------------------------------------------------ */

/* Mailbox and pipe: 0, or -1 and errno, to be followed by source_fini() all the same. */
int source_init(struct source *source, const struct source_ops *ops);
void source_fini(struct source *source);

/* Ask for the end, and take and drop until the final snapshot came or the time is over. */
void source_drain(struct source *source, uint64_t until_ns);

#endif
