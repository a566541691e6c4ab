/* SPDX-License-Identifier: MIT */
/*
 * Browser: the events of this machine as a tree, which of them are watched, and what the selected one
 * counts.  Filtered or sorted, it is a plain list of events.
 */
#include "ui/view.h"

#include "base/strbuf.h"
#include "ui/event-cells.h"
#include "ui/event-tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a screen with so many lines for the view, those for the selected event's text and fields. */
#define HIGH_LEAST   14
#define HIGH_TEXT    6
#define HIGHER_LEAST 30
#define HIGHER_TEXT  12
#define FIELD_CELLS  40 /* of a column of fields */
#define GROUP_SALT   0x9e3779b97f4a7c15u

struct browser_view {
	struct view view;
	struct event_tree tree;
	struct strbuf fields; /* of event number fields_of */
	size_t fields_of;
};

static struct browser_view *browser_of(struct view *view)
{
	return (struct browser_view *)view;
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool is_tree(const struct browser_view *self)
{
	return table_is_plain(&self->view.table);
}

static size_t rows(const void *data)
{
	const struct browser_view *self = data;

	return is_tree(self) ? self->tree.nlines : self->tree.events->count;
}

static struct event_leaf leaf_at(const struct browser_view *self, size_t row)
{
	return is_tree(self) ? self->tree.lines[row] : (struct event_leaf){ false, row };
}

static uint64_t id_of(const struct browser_view *self, struct event_leaf leaf)
{
	const struct machine_event *event = event_tree_event(&self->tree, leaf);

	return leaf.is_group ? event_id(event->group) ^ GROUP_SALT : event_id(event->name);
}

static uint64_t id(const void *data, size_t row)
{
	return id_of(data, leaf_at(data, row));
}

/* The event in the snapshot, or NULL while it is not watched. */
static const struct snap_event *watched_at(const struct browser_view *self, size_t at)
{
	uint32_t index = self->tree.watched[at];

	return index != NOT_WATCHED ? &self->view.snap->events[index] : NULL;
}

/* That of a row, NULL for a group's. */
static const struct snap_event *watched_in(const void *data, size_t row)
{
	struct event_leaf leaf = leaf_at(data, row);

	return leaf.is_group ? NULL : watched_at(data, leaf.at);
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct browser_view *self = data;
	const struct machine_event *event = event_tree_event(&self->tree, leaf_at(self, row));

	snprintf(out, room, "%s %s %s", event->name, event->text ? event->text : "",
		 event->reason ? event->reason : "");
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *name(const void *data, size_t row)
{
	const struct browser_view *self = data;
	struct event_leaf leaf = leaf_at(self, row);
	const struct machine_event *event = event_tree_event(&self->tree, leaf);

	return leaf.is_group ? event->group : event->name;
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	const struct browser_view *self = data;
	struct event_leaf leaf = leaf_at(self, row);
	const struct machine_event *event = event_tree_event(&self->tree, leaf);
	struct pen copy = *pen;
	char title[128];

	if (leaf.is_group) {
		snprintf(title, sizeof(title), "%c %s",
			 self->tree.groups[leaf.at].is_open ? '-' : '+', event->group);
		draw_left(&copy, title);
		return;
	}
	if (is_tree(self)) {
		copy.x += 2;
		copy.width -= 2;
	}
	if (event->reason && !watched_at(self, leaf.at))
		copy.role = ROLE_DIM;
	if (copy.width > 0)
		draw_middle(&copy, event->name);
}

static const char *state(const void *data, size_t row)
{
	const struct snap_event *watched = watched_in(data, row);
	const struct browser_view *self = data;
	struct event_leaf leaf = leaf_at(self, row);

	if (watched)
		return event_state_name(watched->state);
	return !leaf.is_group && self->tree.events->all[leaf.at].reason ? "cannot" : "";
}

static void draw_state(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event *watched = watched_in(data, row);
	struct pen copy = *pen;

	if (watched && watched->state == EVENT_STATE_ON)
		copy.role = ROLE_GOOD;
	else if (watched && watched->state == EVENT_STATE_FAILED)
		copy.role = ROLE_WARN;
	else
		copy.role = ROLE_DIM;
	draw_left(&copy, state(data, row));
}

static double rate(const void *data, size_t row)
{
	const struct snap_event *watched = watched_in(data, row);

	return watched && event_is_on(watched) ? event_in_units(watched, watched->rate) : -INFINITY;
}

static void draw_rate_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_event *watched = watched_in(data, row);

	if (watched && event_is_on(watched))
		event_draw_rate(watched, pen);
}

static void draw_group(const struct browser_view *self, const struct event_group *group,
		       const struct pen *pen)
{
	char words[64];
	size_t on = 0;

	for (size_t i = 0; i < group->count; i++)
		on += self->tree.watched[group->first + i] != NOT_WATCHED;
	int len = snprintf(words, sizeof(words), "%zu event%s", group->count,
			   group->count == 1 ? "" : "s");
	if (on && len > 0)
		snprintf(words + len, sizeof(words) - (size_t)len, ", %zu watched", on);
	draw_left(pen, words);
}

/* The reason of a watched event that is off or failed, or of one that does not open; else its text. */
static const char *what_of(const struct browser_view *self, size_t at)
{
	const struct snap_event *watched = watched_at(self, at);

	if (watched && watched->state != EVENT_STATE_ON && watched->reason)
		return watched->reason;
	if (!watched && self->tree.events->all[at].reason)
		return self->tree.events->all[at].reason;
	return self->tree.events->describe(self->tree.events->ctx, at);
}

static void draw_what(const void *data, size_t row, const struct pen *pen)
{
	const struct browser_view *self = data;
	struct event_leaf leaf = leaf_at(self, row);
	struct pen copy = *pen;

	copy.role = ROLE_DIM;
	if (leaf.is_group)
		draw_group(self, &self->tree.groups[leaf.at], &copy);
	else
		draw_left(&copy, what_of(self, leaf.at));
}

static const struct column columns[] = {
	{ "event", "EVENT", 12, 30, .most = 44, .draw = draw_name, .text = name },
	{ "state", "STATE", 6, 6, .drop = 2, .draw = draw_state, .text = state },
	{ "rate", "RATE/s", 6, 7, .drop = 1, .draw = draw_rate_of, .number = rate },
	{ "what", "WHAT IT COUNTS, OR ITS FIELDS", 10, 24, .most = 400, .drop = 3,
	  .draw = draw_what },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.empty = "this machine shows no events",
};

/* --- actions ----------------------------------------------------------------------------------- */

/* Open or close the group that the row is, or is in: it is selected then. */
static void set_open(struct browser_view *self, struct event_leaf leaf, bool is_open)
{
	struct event_leaf group = { true, event_tree_group(&self->tree, leaf) };

	event_tree_open(&self->tree, group.at, is_open);
	table_select(&self->view.table, id_of(self, group));
}

static bool act(struct view *view, enum action action)
{
	struct browser_view *self = browser_of(view);
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW || !is_tree(self))
		return false;

	struct event_leaf leaf = leaf_at(self, row);
	if (action == ACTION_ENTER && leaf.is_group)
		set_open(self, leaf, !self->tree.groups[leaf.at].is_open);
	else if (action == ACTION_LEFT)
		set_open(self, leaf, false);
	else if (action == ACTION_RIGHT && leaf.is_group)
		set_open(self, leaf, true);
	else
		return false;
	return true;
}

/* --- taking a snapshot ------------------------------------------------------------------------ */

static void take(struct view *view)
{
	struct browser_view *self = browser_of(view);

	event_tree_watch(&self->tree, view->snap);
	table_update(&view->table);
}

static const struct machine_event *selected(const struct view *view, size_t *at)
{
	const struct browser_view *self = (const struct browser_view *)view;
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW || leaf_at(self, row).is_group)
		return NULL;
	*at = leaf_at(self, row).at;
	return &self->tree.events->all[*at];
}

static uint32_t selected_event(const struct view *view)
{
	const struct browser_view *self = (const struct browser_view *)view;
	size_t at;

	if (!selected(view, &at) || self->tree.watched[at] == NOT_WATCHED)
		return VIEW_NO_EVENT;
	return self->tree.watched[at];
}

static const char *adds(const struct view *view)
{
	size_t at;
	const struct machine_event *event = selected(view, &at);

	return event ? event->name : NULL;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static int text_lines(int height)
{
	return height >= HIGHER_LEAST ? HIGHER_TEXT : height >= HIGH_LEAST ? HIGH_TEXT : 0;
}

static void read_fields(struct browser_view *self, size_t at)
{
	if (self->fields_of == at)
		return;
	strbuf_clear(&self->fields);
	self->tree.events->declare(self->tree.events->ctx, at, &self->fields);
	self->fields_of = at;
}

/* Top down, then in the next column; what does not fit is left out. */
static void draw_fields(const struct browser_view *self, const struct pen *first, int lines)
{
	const char *at = self->fields.len ? self->fields.text : "";
	struct pen pen = *first;
	int line = 0;

	pen.width = FIELD_CELLS - 2;
	while (*at && lines > 0 && pen.x + pen.width <= first->x + first->width) {
		size_t len = strcspn(at, "\n");
		char field[128];

		snprintf(field, sizeof(field), "%.*s", (int)len, at);
		draw_left(&pen, field);
		pen.y++;
		if (++line % lines == 0) {
			pen.x += FIELD_CELLS;
			pen.y = first->y;
		}
		at += len + (at[len] == '\n');
	}
}

/* The selected event: its name, why it does not open or what it counts, its fields. */
static void draw_selected(struct browser_view *self, struct canvas *canvas, struct rect at)
{
	struct pen pen = { .canvas = canvas,
			   .x = at.x,
			   .y = at.y + 1,
			   .width = at.width,
			   .role = ROLE_HEAD,
			   .is_ascii = self->view.is_ascii };
	size_t number;
	const struct machine_event *event = selected(&self->view, &number);

	if (!event)
		return;
	draw_left(&pen, event->name);
	pen.role = ROLE_TEXT;
	pen.y++;
	read_fields(self, number);
	if (self->fields.len && !event->reason) {
		draw_fields(self, &pen, at.height - 2);
		return;
	}
	draw_wrapped(&pen, at.height - 2, what_of(self, number));
}

static void draw(struct view *view, struct canvas *canvas, struct rect at)
{
	struct rect below = view_draw_table(view, canvas, at, text_lines(at.height));

	if (below.height)
		draw_selected(browser_of(view), canvas, below);
}

static int lines(struct view *view, int width)
{
	(void)width;
	return table_lines(&view->table) + HIGHER_TEXT;
}

/* --- life ------------------------------------------------------------------------------------- */

static void fini(struct view *view)
{
	struct browser_view *self = browser_of(view);

	event_tree_fini(&self->tree);
	strbuf_fini(&self->fields);
}

static const enum action hints[] = { ACTION_ENTER, ACTION_REMOVE, ACTION_TYPE_EVENT, ACTION_FILTER,
				     ACTION_NONE };

const struct view_ops *view_browser(void)
{
	static const struct view_ops ops = {
		.name = "browser",
		.title = "Events of this machine",
		.size = sizeof(struct browser_view),
		.table = &table,
		.hints = hints,
		.enter = "add",
		.take = take,
		.draw = draw,
		.lines = lines,
		.action = act,
		.event = selected_event,
		.adds = adds,
		.fini = fini,
	};

	return &ops;
}

struct view *view_browser_new(const struct machine_events *events, bool is_ascii)
{
	struct view *view = view_new(view_browser(), is_ascii);
	struct browser_view *self = browser_of(view);

	event_tree_init(&self->tree, events);
	self->fields_of = SIZE_MAX;
	strbuf_init(&self->fields);
	table_update(&view->table);
	return view;
}
