/* SPDX-License-Identifier: MIT */
/*
 * What a saved snapshot keeps of the screen, in lines that whoever reopens it applies in their order:
 *
 *     view = tasks
 *     sort tasks = -rate              and so of each view with a tab, as a configuration has it
 *     set tasks = processes, rates
 *     columns tasks = default
 *     filter tasks = bash
 *     symbols = cpu-clock             the event whose symbols are shown
 *     event = 3 <tab> cpu-clock       a view over it: its index and name
 *     sort over = share               and so of the view over it
 *     callers = 3 <tab> cpu-clock <tab> do_idle <tab> [kernel]
 *     task = 31 <tab> 31 <tab> 1 <tab> 0 <tab> 0 <tab> bash
 *
 * A value with a newline, or a tab in a name, is left out.
 */
#include "ui/state.h"

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "ui/toggles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS	  6
#define KEPT_MAX  512	 /* a sort, and lists of toggles and columns */
#define NAME_OVER "over" /* in place of a view's name: the one on top */

/* --- writing ---------------------------------------------------------------------------------- */

/* "NAME OF = VALUE": false when it does not fit on a line. */
static bool add(struct strbuf *out, const char *name, const char *of, const char *value)
{
	if (strchr(value, '\n'))
		return false;
	strbuf_printf(out, "%s%s%s = %s\n", name, of[0] ? " " : "", of, value);
	return true;
}

/* How a view is sorted, switched and filtered. */
static void add_choices(struct strbuf *out, const struct view *view, const char *of)
{
	const char *filter = table_filter_text(&view->table);
	char text[KEPT_MAX];

	table_sort_text(&view->table, text, sizeof(text));
	add(out, "sort", of, text[0] ? text : "none");
	toggles_text(view, text, sizeof(text));
	add(out, "set", of, text);
	table_choice_text(&view->table, text, sizeof(text));
	add(out, "columns", of, text);
	if (filter[0])
		add(out, "filter", of, filter);
}

static void add_symbols(struct strbuf *out, const struct ui *ui)
{
	for (size_t i = 0; i < UI_VIEWS; i++) {
		uint32_t event = view_event(ui->views[i]);

		if (ui->views[i]->ops == view_symbols() && event != VIEW_NO_EVENT)
			add(out, "symbols", "", ui->shown->events[event].name);
	}
}

static bool has_tab(const char *text)
{
	return text && strchr(text, '\t');
}

/* "31<tab>31<tab>1<tab>0<tab>0<tab>bash", the names last; false when one has a tab. */
static bool add_subject(struct strbuf *out, const struct view_subject *subject)
{
	const struct snap_task *task = &subject->task;

	if (has_tab(subject->event) || has_tab(subject->symbol.symbol) ||
	    has_tab(subject->symbol.module))
		return false;
	if (!subject->event)
		strbuf_printf(out, "%" PRId32 "\t%" PRId32 "\t%" PRId32 "\t%d\t%d\t%s", task->pid,
			      task->tid, task->ppid, task->is_process, subject->is_rest,
			      task->comm);
	else if (!subject->symbol.symbol)
		strbuf_printf(out, "%" PRIu32 "\t%s", subject->at, subject->event);
	else
		strbuf_printf(out, "%" PRIu32 "\t%s\t%s\t%s", subject->at, subject->event,
			      subject->symbol.symbol, subject->symbol.module);
	return true;
}

/* A view over the others, with its sort and filter: false when it cannot be kept. */
static bool add_over(struct strbuf *out, const struct view *view)
{
	if (!view->ops->subject)
		return false;
	struct view_subject subject = view->ops->subject(view);
	struct strbuf text;

	strbuf_init(&text);
	bool is_kept = add_subject(&text, &subject) && add(out, view->ops->name, "", text.text);
	strbuf_fini(&text);
	if (!is_kept)
		return false;
	add_choices(out, view, NAME_OVER);
	return true;
}

void keep_write(const struct ui *ui, struct strbuf *out)
{
	add(out, "view", "", ui_view(ui));
	for (size_t i = 0; i < UI_VIEWS; i++)
		add_choices(out, ui->views[i], ui->views[i]->ops->name);
	add_symbols(out, ui);
	for (size_t i = 0; i < ui->nover && add_over(out, ui->over[i]); i++)
		;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Of a view with a tab; UI_VIEWS: there is none of this name. */
static size_t index_of(const struct ui *ui, const char *name)
{
	size_t at = 0;

	while (at < UI_VIEWS && strcmp(ui->views[at]->ops->name, name) != 0)
		at++;
	return at;
}

/* A view with a tab by its name, or the one on top; NULL: there is none. */
static struct view *find(const struct ui *ui, const char *name)
{
	size_t at = index_of(ui, name);

	if (strcmp(name, NAME_OVER) == 0)
		return ui->nover ? ui_top(ui) : NULL;
	return at < UI_VIEWS ? ui->views[at] : NULL;
}

static void show_view(struct ui *ui, const char *name)
{
	size_t at = index_of(ui, name);

	if (at < UI_VIEWS)
		ui_show(ui, at);
}

/* It shows the first event with symbols until another is chosen. */
static void show_symbols(struct ui *ui, const char *event)
{
	struct view *view = find(ui, view_symbols()->name);

	for (size_t i = 0; i < ui->shown->nevents; i++) {
		uint32_t at = view_event(view);

		if (at == VIEW_NO_EVENT || strcmp(ui->shown->events[at].name, event) == 0)
			return;
		view_action(view, ACTION_RIGHT);
	}
}

/* Cut the text at its tabs: how many fields, of which the last has the rest. */
static size_t split(char *text, size_t most, const char *fields[FIELDS])
{
	size_t count = 1;

	fields[0] = text;
	while (count < most && (text = strchr(text, '\t'))) {
		*text++ = '\0';
		fields[count++] = text;
	}
	return count;
}

static int32_t number(const char *text)
{
	return (int32_t)strtol(text, NULL, 10);
}

static void enter_event(struct ui *ui, char *text)
{
	const char *field[FIELDS];

	if (split(text, 2, field) == 2)
		ui_push(ui, view_event_new(field[1], (uint32_t)number(field[0]), ui->is_ascii));
}

static void enter_callers(struct ui *ui, char *text)
{
	const char *field[FIELDS];

	if (split(text, 4, field) != 4)
		return;
	struct snap_symbol symbol = { .symbol = field[2], .module = field[3] };

	ui_push(ui, view_callers_new(field[1], (uint32_t)number(field[0]), &symbol, ui->is_ascii));
}

static void enter_task(struct ui *ui, char *text)
{
	const char *field[FIELDS];

	if (split(text, FIELDS, field) != FIELDS)
		return;
	struct snap_task task = {
		.pid = number(field[0]),
		.tid = number(field[1]),
		.ppid = number(field[2]),
		.is_process = number(field[3]) != 0,
		.comm = field[5],
	};
	bool is_rest = number(field[4]) != 0;

	ui_push(ui, view_task_new(ui->shown, is_rest ? &ui->shown->rest : &task, ui->is_ascii));
}

/* A value that is not known here has no effect: the text may be of another version. */
static void set(struct view *view, const char *name, const char *value)
{
	char ignored[UI_MESSAGE_MAX];

	if (strcmp(name, "sort") == 0)
		table_sort_by(&view->table, value, ignored, sizeof(ignored));
	else if (strcmp(name, "set") == 0)
		toggles_set(view, value, ignored, sizeof(ignored));
	else if (strcmp(name, "columns") == 0)
		table_choose(&view->table, value, ignored, sizeof(ignored));
	else if (strcmp(name, "filter") == 0)
		table_filter(&view->table, value, ignored, sizeof(ignored));
}

/* A line "NAME = VALUE". */
static void show(struct ui *ui, const char *name, char *value)
{
	if (strcmp(name, "view") == 0)
		show_view(ui, value);
	else if (strcmp(name, "symbols") == 0)
		show_symbols(ui, value);
	else if (ui->nover == UI_OVER_MAX)
		return;
	else if (strcmp(name, "event") == 0)
		enter_event(ui, value);
	else if (strcmp(name, "callers") == 0)
		enter_callers(ui, value);
	else if (strcmp(name, "task") == 0)
		enter_task(ui, value);
}

static void restore_line(struct ui *ui, char *line)
{
	char *value = strstr(line, " = ");

	if (!value)
		return;
	*value = '\0';
	value += strlen(" = ");

	char *of = strchr(line, ' ');
	if (!of) {
		show(ui, line, value);
		return;
	}
	*of++ = '\0';
	struct view *view = find(ui, of);
	if (view)
		set(view, line, value);
}

void keep_restore(struct ui *ui, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		restore_line(ui, line);
	free(copy);
	for (size_t i = 0; i < UI_VIEWS; i++)
		ui_hide_at_first(ui, ui->views[i]);
	ui_hide_alike(ui);
}
