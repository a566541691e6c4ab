/* SPDX-License-Identifier: MIT */
/*
 * toggles - what a view can be switched to show or hide, as one text: the names of the actions that
 * switch it, such as "processes, rates", or "none".
 *
 * A view's toggles are those of its ops, and "all" where its table knows rows that are quiet.
 */
#ifndef UI_TOGGLES_H
#define UI_TOGGLES_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/view.h"

/*
 * Switch these on and the others off; commas and blanks separate.  False and one line in `error`,
 * with those that there are, when one is unknown or they exclude each other; then some may be set.
 */
bool toggles_set(struct view *view, const char *list, char *error, size_t room);

/* Switch one on or off, if it is one of the view's. */
void toggles_switch(struct view *view, enum action toggle, bool wanted);

/* Switch one as it is in another view, if both have it. */
void toggles_follow(struct view *view, const struct view *other, enum action toggle);

/* Those that are on; cut at `room`. */
void toggles_text(const struct view *view, char *text, size_t room);

#endif
