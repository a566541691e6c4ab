/* SPDX-License-Identifier: MIT */
/*
 * live - the run with a screen.  Main's thread is the UI thread.
 */
#ifndef LIVE_H
#define LIVE_H

#include "app.h"

/* Run until the user, the command or a signal ends it: the exit status. */
int live_run(struct app *app);

#endif
