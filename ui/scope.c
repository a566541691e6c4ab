/* SPDX-License-Identifier: MIT */
/* What is watched: a user's tasks, processes, or what was watched at first. */
#include "ui/state.h"

#include <stdio.h>

static bool is_fixed(struct ui *ui)
{
	if (ui->hooks.watch)
		return false;
	ui_message(ui, true, "what is watched changes only while it watches this machine");
	return true;
}

/* New snapshots are of something else: show them, also where the view was frozen. */
static void say(struct ui *ui, enum ui_scope scope, const char *text)
{
	if (scope == UI_SCOPE_USER)
		ui_message(ui, false, "watching the tasks of %s from now on", text);
	else if (scope == UI_SCOPE_PROCESS)
		ui_message(ui, false, "watching process %s from now on", text);
	else
		ui_message(ui, false, "watching what was watched at first");
	ui_freeze(ui, false);
}

unsigned int scope_ask_user(struct ui *ui)
{
	return is_fixed(ui) ? UI_REDRAW : act_ask(ui, ASKING_USER, "only the tasks of user: ", "");
}

unsigned int scope_ask_process(struct ui *ui)
{
	char pid[16] = "";

	if (is_fixed(ui))
		return UI_REDRAW;
	int32_t selected = view_process(ui_top(ui));
	if (selected > 0)
		snprintf(pid, sizeof(pid), "%d", (int)selected);
	return act_ask(ui, ASKING_PROCESS, "only processes: ", pid);
}

unsigned int scope_enter(struct ui *ui)
{
	enum ui_scope scope = ui->asking == ASKING_USER ? UI_SCOPE_USER : UI_SCOPE_PROCESS;
	const char *text = ui->prompt.text;

	if (!text[0])
		scope = UI_SCOPE_START;
	if (!ui->hooks.watch(ui->hooks.ctx, scope, text, ui->prompt_error,
			     sizeof(ui->prompt_error)))
		return UI_REDRAW;
	say(ui, scope, text);
	act_entered(ui);
	return UI_REDRAW;
}

unsigned int scope_clear(struct ui *ui)
{
	char why[UI_MESSAGE_MAX];

	if (is_fixed(ui))
		return UI_REDRAW;
	if (ui->hooks.watch(ui->hooks.ctx, UI_SCOPE_START, "", why, sizeof(why)))
		say(ui, UI_SCOPE_START, "");
	else
		ui_message(ui, true, "%s", why);
	return UI_REDRAW;
}
