/* SPDX-License-Identifier: MIT */
/*
 * state - the definition of struct ui, for the files that implement it:
 *
 *     ui.c      new, free, take; the stack of views
 *     keep.c    what a saved snapshot keeps of the screen
 *     act.c     what each action does
 *     over.c    the views that a key opens over the others
 *     scope.c   what is watched
 *     travel.c  to other times: of a replay, or of the snapshots that are held
 *     mouse.c   what a click and the wheel do
 *     frame.c   where the parts of the screen go
 *     below.c   the selected row's detail on a high screen
 *     head.c    the head line and the CPU strip
 *     foot.c    the line of views, busy tasks, messages, notes, the key line
 *
 * Views do not include it.
 */
#ifndef UI_STATE_H
#define UI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "ui/draw.h"
#include "ui/history.h"
#include "ui/keys.h"
#include "ui/prompt.h"
#include "ui/recall.h"
#include "ui/ui.h"
#include "ui/view.h"

#define UI_VIEWS_ADD(name) +1
#define UI_VIEWS	   (0 VIEWS(UI_VIEWS_ADD))
#define UI_OVER_MAX	   16 /* views on top of each other: an event's detail, a task of it, help */
#define UI_MESSAGE_MAX	   512

enum asking {
	ASKING_NOTHING,
	ASKING_FILTER,
	ASKING_INTERVAL,
	ASKING_EVENT,
	ASKING_TIME,
	ASKING_USER,
	ASKING_PROCESS,
	ASKING_COUNT
};

struct ui {
	struct ui_hooks hooks;
	bool is_ascii;
	bool no_kernel, no_user; /* these symbols were to be hidden at first */
	enum ui_origin origin;
	struct ui_file file;
	char *screen; /* for keep_restore(), until the first snapshot; NULL: nothing */
	struct keymap keys;

	const struct snapshot *shown; /* what views draw; NULL before the first */
	struct history history;	      /* empty where hooks.move goes to other times */
	bool is_frozen;	    /* with hooks.pause: the replay is paused, and what comes is shown */
	bool is_travelling; /* the snapshot of travel_s was requested, but has not come yet */
	double travel_s;
	bool has_stream; /* records are kept */

	struct view *views[UI_VIEWS];
	size_t at;			/* the one that the tabs show */
	struct view *over[UI_OVER_MAX]; /* pushed over it, the last on top */
	size_t nover;

	struct view *below; /* the detail of the top view's selected row, below it; NULL: none */
	uint64_t below_id;  /* of that row, and its event */
	uint32_t below_event;
	int above_lines; /* what the top view kept of the rows' place then */

	struct prompt prompt;
	enum asking asking;
	struct recall recall[ASKING_COUNT]; /* what was typed at each */
	char prompt_error[UI_MESSAGE_MAX];  /* what is wrong with what was typed */
	char message[UI_MESSAGE_MAX];
	bool is_error;
	bool is_touched; /* a key was pressed: on few lines the keys replace the note */

	double interval_s;  /* requested, but not in a snapshot yet; 0: none */
	int columns;	    /* of the last drawing; a saved view has this width */
	int lines;	    /* of it, too */
	struct spots spots; /* what it has that can be clicked */
	bool is_drawn;	    /* nothing has changed since then */
};

/* --- ui.c --- */

/* The view on top. */
struct view *ui_top(const struct ui *ui);

/* Put a view on top, which the ui then owns; without room the lowest of them is closed. */
void ui_push(struct ui *ui, struct view *view);

/* A new view that the ui is going to show hides what the others do, and gets the snapshot. */
void ui_begin_view(struct ui *ui, struct view *view);

/* If symbols are to be hidden at first, hide these in a view, and only these. */
void ui_hide_at_first(const struct ui *ui, struct view *view);

/* ACTION_HIDE_KERNEL or ACTION_HIDE_USER switched the top view: switch the others likewise. */
void ui_hide_alike(struct ui *ui);
void ui_pop(struct ui *ui);

/* Show one of the views, and close what is over it. */
void ui_show(struct ui *ui, size_t at);

/* Show this one, of which it takes a reference. */
void ui_show_snapshot(struct ui *ui, const struct snapshot *snap);

/* Stop or resume showing new snapshots. */
void ui_freeze(struct ui *ui, bool is_frozen);

/* --- act.c --- */

/* Something was pressed: the last message goes, and what was drawn is out of date. */
void act_pressed(struct ui *ui);

/* Handle a key, by the prompt, the view on top or the screen: flags as of ui_key(). */
unsigned int act_key(struct ui *ui, int32_t key);

/* Open the prompt, with this text in it: flags. */
unsigned int act_ask(struct ui *ui, enum asking asking, const char *label, const char *text);

/* What was typed at the prompt applies: close it, and keep the text for ^P. */
void act_entered(struct ui *ui);

/* Close the prompt, if it is open, by something else: a filter stays, another text is dropped. */
void act_leave_prompt(struct ui *ui);

/* Whether events can be added: else there is a message. */
bool act_can_add(struct ui *ui);

/* --- keep.c --- */

/*
 * The view and those over it, and how each is sorted, filtered and switched: a line for each.  What
 * is over help, the doctor and the like is left out, and so are they.
 */
void keep_write(const struct ui *ui, struct strbuf *out);

/* Show what such a text, which is untrusted, says; lines that make no sense here have no effect. */
void keep_restore(struct ui *ui, const char *text);

/* --- over.c --- */

/* Open the view over the others, or close it if it is on top: flags. */
unsigned int over_help(struct ui *ui);
unsigned int over_browser(struct ui *ui);
unsigned int over_doctor(struct ui *ui);
unsigned int over_columns(struct ui *ui);

/* --- scope.c --- */

/* Ask for a user or for processes to watch; watch what was typed; what was watched at first: flags. */
unsigned int scope_ask_user(struct ui *ui);
unsigned int scope_ask_process(struct ui *ui);
unsigned int scope_enter(struct ui *ui);
unsigned int scope_clear(struct ui *ui);

/* --- travel.c --- */

/* Whether there are other times to go to; else there is a message. */
bool travel_is_possible(struct ui *ui);

/* Go so many intervals on, or back, and stay there: flags. */
unsigned int travel_step(struct ui *ui, int intervals);

/* Whether keys that do it are to be shown: in a replay, and in a frozen view with other times. */
bool travel_is_offered(const struct ui *ui);

/* A paused replay: build the snapshot again, with what is kept from now on. */
void travel_again(struct ui *ui);

/* Go to the first time, of -INFINITY, or to the last, of INFINITY: flags. */
unsigned int travel_far(struct ui *ui, double time_s);

/* Go to the time that was typed: flags. */
unsigned int travel_to(struct ui *ui);

/* --- mouse.c --- */

/* Handle a key for which key_is_mouse(): flags as of ui_key(). */
unsigned int mouse_key(struct ui *ui, int32_t key);

/* --- frame.c --- */

/* The whole screen. */
void frame_draw(struct ui *ui, struct canvas *canvas);

/* The whole view, all its rows, as text. */
void frame_save(struct ui *ui, struct strbuf *out);

/* --- below.c --- */

/*
 * How many of `height` lines the view on top gets.  If these are not all, the detail of its selected
 * row is to be drawn on the others, with below_draw().
 */
int below_split(struct ui *ui, int columns, int height);
void below_draw(struct ui *ui, struct canvas *canvas, struct rect at);

/* Free the detail: before the view on top changes. */
void below_drop(struct ui *ui);

/* --- head.c --- */

/* The first line: host, interval, rate, loss, throttling and our own cost. */
void head_draw(const struct ui *ui, const struct pen *pen);

/* Lines that the CPU strip takes on a screen of this size. */
int strip_lines(const struct ui *ui, int columns, int lines);
void strip_draw(const struct ui *ui, struct canvas *canvas, struct rect at);

/* --- foot.c --- */

/* The tabs, or the path to this view; the sort and the filter. */
void tabs_draw(const struct ui *ui, const struct pen *pen);

/* The prompt, or the message; false when there is neither. */
bool message_draw(const struct ui *ui, const struct pen *pen);

/* Which tasks are on a CPU most, as many as fit. */
void busy_draw(const struct ui *ui, const struct pen *pen);

/* One note; `at` counts from 0. */
void note_draw(const struct ui *ui, const struct pen *pen, size_t at, size_t shown);
void keys_draw(const struct ui *ui, const struct pen *pen);

#endif
