/* SPDX-License-Identifier: MIT */
/*
 * hooks - what the ui asks for beyond the screen, done by the app.
 */
#ifndef HOOKS_H
#define HOOKS_H

#include "app.h"
#include "ui/ui.h"

/* Borrows the app, whose engine runs by the time that one is called. */
struct ui_hooks hooks_for(struct app *app);

#endif
