/* SPDX-License-Identifier: MIT */
/*
 * Views that a key opens over the others, and closes again: help, doctor, events of this machine,
 * a view's columns.
 */
#include "ui/state.h"

unsigned int over_help(struct ui *ui)
{
	if (ui_top(ui)->ops == view_help())
		ui_pop(ui);
	else
		ui_push(ui, view_help_new(&ui->keys, ui->is_ascii));
	return UI_REDRAW;
}

unsigned int over_browser(struct ui *ui)
{
	const struct machine_events *events;

	if (ui_top(ui)->ops == view_browser()) {
		ui_pop(ui);
		return UI_REDRAW;
	}
	events = act_can_add(ui) && ui->hooks.events ? ui->hooks.events(ui->hooks.ctx) : NULL;
	if (events)
		ui_push(ui, view_browser_new(events, ui->is_ascii));
	return UI_REDRAW;
}

/* Close what is over the doctor's view: false when there is none.  Two would share their checks. */
static bool back_to_doctor(struct ui *ui)
{
	size_t at = ui->nover;

	while (at > 0 && ui->over[at - 1]->ops != view_doctor())
		at--;
	while (at > 0 && ui->nover > at)
		ui_pop(ui);
	return at > 0;
}

unsigned int over_doctor(struct ui *ui)
{
	const struct machine_checks *checks;

	if (ui_top(ui)->ops == view_doctor()) {
		ui_pop(ui);
		return UI_REDRAW;
	}
	if (back_to_doctor(ui))
		return UI_REDRAW;
	checks = ui->hooks.checks ? ui->hooks.checks(ui->hooks.ctx) : NULL;
	if (checks)
		ui_push(ui, view_doctor_new(checks, ui->is_ascii));
	else
		ui_message(ui, true, "this machine is examined only while it is watched");
	return UI_REDRAW;
}

unsigned int over_columns(struct ui *ui)
{
	if (ui_top(ui)->ops == view_columns())
		ui_pop(ui);
	else if (ui->nover > 0)
		ui_message(ui, true, "columns are chosen in the views with a tab");
	else
		ui_push(ui, view_columns_new(ui_top(ui), ui->is_ascii));
	return UI_REDRAW;
}
