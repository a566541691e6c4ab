/* SPDX-License-Identifier: MIT */
/*
 * drive - a ui with hooks that record their calls, for tests.
 */
#ifndef DRIVE_H
#define DRIVE_H

#include "base/strbuf.h"
#include "base/text.h"
#include "fixture.h"
#include "tap.h"
#include "ui/keys.h"
#include "ui/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct drive {
	struct ui *ui;
	struct canvas canvas;
	struct strbuf text; /* of the last drive_screen() */
	unsigned int flags; /* of the last key */
	/* What the hooks were called with. */
	long toggled, removed;	 /* -1: nothing */
	char added[64];		 /* the text of the last add */
	const char *add_error;	 /* refuse to add, with this reason; NULL: do it */
	char watched[64];	 /* "user nginx", "process 12" or "first" */
	const char *watch_error; /* refuse to watch it, with this reason; NULL: do it */
	const struct machine_events *events;
	const struct machine_checks *checks; /* NULL: there is no such hook */
	int checked;
	int zeroed, streamed;
	double interval;
	int paused;	/* 1 and 0 as the hook was called; -1: it was not */
	double moved_s; /* 0: nothing */
	char *saved, *saved_screen;
	bool fails_to_save;
};

static inline void drive_toggle(void *ctx, uint32_t id)
{
	((struct drive *)ctx)->toggled = id;
}

static inline void drive_remove(void *ctx, uint32_t id)
{
	((struct drive *)ctx)->removed = id;
}

static inline const struct machine_events *drive_events(void *ctx)
{
	return ((struct drive *)ctx)->events;
}

static inline const struct machine_checks *drive_checks(void *ctx)
{
	struct drive *drive = ctx;

	drive->checked += drive->checks != NULL;
	return drive->checks;
}

static inline bool drive_add(void *ctx, const char *text, char *why, size_t room)
{
	struct drive *drive = ctx;

	snprintf(why, room, "%s", drive->add_error ? drive->add_error : "");
	snprintf(drive->added, sizeof(drive->added), "%s", text);
	return !drive->add_error;
}

static inline bool drive_watch(void *ctx, enum ui_scope scope, const char *text, char *why,
			       size_t room)
{
	static const char *const names[] = { "user ", "process ", "first" };
	struct drive *drive = ctx;

	snprintf(why, room, "%s", drive->watch_error ? drive->watch_error : "");
	snprintf(drive->watched, sizeof(drive->watched), "%s%s", names[scope], text);
	return !drive->watch_error;
}

static inline void drive_zero(void *ctx)
{
	((struct drive *)ctx)->zeroed++;
}

static inline void drive_stream(void *ctx)
{
	((struct drive *)ctx)->streamed++;
}

static inline void drive_interval(void *ctx, double seconds)
{
	((struct drive *)ctx)->interval = seconds;
}

static inline void drive_pause(void *ctx, bool is_paused)
{
	((struct drive *)ctx)->paused = is_paused;
}

static inline void drive_move(void *ctx, double time_s)
{
	((struct drive *)ctx)->moved_s = time_s;
}

static inline int drive_save(void *ctx, const struct ui_saved *saved, char *path, size_t room)
{
	struct drive *drive = ctx;

	free(drive->saved);
	free(drive->saved_screen);
	drive->saved = strndup(saved->text, saved->len);
	drive->saved_screen = strdup(saved->screen);
	snprintf(path, room, drive->fails_to_save ? "No space left on device" : "/tmp/save-%d.txt",
		 (int)saved->snap->seq);
	return drive->fails_to_save ? -1 : 0;
}

static inline void drive_open(struct drive *drive, const struct ui_options *options, int columns,
			      int lines)
{
	char error[256];

	bool is_replay = options->file.name != NULL;
	*drive = (struct drive){ .toggled = -1, .removed = -1, .paused = -1 };
	struct ui_hooks hooks = { .ctx = drive,
				  .toggle = drive_toggle,
				  .remove = drive_remove,
				  .events = drive_events,
				  .checks = drive_checks,
				  .add = drive_add,
				  .watch = is_replay ? NULL : drive_watch,
				  .stream = drive_stream,
				  .zero = drive_zero,
				  .interval = drive_interval,
				  .pause = is_replay ? drive_pause : NULL,
				  .move = is_replay ? drive_move : NULL,
				  .save = drive_save };
	drive->ui = ui_new(options, &hooks, error, sizeof(error));
	if (!drive->ui)
		bail("ui_new: %s", error);
	canvas_init(&drive->canvas, columns, lines);
	strbuf_init(&drive->text);
}

static inline void drive_close(struct drive *drive)
{
	ui_free(drive->ui);
	canvas_fini(&drive->canvas);
	strbuf_fini(&drive->text);
	free(drive->saved);
	free(drive->saved_screen);
}

/* Give it a snapshot; the caller's reference is released. */
static inline unsigned int drive_take(struct drive *drive, const struct snapshot *snap)
{
	unsigned int flags = ui_take(drive->ui, snap);

	snapshot_release(snap);
	return flags;
}

/* Draw, and give the screen as text, valid until the next call. */
static inline const char *drive_screen(struct drive *drive)
{
	ui_draw(drive->ui, &drive->canvas);
	strbuf_clear(&drive->text);
	canvas_text(&drive->canvas, &drive->text);
	return drive->text.text;
}

/* Press keys by name: "/ s Enter".  A word in double quotes is typed. */
static inline void drive_keys(struct drive *drive, const char *names)
{
	char words[256], *save;

	snprintf(words, sizeof(words), "%s", names);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		size_t len = strlen(w);

		drive_screen(drive);
		for (size_t i = 1; *w == '"' && i + 1 < len; i++)
			drive->flags = ui_key(drive->ui, w[i]);
		if (*w == '"')
			continue;
		if (keys_parse(w) == KEYS_NONE)
			bail("no key '%s'", w);
		drive->flags = ui_key(drive->ui, keys_parse(w));
	}
}

static inline bool drive_shows(struct drive *drive, const char *words)
{
	return strstr(drive_screen(drive), words) != NULL;
}

/* The screen's line `y`, valid until the next call. */
static inline const char *drive_line(struct drive *drive, int y)
{
	static char line[4096];
	const char *at = drive_screen(drive);

	for (; y > 0 && *at; y--)
		at += strcspn(at, "\n") + 1;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
	return line;
}

/* The line under the cursor. */
static inline const char *drive_selected(struct drive *drive)
{
	for (int y = 0; y < drive->canvas.lines; y++) {
		const char *line = drive_line(drive, y);

		if (strncmp(line, "▸ ", strlen("▸ ")) == 0)
			return line + strlen("▸ ");
	}
	return "";
}

/* What the mouse does at the words, which are at their first place on the screen after `from`. */
static inline void drive_mouse(struct drive *drive, enum mouse what, const char *from,
			       const char *words)
{
	const char *screen = drive_screen(drive), *after = strstr(screen, from);
	const char *at = after ? strstr(after, words) : NULL, *line = screen;
	int y = 0;

	if (!at)
		bail("the screen has no '%s' after '%s'", words, from);
	for (const char *end; (end = strchr(line, '\n')) != NULL && end < at; line = end + 1)
		y++;
	char *before = strndup(line, (size_t)(at - line));
	drive->flags = ui_key(drive->ui, key_of_mouse(what, (int)text_width(before), y));
	free(before);
}

static inline void drive_click(struct drive *drive, const char *words)
{
	drive_mouse(drive, MOUSE_CLICK, "", words);
}

static inline bool drive_is_on(struct drive *drive, const char *name)
{
	return strncmp(drive_selected(drive), name, strlen(name)) == 0;
}

#endif
