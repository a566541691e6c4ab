/* SPDX-License-Identifier: MIT */
/*
 * themes - which theme is shown: where its file is, and what chooses it.  The user's own are in
 * ~/.config/perftop-ng/themes (see user-files.h); of two of one name the program's counts.
 */
#ifndef RUN_THEMES_H
#define RUN_THEMES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "ui/theme.h"

struct themes {
	struct theme theme; /* the one shown */
	bool is_chosen;	    /* by an option, a variable or a key: not by the background */
	bool is_kept; /* by an option, the configuration or a key: the configuration keeps it */
	const char *dirs[4];	 /* looked at in this order, NULL after the last */
	char built_in[PATH_MAX]; /* the themes' folder when run from the build tree */
	char own[PATH_MAX];	 /* the user's */
};

/*
 * Load `name`, which a user has chosen, or with NULL the one for the terminal's background as far as the
 * environment tells it.  -1 and one line in `error` when `name` cannot be loaded; without a name
 * it is mono then.  `themes` must stay where it is: it points into itself.
 */
int themes_open(struct themes *themes, const char *name, char *error, size_t room);

/* Show `name`: 0, or -1 and one line in `error`, and the theme stays. */
int themes_set(struct themes *themes, const char *name, char *error, size_t room);

/*
 * Show the next by name, the first after the last; chosen from now on.  -1 and one line in `error` about
 * the last one on the way that cannot be loaded: those are passed over.
 */
int themes_next(struct themes *themes, char *error, size_t room);

#endif
