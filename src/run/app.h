/* SPDX-License-Identifier: MIT */
/*
 * app - the program's one context: target, events, source of snapshots, loop.
 *
 * Owned by main, passed down.  Everything here is set up before the first
 * thread runs and torn down after the last has ended.
 */
#ifndef RUN_APP_H
#define RUN_APP_H

#include <sys/utsname.h>

#include "base/sys.h"
#include "capture/access.h"
#include "capture/closer.h"
#include "capture/evset.h"
#include "capture/features.h"
#include "capture/workload.h"
#include "cli/options.h"
#include "cli/target.h"
#include "event/catalog.h"
#include "run/config.h"
#include "run/loop.h"
#include "run/rights.h"
#include "source/input-files.h"
#include "source/replay.h"
#include "source/source.h"

/* A screen's first interval is short, so that it shows rates at once. */
#define APP_FIRST_TICK_S 0.05
/* Once it is to end, a source decodes no longer than this what is still to be decoded. */
#define APP_FINISH_NS (250 * NSEC_PER_MSEC)

/* What the user has to know about this run. */
enum app_note { NOTE_TRACEFS, NOTE_SCOPE, NOTE_RINGS, NOTES };

struct app {
	const struct options *options; /* borrowed */
	struct config config;	       /* of the screen */
	double interval_s;	       /* of snapshots, at first */
	struct rights rights;	       /* with the opener, if any */
	const struct access *access;   /* how events and kernel files are opened */
	struct catalog catalog;
	struct features features;
	double sample_ns;	   /* what the kernel spends on a sample */
	struct event_list events;  /* as requested, then as added; by id in snapshots */
	struct browse *browse;	   /* the events of this machine, once asked for; else NULL */
	struct examined *examined; /* the doctor's checks, likewise */
	struct workload *workload; /* NULL: no command */
	struct target target;
	struct evset_config capture; /* how events are opened, but for the target */
	struct evset *set;
	struct utsname system;	       /* the host and kernel that snapshots name */
	struct closer *closer;	       /* of events; NULL: none are open */
	struct source *source;	       /* of the snapshots; NULL: none yet */
	struct next_scope *next_scope; /* what is watched once this source has ended, or NULL */
	struct loop *loop;	       /* set by app_watch() (borrowed) */
	void (*on_snapshot)(void *ctx, uint32_t events); /* the same, with its context */
	void *on_ctx;
	bool is_streaming;    /* source_stream() was called */
	bool is_ending;	      /* app_finish() was called */
	bool has_said_wait;   /* that the recording is still being written; a signal ends that */
	bool has_failed;      /* a change of scope: the loop was stopped */
	bool has_left_thread; /* of a source that a change of scope could not free */
	struct recorder *recorder;    /* --record, or NULL */
	struct input_files input;     /* of --input, or none */
	struct replay_file file;      /* of a replay */
	struct running_kernel kernel; /* for its symbols */
	bool is_saved;		      /* that is a saved snapshot */
	char *saved_screen;	      /* how it was shown (owned), or NULL */
	int command_status;	      /* of a command that has exited; else -1 */
	char *notes[NOTES];	      /* lines for the user (owned), or NULL */
	size_t nfaults;		      /* of the -e texts */
	int deadline;		      /* timerfd: deadline of the final snapshot */
	bool is_overdue;	      /* the deadline has passed */
	uint64_t signal_ns;	      /* time of the first signal to end; 0: none yet */
	int ended_by;		      /* the later signal that stopped the loop, or 0 */
	char *violation;	      /* what --verify found first (owned), or NULL */
	char *error; /* of the run (owned), to be printed once the terminal is restored */
};

/*
 * Parse events, fork the command, open everything.  0, or the exit status after
 * the error was printed to stderr.  app_fini() is to be called in either case.
 */
int app_init(struct app *app, const struct options *options);

/* Enable the events, start the threads, then the command.  0, or an exit status and app->error. */
int app_start(struct app *app, double first_tick_s);

/* Remember "what: strerror(errno)" as app->error, unless there is one.  Returns EXIT_FAILURE. */
int app_fail(struct app *app, const char *what);

/* The callbacks of a run; see loop_add().  NULL: not watched. */
struct app_events {
	void (*on_snapshot)(void *ctx, uint32_t events);
	void (*on_signal)(void *ctx, uint32_t events);
	void (*on_command_end)(void *ctx, uint32_t events);
	void (*on_opener_gone)(void *ctx, uint32_t events);
};

/*
 * Add these to the loop, if there is a command and an opener, and stop the loop when the final
 * snapshot is overdue; `signals` is of signals_open().  0, or -1 and errno.
 */
int app_watch(struct app *app, struct loop *loop, int signals, const struct app_events *on,
	      void *ctx);

/* The source's new snapshot, or NULL (source_take()); what --verify found is kept at the last one. */
const struct snapshot *app_take(struct app *app);

/* Add app->source to the loop, too, where it was replaced: 0, or -1 and errno. */
int app_watch_source(struct app *app);

/*
 * Request the final snapshot, for a quit: within 250 ms, whatever is still to be decoded; without
 * that limit while recording or replaying.
 */
void app_finish(struct app *app);

/*
 * Handle a signal that ends the program.  The first calls app_finish(), a later one stops the loop
 * at once, without a final snapshot.
 */
void app_signal(struct app *app, int number);

/* Reap the command when its pidfd is readable.  True: it has exited, a final snapshot will come. */
bool app_reap_command(struct app *app);

/*
 * The exit status of a run that ended with `status`: another if the input was partly read, the
 * recording is incomplete, --verify found something, the final snapshot did not come or a second
 * signal stopped the run; the command's if it exited without a signal to us.
 */
int app_result(struct app *app, int status);

/*
 * Tear down everything, and print app->error to stderr.  Afterwards the process should exit: fds
 * that take the kernel long to close were left to a child.
 */
void app_fini(struct app *app);

#endif
