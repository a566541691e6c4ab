/* SPDX-License-Identifier: MIT */
/*
 * played - the run of --script: the screen without a terminal, keys from a file.
 */
#ifndef PLAYED_H
#define PLAYED_H

#include "app.h"

/* Play the script until its end, or until the run's: the exit status. */
int played_run(struct app *app);

#endif
