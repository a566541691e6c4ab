/* SPDX-License-Identifier: MIT */
/*
 * settings - what a configuration file says about the screen.
 *
 *     # comment
 *     theme = NAME             as --theme, --view, -d take them
 *     view = NAME
 *     sort VIEW = COLUMN       as --sort takes it: "-rate", "none"
 *     set VIEW = TOGGLES       as --set takes them: "processes, rates", "none"
 *     columns VIEW = COLUMNS   those after the first, in order: "on-cpu, pid", "none", "default"
 *     delay = SECONDS
 *     mouse = on|off
 *     key KEY = ACTION         its name in ui/action.h, or "none"; KEY as in --script
 *
 * Only whole lines are comments.  A line that is not of this form is an error that names file, line
 * and reason; the others count.
 */
#ifndef RUN_SETTINGS_H
#define RUN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "ui/keys.h"
#include "ui/ui.h"

struct settings {
	char theme[UI_NAME_MAX], view[UI_NAME_MAX]; /* "": not said */
	struct ui_choices sorts, toggles, columns;  /* the lists are owned */
	double delay_s;				    /* 0: not said */
	bool no_mouse;
	struct keymap keys;
};

/* Nothing is said: the keys of the table. */
void settings_init(struct settings *settings);
void settings_fini(struct settings *settings);

/* Add to `sorts`, `toggles` or `columns`; replaces what was said of that view. */
void settings_add_choice(struct ui_choices *choices, const struct ui_choice *choice);

/*
 * Add what a text says; what it repeats it replaces.  False when a line is wrong, with the first of
 * them in `error`; `name` is the file's.
 */
bool settings_parse(struct settings *settings, const char *name, const char *text, size_t len,
		    char *error, size_t room);

/*
 * The text with the values of `now`: in the lines that it has, and in new ones at its end for the
 * rest.  All other lines stay, those with keys and those that are wrong too.
 */
void settings_update(const struct settings *now, const char *text, size_t len, struct strbuf *out);

#endif
