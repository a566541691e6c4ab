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
#include "ui/machine-checks.h"
#include "ui/machine-events.h"

struct keymap;
struct ui;

/* What is watched: a user's tasks, processes, or what was watched at first. */
enum ui_scope { UI_SCOPE_USER, UI_SCOPE_PROCESS, UI_SCOPE_START };

/* What is saved; borrowed. */
struct ui_saved {
	const char *text; /* [len] the whole view */
	size_t len;
	const char *screen; /* what is shown and how, in lines: ui_options.screen of who reopens it */
	const struct snapshot *snap;
};

struct ui_hooks {
	void *ctx;
	/* Switch an event (snap_event.id) on or off; remove it. */
	void (*toggle)(void *ctx, uint32_t id);
	void (*remove)(void *ctx, uint32_t id);
	/* The events of this machine, valid until ui_free(); NULL: they cannot be added. */
	const struct machine_events *(*events)(void *ctx);
	/* What works on this machine, checked now; valid until the next call, NULL: not known. */
	const struct machine_checks *(*checks)(void *ctx);
	/* Add events, in the grammar of -e: false and a reason. */
	bool (*add)(void *ctx, const char *text, char *why, size_t room);
	/* Watch something else from the next snapshots on: false and a reason.  NULL: no. */
	bool (*watch)(void *ctx, enum ui_scope scope, const char *text, char *why, size_t room);
	/* Keep records from now on, for snapshots' pages. */
	void (*stream)(void *ctx);
	/* Begin all counts at zero again. */
	void (*zero)(void *ctx);
	/* A new refresh interval. */
	void (*interval)(void *ctx, double seconds);
	/* A replay: stop its clock or go on; show the interval of another time (since 1970).  NULL: no. */
	void (*pause)(void *ctx, bool is_paused);
	void (*move)(void *ctx, double time_s);
	/* Save it: 0 and the path, or -1 and a reason in `path`. */
	int (*save)(void *ctx, const struct ui_saved *saved, char *path, size_t room);
};

/* Where the snapshots come from; of a file the head says so. */
enum ui_origin { UI_LIVE, UI_REPLAY, UI_SAVED };

#define UI_NAME_MAX   32 /* of views and columns */
#define UI_CHOICE_MAX 256

/*
 * How a view is sorted: by "rate", "-rate" reversed, "none"; its toggles: "processes, rates"; or its
 * columns: "on-cpu, pid", "none", "default".
 */
struct ui_choice {
	char view[UI_NAME_MAX];
	char value[UI_CHOICE_MAX];
	bool is_default; /* as it is at first */
};

struct ui_choices {
	struct ui_choice *list; /* [count] at most one of a view */
	size_t count;
};

/* A replayed file. */
struct ui_file {
	const char *name;	/* borrowed; NULL: none */
	double first_s, last_s; /* time of its first and last sample, since 1970; 0: unknown */
};

struct ui_options {
	const char *view; /* name of the first view, NULL for events */
	const char *sort; /* column name to sort it by, "-name" reversed; NULL for the given order */
	const char *set;  /* its toggles that are on (ui/toggles.h); NULL: as they are */
	struct ui_choices sorts;   /* of all views, borrowed; `sort` comes after */
	struct ui_choices toggles; /* the same; `set` comes after */
	struct ui_choices columns; /* the same */
	bool no_kernel, no_user;   /* in any case these symbols are hidden at first */
	const char *screen; /* ui_saved.screen, applied to the first snapshot (copied); NULL: none */
	bool is_ascii;	    /* the terminal has no UTF-8: bars and marks in ASCII */
	enum ui_origin origin;
	struct ui_file file;
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
	UI_WRITE = 1 << 6,   /* W: write the configuration */
};

/*
 * NULL and one line in `error`, with the names that there are, when an option names no view, column
 * or toggle.
 */
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

/* Whether there are such a view, column, toggles and columns: else one line in `error`, as of ui_new(). */
bool ui_has_view(const char *view, char *error, size_t room);
bool ui_has_column(const char *view, const char *column, char *error, size_t room);
bool ui_has_toggles(const char *view, const char *toggles, char *error, size_t room);
bool ui_has_columns(const char *view, const char *columns, char *error, size_t room);

/* What a configuration keeps: the view that the tabs show (static), and the interval. */
const char *ui_view(const struct ui *ui);
double ui_interval(const struct ui *ui);

/* What was chosen in a view. */
struct ui_view_choices {
	struct ui_choice sort, toggles, columns;
};

/* Of view number `at`, from 0: false when there are no more. */
bool ui_choices_at(const struct ui *ui, size_t at, struct ui_view_choices *out);

/* Draw the whole frame at whatever size the canvas has, from 1x1 up. */
void ui_draw(struct ui *ui, struct canvas *canvas);

#endif
