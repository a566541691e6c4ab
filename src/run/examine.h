/* SPDX-License-Identifier: MIT */
/*
 * examine - the doctor's checks for the screen, with the rights of the run.
 *
 * Main's thread only.
 */
#ifndef RUN_EXAMINE_H
#define RUN_EXAMINE_H

#include "run/app.h"
#include "ui/machine-checks.h"

/* Run all checks, again at each call; valid until the next, or examine_free(). */
const struct machine_checks *examine(struct app *app);

/* Free what was found. */
void examine_free(struct app *app);

#endif
