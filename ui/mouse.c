/* SPDX-License-Identifier: MIT */
/*
 * What the mouse does: a click on a tab, a part of the path, a title, a key in the key line; on a row
 * it selects that, and on the selected row it is Enter.  The wheel moves the cursor.
 */
#include "ui/keys.h"
#include "ui/state.h"

#define WHEEL_ROWS 3

/* Several clicks may come between two frames: the marks are those of the screen as it is now. */
static struct spot spot_at(struct ui *ui, int x, int y)
{
	struct canvas canvas;

	if (!ui->is_drawn) {
		canvas_init(&canvas, ui->columns, ui->lines);
		ui_draw(ui, &canvas);
		canvas_fini(&canvas);
	}
	return spots_find(&ui->spots, x, y);
}

static unsigned int go_back(struct ui *ui, size_t level)
{
	while (ui->nover > level)
		ui_pop(ui);
	return UI_REDRAW;
}

static unsigned int click_row(struct ui *ui, const struct spot *spot)
{
	bool had_focus = spot->table->has_focus;

	view_focus(ui_top(ui), spot->table);
	if (table_click_row(spot->table, (size_t)spot->value) && had_focus)
		return act_key(ui, keys_first(&ui->keys, ACTION_ENTER));
	return UI_REDRAW;
}

static unsigned int click(struct ui *ui, const struct spot *spot)
{
	if (spot->kind == SPOT_NONE || spot->kind == SPOT_TABLE)
		return UI_IDLE;
	if (spot->kind == SPOT_KEY)
		return act_key(ui, (int32_t)spot->value);
	act_pressed(ui);
	act_leave_prompt(ui);
	if (spot->kind == SPOT_ROW)
		return click_row(ui, spot);
	if (spot->kind == SPOT_CRUMB)
		return go_back(ui, (size_t)spot->value);
	if (spot->kind == SPOT_VIEW)
		ui_show(ui, (size_t)spot->value);
	else
		table_click_title(spot->table, (size_t)spot->value);
	return UI_REDRAW;
}

/* An open prompt stays open, as it does with the keys that move. */
static unsigned int wheel(struct ui *ui, const struct spot *spot, enum action action)
{
	if (spot->table)
		view_focus(ui_top(ui), spot->table);
	for (int i = 0; i < WHEEL_ROWS; i++)
		view_action(ui_top(ui), action);
	ui->is_drawn = false;
	return UI_REDRAW;
}

unsigned int mouse_key(struct ui *ui, int32_t key)
{
	struct spot spot = spot_at(ui, key_x(key), key_y(key));

	switch (key_mouse(key)) {
	case MOUSE_CLICK:
		return click(ui, &spot);
	case MOUSE_WHEEL_UP:
		return wheel(ui, &spot, ACTION_UP);
	case MOUSE_WHEEL_DOWN:
		return wheel(ui, &spot, ACTION_DOWN);
	}
	return UI_IDLE;
}
