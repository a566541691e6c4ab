/* SPDX-License-Identifier: MIT */
/*
 * app - the one context of the program: what is watched, and what watches it.
 *
 * Owned by main, passed down.  Everything here is set up before the first
 * thread runs and torn down after the last has ended.
 */
#ifndef RUN_APP_H
#define RUN_APP_H

#include <sys/utsname.h>

#include "capture/access.h"
#include "capture/evset.h"
#include "capture/features.h"
#include "capture/workload.h"
#include "cli/options.h"
#include "cli/target.h"
#include "event/catalog.h"
#include "run/loop.h"
#include "run/rights.h"
#include "source/source.h"

struct app {
	const struct options *options; /* borrowed */
	struct rights rights;	       /* ours, or the opener's */
	const struct access *access;   /* how events and kernel files are opened */
	struct catalog catalog;
	struct features features;
	struct event_list events;  /* as asked for */
	struct workload *workload; /* NULL: no command */
	struct target target;
	struct evset *set;
	struct utsname system;	   /* the host and kernel that snapshots name */
	struct source *source;	   /* of the snapshots; NULL: none yet */
	struct loop *loop;	   /* that app_watch() filled (borrowed) */
	struct recorder *recorder; /* --record, or NULL */
	int input_fd;		   /* what it reads, or -1 */
	int command_status;	   /* of a command that ended by itself; else -1 */
	char **notes;		   /* lines for the user (owned) */
	size_t nnotes;
	int deadline;	    /* timerfd: the final snapshot should have come */
	bool is_overdue;    /* and it had not */
	uint64_t signal_ns; /* when the first signal asked us to end; 0: none has */
	int ended_by;	    /* a later one, which did end us, or 0 */
	char *error; /* what went wrong in the run (owned), to be said once the terminal is free */
};

/*
 * Parse events, fork the command, open everything.  0, or the exit status after
 * the error was said on stderr.  app_fini() is called in either case.
 */
int app_init(struct app *app, const struct options *options);

/* Let the events run, start the threads, then the command.  0, or an exit status and app->error. */
int app_start(struct app *app, double first_tick_s);

/* Remember "what: strerror(errno)" as app->error, unless there is one.  Returns EXIT_FAILURE. */
int app_fail(struct app *app, const char *what);

/* What a run does when something comes; see loop_add().  NULL: it does not look. */
struct app_events {
	void (*on_snapshot)(void *ctx, uint32_t events);
	void (*on_signal)(void *ctx, uint32_t events);
	void (*on_command_end)(void *ctx, uint32_t events);
	void (*on_opener_gone)(void *ctx, uint32_t events);
};

/*
 * Have the loop look for these, as far as there is a command and an opener, and stop when the final
 * snapshot does not come in time; `signals` is of signals_open().  0, or -1 and errno.
 */
int app_watch(struct app *app, struct loop *loop, int signals, const struct app_events *on,
	      void *ctx);

/*
 * The user wants to leave: the final snapshot comes within 250 ms, whatever is still to be decoded.
 * While recording it comes when all is written.
 */
void app_finish(struct app *app);

/*
 * A signal that ends the program has come.  The first is app_finish(), a later one stops the loop here
 * and now, without a final snapshot.
 */
void app_signal(struct app *app, int number);

/* The command's pidfd is readable: true when it has ended; then the final snapshot is asked for. */
bool app_reap_command(struct app *app);

/*
 * The exit status of a run that ended with `status`: another when its file was partly read, when its
 * recording is not whole, when the final snapshot did not come, when a second signal ended it; of a
 * command that ended by itself its own.
 */
int app_result(struct app *app, int status);

/*
 * End all, and say app->error on stderr.  Afterwards the process should exit: fds that take the
 * kernel long to close were left to a child.
 */
void app_fini(struct app *app);

#endif
