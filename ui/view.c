/* SPDX-License-Identifier: MIT */
#include "ui/view.h"

#include "base/xalloc.h"

#include <stdlib.h>

struct view *view_new(const struct view_ops *ops, bool is_ascii)
{
	char ignored[128];
	struct view *view = xcalloc(1, ops->size);

	view->ops = ops;
	view->is_ascii = is_ascii;
	table_init(&view->table, ops->table, (char *)view + ops->data_at);
	if (ops->sort)
		table_sort_by(&view->table, ops->sort, ignored, sizeof(ignored));
	return view;
}

void view_free(struct view *view)
{
	if (!view)
		return;
	if (view->ops->fini)
		view->ops->fini(view);
	table_fini(&view->table);
	free(view);
}

void view_take(struct view *view, const struct snapshot *snap)
{
	view->snap = snap;
	if (snap && view->ops->take)
		view->ops->take(view);
	else
		table_update(&view->table);
}

void view_draw(struct view *view, struct canvas *canvas, struct rect at)
{
	if (at.width <= 0 || at.height <= 0)
		return;
	if (view->ops->draw)
		view->ops->draw(view, canvas, at);
	else
		table_draw(&view->table, canvas, at, view->is_ascii);
}

struct rect view_draw_table(struct view *view, struct canvas *canvas, struct rect at, int below)
{
	struct rect rest = at;

	rest.height = below;
	at.height -= below;
	rest.y += at.height;
	table_draw(&view->table, canvas, at, view->is_ascii);
	return rest;
}

int view_lines(struct view *view, int columns)
{
	return view->ops->lines ? view->ops->lines(view, columns) : table_lines(&view->table);
}

bool view_action(struct view *view, enum action action)
{
	if (view->ops->action && view->ops->action(view, action))
		return true;
	return table_action(&view->table, action);
}

void view_focus(struct view *view, const struct table *table)
{
	if (view->ops->focus)
		view->ops->focus(view, table);
}

struct view *view_into_event(struct view *view)
{
	uint32_t event = view_event(view);

	return view_event_new(view->snap->events[event].name, event, view->is_ascii);
}

const char *view_crumb(const struct view *view)
{
	return view->ops->crumb ? view->ops->crumb(view) : view->ops->title;
}

bool view_can_enter(const struct view *view)
{
	if (!view->snap || !view->ops->into || table_row(&view->table) == TABLE_NO_ROW)
		return false;
	return !view->ops->can_enter || view->ops->can_enter(view);
}

const char *view_adds(const struct view *view)
{
	return view->snap && view->ops->adds ? view->ops->adds(view) : NULL;
}

uint32_t view_event(const struct view *view)
{
	return view->snap && view->ops->event ? view->ops->event(view) : VIEW_NO_EVENT;
}

int32_t view_process(const struct view *view)
{
	const struct snap_task *task = view->snap && view->ops->task ? view->ops->task(view) : NULL;

	return task && task->pid > 0 ? task->pid : 0;
}
