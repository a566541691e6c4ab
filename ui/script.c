/* SPDX-License-Identifier: MIT */
#include "ui/script.h"

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ui/keys.h"
#include "ui/picture.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MOST 100000 /* a file that is not a script must not exhaust memory */

enum kind { KEY, RESIZE, WAIT, DUMP };

struct command {
	enum kind kind;
	int32_t key;
	int columns, lines;
	unsigned long count; /* snapshots to wait for */
	char *path;	     /* of a dump; NULL: the default */
};

struct script {
	struct command *commands;
	size_t count, room, at;
	unsigned long waiting; /* snapshots that are still to come */
	const char *dump_path;
	bool has_dumped;
	const struct theme *theme; /* NULL: no pictures */
};

/* --- reading ---------------------------------------------------------------------------------- */

static struct command *add(struct script *script, enum kind kind)
{
	if (script->count == script->room) {
		script->room = script->room ? script->room * 2 : 64;
		script->commands =
			xreallocarray(script->commands, script->room, sizeof(*script->commands));
	}
	struct command *command = &script->commands[script->count++];
	*command = (struct command){ .kind = kind };
	return command;
}

/* Each parser takes the rest of the line; NULL, or what is wrong with it. */

static const char *parse_keys(struct script *script, char *rest)
{
	char *save, *word = strtok_r(rest, " \t", &save);

	if (!word)
		return "key needs a key's name";
	for (; word; word = strtok_r(NULL, " \t", &save)) {
		int32_t key = keys_parse(word);

		if (key == KEYS_NONE)
			return "no key of that name";
		add(script, KEY)->key = key;
	}
	return NULL;
}

static const char *parse_text(struct script *script, char *rest)
{
	size_t len = strlen(rest);

	for (size_t at = 0; at < len;) {
		int32_t code;

		at += text_decode(rest + at, len - at, &code);
		if (code < ' ')
			return "type needs text";
		add(script, KEY)->key = code;
	}
	return NULL;
}

/* "COLUMN LINE", from 1 to CANVAS_MAX, and nothing else. */
static bool parse_pair(const char *rest, int *column, int *line)
{
	int end = 0;

	return sscanf(rest, "%d %d %n", column, line, &end) == 2 && rest[end] == '\0' &&
	       *column >= 1 && *line >= 1 && *column <= CANVAS_MAX && *line <= CANVAS_MAX;
}

static const char *parse_mouse(struct script *script, enum mouse what, const char *rest)
{
	int x, y;

	if (!parse_pair(rest, &x, &y))
		return "a click or turn of the wheel needs a column and a line, from 1 to 1000";
	add(script, KEY)->key = key_of_mouse(what, x - 1, y - 1);
	return NULL;
}

static const char *parse_click(struct script *script, char *rest)
{
	return parse_mouse(script, MOUSE_CLICK, rest);
}

static const char *parse_wheel(struct script *script, char *rest)
{
	if (strncmp(rest, "up ", 3) == 0)
		return parse_mouse(script, MOUSE_WHEEL_UP, rest + 3);
	if (strncmp(rest, "down ", 5) == 0)
		return parse_mouse(script, MOUSE_WHEEL_DOWN, rest + 5);
	return "wheel needs up or down, a column and a line";
}

static const char *parse_resize(struct script *script, char *rest)
{
	int columns, lines;

	if (!parse_pair(rest, &columns, &lines))
		return "resize needs columns and lines, from 1 to 1000";
	struct command *command = add(script, RESIZE);
	command->columns = columns;
	command->lines = lines;
	return NULL;
}

static const char *parse_wait(struct script *script, char *rest)
{
	char *end;
	unsigned long count = strtoul(rest, &end, 10);

	if (end == rest || *end || rest[0] == '-' || count == 0)
		return "wait needs a number of snapshots";
	add(script, WAIT)->count = count;
	return NULL;
}

static const char *parse_dump(struct script *script, char *rest)
{
	add(script, DUMP)->path = rest[0] ? xstrdup(rest) : NULL;
	return NULL;
}

static const char *parse_line(struct script *script, char *line)
{
	static const struct {
		const char *word;
		const char *(*parse)(struct script *script, char *rest);
	} commands[] = {
		{ "key", parse_keys },	  { "type", parse_text },     { "click", parse_click },
		{ "wheel", parse_wheel }, { "resize", parse_resize }, { "wait", parse_wait },
		{ "dump", parse_dump },
	};
	size_t len = strcspn(line, " \t");

	if (len == 0 || line[0] == '#')
		return NULL;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strlen(commands[i].word) != len || memcmp(commands[i].word, line, len) != 0)
			continue;
		return commands[i].parse(script, line + len + (line[len] != '\0'));
	}
	return "unknown command: use key, type, click, wheel, resize, wait or dump";
}

static const char *read_lines(struct script *script, FILE *file, unsigned int *number)
{
	const char *wrong = NULL;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	for (*number = 1; !wrong && (len = getline(&line, &room, file)) >= 0; (*number)++) {
		while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
			line[--len] = '\0';
		wrong = *number > LINES_MOST ? "too many lines" : parse_line(script, line);
	}
	(*number)--;
	free(line);
	return wrong ? wrong : ferror(file) ? strerror(errno) : NULL;
}

struct script *script_load(const char *path, char *error, size_t room)
{
	FILE *file = fopen(path, "re");
	unsigned int number;

	if (!file) {
		snprintf(error, room, "%s: %s", path, strerror(errno));
		return NULL;
	}
	struct script *script = xcalloc(1, sizeof(*script));
	const char *wrong = read_lines(script, file, &number);
	fclose(file);
	if (!wrong)
		return script;
	snprintf(error, room, "%s:%u: %s", path, number, wrong);
	script_free(script);
	return NULL;
}

void script_free(struct script *script)
{
	if (!script)
		return;
	for (size_t i = 0; i < script->count; i++)
		free(script->commands[i].path);
	free(script->commands);
	free(script);
}

void script_dump_to(struct script *script, const char *path)
{
	script->dump_path = path;
}

void script_theme(struct script *script, const struct theme *theme)
{
	script->theme = theme;
}

/* --- playing ---------------------------------------------------------------------------------- */

static FILE *open_dump(struct script *script, const char *path)
{
	if (path)
		return fopen(path, "we");
	bool is_first = !script->has_dumped;
	script->has_dumped = true;
	path = script->dump_path;
	if (!path || strcmp(path, "-") == 0)
		return stdout;
	/* Two images in a file are none. */
	return fopen(path, is_first || picture_is_name(path) ? "we" : "ae");
}

static const char *dump_name(const struct script *script, const char *path)
{
	if (path)
		return path;
	return script->dump_path ? script->dump_path : "standard output";
}

/* stdout is not closed, but flushed, so that a full disk is detected. */
static int close_dump(FILE *file)
{
	int failed = ferror(file) | fflush(file);

	return file == stdout ? failed : failed | fclose(file);
}

static int dump(struct script *script, const char *path, struct ui *ui, struct canvas *canvas)
{
	FILE *file = open_dump(script, path);
	struct strbuf text;

	if (!file)
		return -1;
	strbuf_init(&text);
	ui_draw(ui, canvas);
	if (script->theme)
		picture_or_text(dump_name(script, path), canvas, script->theme, &text);
	else
		canvas_text(canvas, &text);
	fwrite(text.text, 1, text.len, file);
	strbuf_fini(&text);
	return close_dump(file) ? -1 : 0;
}

/* Run one command: SCRIPT_WAITS when the next has to wait, SCRIPT_DONE when it may follow. */
static enum script_state play_one(struct script *script, const struct command *command,
				  struct ui *ui, struct canvas *canvas, unsigned int *flags)
{
	switch (command->kind) {
	case KEY:
		/* Drawn first, as on a real screen: how far PgDn goes depends on it. */
		ui_draw(ui, canvas);
		*flags |= ui_key(ui, command->key);
		break;
	case RESIZE:
		canvas_reset(canvas, command->columns, command->lines);
		*flags |= UI_REDRAW;
		break;
	case WAIT:
		script->waiting = command->count;
		return SCRIPT_WAITS;
	case DUMP:
		if (dump(script, command->path, ui, canvas) < 0)
			return SCRIPT_FAILED;
		break;
	}
	return SCRIPT_DONE;
}

static enum script_state fail(const struct script *script, const char *path, char *error,
			      size_t room)
{
	snprintf(error, room, "%s: %s", dump_name(script, path), strerror(errno));
	return SCRIPT_FAILED;
}

enum script_state script_play(struct script *script, struct ui *ui, struct canvas *canvas,
			      unsigned int *flags, char *error, size_t room)
{
	if (script->waiting && --script->waiting)
		return SCRIPT_WAITS;
	while (script->at < script->count && !(*flags & UI_QUIT)) {
		const struct command *command = &script->commands[script->at++];
		enum script_state state = play_one(script, command, ui, canvas, flags);

		if (state == SCRIPT_FAILED)
			return fail(script, command->path, error, room);
		if (state != SCRIPT_DONE)
			return state;
		if (*flags & (UI_THEME | UI_WRITE))
			return SCRIPT_ASKS;
	}
	if (script->dump_path && !script->has_dumped && dump(script, NULL, ui, canvas) < 0)
		return fail(script, NULL, error, room);
	return SCRIPT_DONE;
}
