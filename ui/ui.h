/* SPDX-License-Identifier: MIT */
/*
 * ui - the screen's state: views, cursor, filter, sort, freeze.
 *
 * Takes snapshots and keys and draws into a canvas; uses no curses, no fd and no
 * thread.  The UI thread (main) calls it; tests and --script call it in the same
 * way.
 *
 * A user's requests beyond the screen go through the hooks.
 */
#ifndef UI_UI_H
#define UI_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "ui/canvas.h"
#include "ui/machine-events.h"

struct keymap;
struct ui;

struct ui_hooks {
	void *ctx;
	/* Switch an event (snap_event.id) on or off; remove it. */
	void (*toggle)(void *ctx, uint32_t id);
	void (*remove)(void *ctx, uint32_t id);
	/* The events of this machine, valid until ui_free(); NULL: they cannot be added. */
	const struct machine_events *(*events)(void *ctx);
	/* Add events, in the grammar of -e: false and a reason. */
	bool (*add)(void *ctx, const char *text, char *why, size_t room);
	/* Keep records from now on, for snapshots' pages. */
	void (*stream)(void *ctx);
	/* Begin all counts at zero again. */
	void (*zero)(void *ctx);
	/* A new refresh interval. */
	void (*interval)(void *ctx, double seconds);
	/* Save `text` (the whole view) and its snapshot: 0 and the path, or -1 and a reason in `path`. */
	int (*save)(void *ctx, const char *text, size_t len, const struct snapshot *snap,
		    char *path, size_t room);
};

/* Where the snapshots come from; of a file the head says so. */
enum ui_origin { UI_LIVE, UI_REPLAY, UI_SAVED };

struct ui_options {
	const char *view; /* name of the first view, NULL for events */
	const char *sort; /* column name to sort by, "-name" reversed; NULL for the given order */
	bool is_ascii;	  /* the terminal has no UTF-8: bars and marks in ASCII */
	enum ui_origin origin;
	const struct keymap *keys; /* copied; NULL: those of the table */
};

/* What the caller is to do after a call; or-ed. */
enum {
	UI_IDLE = 0,
	UI_REDRAW = 1 << 0,  /* draw a frame */
	UI_QUIT = 1 << 1,    /* exit */
	UI_THEME = 1 << 2,   /* set the next theme: themes belong to the screen */
	UI_SUSPEND = 1 << 3, /* ^Z: screen_suspend(), stop, screen_resume() */
	UI_REPAINT = 1 << 4, /* ^L: screen_repaint() */
	UI_MOUSE = 1 << 5,   /* M: screen_set_mouse() to the other state */
};

/* NULL and one line in `error`, with the names that there are, when an option names no view or column. */
struct ui *ui_new(const struct ui_options *options, const struct ui_hooks *hooks, char *error,
		  size_t room);
void ui_free(struct ui *ui);

/* Show a new snapshot (NULL: none), on which the ui takes its own reference: flags. */
unsigned int ui_take(struct ui *ui, const struct snapshot *snap);

/* A key from ui/key.h: flags.  A click is on what would be drawn there now. */
unsigned int ui_key(struct ui *ui, int32_t key);

/* Show a line in the status row until the next key. */
void ui_message(struct ui *ui, bool is_error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Draw the whole frame at whatever size the canvas has, from 1x1 up. */
void ui_draw(struct ui *ui, struct canvas *canvas);

#endif
