/* SPDX-License-Identifier: MIT */
/*
 * The selected row's detail, below the rows of a screen that has lines to spare: what Enter leads to,
 * live, without a cursor.  It is made when the selection changes, and freed with the view above.
 */
#include "ui/state.h"

#include <stdlib.h>

#define SCREEN_LEAST 24 /* lines for rows and detail together */
#define DETAIL_LEAST 10 /* with the blank line and its title */
#define ABOVE	     2	/* these */
#define STEP	     4
#define SLACK	     8 /* lines that may stay blank before the detail moves up */

void below_drop(struct ui *ui)
{
	view_free(ui->below);
	ui->below = NULL;
	ui->above_lines = 0;
}

/* Half of the height; or more, in steps, so that it does not move with each row that comes or goes. */
static int lines_above(const struct ui *ui, int wanted, int height)
{
	int half = height / 2, stepped = (wanted + STEP - 1) / STEP * STEP;
	int least = wanted <= half ? half : stepped;

	if (ui->above_lines >= wanted && ui->above_lines <= least + SLACK &&
	    ui->above_lines >= half)
		return ui->above_lines;
	return least;
}

/* A row that leads nowhere has none; its place stays blank. */
static void make_detail(struct ui *ui)
{
	struct view *top = ui_top(ui);

	if (!view_can_enter(top)) {
		view_free(ui->below);
		ui->below = NULL;
		return;
	}
	const struct table *table = &top->table;
	uint64_t id = table->ops->id(table->data, table_row(table));
	uint32_t event = view_event(top);

	if (ui->below && ui->below_id == id && ui->below_event == event)
		return;
	view_free(ui->below);
	ui->below = top->ops->into(top);
	ui->below->table.has_focus = false;
	ui->below_id = id;
	ui->below_event = event;
	ui_begin_view(ui, ui->below);
}

int below_split(struct ui *ui, int columns, int height)
{
	struct view *top = ui_top(ui);

	if (height < SCREEN_LEAST || !ui->shown || !top->ops->into) {
		below_drop(ui);
		return height;
	}
	int above = lines_above(ui, view_lines(top, columns), height);
	if (height - above < DETAIL_LEAST) {
		below_drop(ui);
		return height;
	}
	make_detail(ui);
	ui->above_lines = above;
	return above;
}

void below_draw(struct ui *ui, struct canvas *canvas, struct rect at)
{
	struct spot whole = { .at = at,
			      .kind = SPOT_KEY,
			      .value = keys_first(&ui->keys, ACTION_ENTER) };
	struct pen title = { .canvas = canvas,
			     .x = at.x,
			     .y = at.y + 1,
			     .width = at.width,
			     .role = ROLE_HEAD,
			     .is_ascii = ui->is_ascii };

	if (!ui->below)
		return;
	draw_left(&title, view_crumb(ui->below));
	at.y += ABOVE;
	at.height -= ABOVE;
	view_draw(ui->below, canvas, at);
	/* Over the marks of its tables: it has no cursor, and a click goes into it. */
	spots_mark(&canvas->spots, &whole);
}
