/* SPDX-License-Identifier: MIT */
/*
 * view - one way to look at a snapshot.
 *
 * A view is a constant table of operations and a small state that begins with
 * struct view.  Most are a table and nothing else: they leave draw, lines and
 * action NULL.  Views draw snapshots; the ui handles what concerns the whole
 * screen (other views, freezing, saving).
 */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "ui/action.h"
#include "ui/machine-checks.h"
#include "ui/machine-events.h"
#include "ui/table.h"

#define VIEW_NO_EVENT  UINT32_MAX
#define VIEW_CRUMB_MAX 256

struct keymap;
struct view;

/* What a view over the others is about. */
struct view_subject {
	const char *event; /* its name, and index; NULL: about a task */
	uint32_t at;
	struct snap_symbol symbol; /* only its names, of the callers' view */
	struct snap_task task;	   /* only who it is */
	bool is_rest;		   /* that is all tasks without a row */
};

struct view_ops {
	const char *name;	       /* what --view takes; public */
	const char *title;	       /* in the line of tabs, and the first crumb */
	size_t size;		       /* of its state, which begins with struct view */
	const struct table_ops *table; /* of view.table */
	size_t data_at;		       /* where in its state that table's data are; 0: all of it */
	const char *sort;	       /* column that it is sorted by at first; NULL: none */
	const enum action *hints;      /* for the key line, ends with ACTION_NONE */
	bool has_stream;   /* shows records, which are kept from when it is first shown */
	const char *enter; /* label of Enter in the key line; NULL: Enter does nothing */

	/* After view.snap has changed (never NULL); NULL: table_update() is enough. */
	void (*take)(struct view *view);
	/* NULL: the table over the whole place. */
	void (*draw)(struct view *view, struct canvas *canvas, struct rect at);
	/* Lines to show all there is at this width; NULL: those of the table. */
	int (*lines)(struct view *view, int columns);
	/* Gets each action first: whether it was handled; NULL: none is. */
	bool (*action)(struct view *view, enum action action);
	/* What can be switched on and off by action(), ends with ACTION_NONE; NULL: nothing. */
	const enum action *toggles;
	/* Whether one of them is on. */
	bool (*is_on)(const struct view *view, enum action toggle);
	/* The keys go to this one of its tables from now on; NULL: it has only one. */
	void (*focus)(struct view *view, const struct table *table);
	/* Whether Enter leads from the selected row to somewhere; NULL: from each row. */
	bool (*can_enter)(const struct view *view);
	/* Enter, where view_can_enter(): a new view to push over this one; NULL: it leads nowhere. */
	struct view *(*into)(struct view *view);
	/* Index of the event that this view or its selected row is about; NULL: about none. */
	uint32_t (*event)(const struct view *view);
	/* The task that this view or its selected row is about; NULL: about none. */
	const struct snap_task *(*task)(const struct view *view);
	/* The event that Enter on the selected row adds; NULL: it adds none. */
	const char *(*adds)(const struct view *view);
	/* The last crumb of "Events › sched:sched_switch"; NULL: the title. */
	const char *(*crumb)(const struct view *view);
	/* What it is about, borrowed from it: for a view that Enter leads to; else NULL. */
	struct view_subject (*subject)(const struct view *view);
	void (*fini)(struct view *view);
};

struct view {
	const struct view_ops *ops;
	const struct snapshot *snap; /* borrowed; NULL before the first */
	bool is_ascii;
	struct table table;
};

/* A new view with these ops and no snapshot; never NULL. */
struct view *view_new(const struct view_ops *ops, bool is_ascii);
void view_free(struct view *view);

/* Set the snapshot to show (borrowed until the next call), NULL for none. */
void view_take(struct view *view, const struct snapshot *snap);

/* Draw it into `at`; and the lines that all of it takes at this width. */
void view_draw(struct view *view, struct canvas *canvas, struct rect at);
int view_lines(struct view *view, int columns);

/* For `draw`: its table on all but the last `below` lines; these are returned. */
struct rect view_draw_table(struct view *view, struct canvas *canvas, struct rect at, int below);

/* Whether the view handled the action. */
bool view_action(struct view *view, enum action action);

/* One of its tables was clicked: it has the keys from now on. */
void view_focus(struct view *view, const struct table *table);

/* For `into`: the detail of the event that the selected row is about. */
struct view *view_into_event(struct view *view);

/* What it is called in the path to it. */
const char *view_crumb(const struct view *view);

/* Whether Enter does something: there is a row, and it leads to another view. */
bool view_can_enter(const struct view *view);

/* The event that Enter adds, as -e takes it (valid until the view changes), or NULL. */
const char *view_adds(const struct view *view);

/* Index into the snapshot's events, or VIEW_NO_EVENT. */
uint32_t view_event(const struct view *view);

/* The process of the task that it or its selected row is about; 0: none. */
int32_t view_process(const struct view *view);

/* --- the views there are ---------------------------------------------------------------------- */

/* The views with a tab, in the order of their digits: NAME is view_NAME() of view-NAME.c. */
#define VIEWS(EACH)      \
	EACH(events)     \
	EACH(switches)   \
	EACH(tasks)      \
	EACH(cpus)       \
	EACH(symbols)    \
	EACH(throttling) \
	EACH(stream)

#define VIEW_DECLARE(name) const struct view_ops *view_##name(void);
VIEWS(VIEW_DECLARE)
#undef VIEW_DECLARE

/* Pushed over the others; these have no tab. */
const struct view_ops *view_help(void);
const struct view_ops *view_browser(void);
const struct view_ops *view_doctor(void);
const struct view_ops *view_columns(void);

/* The help about these keys (borrowed). */
struct view *view_help_new(const struct keymap *keys, bool is_ascii);

/* The browser of these events (borrowed). */
struct view *view_browser_new(const struct machine_events *events, bool is_ascii);

/* The columns of one with a tab (borrowed), which are chosen there. */
struct view *view_columns_new(struct view *of, bool is_ascii);

/* What the doctor found (borrowed). */
struct view *view_doctor_new(const struct machine_checks *checks, bool is_ascii);

/* An event's detail: the one called `name`, and of several the one nearest to index `at`. */
struct view *view_event_new(const char *name, uint32_t at, bool is_ascii);

/* The callers of a symbol of this event; both are found again by their names. */
struct view *view_callers_new(const char *event, uint32_t at, const struct snap_symbol *symbol,
			      bool is_ascii);

/* A task's detail; of short-lived tasks of one name and parent, and of the rest, theirs. */
struct view *view_task_new(const struct snapshot *snap, const struct snap_task *task,
			   bool is_ascii);

#endif
