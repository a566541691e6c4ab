/* SPDX-License-Identifier: MIT */
/*
 * table - rows and columns on a small screen, for all views.
 *
 * A view supplies the columns and the cells (table_ops); the table does what
 * all of them share: which columns fit, sorting, filtering, scrolling and the
 * cursor.  Rows have an identity that outlives the snapshot they are in, and
 * the cursor follows that, not a line of the screen:
 *
 *   - a row moves only when its place in the sort order changes, and never while
 *     the cursor is on it: the others are sorted around it;
 *   - until the user moves the cursor (and again after Home) it stays on the
 *     first line instead, whatever row is there.  Of a log: on the last one, and
 *     again after End.
 *
 * The user can choose which columns are shown, and in which order.  When not all fit, those go first
 * that the view can spare best (column.drop), or, once they have another order, the last.
 *
 * Rows can stand below others, as a tree: those below the same one are in the order sorted by, and a
 * row comes where the first of its own and all below it does.
 *
 * Rows can be marked where the view can add them up: their sum is on the last line.
 */
#ifndef UI_TABLE_H
#define UI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"
#include "model/filter.h"
#include "ui/action.h"
#include "ui/draw.h"

#define TABLE_NO_ROW	SIZE_MAX
#define TABLE_SORT_NONE (-1)
#define TABLE_MARGIN	2 /* the cursor's mark and a blank */
#define TABLE_GAP	2 /* blanks between columns */

/*
 * A cell is drawn by `draw`.  A column is sorted by `number`, which also right-aligns it and puts
 * the largest first, or by `text`, which is never NULL and must be valid as long as the data, or by
 * neither.  Of columns that are alike, one for each figure or event, `draw` is NULL.
 */
struct column {
	const char *name;  /* what --sort takes; public */
	const char *title; /* over the column */
	int least;	   /* cells on the narrowest screens */
	int width;	   /* cells wanted; 0: it is not shown, but filters know it */
	int most;	   /* cells it can use when there is room; 0: no more than width */
	int (*most_now)(const void *data);	    /* the same, computed at run time; or NULL */
	const char *(*title_now)(const void *data); /* the title, computed at run time; or NULL */
	bool (*is_wanted)(const void *data); /* whether it is shown where not chosen; NULL: yes */
	int drop; /* hidden when the screen is narrow, the highest first; 0: never */
	void (*draw)(const void *data, size_t row, const struct pen *pen);
	void (*head)(const void *data, const struct pen *pen); /* draws the title; or NULL */
	double (*number)(const void *data, size_t row);
	const char *(*text)(const void *data, size_t row);
	/* What a filter compares, in seconds where it is a time; NULL: the number. */
	double (*value)(const void *data, size_t row);
	bool is_share;	/* 1 is shown as 100 % */
	bool is_signed; /* a number below 0 is not an unknown one */
	/* Of columns that are alike, which have none of these: drawn and sorted by the table's ops. */
	const struct figure *figure; /* a figure of an event; or NULL */
	uint32_t event;		     /* index of an event, whose rate it has */
};

struct table_ops {
	const struct column *columns;
	size_t ncolumns;
	size_t (*rows)(const void *data);
	/* The row's identity across snapshots; duplicates are allowed, and told apart by place. */
	uint64_t (*id)(const void *data, size_t row);
	/* The text that a filter's words are matched against. */
	void (*text)(const void *data, size_t row, char *out, size_t room);
	/* Of columns that are alike: a cell, and its number; NULL where there are none. */
	void (*draw_alike)(const void *data, size_t row, const struct column *column,
			   const struct pen *pen);
	double (*number_alike)(const void *data, size_t row, const struct column *column);
	/* Text in place of all columns but the first: whether there is any; optional. */
	bool (*across)(const void *data, size_t row, char *out, size_t room);
	/* Optional: the order when it is sorted by no column, the largest first; else the order given. */
	double (*interest)(const void *data, size_t row);
	/*
	 * Optional: the row that a row stands below while it is a tree, or TABLE_NO_ROW.  No row may
	 * stand below itself.  Where that row is not shown, the one above it counts.
	 */
	size_t (*above)(const void *data, size_t row);
	/* A log: unless the user moved the cursor it stays on the last row, which is the newest. */
	bool is_log;
	/* Optional: a row below all others, whatever it is sorted by: a rest, a sum. */
	bool (*is_last)(const void *data, size_t row);
	/* Optional: a row that is left out, also when `quiet` rows are shown. */
	bool (*is_hidden)(const void *data, size_t row);
	/* Optional: a row that is hidden when several are; and what they are: "events at 0". */
	bool (*is_quiet)(const void *data, size_t row);
	const char *quiet;
	/*
	 * Optional: make row rows(data) the sum of these; NULL: rows cannot be marked.  Of that row only
	 * `across` and the cells after the first are asked for.  Called again when the data change.
	 */
	void (*sum)(void *data, const size_t *marked, size_t count);
	/* Shown instead of rows when there are none, and when all are hidden; not where a filter is. */
	const char *empty, *all_hidden;
};

/* How interesting a row was when it was last sorted by interest. */
struct table_level {
	uint64_t id;
	int level;
};

/* Where a row is in the tree. */
struct table_branch {
	uint32_t depth; /* 0: it stands below none */
	uint64_t goes_on; /* bit n: of its own line of rows above, that of depth n + 1 has a next one */
};

struct table {
	const struct table_ops *ops;
	void *data;		      /* borrowed; handed to every callback */
	const struct column *columns; /* [ncolumns] those of ops, or of table_set_columns() */
	size_t ncolumns;
	/* [nchosen] those of ops that are shown after the first, in order; NULL: all. */
	size_t *chosen;
	size_t nchosen;
	size_t *order; /* [norder] the rows that are shown, in order */
	size_t norder, room;
	struct filter *filter;	    /* NULL: none */
	struct table_level *levels; /* [nlevels] of all rows, by id; for the order by interest */
	size_t nlevels;
	bool is_tree;		       /* set by the view; table_update() must follow */
	struct table_branch *branches; /* by row of the data, of those that are shown, in a tree */
	uint32_t deepest;	       /* the most levels that one of these is below */
	bool shows_quiet;	       /* hides none */
	size_t nquiet;		       /* rows that are hidden because they are quiet */
	size_t nlast;	 /* rows at the end of order that are below all others, and do not scroll */
	uint64_t *marks; /* [nmarks] identities of the rows that are marked, in order */
	size_t nmarks;
	size_t nmarked; /* rows of the data that are marked, also those not shown: what the sum is of */
	int sort;	/* a column, or TABLE_SORT_NONE: by interest, or the order given */
	bool is_reversed;
	size_t cursor;	    /* index into order */
	uint64_t cursor_id; /* of the row there */
	bool is_placed;	    /* the user moved the cursor: it keeps its row */
	bool has_focus;	    /* shows its cursor */
	size_t top;	    /* index of the first row on the screen */
	size_t page;	    /* rows on the screen that scroll, when it was last drawn */
	size_t nscroll;	    /* rows that scroll, then */
};

/* Empty until table_update(); ops and data are borrowed. */
void table_init(struct table *table, const struct table_ops *ops, void *data);
void table_fini(struct table *table);

/* Call after the data has changed: filters and sorts again, and keeps the cursor on its row. */
void table_update(struct table *table);

/*
 * Use these columns instead of those of its ops; borrowed, as their names, until the next call.  It
 * stays sorted and filtered by the columns of the same names; by one that is gone it is no longer:
 * then it is sorted by none, not reversed.  table_update() must follow.
 */
void table_set_columns(struct table *table, const struct column *columns, size_t count);

/*
 * Which columns are shown after the first, and their order: names of its ops with commas or blanks
 * between, "none", or "default", the view's own choice.  The others can still be sorted and filtered
 * by.  False and one line in `error`: then they stay as they are.
 */
bool table_choose(struct table *table, const char *names, char *error, size_t room);

/* The same by their places in ops, from 1, at most one time each. */
void table_choose_these(struct table *table, const size_t *columns, size_t count);

/* Those that are chosen, or all after the first: how many.  `out` has room for all of ops. */
size_t table_chosen(const struct table *table, size_t *out);

/* As table_choose() takes it; cut at `room`. */
void table_choice_text(const struct table *table, char *out, size_t room);

/* The row (of the data) under the cursor, or TABLE_NO_ROW. */
size_t table_row(const struct table *table);

/* Update it, with the cursor on the row of this identity. */
void table_select(struct table *table, uint64_t id);

/* Keep the cursor on its row from now on, also when that was only the first one. */
void table_stay(struct table *table);

/* Call when `is_hidden` says something else of the same data; the cursor keeps its row if it is shown. */
void table_rehide(struct table *table);

/* Whether its rows are shown in the order of the data: not filtered, not sorted, not reversed. */
bool table_is_plain(const struct table *table);

/* Handle a move, sort or reverse action: whether it was one of these. */
bool table_action(struct table *table, enum action action);

/* Mark the row under the cursor, or unmark it: false if rows cannot be marked here. */
bool table_mark(struct table *table);

/* Unmark all rows, also those that have gone: whether there was a sum. */
bool table_unmark(struct table *table);

/* A row was clicked, an index into order: the cursor goes there; whether it was there already. */
bool table_click_row(struct table *table, size_t index);

/* A title was clicked: sort by this column; if it is sorted by it, reverse. */
void table_click_title(struct table *table, size_t column);

/* Whether a click on this column's title sorts by it. */
bool table_is_sortable(const struct table *table, size_t column);

/* Sort by a column's name, "-name" reversed, "none": 0, or -1 and one line in `error`. */
int table_sort_by(struct table *table, const char *name, char *error, size_t room);

/* Filter the rows: 0; or -1, one line in `error`, and the filter stays as it was. */
int table_filter(struct table *table, const char *text, char *error, size_t room);

/* What it is filtered by; "" for nothing. */
const char *table_filter_text(const struct table *table);

/* Titles and as many rows as fit, the cursor's among them.  One line high: that row alone. */
void table_draw(struct table *table, struct canvas *canvas, struct rect at, bool is_ascii);

/* A cell alone, of a column of its own or of its ops. */
void table_draw_cell(const struct table *table, size_t row, const struct column *column,
		     const struct pen *pen);

/*
 * In a tree: draw the lines that lead to a row, into the cell with its name.  Returns the cells used:
 * some are left for the name.
 */
int table_draw_branch(const struct table *table, size_t row, const struct pen *pen);

/* Whether it is sorted by number, and right-aligned. */
static inline bool column_is_number(const struct column *column)
{
	return column->number != NULL || column->draw == NULL;
}

/* The title over it. */
const char *table_title(const struct table *table, const struct column *column);

/* Cells that a column has when the table is so wide; 0: it is hidden. */
int table_cells(const struct table *table, const char *column, int width);

/* How many of the columns [from, to) it has then. */
size_t table_shown(const struct table *table, size_t from, size_t to, int width);

/* Lines that it takes to show every row. */
int table_lines(const struct table *table);

/* "rate", "-rate": how it is sorted, as --sort takes it; "" for the order given. */
char *table_sort_text(const struct table *table, char *out, size_t room);

#endif
