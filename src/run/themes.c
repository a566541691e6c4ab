/* SPDX-License-Identifier: MIT */
#include "run/themes.h"

#include <stdlib.h>
#include <string.h>

#include "base/sys.h"

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

int themes_open(struct themes *themes, const char *name, char *error, size_t room)
{
	*themes = (struct themes){ .dirs = { PERFTOP_DATADIR "/themes" },
				   .is_chosen = name != NULL,
				   .is_kept = name != NULL };
	if (sys_program_path("../themes", themes->built_in, sizeof(themes->built_in)))
		themes->dirs[1] = themes->built_in;
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
	char name[sizeof(themes->theme.name)];

	themes->is_chosen = true;
	themes->is_kept = true;
	theme_next(themes->theme.name, themes->dirs, name, sizeof(name));
	return themes_set(themes, name, error, room);
}
