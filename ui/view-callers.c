/* SPDX-License-Identifier: MIT */
/*
 * Callers: who called a symbol, as a tree.  Filtered or sorted, it is a plain list.
 */
#include "ui/view.h"

#include "base/xalloc.h"
#include "ui/caller-tree.h"
#include "ui/event-ref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2

struct callers_view {
	struct view view;
	struct event_ref ref;
	const struct snap_event *event; /* in view.snap; NULL: no longer there */
	char *symbol, *module;
	struct caller_tree tree;
};

static struct callers_view *self_of(struct view *view)
{
	return (struct callers_view *)view;
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool is_tree(const struct callers_view *self)
{
	return table_is_plain(&self->view.table);
}

static size_t rows(const void *data)
{
	const struct callers_view *self = data;

	if (!self->tree.symbol)
		return 0;
	return is_tree(self) ? self->tree.nshown : self->tree.symbol->ncallers;
}

static size_t index_at(const struct callers_view *self, size_t row)
{
	return is_tree(self) ? self->tree.shown[row] : row;
}

static const struct snap_caller *caller_at(const void *data, size_t row)
{
	const struct callers_view *self = data;

	return &self->tree.symbol->callers[index_at(self, row)];
}

static const struct caller_line *line_at(const void *data, size_t row)
{
	const struct callers_view *self = data;

	return &self->tree.lines[index_at(self, row)];
}

static uint64_t id(const void *data, size_t row)
{
	return line_at(data, row)->id;
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_caller *caller = caller_at(data, row);

	snprintf(out, room, "%s %s", caller->symbol, caller->module);
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *name(const void *data, size_t row)
{
	return caller_at(data, row)->symbol;
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	const struct callers_view *self = data;
	const struct caller_line *line = line_at(data, row);
	struct pen copy = *pen;
	char words[256];

	if (!is_tree(self)) {
		draw_left(pen, name(data, row));
		return;
	}
	/* On narrow screens the indentation must leave room for the name. */
	int indent = line->level * INDENT < pen->width / 2 ? line->level * INDENT : pen->width / 2;
	const char *mark = line->is_closed ? "+ " : line->callers > 1 ? "- " : "  ";

	copy.x += indent;
	copy.width -= indent;
	snprintf(words, sizeof(words), "%s%s", mark, name(data, row));
	draw_left(&copy, words);
}

static double share(const void *data, size_t row)
{
	return caller_at(data, row)->share;
}

static void draw_share_of(const void *data, size_t row, const struct pen *pen)
{
	draw_share(pen, share(data, row), MARK_NONE);
}

static double part(const void *data, size_t row)
{
	const struct callers_view *self = data;

	return self->tree.symbol->share > 0 ? share(data, row) / self->tree.symbol->share : 0;
}

static void draw_part(const void *data, size_t row, const struct pen *pen)
{
	draw_share(pen, part(data, row), MARK_NONE);
}

static void draw_bar_of(const void *data, size_t row, const struct pen *pen)
{
	struct pen bar = *pen;

	bar.role = ROLE_HEAT2;
	draw_bar(&bar, part(data, row));
}

static const char *module(const void *data, size_t row)
{
	return caller_at(data, row)->module;
}

static void draw_module(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, module(data, row));
}

static const struct column columns[] = {
	{ "caller", "CALLED BY", 12, 36, .most = 90, .draw = draw_name, .text = name },
	{ "part", "PART", 6, 6, .draw = draw_part, .number = part, .is_share = true },
	{ "bar", "", 10, 10, .most = 30, .drop = 3, .draw = draw_bar_of },
	{ "share", "SHARE", 6, 6, .drop = 1, .draw = draw_share_of, .number = share,
	  .is_share = true },
	{ "module", "MODULE", 10, 12, .most = 24, .drop = 2, .draw = draw_module, .text = module },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.empty = "no sample of it with callers now",
};

/* --- actions ---------------------------------------------------------------------------------- */

static void set_closed(struct callers_view *self, size_t at, bool is_closed)
{
	uint64_t selected = self->tree.lines[at].id;

	caller_tree_close(&self->tree, at, is_closed);
	table_select(&self->view.table, selected);
}

/* Left on one that has nothing to close closes the one that it called. */
static size_t to_close(const struct callers_view *self, size_t at)
{
	const struct caller_line *line = &self->tree.lines[at];

	return line->callers > 0 && !line->is_closed ? at : line->parent;
}

static bool act(struct view *view, enum action action)
{
	struct callers_view *self = self_of(view);
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW || !is_tree(self))
		return false;

	size_t at = index_at(self, row);
	if (action == ACTION_LEFT)
		at = to_close(self, at);
	if (at == CALLER_NONE)
		return true;
	if (action == ACTION_ENTER)
		set_closed(self, at, !self->tree.lines[at].is_closed);
	else if (action == ACTION_LEFT || action == ACTION_RIGHT)
		set_closed(self, at, action == ACTION_LEFT);
	else
		return false;
	return true;
}

/* --- taking a snapshot, drawing --------------------------------------------------------------- */

static const struct snap_symbol *find_symbol(const struct callers_view *self)
{
	const struct snap_event *event = self->event;

	for (size_t i = 0; event != NULL && i < event->nsymbols; i++) {
		const struct snap_symbol *symbol = &event->symbols[i];

		if (strcmp(symbol->symbol, self->symbol) == 0 &&
		    strcmp(symbol->module, self->module) == 0)
			return symbol;
	}
	return NULL;
}

static void take(struct view *view)
{
	struct callers_view *self = self_of(view);

	self->event = event_ref_find(&self->ref, view->snap);
	caller_tree_set(&self->tree, find_symbol(self));
	table_update(&view->table);
}

/* What the shares are of. */
static void draw_subject(const struct callers_view *self, const struct pen *pen)
{
	char words[256];

	if (!self->tree.symbol)
		return;
	snprintf(words, sizeof(words), "PART of the samples in %s, which are %.1f%% of those of %s",
		 self->symbol, self->tree.symbol->share * 100, self->event->name);
	draw_left(pen, words);
}

static void draw(struct view *view, struct canvas *canvas, struct rect at)
{
	struct pen pen = { .canvas = canvas,
			   .x = at.x + TABLE_MARGIN,
			   .y = at.y,
			   .width = at.width - TABLE_MARGIN,
			   .role = ROLE_DIM,
			   .is_ascii = view->is_ascii };

	if (at.height >= 5 && pen.width > 0) {
		draw_subject(self_of(view), &pen);
		at.y++;
		at.height--;
	}
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static int lines(struct view *view, int width)
{
	(void)width;
	return table_lines(&view->table) + 5;
}

/* --- life ------------------------------------------------------------------------------------- */

static const char *crumb(const struct view *view)
{
	return ((const struct callers_view *)view)->symbol;
}

static struct view_subject subject(const struct view *view)
{
	const struct callers_view *self = (const struct callers_view *)view;

	return (struct view_subject){ .event = self->ref.name,
				      .at = self->ref.at,
				      .symbol = { .symbol = self->symbol,
						  .module = self->module } };
}

static void fini(struct view *view)
{
	struct callers_view *self = self_of(view);

	caller_tree_fini(&self->tree);
	event_ref_fini(&self->ref);
	free(self->symbol);
	free(self->module);
}

static const enum action hints[] = {
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_NONE,
};

static const struct view_ops ops = {
	.name = "callers",
	.title = "Callers",
	.size = sizeof(struct callers_view),
	.table = &table,
	.hints = hints,
	.enter = "open/close",
	.take = take,
	.draw = draw,
	.lines = lines,
	.action = act,
	.crumb = crumb,
	.subject = subject,
	.fini = fini,
};

struct view *view_callers_new(const char *event, uint32_t at, const struct snap_symbol *symbol,
			      bool is_ascii)
{
	struct view *view = view_new(&ops, is_ascii);
	struct callers_view *self = self_of(view);

	event_ref_set(&self->ref, event, at);
	self->symbol = xstrdup(symbol->symbol);
	self->module = xstrdup(symbol->module);
	return view;
}
