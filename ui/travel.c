/* SPDX-License-Identifier: MIT */
/* To other times of a replayed file: pause, one interval back or on, a time that is typed. */
#include "ui/moment.h"
#include "ui/state.h"

#include <stdio.h>

bool travel_is_possible(struct ui *ui)
{
	if (ui->hooks.move && ui->shown)
		return true;
	ui_message(ui, true, "%s",
		   ui->hooks.move	   ? "nothing is shown yet" :
		   ui->origin == UI_REPLAY ? "a pipe has only the time that it is at" :
					     "other times are those of a recorded file: -i FILE");
	return false;
}

/* The time that is shown, or that was asked for last. */
static double here(const struct ui *ui)
{
	return ui->is_travelling ? ui->travel_s : ui->shown->time_s;
}

static void go(struct ui *ui, double time_s)
{
	ui->is_travelling = true;
	ui->travel_s = time_s;
	ui->hooks.move(ui->hooks.ctx, time_s);
}

unsigned int travel_step(struct ui *ui, int intervals)
{
	if (!travel_is_possible(ui))
		return UI_REDRAW;
	ui_freeze(ui, true);
	go(ui, here(ui) + intervals * ui_interval(ui));
	return UI_REDRAW;
}

void travel_again(struct ui *ui)
{
	if (ui->is_frozen && ui->hooks.move && ui->shown)
		go(ui, here(ui));
}

unsigned int travel_to(struct ui *ui)
{
	double now_s = moment_has_date(here(ui)) ? here(ui) : ui->shown->time_s;
	const struct moments moments = { now_s, ui->file.first_s, ui->file.last_s };
	double time_s;

	if (!moment_parse(ui->prompt.text, &moments, &time_s, ui->prompt_error,
			  sizeof(ui->prompt_error)))
		return UI_REDRAW;
	prompt_close(&ui->prompt);
	go(ui, time_s);
	return UI_REDRAW;
}
