/* SPDX-License-Identifier: MIT */
/*
 * opening - opens the events for the target, and makes the engine that collects from them.
 */
#ifndef RUN_OPENING_H
#define RUN_OPENING_H

#include <stdbool.h>

#include "run/app.h"

/*
 * Decide how events are opened, whatever the target is: app->capture.  0, or the exit status after
 * one line on stderr.
 */
int opening_choose(struct app *app);

/* Why --verify cannot be had of this target, in one line; NULL: it can, or is not asked for. */
const char *opening_verify_fault(const struct app *app, const struct target *target);

/*
 * Open app->events for app->target: app->set.  Those that the limit of files leaves no room for
 * become rows that say why; *complaint then says it in one line (allocated), else it is NULL.
 * False: nothing was opened.
 */
bool opening_events(struct app *app, char **complaint);

/* Make the engine of app->set: app->source.  0, or -1 and errno. */
int opening_engine(struct app *app);

/* Which rows snapshots keep: the screen hides symbols itself, and can show them again. */
struct model_keep opening_rows(const struct options *options);

#endif
