/* SPDX-License-Identifier: MIT */
/*
 * replay-inside - what the parts of a replay share.
 */
#ifndef SOURCE_REPLAY_INSIDE_H
#define SOURCE_REPLAY_INSIDE_H

#include <pthread.h>

#include "perfdata/order.h"
#include "source/file-clock.h"
#include "source/file-model.h"
#include "source/merge.h"
#include "source/pace.h"
#include "source/past.h"
#include "source/replay.h"

struct replay {
	struct source source; /* first: a source is cast to its replay */
	struct replay_config config;
	struct perfdata *data;
	struct file_clock clock;
	pthread_t thread;
	bool is_running; /* written by main only while the thread does not run */

	/* Used by the thread only, from here on. */
	struct file_symbols *symbols;
	struct file_model *model;
	struct order *order;
	struct tempfile *order_file;
	struct merge *merge;
	bool is_finishing; /* skip further records: the final snapshot is next */
	struct pace pace;
	uint32_t moves; /* requested so far */
	struct past past;
	const struct snapshot *held; /* of the past, to be published as soon as possible; or NULL */
	bool is_away;	       /* what is shown is of the past: the model is at another time, */
	uint64_t away_ns;      /* and goes to this one before it goes on */
	struct command *later; /* [nlater] for the model, once it is there */
	size_t nlater;
	const struct snapshot *newest; /* the last interval's */
	uint64_t records;
	uint64_t start_ns, next_tick_ns, newest_ns; /* the file's time; 0: no time known yet */
	double first_tick_s;
	uint64_t interval_ns;
	uint64_t ticks;
	bool is_round_due; /* of perf stat: newest_ns ends an interval */
};

/* Whether to skip the records that are being read. */
bool replay_is_stopping(const struct replay *replay);

/* Wait for a command, which is executed, or for `fd` (-1: none): whether fd is ready. */
bool replay_look(struct replay *replay, int fd, int timeout_msec);

/* A move has led where it was to: execute the commands that waited for that. */
void replay_arrived(struct replay *replay);

/*
 * replay-ticks: a record has this time, which is not 0.  Ends the intervals before it, until
 * replay_is_stopping().
 */
void replay_reach(struct replay *replay, uint64_t time_ns);

/*
 * A round of perf stat has ended.  Its intervals end with rounds, each at the nearest one; that is known
 * when the next one has ended, so that the last interval is the final snapshot's.
 */
void replay_round(struct replay *replay, uint64_t time_ns);

/* All records are read: end the last interval, and show it again when a move leads behind it. */
void replay_show_end(struct replay *replay);

/* Show what is held, if there is room for it. */
void replay_publish_held(struct replay *replay);

/* The final snapshot. */
void replay_publish_final(struct replay *replay);

#endif
