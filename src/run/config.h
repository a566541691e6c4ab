/* SPDX-License-Identifier: MIT */
/*
 * config - the configuration files: where they are, reading them, writing one.
 *
 * Of the screen only; batch output does not depend on them.  Read in this order, so that the last
 * that says something counts: /etc/perftop-ng/config, then $XDG_CONFIG_HOME/perftop-ng/config, or
 * ~/.config/perftop-ng/config; in place of both that of --config.  Options come after all of them.
 * --script reads only what --config names.
 *
 * They are read with the rights of the user who called, never from the current directory: variables
 * that are not absolute paths are ignored, as the XDG base directory specification demands.
 */
#ifndef RUN_CONFIG_H
#define RUN_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "run/settings.h"

struct options;

struct config {
	struct settings settings;
	char *path;	  /* the one that W writes (owned); NULL: the user has no home */
	bool is_named;	  /* by --config */
	char fault[1024]; /* of the first line or file that is wrong, when not named; "": none */
};

/*
 * Read them, after the rights were given up.  0; or an exit status after the error was printed to
 * stderr, for a file that was named; a mistake in another one becomes `fault`.  config_fini() in
 * either case.
 */
int config_read(struct config *config, const struct options *options);
void config_fini(struct config *config);

/* The names to begin with, options first; NULL: the program's own choice. */
const char *config_theme(const struct config *config, const struct options *options);
const char *config_view(const struct config *config, const struct options *options);

/* Whether clicks are ours. */
bool config_has_mouse(const struct config *config, const struct options *options);

/* The interval, from -d, or else from the configuration. */
double config_delay_s(const struct config *config, const struct options *options);

/* Write the settings as they are now into config->path, and its folders: 0, or -1 and errno. */
int config_write(const struct config *config, const struct settings *now);

#endif
