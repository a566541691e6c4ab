/* SPDX-License-Identifier: MIT */
#include "run/themes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "run/user-files.h"

/* rxvt and similar terminals set COLORFGBG to their colours; dark until a terminal says otherwise. */
static const char *from_environment(struct themes *themes)
{
	const char *colours = getenv("COLORFGBG");
	const char *background = colours != NULL ? strrchr(colours, ';') : NULL;

	themes->is_chosen = background != NULL;
	if (background != NULL && (strcmp(background, ";15") == 0 || strcmp(background, ";7") == 0))
		return "light";
	return "dark";
}

static void find_folders(struct themes *themes)
{
	size_t count = 0;
	char *own = user_files_path("themes");

	themes->dirs[count++] = PERFTOP_DATADIR "/themes";
	if (sys_program_path("../themes", themes->built_in, sizeof(themes->built_in)))
		themes->dirs[count++] = themes->built_in;
	if (own != NULL && strlen(own) < sizeof(themes->own)) {
		snprintf(themes->own, sizeof(themes->own), "%s", own);
		themes->dirs[count] = themes->own;
	}
	free(own);
}

int themes_open(struct themes *themes, const char *name, char *error, size_t room)
{
	*themes = (struct themes){ .is_chosen = name != NULL, .is_kept = name != NULL };
	find_folders(themes);
	if (name != NULL)
		return themes_set(themes, name, error, room);
	if (themes_set(themes, from_environment(themes), error, room) != 0)
		theme_mono(&themes->theme);
	return 0;
}

int themes_set(struct themes *themes, const char *name, char *error, size_t room)
{
	struct theme theme;

	if (theme_load(name, themes->dirs, &theme, error, room) != 0)
		return -1;
	themes->theme = theme;
	return 0;
}

int themes_next(struct themes *themes, char *error, size_t room)
{
	char name[sizeof(themes->theme.name)], first[sizeof(name)];
	int result = 0;

	themes->is_chosen = true;
	themes->is_kept = true;
	theme_next(themes->theme.name, themes->dirs, first, sizeof(first));
	snprintf(name, sizeof(name), "%s", first);
	while (themes_set(themes, name, error, room) != 0) {
		char next[sizeof(name)];

		result = -1;
		theme_next(name, themes->dirs, next, sizeof(next));
		if (strcmp(next, first) == 0)
			break; /* none can be loaded */
		snprintf(name, sizeof(name), "%s", next);
	}
	return result;
}
