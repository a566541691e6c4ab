/* SPDX-License-Identifier: MIT */
/*
 * script-run - the run of --script: the screen without a terminal, keys from a file.
 */
#ifndef RUN_SCRIPT_RUN_H
#define RUN_SCRIPT_RUN_H

#include "run/app.h"

/* Play the script until its end, or until the run's: the exit status. */
int script_run(struct app *app);

#endif
