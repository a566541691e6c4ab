/* SPDX-License-Identifier: MIT */
/*
 * ui-actions - executes the ui's requests beyond the screen, and says what it begins with.
 */
#ifndef RUN_UI_ACTIONS_H
#define RUN_UI_ACTIONS_H

#include "run/app.h"
#include "run/themes.h"
#include "ui/ui.h"

/* The hooks, which borrow the app; its source has to run before a hook is called. */
struct ui_hooks ui_actions(struct app *app);

/* What the ui begins with, by the options and the configuration; borrows the app's. */
struct ui_options ui_actions_options(const struct app *app, bool is_ascii);

/* UI_THEME: take the next theme, and say which it is, or why another is passed over. */
void ui_actions_theme(struct ui *ui, struct themes *themes);

/* UI_WRITE: write the configuration, and say where it is or why it is not. */
void ui_actions_write(const struct app *app, struct ui *ui, const struct themes *themes,
		      bool has_mouse);

#endif
