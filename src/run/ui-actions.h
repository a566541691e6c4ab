/* SPDX-License-Identifier: MIT */
/*
 * ui-actions - what the ui asks for beyond the screen, done by the app.
 */
#ifndef RUN_UI_ACTIONS_H
#define RUN_UI_ACTIONS_H

#include "run/app.h"
#include "ui/ui.h"

/* Borrows the app, whose engine runs by the time that one is called. */
struct ui_hooks ui_actions(struct app *app);

#endif
