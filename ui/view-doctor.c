/* SPDX-License-Identifier: MIT */
/*
 * Doctor: what works on this machine and what does not, with the line that would fix it.  What does
 * not comes first, unless it is sorted otherwise.
 */
#include "ui/view.h"

#include "ui/event-cells.h"

#include <stdio.h>

/* With so many lines for the view, those below the table for the selected check. */
#define HIGH_LEAST 12
#define HIGH_TEXT  6

struct doctor_view {
	struct view view;
	const struct machine_checks *checks;
};

static const struct machine_check *check_at(const void *data, size_t row)
{
	return &((const struct doctor_view *)data)->checks->all[row];
}

/* --- rows and columns --------------------------------------------------------------------------- */

static size_t rows(const void *data)
{
	return ((const struct doctor_view *)data)->checks->count;
}

static uint64_t id(const void *data, size_t row)
{
	return event_id(check_at(data, row)->name);
}

static double interest(const void *data, size_t row)
{
	return check_at(data, row)->is_ok ? 0 : 1;
}

static const char *fix(const void *data, size_t row)
{
	const struct machine_check *check = check_at(data, row);

	return check->fix ? check->fix : "";
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct machine_check *check = check_at(data, row);

	snprintf(out, room, "%s %s %s", check->name, check->what, fix(data, row));
}

static const char *name(const void *data, size_t row)
{
	return check_at(data, row)->name;
}

static const char *state(const void *data, size_t row)
{
	return check_at(data, row)->is_ok ? "ok" : "no";
}

static const char *what(const void *data, size_t row)
{
	return check_at(data, row)->what;
}

static void draw_name(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, name(data, row));
}

static void draw_state(const void *data, size_t row, const struct pen *pen)
{
	struct pen copy = *pen;

	copy.role = check_at(data, row)->is_ok ? ROLE_GOOD : ROLE_WARN;
	draw_left(&copy, state(data, row));
}

static void draw_what(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, what(data, row));
}

static void draw_fix(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, fix(data, row));
}

static const struct column columns[] = {
	{ "check", "CHECK", 8, 17, .most = 20, .draw = draw_name, .text = name },
	{ "state", "STATE", 5, 5, .drop = 1, .draw = draw_state, .text = state },
	{ "what", "WHAT WAS FOUND", 10, 16, .most = 400, .draw = draw_what, .text = what },
	{ "fix", "FIX", 24, 60, .drop = 2, .draw = draw_fix, .text = fix },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.interest = interest,
	.empty = "nothing was checked",
};

/* --- drawing ------------------------------------------------------------------------------------ */

/* The selected check: its name, all that was found, the line to paste. */
static void draw_selected(const struct doctor_view *self, struct canvas *canvas, struct rect at)
{
	struct pen pen = { .canvas = canvas,
			   .x = at.x,
			   .y = at.y + 1,
			   .width = at.width,
			   .role = ROLE_HEAD,
			   .is_ascii = self->view.is_ascii };
	size_t row = table_row(&self->view.table);
	int lines = at.height - 2;
	char line[1024];

	if (row == TABLE_NO_ROW)
		return;
	draw_left(&pen, name(self, row));
	pen.y++;
	pen.role = ROLE_TEXT;
	lines -= check_at(self, row)->fix != NULL;
	pen.y += draw_wrapped(&pen, lines, what(self, row));
	pen.role = ROLE_KEY;
	snprintf(line, sizeof(line), "$ %s", fix(self, row));
	if (check_at(self, row)->fix)
		draw_left(&pen, line);
}

static void draw(struct view *view, struct canvas *canvas, struct rect at)
{
	struct rect below =
		view_draw_table(view, canvas, at, at.height >= HIGH_LEAST ? HIGH_TEXT : 0);

	if (below.height)
		draw_selected((const struct doctor_view *)view, canvas, below);
}

static int lines(struct view *view, int width)
{
	(void)width;
	return table_lines(&view->table) + HIGH_TEXT;
}

/* --- life --------------------------------------------------------------------------------------- */

static const enum action hints[] = { ACTION_FILTER, ACTION_SAVE, ACTION_NONE };

const struct view_ops *view_doctor(void)
{
	static const struct view_ops ops = {
		.name = "doctor",
		.title = "Doctor",
		.size = sizeof(struct doctor_view),
		.table = &table,
		.hints = hints,
		.draw = draw,
		.lines = lines,
	};

	return &ops;
}

struct view *view_doctor_new(const struct machine_checks *checks, bool is_ascii)
{
	struct view *view = view_new(view_doctor(), is_ascii);

	((struct doctor_view *)view)->checks = checks;
	table_update(&view->table);
	return view;
}
