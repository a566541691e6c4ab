/* SPDX-License-Identifier: MIT */
/*
 * batch - the run without a screen: each snapshot as text, JSON or CSV.
 */
#ifndef BATCH_H
#define BATCH_H

#include "app.h"

/* Run until the iterations, the command or a signal end it: the exit status. */
int batch_run(struct app *app);

#endif
