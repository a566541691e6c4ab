/* SPDX-License-Identifier: MIT */
/*
 * scope - watches something else while the program runs: a user's tasks, processes, or again what
 * was watched at the start.
 *
 *     scope_ask()    finds the new target; the source is to finish
 *     scope_take()   its final snapshot came: the old events go to the closer, the same events are
 *                    opened for the new target, and a new source starts
 *
 * So all counts begin again.  Events that are off or were removed stay so.
 */
#ifndef RUN_SCOPE_H
#define RUN_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "run/app.h"
#include "ui/ui.h"

/*
 * Watch what `text` names from now on, on the same CPUs: UI_SCOPE_USER and _PROCESS as -u and -p
 * take it, of _START it is not used.  False and a reason: all stays as it is.
 */
bool scope_ask(struct app *app, enum ui_scope scope, const char *text, char *why, size_t room);

/*
 * As source_take(), but a final snapshot before a change of scope is not returned.  If the new scope
 * cannot be watched, app->error says why and the loop stops.
 */
const struct snapshot *scope_take(struct app *app);

/* Drop a change that has not been made yet. */
void scope_free(struct app *app);

#endif
