/* SPDX-License-Identifier: MIT */
/*
 * ui-actions - executes the ui's requests beyond the screen.
 */
#ifndef RUN_UI_ACTIONS_H
#define RUN_UI_ACTIONS_H

#include "run/app.h"
#include "ui/ui.h"

/* The hooks, which borrow the app; its source has to run before a hook is called. */
struct ui_hooks ui_actions(struct app *app);

/* Where its snapshots come from, for struct ui_options. */
enum ui_origin ui_actions_origin(const struct app *app);

#endif
