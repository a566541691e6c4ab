/* SPDX-License-Identifier: MIT */
#include "run/config.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "base/textfile.h"
#include "base/xalloc.h"
#include "cli/options.h"
#include "run/user-files.h"

#define DELAY_DEFAULT 1.0

/* False and one line in `error`: it cannot be read, or a line is wrong. */
static bool read_one(struct config *config, const char *path, char *error, size_t room)
{
	size_t len;
	char *text = textfile_read(path, &len);

	if (text == NULL) {
		snprintf(error, room, "%s: %s", path, textfile_why(errno));
		return !config->is_named && (errno == ENOENT || errno == ENOTDIR);
	}
	bool is_right = settings_parse(&config->settings, path, text, len, error, room);
	free(text);
	return is_right;
}

/* A file that need not be there, nor be right. */
static void try_one(struct config *config, const char *path)
{
	char error[sizeof(config->fault)];

	if (!read_one(config, path, error, sizeof(error)) && config->fault[0] == '\0')
		memcpy(config->fault, error, sizeof(error));
}

static int read_named(struct config *config, const char *path)
{
	char error[sizeof(config->fault)];

	config->is_named = true;
	config->path = xstrdup(path);
	if (read_one(config, path, error, sizeof(error)))
		return 0;
	fprintf(stderr, "perftop-ng: %s\n", error);
	return EXIT_FAILURE;
}

int config_read(struct config *config, const struct options *options)
{
	*config = (struct config){ 0 };
	settings_init(&config->settings);
	if (options->mode != MODE_SCREEN)
		return 0;
	if (options->config != NULL)
		return read_named(config, options->config);
	if (options->script != NULL)
		return 0;
	config->path = user_files_path("config");
	try_one(config, PERFTOP_SYSCONFDIR "/perftop-ng/config");
	if (config->path != NULL)
		try_one(config, config->path);
	return 0;
}

void config_fini(struct config *config)
{
	settings_fini(&config->settings);
	free(config->path);
	*config = (struct config){ 0 };
}

/* --- what counts ---------------------------------------------------------------------------- */

static const char *first_of(const char *option, const char *setting)
{
	if (option != NULL)
		return option;
	return setting[0] != '\0' ? setting : NULL;
}

const char *config_theme(const struct config *config, const struct options *options)
{
	return first_of(options->theme, config->settings.theme);
}

const char *config_view(const struct config *config, const struct options *options)
{
	return first_of(options->view, config->settings.view);
}

bool config_has_mouse(const struct config *config, const struct options *options)
{
	return !options->no_mouse && !config->settings.no_mouse;
}

double config_delay_s(const struct config *config, const struct options *options)
{
	if (options->delay_s > 0)
		return options->delay_s;
	return config->settings.delay_s > 0 ? config->settings.delay_s : DELAY_DEFAULT;
}

/* --- writing -------------------------------------------------------------------------------- */

/* The user's file may be the first in its folder, and this in $XDG_CONFIG_HOME. */
static int make_folders(const char *path)
{
	char *folder = xstrdup(path);
	char *own = dirname(folder);
	char *above = xstrdup(own);
	int result = 0;

	/* 0700: as the specification has it. */
	if ((mkdir(dirname(above), 0700) != 0 && errno != EEXIST) ||
	    (mkdir(own, 0700) != 0 && errno != EEXIST))
		result = -1;
	int saved = errno;
	free(above);
	free(folder);
	errno = saved;
	return result;
}

static int write_updated(const char *path, const struct settings *now)
{
	struct strbuf out;
	size_t len = 0;
	char *text = textfile_read(path, &len);

	if (text == NULL && errno != ENOENT)
		return -1;
	strbuf_init(&out);
	if (text == NULL)
		strbuf_puts(&out, "# perftop-ng: what can be set here is in its manual, under "
				  "CONFIGURATION.\n");
	settings_update(now, text != NULL ? text : "", len, &out);
	int result = textfile_replace(path, out.text, out.len);
	int saved = errno;
	strbuf_fini(&out);
	free(text);
	errno = saved;
	return result;
}

int config_write(const struct config *config, const struct settings *now)
{
	if (config->path == NULL) {
		errno = ENOENT;
		return -1;
	}
	if (!config->is_named && make_folders(config->path) != 0)
		return -1;
	return write_updated(config->path, now);
}
