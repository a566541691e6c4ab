/* SPDX-License-Identifier: MIT */
#include "run/user-files.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* The absolute path in a variable, else NULL. */
static const char *folder_from(const char *variable)
{
	const char *folder = getenv(variable);

	return folder != NULL && folder[0] == '/' ? folder : NULL;
}

char *user_files_path(const char *name)
{
	const char *folder = folder_from("XDG_CONFIG_HOME"), *home = folder_from("HOME");

	if (folder != NULL)
		return xasprintf("%s/perftop-ng/%s", folder, name);
	return home != NULL ? xasprintf("%s/.config/perftop-ng/%s", home, name) : NULL;
}
