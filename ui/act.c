/* SPDX-License-Identifier: MIT */
/*
 * What each action does.  A key goes to the open prompt first, then to the view
 * on top, then to the screen as a whole.
 */
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/keys.h"
#include "ui/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERVAL_LEAST 0.01
#define INTERVAL_MOST  86400.0

/* What + and - step through. */
static const double intervals[] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,	  2,	5,
				    10,	  20,	30,   60,  120, 300, 600, 3600, 86400 };

#define INTERVAL_COUNT (sizeof(intervals) / sizeof(intervals[0]))

/* --- interval --------------------------------------------------------------------------------- */

static unsigned int set_interval(struct ui *ui, double seconds)
{
	if (!ui->hooks.interval) {
		ui_message(ui, true, "the interval is fixed here");
		return UI_REDRAW;
	}
	ui->interval_s = seconds;
	ui->hooks.interval(ui->hooks.ctx, seconds);
	ui_message(ui, false, "refresh every %g s", seconds);
	return UI_REDRAW;
}

/* The next step up or down; compared with a tolerance, because 0.1 is not a binary fraction. */
static unsigned int step_interval(struct ui *ui, bool is_up)
{
	double now = ui_interval(ui);

	for (size_t i = 0; i < INTERVAL_COUNT && is_up; i++)
		if (intervals[i] > now * 1.001)
			return set_interval(ui, intervals[i]);
	for (size_t i = INTERVAL_COUNT; i-- > 0 && !is_up;)
		if (intervals[i] < now * 0.999)
			return set_interval(ui, intervals[i]);
	ui_message(ui, false, "%g s is the %s interval here", now, is_up ? "longest" : "shortest");
	return UI_REDRAW;
}

static unsigned int enter_interval(struct ui *ui)
{
	char *end;
	double seconds = strtod(ui->prompt.text, &end);

	if (end == ui->prompt.text || *end || !(seconds >= INTERVAL_LEAST) ||
	    seconds > INTERVAL_MOST) {
		snprintf(ui->prompt_error, sizeof(ui->prompt_error), "seconds from %g to %g",
			 INTERVAL_LEAST, INTERVAL_MOST);
		return UI_REDRAW;
	}
	act_entered(ui);
	return set_interval(ui, seconds);
}

/* --- events ----------------------------------------------------------------------------------- */

bool act_can_add(struct ui *ui)
{
	if (ui->hooks.add)
		return true;
	ui_message(ui, true, "events can be added only while it watches this machine");
	return false;
}

/* One that is watched, by the name as it was requested; NULL for none. */
static const struct snap_event *find_event(const struct ui *ui, const char *name)
{
	for (size_t i = 0; ui->shown && i < ui->shown->nevents; i++)
		if (strcmp(ui->shown->events[i].asked, name) == 0)
			return &ui->shown->events[i];
	return NULL;
}

static void say_watched(struct ui *ui, const char *name)
{
	char key[KEY_NAME_MAX];

	if (keys_first_name(&ui->keys, ACTION_REMOVE, key)[0])
		ui_message(ui, false, "%s is watched; %s removes it", name, key);
	else
		ui_message(ui, false, "%s is watched", name);
}

/* Add it; if it is watched but off, switch it on. */
static unsigned int add_event(struct ui *ui, const char *name)
{
	const struct snap_event *event = find_event(ui, name);
	char why[UI_MESSAGE_MAX / 2];

	if (!act_can_add(ui))
		return UI_REDRAW;
	if (event && event->state == EVENT_STATE_ON)
		say_watched(ui, name);
	else if (ui->hooks.add(ui->hooks.ctx, name, why, sizeof(why)))
		ui_message(ui, false, "%s: added", name);
	else
		ui_message(ui, true, "%s: %s", name, why);
	return UI_REDRAW;
}

static unsigned int enter_event(struct ui *ui)
{
	if (!ui->hooks.add(ui->hooks.ctx, ui->prompt.text, ui->prompt_error,
			   sizeof(ui->prompt_error)))
		return UI_REDRAW;
	ui_message(ui, false, "%s: added", ui->prompt.text);
	act_entered(ui);
	return UI_REDRAW;
}

/* --- prompt ----------------------------------------------------------------------------------- */

unsigned int act_ask(struct ui *ui, enum asking asking, const char *label, const char *text)
{
	ui->asking = asking;
	ui->prompt_error[0] = '\0';
	prompt_open(&ui->prompt, label, text);
	recall_begin(&ui->recall[asking]);
	return UI_REDRAW;
}

/* Applied at each edit; a filter that does not compile leaves the rows unchanged. */
static void apply_filter(struct ui *ui, const char *text)
{
	ui->prompt_error[0] = '\0';
	table_filter(&ui_top(ui)->table, text, ui->prompt_error, sizeof(ui->prompt_error));
}

void act_entered(struct ui *ui)
{
	recall_keep(&ui->recall[ui->asking], ui->prompt.text);
	prompt_close(&ui->prompt);
}

void act_leave_prompt(struct ui *ui)
{
	if (!prompt_is_open(&ui->prompt))
		return;
	if (ui->asking == ASKING_FILTER && ui->prompt_error[0] == '\0')
		act_entered(ui);
	else
		prompt_close(&ui->prompt);
}

static unsigned int prompt_done(struct ui *ui, enum prompt_result result)
{
	bool is_filter = ui->asking == ASKING_FILTER;

	if (result == PROMPT_EDITED && is_filter)
		apply_filter(ui, ui->prompt.text);
	else if (result == PROMPT_EDITED)
		ui->prompt_error[0] = '\0';
	else if (result == PROMPT_ENTERED && ui->asking == ASKING_INTERVAL)
		return enter_interval(ui);
	else if (result == PROMPT_ENTERED && ui->asking == ASKING_EVENT)
		return enter_event(ui);
	else if (result == PROMPT_ENTERED && ui->asking == ASKING_TIME)
		return travel_to(ui);
	else if (result == PROMPT_ENTERED &&
		 (ui->asking == ASKING_USER || ui->asking == ASKING_PROCESS))
		return scope_enter(ui);
	else if (result == PROMPT_ENTERED && !ui->prompt_error[0])
		act_entered(ui);
	else if (result == PROMPT_CANCELLED) {
		if (is_filter)
			apply_filter(ui, "");
		prompt_close(&ui->prompt);
	}
	return UI_REDRAW;
}

/* An older text at the same prompt, or with `is_newer` the one after it. */
static enum prompt_result recall_text(struct ui *ui, bool is_newer)
{
	const char *text = recall_step(&ui->recall[ui->asking], is_newer, ui->prompt.text);

	if (text == NULL)
		return PROMPT_MOVED;
	prompt_open(&ui->prompt, ui->prompt.label, text);
	return PROMPT_EDITED;
}

static enum prompt_result prompt_or_recall(struct ui *ui, int32_t key)
{
	if (key == KEY_CTRL('P') || key == KEY_CTRL('N'))
		return recall_text(ui, key == KEY_CTRL('N'));
	return prompt_key(&ui->prompt, key);
}

/* --- hooks ------------------------------------------------------------------------------------ */

static unsigned int save(struct ui *ui)
{
	char path[UI_MESSAGE_MAX - 32] = "";
	struct strbuf text, screen;

	if (!ui->hooks.save || !ui->shown) {
		ui_message(ui, true, "nothing to save yet");
		return UI_REDRAW;
	}
	strbuf_init(&text);
	strbuf_init(&screen);
	frame_save(ui, &text);
	keep_write(ui, &screen);
	struct ui_saved saved = { text.text, text.len, screen.text, ui->shown };
	if (ui->hooks.save(ui->hooks.ctx, &saved, path, sizeof(path)) < 0)
		ui_message(ui, true, "not saved: %s", path);
	else
		ui_message(ui, false, "saved to %s", path);
	strbuf_fini(&text);
	strbuf_fini(&screen);
	return UI_REDRAW;
}

/* The event that the top view or its row is about; without one a message, and NULL. */
static const struct snap_event *selected_event(struct ui *ui)
{
	uint32_t index = view_event(ui_top(ui));

	if (index != VIEW_NO_EVENT && index < ui->shown->nevents)
		return &ui->shown->events[index];
	ui_message(ui, true, "no event is selected here");
	return NULL;
}

static unsigned int toggle(struct ui *ui)
{
	const struct snap_event *event = selected_event(ui);

	if (!event)
		return UI_REDRAW;
	if (event->state == EVENT_STATE_FAILED) {
		ui_message(ui, true, "%s cannot be switched on: %s", event->name,
			   event->reason ? event->reason : "it could not be opened");
	} else if (ui->hooks.toggle) {
		ui->hooks.toggle(ui->hooks.ctx, event->id);
		table_stay(&ui_top(ui)->table);
		ui_message(ui, false, "%s: switched %s", event->name,
			   event->state == EVENT_STATE_ON ? "off" : "on");
	} else {
		ui_message(ui, true, "events cannot be switched here");
	}
	return UI_REDRAW;
}

static unsigned int remove_event(struct ui *ui)
{
	const struct snap_event *event = selected_event(ui);

	if (event && ui->hooks.remove) {
		ui->hooks.remove(ui->hooks.ctx, event->id);
		ui_message(ui, false, "%s: removed", event->name);
	} else if (event) {
		ui_message(ui, true, "events cannot be removed here");
	}
	return UI_REDRAW;
}

static unsigned int zero(struct ui *ui)
{
	if (ui->hooks.zero)
		ui->hooks.zero(ui->hooks.ctx);
	ui_message(ui, !ui->hooks.zero, "%s",
		   ui->hooks.zero ? "all counts begin at zero" : "counts cannot be zeroed here");
	return UI_REDRAW;
}

/* --- navigation ------------------------------------------------------------------------------- */

/* Drop the filter; if there is none, the marks; if none of them is shown, close the view. */
static unsigned int back(struct ui *ui)
{
	struct table *table = &ui_top(ui)->table;

	if (table_filter_text(table)[0])
		apply_filter(ui, "");
	else if (!table_unmark(table) && ui->nover)
		ui_pop(ui);
	return UI_REDRAW;
}

static unsigned int into(struct ui *ui)
{
	struct view *top = ui_top(ui);
	const char *name = view_adds(top);

	if (name)
		return add_event(ui, name);
	if (view_can_enter(top))
		ui_push(ui, top->ops->into(top));
	return UI_REDRAW;
}

static unsigned int show_digit(struct ui *ui, int32_t key)
{
	if (key >= '1' && key < '1' + UI_VIEWS)
		ui_show(ui, (size_t)(key - '1'));
	return UI_REDRAW;
}

static unsigned int act_on_screen(struct ui *ui, enum action action, int32_t key)
{
	switch (action) {
	case ACTION_ENTER:
		return into(ui);
	case ACTION_BACK:
		return back(ui);
	case ACTION_MARK:
		ui_message(ui, true, "rows of this view cannot be marked");
		return UI_REDRAW;
	case ACTION_NEXT_VIEW:
		ui_show(ui, (ui->at + 1) % UI_VIEWS);
		return UI_REDRAW;
	case ACTION_PREV_VIEW:
		ui_show(ui, (ui->at + UI_VIEWS - 1) % UI_VIEWS);
		return UI_REDRAW;
	case ACTION_VIEW:
		return show_digit(ui, key);
	case ACTION_FREEZE:
		ui_freeze(ui, !ui->is_frozen);
		return UI_REDRAW;
	case ACTION_EARLIER:
		return travel_step(ui, -1);
	case ACTION_LATER:
		return travel_step(ui, 1);
	case ACTION_EARLIER_TEN:
		return travel_step(ui, -10);
	case ACTION_LATER_TEN:
		return travel_step(ui, 10);
	case ACTION_OLDEST:
		return travel_far(ui, -INFINITY);
	case ACTION_NEWEST:
		return travel_far(ui, INFINITY);
	case ACTION_LEFT:
	case ACTION_RIGHT:
		if (!travel_is_offered(ui))
			return UI_REDRAW;
		return travel_step(ui, action == ACTION_LEFT ? -1 : 1);
	case ACTION_GO_TO:
		return travel_is_possible(ui) ? act_ask(ui, ASKING_TIME, "go to: ", "") : UI_REDRAW;
	case ACTION_HELP:
		return over_help(ui);
	default:
		return UI_REDRAW;
	}
}

static unsigned int act(struct ui *ui, enum action action, int32_t key)
{
	switch (action) {
	case ACTION_QUIT:
		return UI_QUIT;
	case ACTION_SUSPEND:
		return UI_SUSPEND | UI_REDRAW;
	case ACTION_THEME:
		return UI_THEME | UI_REDRAW;
	case ACTION_REPAINT:
		return UI_REPAINT | UI_REDRAW;
	case ACTION_MOUSE:
		return UI_MOUSE | UI_REDRAW;
	case ACTION_WRITE:
		return UI_WRITE | UI_REDRAW;
	case ACTION_FILTER:
		return act_ask(ui, ASKING_FILTER,
			       "filter: ", table_filter_text(&ui_top(ui)->table));
	case ACTION_INTERVAL:
		return act_ask(ui, ASKING_INTERVAL, "seconds between refreshes: ", "");
	case ACTION_SLOWER:
		return step_interval(ui, true);
	case ACTION_FASTER:
		return step_interval(ui, false);
	case ACTION_SAVE:
		return save(ui);
	case ACTION_TOGGLE:
		return toggle(ui);
	case ACTION_BROWSE:
		return over_browser(ui);
	case ACTION_TYPE_EVENT:
		return act_can_add(ui) ? act_ask(ui, ASKING_EVENT, "event: ", "") : UI_REDRAW;
	case ACTION_REMOVE:
		return remove_event(ui);
	case ACTION_ZERO:
		return zero(ui);
	case ACTION_DOCTOR:
		return over_doctor(ui);
	case ACTION_COLUMNS:
		return over_columns(ui);
	case ACTION_WATCH_USER:
		return scope_ask_user(ui);
	case ACTION_WATCH_PROCESS:
		return scope_ask_process(ui);
	case ACTION_WATCH_FIRST:
		return scope_clear(ui);
	default:
		return act_on_screen(ui, action, key);
	}
}

/* These actions leave the prompt open; any other closes it and keeps its filter. */
static bool keeps_prompt(enum action action)
{
	return action == ACTION_UP || action == ACTION_DOWN || action == ACTION_PAGE_UP ||
	       action == ACTION_PAGE_DOWN || action == ACTION_REPAINT || action == ACTION_SUSPEND;
}

static unsigned int no_action(struct ui *ui, int32_t key, bool had_message)
{
	char name[KEY_NAME_MAX], help[KEY_NAME_MAX];

	if (key == KEYS_NONE)
		return had_message ? UI_REDRAW : UI_IDLE;
	keys_name(key, name);
	if (keys_first_name(&ui->keys, ACTION_HELP, help)[0])
		ui_message(ui, false, "%s does nothing; %s shows the keys", name, help);
	else
		ui_message(ui, false, "%s does nothing", name);
	return UI_REDRAW;
}

void act_pressed(struct ui *ui)
{
	ui->message[0] = '\0';
	ui->is_touched = true;
	ui->is_drawn = false;
}

unsigned int act_key(struct ui *ui, int32_t key)
{
	bool had_message = ui->message[0];

	if (key_is_mouse(key))
		return mouse_key(ui, key);
	act_pressed(ui);
	if (prompt_is_open(&ui->prompt)) {
		enum prompt_result result = prompt_or_recall(ui, key);

		if (result != PROMPT_IGNORED)
			return prompt_done(ui, result);
	}
	enum action action = keys_action(&ui->keys, key);
	if (action == ACTION_NONE)
		return no_action(ui, key, had_message);
	if (!keeps_prompt(action))
		act_leave_prompt(ui);
	if (view_action(ui_top(ui), action)) {
		if (action == ACTION_HIDE_KERNEL || action == ACTION_HIDE_USER)
			ui_hide_alike(ui);
		return UI_REDRAW;
	}
	return act(ui, action, key);
}
