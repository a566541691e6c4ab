/* SPDX-License-Identifier: MIT */
#include "ui/theme.h"

#include "base/strbuf.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/textfile.h"
#include "base/xalloc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 512
#define SUFFIX	       ".theme"
#define BUILT_IN       "mono"

/* The names in theme files; public. */
static const char *const role_names[ROLE_COUNT] = {
	[ROLE_TEXT] = "text",	      [ROLE_DIM] = "dim",     [ROLE_HEAD] = "head",
	[ROLE_SELECTED] = "selected", [ROLE_GOOD] = "good",   [ROLE_WARN] = "warn",
	[ROLE_BAD] = "bad",	      [ROLE_KEY] = "key",     [ROLE_STRONG] = "strong",
	[ROLE_HEAT1] = "heat1",	      [ROLE_HEAT2] = "heat2", [ROLE_HEAT3] = "heat3",
	[ROLE_HEAT4] = "heat4",	      [ROLE_HEAT5] = "heat5",
};

/* In the order of their ANSI numbers; "bright-" adds 8. */
static const char *const colour_names[] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
};

#define COLOUR_COUNT (sizeof(colour_names) / sizeof(colour_names[0]))

#define PLAIN .text = COLOUR_DEFAULT, .background = COLOUR_DEFAULT

void theme_mono(struct theme *theme)
{
	static const struct look looks[ROLE_COUNT] = {
		[ROLE_TEXT] = { PLAIN },
		[ROLE_DIM] = { PLAIN, .is_dim = true },
		[ROLE_HEAD] = { PLAIN, .is_bold = true },
		[ROLE_SELECTED] = { PLAIN, .is_reversed = true },
		[ROLE_GOOD] = { PLAIN },
		[ROLE_WARN] = { PLAIN, .is_underlined = true },
		[ROLE_BAD] = { PLAIN, .is_bold = true, .is_reversed = true },
		[ROLE_KEY] = { PLAIN, .is_bold = true },
		[ROLE_STRONG] = { PLAIN, .is_bold = true },
		[ROLE_HEAT1] = { PLAIN },
		[ROLE_HEAT2] = { PLAIN },
		[ROLE_HEAT3] = { PLAIN },
		[ROLE_HEAT4] = { PLAIN, .is_bold = true },
		[ROLE_HEAT5] = { PLAIN, .is_bold = true },
	};

	*theme = (struct theme){ .name = BUILT_IN,
				 .terminal = { .text = COLOUR_RGB | 0xd0d0d0,
					       .background = COLOUR_RGB | 0x101010 } };
	for (int depth = 0; depth < THEME_DEPTHS; depth++)
		memcpy(theme->looks[depth], looks, sizeof(looks));
}

enum theme_depth theme_depth(int colours)
{
	return colours >= 256 ? THEME_256 : colours >= 16 ? THEME_16 : THEME_8;
}

/* --- parsing ---------------------------------------------------------------------------------- */

static bool parse_named(const char *word, int32_t *colour)
{
	int32_t bright = 0;

	if (strcmp(word, "default") == 0) {
		*colour = COLOUR_DEFAULT;
		return true;
	}
	if (strncmp(word, "bright-", 7) == 0) {
		bright = 8;
		word += 7;
	}
	for (size_t i = 0; i < COLOUR_COUNT; i++) {
		if (strcmp(word, colour_names[i]) == 0) {
			*colour = (int32_t)i + bright;
			return true;
		}
	}
	return false;
}

static bool parse_rgb(const char *word, int32_t *colour)
{
	char *end;

	if (strlen(word) != 7 || strspn(word + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	*colour = COLOUR_RGB | (int32_t)strtol(word + 1, &end, 16);
	return true;
}

static bool parse_colour(const char *word, int32_t *colour)
{
	if (word[0] == '#')
		return parse_rgb(word, colour);
	if (isdigit((unsigned char)word[0])) {
		size_t len = strspn(word, "0123456789");
		long number = len <= 3 && !word[len] ? strtol(word, NULL, 10) : 256;

		*colour = (int32_t)number;
		return number <= 255;
	}
	return parse_named(word, colour);
}

static bool parse_attribute(const char *word, struct look *look)
{
	if (strcmp(word, "bold") == 0)
		look->is_bold = true;
	else if (strcmp(word, "underline") == 0)
		look->is_underlined = true;
	else if (strcmp(word, "reverse") == 0)
		look->is_reversed = true;
	else if (strcmp(word, "dim") == 0)
		look->is_dim = true;
	else
		return false;
	return true;
}

/* "colour", "colour/background" or "/background". */
static bool parse_colours(char *word, struct look *look)
{
	char *slash = strchr(word, '/');

	if (slash)
		*slash = '\0';
	if ((word[0] || !slash) && !parse_colour(word, &look->text))
		return false;
	return !slash || parse_colour(slash + 1, &look->background);
}

/* NULL, or what is wrong; `fault` points at the word. */
static const char *parse_look(char *spec, struct look *look, const char **fault)
{
	struct look made = { PLAIN };
	bool has_colour = false;
	char *save;

	for (char *word = strtok_r(spec, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		*fault = word;
		if (parse_attribute(word, &made))
			continue;
		if (has_colour)
			return "neither an attribute (bold, underline, reverse, dim) nor the first colour";
		if (!parse_colours(word, &made))
			return "no colour: default, black ... white, bright-NAME, 0-255 or #rrggbb";
		has_colour = true;
	}
	*look = made;
	return NULL;
}

static long find_role(const char *name)
{
	for (long i = 0; i < ROLE_COUNT; i++)
		if (strcmp(role_names[i], name) == 0)
			return i;
	return -1;
}

static char *trim(char *text)
{
	text += strspn(text, " \t\r");
	for (size_t len = strlen(text); len && strchr(" \t\r", text[len - 1]); len--)
		text[len - 1] = '\0';
	return text;
}

/* A theme that is being read. */
struct reading {
	struct theme theme;
	bool is_set[THEME_DEPTHS][ROLE_COUNT];
};

/* Cuts "@8" or "@16" off the role's name; THEME_DEPTHS when it is something else. */
static enum theme_depth parse_depth(char *name)
{
	char *at = strchr(name, '@');

	if (!at)
		return THEME_256;
	*at = '\0';
	if (strcmp(at + 1, "16") == 0)
		return THEME_16;
	return strcmp(at + 1, "8") == 0 ? THEME_8 : THEME_DEPTHS;
}

static const char *parse_terminal(char *spec, struct look *terminal, const char **fault)
{
	struct look look = { PLAIN };
	const char *why = parse_look(spec, &look, fault);

	if (why)
		return why;
	if (look.text == COLOUR_DEFAULT || look.background == COLOUR_DEFAULT || look.is_bold ||
	    look.is_dim || look.is_underlined || look.is_reversed)
		return "the terminal has a colour and a background, nothing else";
	*terminal = look;
	return NULL;
}

static const char *parse_role(char *name, char *spec, struct reading *reading, const char **fault)
{
	enum theme_depth depth = parse_depth(name);
	if (depth == THEME_DEPTHS) {
		*fault = name + strlen(name) + 1;
		return "a role is for all terminals, @16 or @8 colours";
	}
	long role = find_role(name);
	if (role < 0)
		return "no role of that name";
	reading->is_set[depth][role] = true;
	return parse_look(spec, &reading->theme.looks[depth][role], fault);
}

static const char *parse_line(char *line, struct reading *reading, const char **fault)
{
	if (!*line || *line == '#')
		return NULL;
	*fault = line;
	char *equals = strchr(line, '=');
	if (!equals)
		return "not of the form: role = look";
	*equals = '\0';
	char *name = trim(line);
	*fault = name;
	if (strcmp(name, "terminal") == 0)
		return parse_terminal(equals + 1, &reading->theme.terminal, fault);
	return parse_role(name, equals + 1, reading, fault);
}

/* @8 serves 16 colours too, and the look for 256 both. */
static void fill_depths(struct reading *reading)
{
	struct theme *theme = &reading->theme;

	for (int role = 0; role < ROLE_COUNT; role++) {
		if (!reading->is_set[THEME_8][role])
			theme->looks[THEME_8][role] = theme->looks[THEME_256][role];
		if (!reading->is_set[THEME_16][role])
			theme->looks[THEME_16][role] = theme->looks[THEME_8][role];
	}
}

static void say(char *error, size_t room, const char *name, unsigned int number, const char *fault,
		const char *why)
{
	char safe[128];

	text_safe(safe, sizeof(safe), fault, strlen(fault));
	snprintf(error, room, "%s:%u: '%s': %s", name, number, safe, why);
}

int theme_parse(const char *name, const char *text, struct theme *theme, char *error, size_t room)
{
	struct reading reading = { 0 };
	char line[LINE_MAX_BYTES];
	unsigned int number = 0;
	size_t len = strlen(text);

	theme_mono(&reading.theme);
	snprintf(reading.theme.name, sizeof(reading.theme.name), "%s", name);
	while (len > 0) {
		const char *fault = "", *why = "the line is too long";

		number++;
		if (textfile_line(&text, &len, line, sizeof(line)))
			why = parse_line(line, &reading, &fault);
		if (why) {
			say(error, room, name, number, fault, why);
			return -1;
		}
	}
	fill_depths(&reading);
	*theme = reading.theme;
	return 0;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Names come from users and directories: only such a name may become part of a path. */
static bool is_good_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len < sizeof(((struct theme *)0)->name) && name[0] != '.' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
		       len;
}

struct names {
	char **list;
	size_t count;
};

static void add_name(struct names *names, const char *name, size_t len)
{
	for (size_t i = 0; i < names->count; i++)
		if (strlen(names->list[i]) == len && memcmp(names->list[i], name, len) == 0)
			return;
	names->list = xreallocarray(names->list, names->count + 1, sizeof(*names->list));
	names->list[names->count++] = xstrndup(name, len);
}

static void add_directory(struct names *names, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name), suffix = sizeof(SUFFIX) - 1;

		if (len <= suffix || strcmp(entry->d_name + len - suffix, SUFFIX) != 0)
			continue;
		entry->d_name[len - suffix] = '\0';
		if (is_good_name(entry->d_name))
			add_name(names, entry->d_name, len - suffix);
	}
	if (dir)
		closedir(dir);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct names find_names(const char *const *dirs)
{
	struct names names = { 0 };

	add_name(&names, BUILT_IN, sizeof(BUILT_IN) - 1);
	for (; dirs && *dirs; dirs++)
		add_directory(&names, *dirs);
	qsort(names.list, names.count, sizeof(*names.list), compare_names);
	return names;
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
}

static void say_unknown(const char *name, const char *const *dirs, char *error, size_t room)
{
	struct names names = find_names(dirs);
	struct strbuf text;
	char safe[64];

	text_safe(safe, sizeof(safe), name, strlen(name));
	strbuf_init(&text);
	strbuf_printf(&text, "no theme '%s'; there are:", safe);
	for (size_t i = 0; i < names.count; i++)
		strbuf_printf(&text, "%s %s", i ? "," : "", names.list[i]);
	snprintf(error, room, "%s", text.text);
	strbuf_fini(&text);
	free_names(&names);
}

/* 1: loaded; 0: no such file; -1 and one line in `error`. */
static int load_from(const char *dir, const char *name, struct theme *theme, char *error,
		     size_t room)
{
	char *path = xasprintf("%s/%s" SUFFIX, dir, name);
	char *text = textfile_read(path, NULL);
	int result = -1;

	if (text)
		result = theme_parse(path, text, theme, error, room) == 0 ? 1 : -1;
	else if (errno == ENOENT || errno == ENOTDIR)
		result = 0;
	else
		snprintf(error, room, "%s: %s", path, textfile_why(errno));
	if (result == 1)
		snprintf(theme->name, sizeof(theme->name), "%s", name);
	free(text);
	free(path);
	return result;
}

int theme_load(const char *name, const char *const *dirs, struct theme *theme, char *error,
	       size_t room)
{
	bool is_good = is_good_name(name);

	for (const char *const *dir = dirs; is_good && dir && *dir; dir++) {
		int result = load_from(*dir, name, theme, error, room);

		if (result)
			return result == 1 ? 0 : -1;
	}
	if (strcmp(name, BUILT_IN) == 0) {
		theme_mono(theme);
		return 0;
	}
	say_unknown(name, dirs, error, room);
	return -1;
}

void theme_next(const char *name, const char *const *dirs, char *next, size_t room)
{
	struct names names = find_names(dirs);
	size_t at = 0;

	while (at < names.count && strcmp(names.list[at], name) <= 0)
		at++;
	snprintf(next, room, "%s", names.list[at < names.count ? at : 0]);
	free_names(&names);
}
