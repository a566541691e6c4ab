/* SPDX-License-Identifier: MIT */
/*
 * batch - the run without a screen: each snapshot as text, JSON or CSV.
 */
#ifndef RUN_BATCH_H
#define RUN_BATCH_H

#include "run/app.h"

/* Run until the iterations, the command or a signal end it: the exit status. */
int batch_run(struct app *app);

#endif
