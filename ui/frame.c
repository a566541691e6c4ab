/* SPDX-License-Identifier: MIT */
/*
 * Where the parts of the screen go.  From top to bottom:
 *
 *     head line, CPU strip, views, rows ..., detail, busy tasks, notes, message, keys
 *
 * A high screen has the detail of the selected row below few rows.
 *
 * A screen with few lines drops parts in this order: strip, busy tasks and notes, key
 * line (the message's line shows keys then), views, titles, message.  One line shows
 * the head, two the head and a row.
 */
#include "ui/state.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define SAVE_COLUMNS_LEAST 132 /* every column of the events with 2 CPUs */

struct frame {
	int strip; /* lines of the CPU strip */
	bool has_tabs;
	bool has_busy;
	int notes; /* lines of notes */
	bool has_message, has_keys;
	struct rect rows;
};

/* Notes get their own lines on a high screen; else one is shown on the message's line. */
static int note_lines(const struct ui *ui, int lines)
{
	size_t notes = ui->shown ? ui->shown->nnotes : 0;
	int allowed = lines < 20 ? 0 : lines < 30 ? 2 : 4;

	return notes < (size_t)allowed ? (int)notes : allowed;
}

static struct frame lay_out(const struct ui *ui, const struct canvas *canvas)
{
	int lines = canvas->lines;
	struct frame frame = {
		.strip = strip_lines(ui, canvas->columns, lines),
		.has_tabs = lines >= 5,
		.has_busy = lines >= 18 && ui->shown && ui->shown->has_switches,
		.notes = note_lines(ui, lines),
		.has_message = lines >= 3,
		.has_keys = lines >= 10,
	};
	int above = 1 + frame.strip + frame.has_tabs;
	int below = frame.has_busy + frame.notes + frame.has_message + frame.has_keys;

	frame.rows = (struct rect){ .y = above,
				    .width = canvas->columns,
				    .height = lines - above - below };
	return frame;
}

static struct pen line_pen(const struct ui *ui, struct canvas *canvas, int y)
{
	return (struct pen){ .canvas = canvas,
			     .y = y,
			     .width = canvas->columns,
			     .is_ascii = ui->is_ascii };
}

static void draw_top(const struct ui *ui, struct canvas *canvas, const struct frame *frame)
{
	struct pen pen = line_pen(ui, canvas, 0);

	head_draw(ui, &pen);
	strip_draw(ui, canvas,
		   (struct rect){ .y = 1, .width = canvas->columns, .height = frame->strip });
	pen.y = 1 + frame->strip;
	if (frame->has_tabs)
		tabs_draw(ui, &pen);
}

static void draw_bottom(const struct ui *ui, struct canvas *canvas, const struct frame *frame)
{
	struct pen pen = line_pen(ui, canvas, frame->rows.y + frame->rows.height);

	if (frame->has_busy) {
		busy_draw(ui, &pen);
		pen.y++;
	}
	for (int i = 0; i < frame->notes; i++, pen.y++)
		note_draw(ui, &pen, (size_t)i, (size_t)frame->notes);
	if (frame->has_message) {
		bool has_note = ui->shown && ui->shown->nnotes && !frame->notes &&
				(frame->has_keys || !ui->is_touched);

		if (message_draw(ui, &pen))
			;
		else if (has_note)
			note_draw(ui, &pen, 0, 1);
		else if (!frame->has_keys)
			keys_draw(ui, &pen);
		pen.y++;
	}
	if (frame->has_keys)
		keys_draw(ui, &pen);
}

static void draw_rows(struct ui *ui, struct canvas *canvas, struct rect at)
{
	struct rect above = at, below = at;

	above.height = below_split(ui, at.width, at.height);
	below.y += above.height;
	below.height -= above.height;
	view_draw(ui_top(ui), canvas, above);
	if (below.height > 0)
		below_draw(ui, canvas, below);
}

/* Rows before tabs: the line of tabs says which rows are on the screen. */
void frame_draw(struct ui *ui, struct canvas *canvas)
{
	canvas_reset(canvas, canvas->columns, canvas->lines);
	canvas->keys = &ui->keys;
	struct frame frame = lay_out(ui, canvas);

	ui->columns = canvas->columns;
	ui->lines = canvas->lines;
	draw_rows(ui, canvas, frame.rows);
	draw_top(ui, canvas, &frame);
	draw_bottom(ui, canvas, &frame);
}

/* --- saving ----------------------------------------------------------------------------------- */

static void add_time(const struct snapshot *snap, struct strbuf *out)
{
	time_t seconds = (time_t)snap->time_s;
	char text[64] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	strbuf_printf(out, "\n%s, %g s after the start\n", text,
		      (double)(long long)(snap->elapsed_s * 10 + 0.5) / 10);
}

static void add_notes(const struct snapshot *snap, struct strbuf *out)
{
	struct canvas line;

	canvas_init(&line, CANVAS_MAX, 1);
	for (size_t i = 0; i < snap->nnotes; i++) {
		canvas_reset(&line, CANVAS_MAX, 1);
		canvas_put(&line, 0, 0, -1, ROLE_TEXT, snap->notes[i]);
		canvas_text(&line, out);
	}
	canvas_fini(&line);
}

/*
 * Drawn on a canvas that holds all rows, without a cursor.  Rows at 0 are
 * shown, too.  The table's state is restored, so that the user's screen does not move.
 */
void frame_save(struct ui *ui, struct strbuf *out)
{
	struct view *top = ui_top(ui);
	struct table before = top->table;
	size_t hidden = before.nquiet;
	int columns = ui->columns < SAVE_COLUMNS_LEAST ? SAVE_COLUMNS_LEAST : ui->columns;

	if (hidden > 0)
		table_action(&top->table, ACTION_ALL);
	int rows = view_lines(top, columns);
	struct frame frame = { .strip = strip_lines(ui, columns, 24), .has_tabs = true };
	struct canvas canvas;

	frame.rows = (struct rect){ .y = frame.strip + 2, .width = columns, .height = rows };
	canvas_init(&canvas, columns, frame.rows.y + rows);
	canvas.keys = &ui->keys;
	top->table.has_focus = false;
	view_draw(top, &canvas, frame.rows);
	draw_top(ui, &canvas, &frame);
	canvas_text(&canvas, out);
	canvas_fini(&canvas);
	if (hidden > 0)
		table_action(&top->table, ACTION_ALL);
	top->table.has_focus = before.has_focus;
	top->table.top = before.top;
	top->table.page = before.page;
	add_time(ui->shown, out);
	add_notes(ui->shown, out);
}
