/* SPDX-License-Identifier: MIT */
/*
 * live - the run with a screen.  Main's thread is the UI thread.
 */
#ifndef RUN_LIVE_H
#define RUN_LIVE_H

#include "run/app.h"

/* Run until the user, the command or a signal ends it: the exit status. */
int live_run(struct app *app);

#endif
