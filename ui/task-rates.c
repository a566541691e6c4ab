/* SPDX-License-Identifier: MIT */
#include "ui/task-rates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"
#include "ui/keys.h"

#define WIDTH_LEAST 8
#define WIDTH_MOST  11
#define WIDTH_GROWN 24
#define SHOWN_MOST  64 /* more do not fit on any screen */

/*
 * When a screen is narrow first the view's own columns that are not before the events are hidden, then
 * the last of the events.
 */
#define DROP_EVENTS 100
#define DROP_OWN    200

/* sched:sched_switch is called sched_switch. */
static const char *title_of(const struct snap_event *event)
{
	const char *colon = strchr(event->name, ':');

	return strcmp(event->kind, "tracepoint") == 0 && colon != NULL ? colon + 1 : event->name;
}

static void free_titles(char **titles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(titles[i]);
	free(titles);
}

static char **copy_titles(const struct snapshot *snap)
{
	char **titles = xcalloc(snap->nevents + 1, sizeof(*titles));

	for (size_t i = 0; i < snap->nevents; i++)
		titles[i] = xstrdup(title_of(&snap->events[i]));
	return titles;
}

static bool is_dropped(const struct task_columns *columns, const struct column *column)
{
	for (size_t i = 0; columns->drop[i] != NULL; i++) {
		if (strcmp(columns->drop[i], column->name) == 0)
			return true;
	}
	return false;
}

static void copy_own(const struct task_rates *self, const struct task_columns *columns, size_t from,
		     size_t to, struct column *out)
{
	for (size_t i = from; i < to; i++, out++) {
		*out = columns->own[i];
		if (!self->is_shown)
			continue;
		if (i >= columns->at)
			out->drop += DROP_OWN;
		if (is_dropped(columns, out))
			out->width = 0;
	}
}

static bool is_in_view(const struct task_rates *self, size_t place)
{
	return self->is_shown && place >= self->first && place - self->first < SHOWN_MOST;
}

static int between(int least, int cells, int most)
{
	return cells < least ? least : cells > most ? most : cells;
}

static void add_events(struct task_rates *self, char *const *titles, const struct snapshot *snap,
		       struct column *out)
{
	size_t place = 0;

	for (uint32_t i = 0; i < snap->nevents; i++, out++) {
		bool can_show = snap->events[i].sampled > 0;
		bool is_shown = can_show && is_in_view(self, place);
		int cells = (int)text_width(titles[i]);

		*out = (struct column){
			.name = titles[i],
			.title = titles[i],
			.least = WIDTH_LEAST,
			.width = is_shown ? between(WIDTH_LEAST, cells, WIDTH_MOST) : 0,
			.most = between(WIDTH_LEAST, cells, WIDTH_GROWN),
			.drop = DROP_EVENTS + (is_shown ? (int)(place - self->first) : 0),
			.event = i,
		};
		place += can_show;
	}
}

static size_t count_sampled(const struct snapshot *snap)
{
	size_t count = 0;

	for (size_t i = 0; i < snap->nevents; i++)
		count += snap->events[i].sampled > 0;
	return count;
}

void task_rates_take(struct task_rates *self, struct table *table,
		     const struct task_columns *columns, const struct snapshot *snap)
{
	size_t count = columns->count + snap->nevents;
	struct column *all = xcalloc(count, sizeof(*all));
	char **titles = copy_titles(snap);

	self->at = columns->at;
	self->count = count_sampled(snap);
	if (self->first >= self->count)
		self->first = self->count > 0 ? self->count - 1 : 0;
	copy_own(self, columns, 0, columns->at, all);
	add_events(self, titles, snap, all + columns->at);
	copy_own(self, columns, columns->at, columns->count, all + columns->at + snap->nevents);
	table_set_columns(table, all, count);
	free(self->columns);
	free_titles(self->titles, self->ntitles);
	self->columns = all;
	self->titles = titles;
	self->ntitles = snap->nevents;
}

void task_rates_fit(struct task_rates *self, const struct table *table, int width)
{
	self->fit = table_shown(table, self->at, self->at + self->ntitles, width);
}

bool task_rates_move(struct task_rates *self, bool is_right)
{
	if (!self->is_shown ||
	    (is_right ? self->first + self->fit >= self->count : self->first == 0))
		return false;
	self->first += is_right ? 1 : -1;
	return true;
}

bool task_rates_are_cut(const struct task_rates *self)
{
	return self->fit > 0 && self->fit < self->count;
}

void task_rates_draw_which(const struct task_rates *self, const struct pen *pen)
{
	bool is_last = self->first + self->fit >= self->count;
	char text[96], key[KEY_NAME_MAX];
	int len = snprintf(text, sizeof(text), "events %zu to %zu of %zu", self->first + 1,
			   self->first + self->fit, self->count);

	keys_first_name(pen->canvas->keys, is_last ? ACTION_LEFT : ACTION_RIGHT, key);
	if (key[0] != '\0')
		snprintf(text + len, sizeof(text) - (size_t)len, ": %s shows the %s", key,
			 is_last ? "one before" : "next");
	draw_left(pen, text);
}

void task_rates_fini(struct task_rates *self)
{
	free(self->columns);
	free_titles(self->titles, self->ntitles);
	*self = (struct task_rates){ 0 };
}

struct snap_task_event task_rates_of(const struct snapshot *snap, const struct snap_task *task,
				     uint32_t event)
{
	for (size_t i = 0; i < task->nevents; i++) {
		if (task->events[i].event == event)
			return task->events[i];
	}
	return (struct snap_task_event){
		.event = event,
		.is_estimated = !snap_event_is_all_sampled(&snap->events[event]),
	};
}
