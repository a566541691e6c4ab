/* SPDX-License-Identifier: MIT */
/*
 * browse - the events of this machine, for the screen's browser; and adding events while it runs.
 *
 * Main's thread only.  Names and texts are read with the rights of the run (struct access).
 */
#ifndef RUN_BROWSE_H
#define RUN_BROWSE_H

#include <stdbool.h>
#include <stddef.h>

#include "run/app.h"
#include "ui/machine-events.h"

/*
 * All names that the machine has, without kinds that have no fixed names.  Those that are not
 * tracepoints are test-opened.  Read by the first call; valid until browse_free().
 */
const struct machine_events *browse_events(struct app *app);
void browse_free(struct app *app);

/*
 * Add the events of a text in the grammar of -e (those that were removed are added again).  False:
 * a reason in `why`; if one of them is wrong or there is no room for all, none was added.
 */
bool browse_add(struct app *app, const char *text, char *why, size_t room);

#endif
