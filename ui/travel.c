/* SPDX-License-Identifier: MIT */
/*
 * To other times: one interval back or on, the first, the last, a time that is typed.
 *
 * A replay moves in its file (hooks.move); else the times are those of the snapshots that are held.
 */
#include "ui/moment.h"
#include "ui/state.h"

#include <math.h>
#include <stdio.h>

bool travel_is_possible(struct ui *ui)
{
	if (!ui->shown)
		ui_message(ui, true, "nothing is shown yet");
	return ui->shown != NULL;
}

bool travel_is_offered(const struct ui *ui)
{
	return ui->hooks.move || (ui->is_frozen && ui->history.count > 1);
}

/* The time that is shown, or that was asked for last. */
static double here(const struct ui *ui)
{
	return ui->is_travelling ? ui->travel_s : ui->shown->time_s;
}

static void move(struct ui *ui, double time_s)
{
	ui->is_travelling = true;
	ui->travel_s = time_s;
	ui->hooks.move(ui->hooks.ctx, time_s);
}

/* --- snapshots that are held ------------------------------------------------------------------ */

static void say_last(struct ui *ui, bool is_newest)
{
	char key[KEY_NAME_MAX];

	if (!is_newest)
		ui_message(ui, false, "nothing earlier is held");
	else if (ui->is_frozen && keys_first_name(&ui->keys, ACTION_FREEZE, key)[0])
		ui_message(ui, false, "this is the newest; %s goes on", key);
	else
		ui_message(ui, false, "this is the newest");
}

static void show_held(struct ui *ui, const struct snapshot *snap)
{
	ui_freeze(ui, true);
	if (snap != ui->shown)
		ui_show_snapshot(ui, snap);
}

static void step_held(struct ui *ui, int intervals)
{
	const struct snapshot *snap = history_step(&ui->history, intervals);

	if (snap == ui->shown)
		say_last(ui, intervals > 0);
	else
		show_held(ui, snap);
}

/* To the interval of a time; says so when none has it. */
static void go_held(struct ui *ui, double time_s)
{
	const struct snapshot *oldest = history_oldest(&ui->history);
	double newest_s = history_newest(&ui->history)->time_s;

	show_held(ui, history_go(&ui->history, time_s));
	if (isfinite(time_s) && (time_s < oldest->time_s - oldest->interval_s || time_s > newest_s))
		say_last(ui, time_s > newest_s);
}

/* --- both ------------------------------------------------------------------------------------- */

unsigned int travel_step(struct ui *ui, int intervals)
{
	if (!travel_is_possible(ui))
		return UI_REDRAW;
	if (ui->hooks.move) {
		ui_freeze(ui, true);
		move(ui, here(ui) + intervals * ui_interval(ui));
	} else {
		step_held(ui, intervals);
	}
	return UI_REDRAW;
}

void travel_again(struct ui *ui)
{
	if (ui->is_frozen && ui->hooks.move && ui->shown)
		move(ui, here(ui));
}

static struct moments moments_of(const struct ui *ui)
{
	double now_s = moment_has_date(here(ui)) ? here(ui) : ui->shown->time_s;

	if (ui->hooks.move)
		return (struct moments){ now_s, ui->file.first_s, ui->file.last_s };
	return (struct moments){ now_s, history_oldest(&ui->history)->time_s,
				 history_newest(&ui->history)->time_s };
}

static void go(struct ui *ui, double time_s)
{
	if (ui->hooks.move)
		move(ui, time_s);
	else
		go_held(ui, time_s);
}

unsigned int travel_far(struct ui *ui, double time_s)
{
	if (travel_is_possible(ui))
		go(ui, time_s);
	return UI_REDRAW;
}

unsigned int travel_to(struct ui *ui)
{
	const struct moments moments = moments_of(ui);
	double time_s;

	if (!moment_parse(ui->prompt.text, &moments, &time_s, ui->prompt_error,
			  sizeof(ui->prompt_error)))
		return UI_REDRAW;
	act_entered(ui);
	go(ui, time_s);
	return UI_REDRAW;
}
